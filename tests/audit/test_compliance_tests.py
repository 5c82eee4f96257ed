"""What LoadGen is told of each test, and the limits that the rules state."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit import compliance_tests, schema
from audit.compliance_tests import accuracy_tolerance_percent, compliance_test
from audit.rules import load_round, round_names
from datasets.errors import UsageError


def test_the_file_of_tests_fits_its_schema() -> None:
    schema.read(Path(compliance_tests.__file__).with_suffix(".json"), "compliance-tests")


def test_audit_config_is_written_for_every_model_and_scenario() -> None:
    assert compliance_test("TEST01").config_text() == (
        "*.*.mode = 2\n"
        "*.*.accuracy_log_rng_seed = 720381539243781796\n"
        "*.*.accuracy_log_sampling_target = 4096\n"
    )
    assert compliance_test("TEST04").config_text() == (
        "*.*.mode = 2\n"
        "*.*.performance_issue_unique = 0\n"
        "*.*.performance_issue_same = 1\n"
        "*.*.performance_issue_same_index = 3\n"
    )


def test_scores_of_differing_answers_agree_within_the_target_of_the_benchmark() -> None:
    assert accuracy_tolerance_percent("resnet") == 1
    assert accuracy_tolerance_percent("bert-99") == 1
    assert accuracy_tolerance_percent("bert-99.9") == 0.1


@pytest.mark.parametrize("round_name", round_names())
@pytest.mark.parametrize(
    ("benchmark", "tests"), [("resnet50", ("TEST01", "TEST04")), ("bert", ("TEST01",))]
)
def test_every_test_that_a_round_demands_is_known(
    round_name: str, benchmark: str, tests: tuple[str, ...]
) -> None:
    rules = load_round(round_name).benchmark(benchmark)
    assert rules.compliance_tests == tests
    assert [compliance_test(name).name for name in tests] == list(tests)
    assert accuracy_tolerance_percent(rules.name) == 1


def test_an_unknown_test_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no compliance test 'TEST05'; known are TEST01, TEST04"):
        compliance_test("TEST05")
