"""What a lower precision can gain: told from the processor's flags alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sut.quantization.gains import cpu_flags, expected_gain


@pytest.mark.parametrize(
    ("backend", "precision", "flags", "unit"),
    [
        ("onnxruntime", "int8", {"avx512_vnni", "amx_int8"}, "AMX"),
        ("onnxruntime", "int8", {"avx2", "avx512_vnni", "avx_vnni"}, "AVX-512 VNNI"),
        ("onnxruntime", "int8", {"avx2", "avx_vnni"}, "AVX VNNI"),
        ("onnxruntime", "int8", {"asimddp", "i8mm"}, "Arm I8MM"),
        ("tensorflow", "bf16", {"avx512_bf16", "amx_bf16"}, "AMX"),
        ("tensorflow", "bf16", {"avx512f", "avx512_bf16"}, "AVX-512 BF16"),
    ],
)
def test_the_strongest_unit_decides(
    backend: str, precision: str, flags: set[str], unit: str
) -> None:
    found = expected_gain(backend, precision, "cpu", frozenset(flags))
    assert found is not None
    assert found.unit == unit
    assert f"this cpu has {unit}" in found.sentence("resnet50")


@pytest.mark.parametrize(
    ("backend", "precision", "why"),
    [
        ("onnxruntime", "int8", "neither AMX nor VNNI"),
        ("onnxruntime", "fp16", "computes in float32"),
        ("tensorflow", "bf16", "neither AMX nor AVX-512 BF16"),
    ],
)
def test_a_processor_without_units_is_told_why_there_is_no_gain(
    backend: str, precision: str, why: str
) -> None:
    found = expected_gain(backend, precision, "cpu", frozenset({"avx", "avx2"}))
    assert found is not None
    assert found.sentence("bert").startswith("no gain is to be expected of this cpu")
    assert why in found.sentence("bert")
    assert found.source in found.sentence("bert")


def test_nothing_is_said_of_what_is_not_in_the_table() -> None:
    assert expected_gain("simulated", "int8", "cpu", frozenset()) is None


def test_a_gain_is_stated_for_the_benchmark_that_it_was_measured_with() -> None:
    found = expected_gain("onnxruntime", "int8", "cpu", frozenset({"amx_int8"}))
    assert found is not None
    assert "3.3 ×" in found.sentence("resnet50")
    assert "was not measured" in found.sentence("bert")


@pytest.mark.parametrize("key", ["flags", "Features"])
def test_the_flags_of_both_kinds_of_processors_are_read(tmp_path: Path, key: str) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text(f"processor\t: 0\n{key}\t\t: avx2 amx_int8\n")
    assert cpu_flags(tmp_path) == {"avx2", "amx_int8"}


def test_a_system_that_tells_nothing_has_no_flags(tmp_path: Path) -> None:
    assert cpu_flags(tmp_path) == frozenset()
