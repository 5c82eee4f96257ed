"""Names of folders: readable slugs, the same again when slugged twice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.submission.packaging.names import slug
from datasets.errors import UsageError


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rtx4090x2-nvidia-gpu-TensorRT-default_config", None),
        ("Föo Lab", "Foo-Lab"),
        ("GATE Overflow (2x RTX 4090)", "GATE-Overflow-2x-RTX-4090"),
        ("../../etc/passwd", "etc-passwd"),
        (".hidden", "hidden"),
        ("a/b\\c:d\n", "a-b-c-d"),
    ],
)
def test_what_a_folder_is_called(name: str, expected: str | None) -> None:
    assert slug(name, "--submitter") == (expected or name)


@pytest.mark.parametrize("name", ["", "…", "日本", "--", " . "])
def test_a_name_without_a_letter_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="has no letter or digit to name a folder by"):
        slug(name, "--submitter")


@given(name=st.text(max_size=200))
def test_a_slug_is_safe_and_its_own_slug(name: str) -> None:
    try:
        made = slug(name, "--submitter")
    except UsageError:
        return
    assert re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", made)
    assert slug(made, "--submitter") == made
