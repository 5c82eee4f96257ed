"""Long texts in short lines: legible, and with every sign."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report.breaking import broken


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        (
            "closed/GATEOverflow/rtx4090x2-nvidia-gpu-TensorRT-default_config",
            20,
            ["closed/GATEOverflow/", "rtx4090x2-nvidia-", "gpu-TensorRT-", "default_config"],
        ),
        (
            "performance/run_1/mlperf_log_detail.txt:48",
            18,
            ["performance/run_1/", "mlperf_log_detail", ".txt:48"],
        ),
        ("demands v6.1 of 2026-12-01", 12, ["demands v6.1", "of", "2026-12-01"]),
        ("a rule PERF-007", 12, ["a rule", "PERF-007"]),
        ("not\njudged", 8, ["not", "judged"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
    ],
)
def test_a_name_is_broken_where_its_parts_meet(text: str, width: int, lines: list[str]) -> None:
    assert broken(text, width).split("\n") == lines


@given(st.text("ab1 /_-.:", max_size=60), st.integers(4, 30))
def test_no_line_is_too_long_and_no_sign_is_lost(text: str, width: int) -> None:
    made = broken(text, width, "  ")
    assert max(map(len, made.split("\n"))) <= width
    assert "".join(made.split()) == "".join(text.split())
