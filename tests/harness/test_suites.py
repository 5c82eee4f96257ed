"""The suites that ship, and a suite that doesn't."""

from __future__ import annotations

from pathlib import Path

import pytest

import harness.suites
from audit import schema
from datasets.errors import UsageError
from harness.spec import SCENARIOS
from harness.suites import load_suite, suite_names

FEWEST_BY_PERCENTILE = {0.9: 64, 0.99: 662}
"""Queries that early stopping needs, one of them late."""


def test_three_suites_ship() -> None:
    assert suite_names() == ("official", "quick", "smoke")


@pytest.mark.parametrize("name", suite_names())
def test_each_fits_its_schema_and_is_called_as_its_file(name: str) -> None:
    document = schema.read(Path(harness.suites.__file__).parent / f"{name}.json", "suite")
    suite = load_suite(name)
    assert suite.name == document["name"] == name
    assert suite.title


@pytest.mark.parametrize("name", ["quick", "smoke"])
def test_short_suites_say_why_they_are_not_comparable_and_can_be_valid(name: str) -> None:
    suite = load_suite(name)
    assert suite.why_not_comparable
    assert set(suite.lengths) == set(SCENARIOS)
    for length in suite.lengths.values():
        if length.percentile:
            assert length.min_query_count >= FEWEST_BY_PERCENTILE[length.percentile]


def test_the_official_suite_leaves_lengths_to_the_round_and_measures_everything() -> None:
    suite = load_suite("official")
    assert suite.official
    assert (suite.why_not_comparable, dict(suite.lengths), suite.max_items) == ((), {}, None)


def test_quick_repeats_short_scenarios_five_times_and_long_ones_less() -> None:
    suite = load_suite("quick")
    assert suite.repeats(14.9) == 5
    assert suite.repeats(15.0) == 3


def test_an_unknown_suite_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no suite 'fast'; the suites are official, quick, smoke"):
        load_suite("fast")
