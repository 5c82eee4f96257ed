"""Which requests mean the same runs, so that finished ones may be kept."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from harness.request import Request, request_key
from tests.harness.plans import request

DECIDES: dict[str, Any] = {
    "benchmark": "bert",
    "backend": "onnxruntime",
    "device": "gpu",
    "devices": (0, 1),
    "precision": "bf16",
    "options": {"base_ms": "2"},
    "round": "v5.0",
    "system_type": "datacenter",
    "scenarios": ("Offline",),
    "model": Path("other.onnx"),
    "model_name": "resnet50-onnx",
    "data": Path("images"),
    "labels": Path("val.txt"),
    "allow_subset": True,
    "vocab": Path("vocab.txt"),
    "model_dir": Path("models"),
    "streams": 2,
    "threads": 2,
    "max_batch": 4,
}
# The suite counts by its name, whether it was asked for or taken by default, a user.conf by its
# lines; compliance tests are added to a plan.
DOES_NOT: dict[str, Any] = {
    "output": Path("elsewhere"),
    "cache": Path("elsewhere"),
    "mirror": "https://mirror.example",
    "offline": True,
    "fresh": True,
    "suite": "quick",
    "repeat": 7,
    "soak_s": 60.0,
    "compliance": True,
    "stall_s": 5.0,
    "user_conf": Path("user.conf"),
}


def test_every_option_either_decides_runs_or_does_not() -> None:
    assert {one.name for one in fields(Request)} == {*DECIDES, *DOES_NOT}


@pytest.mark.parametrize("option", DECIDES)
def test_what_decides_runs_changes_the_key(tmp_path: Path, option: str) -> None:
    asked = request(tmp_path)
    changed = replace(asked, **{option: DECIDES[option]})
    assert request_key(changed, "model") != request_key(asked, "model")


@pytest.mark.parametrize("option", DOES_NOT)
def test_where_files_are_kept_and_how_they_come_does_not(tmp_path: Path, option: str) -> None:
    asked = request(tmp_path)
    changed = replace(asked, **{option: DOES_NOT[option]})
    assert request_key(changed, "model") == request_key(asked, "model")


def test_model_dataset_machine_and_software_are_part_of_the_key(tmp_path: Path) -> None:
    asked = request(tmp_path)
    identities = ("model", "dataset", "machine", "software")
    keys = {request_key(asked, *identities)}
    for place in range(len(identities)):
        keys.add(request_key(asked, *identities[:place], "other", *identities[place + 1 :]))
    assert len(keys) == 1 + len(identities)


def test_the_order_of_backend_options_does_not_matter(tmp_path: Path) -> None:
    one = request(tmp_path, options={"a": "1", "b": "2"})
    other = request(tmp_path, options={"b": "2", "a": "1"})
    assert request_key(one) == request_key(other)
