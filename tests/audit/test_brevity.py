"""Values of findings: whole where a person reads them, cut with their length where not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from audit import findings as audited
from audit.brevity import MOST_CHARACTERS, shortened
from audit.submission.findings import finding, judged

HUGE = "[" * 100_000


@given(st.text(max_size=3 * MOST_CHARACTERS))
def test_what_is_short_stays_and_what_is_long_says_its_length(text: str) -> None:
    said = shortened(text)
    assert len(said) <= MOST_CHARACTERS
    assert said == text or said.endswith(f"… ({len(text)} characters)")


def test_no_finding_repeats_a_huge_value() -> None:
    of_log = audited.finding("metric.missing", "log:1", found=HUGE, key=HUGE, expected=HUGE)
    of_tree = finding("PERF-007", "log", found=HUGE, expected=HUGE)
    kept = judged(True, "PERF-007", "log", found=HUGE, expected=HUGE)
    for one in (of_log, of_tree, kept):
        assert len(str(one)) < 10 * MOST_CHARACTERS
