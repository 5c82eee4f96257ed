"""Every file of one good entry, as text: logs of full length, tests, measurements."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from audit.compliance.answers import AnswerComparison
from audit.compliance.speed import SpeedComparison, compare_speed
from audit.compliance.texts import verify_accuracy_text, verify_performance_text
from audit.compliance_tests import compliance_test
from audit.rules import BenchmarkRules, Round
from tests.audit import written_logs

HASH = "5bb51f8c4b8f4f13dbe653c6c3a7b8f0ab5022d487e4dff185da9d139837203e"
VIEWABLE_BYTES = 4096
CUT = "\n\n...\n\n"
NO_COMPLAINTS = "\nNo warnings encountered during test.\n\nNo errors encountered during test.\n"
SCORES = {
    "resnet": "accuracy=76.062%, good=38031, total=50000",
    "bert-99": '{"exact_match": 82.81929990539263, "f1": 90.15279313202916}',
}
_SAMPLED = 4100
_HOURS = {"accuracy": 8, "performance": 9, "TEST01": 10, "TEST04": 11}
_ORDINARY = {
    "effective_accuracy_log_rng_seed": 0,
    "effective_accuracy_log_sampling_target": 0,
    "effective_performance_issue_unique": False,
    "effective_performance_issue_same": False,
    "effective_performance_issue_same_index": 0,
}
_LATENCIES: Mapping[str, Mapping[str, Any]] = {
    "Offline": {},
    "SingleStream": {
        "result_qps_with_loadgen_overhead": 99.98,
        "result_qps_without_loadgen_overhead": 99.99,
        "early_stopping_latency_ms": 11000000,
        "result_min_latency_ns": 9000000,
        "result_max_latency_ns": 12000000,
        "result_90.00_percentile_latency_ns": 10499000,
        "result_97.00_percentile_latency_ns": 10800000,
    },
    "MultiStream": {
        "result_query_count": 7620,
        "result_min_query_latency_ns": 70000000,
        "result_max_query_latency_ns": 90000000,
        "result_99.00_percentile_per_query_latency_ns": 80900000,
        "result_99.90_percentile_per_query_latency_ns": 88000000,
    },
    "Server": {},
}


def performance(round_: Round, rules: BenchmarkRules, scenario: str, **changes: Any) -> str:
    """A detail log of a VALID performance run."""
    return written_logs.detail(
        written_logs.performance(
            scenario,
            **{
                **_ORDINARY,
                **_common(round_, rules),
                **_LATENCIES[scenario],
                **hour_of("performance"),
                **changes,
            },
        )
    )


def tested(round_: Round, rules: BenchmarkRules, scenario: str, test: str) -> str:
    """A detail log of a compliance test, as fast as the performance run."""
    effective = compliance_test(test).effective
    changes = {f"effective_{key}": value for key, value in effective.items()}
    return performance(round_, rules, scenario, **hour_of(test), **changes)


def accuracy(round_: Round, rules: BenchmarkRules, scenario: str, **changes: Any) -> str:
    """A detail log of an accuracy run."""
    usual = {**_ORDINARY, **_common(round_, rules), **hour_of("accuracy")}
    return written_logs.detail(written_logs.accuracy(scenario, **{**usual, **changes}))


def summary(detail: str) -> str:
    """The summary of a performance run with this detail log."""
    values = {one["key"]: one["value"] for one in map(json.loads, _bodies(detail))}
    rate = values.get("result_samples_per_second")
    return (
        "================================================\n"
        "MLPerf Results Summary\n"
        "================================================\n"
        "SUT name : sample\n"
        f"Scenario : {values['effective_scenario']}\n"
        f"Mode     : {values['effective_test_mode']}\n"
        + (f"Samples per second: {rate}\n" if rate else "")
        + f"Result is : {values['result_validity']}\n"
        + NO_COMPLAINTS
    )


def score(rules: BenchmarkRules) -> str:
    """``accuracy.txt``."""
    return f"{SCORES[rules.name]}\n\nhash={HASH}\n"


def answers(rules: BenchmarkRules) -> str:
    """The accuracy log of all samples, truncated."""
    shown = (*range(100), *range(rules.dataset_size - 100, rules.dataset_size))
    return truncated((index, index) for index in shown)


def sampled_answers(rules: BenchmarkRules) -> str:
    """The accuracy log of a sampling run, truncated; it answers as :func:`answers` does."""
    return truncated((7 * number, 3 * number % rules.dataset_size) for number in range(200))


def truncated(rows: Iterable[tuple[int, int]]) -> str:
    """An accuracy log of (sequence number, sample index) with its middle cut out."""
    lines = [
        f'{{ "seq_id" : {number}, "qsl_idx" : {index}, "data" : "{_answer(index)}" }}'
        for number, index in rows
    ]
    full = "[\n" + ",\n".join(lines) + "\n]\n"
    return full[:VIEWABLE_BYTES] + CUT + full[-VIEWABLE_BYTES:]


def verify_accuracy(rules: BenchmarkRules, scenario: str, sampled: int | None = None) -> str:
    """TEST01's comparison of answers, none of which differs; ``sampled`` of them were logged."""
    return verify_accuracy_text(
        AnswerComparison(
            accuracy_answers=rules.dataset_size,
            accuracy_repeats=0,
            accuracy_conflicts=0,
            sampled=sampled or _SAMPLED + len(scenario),
            differing=0,
            missing=0,
            differing_samples=(),
            missing_samples=(),
        )
    )


def verify_performance(rules: BenchmarkRules, scenario: str, test: str) -> str:
    """A test's comparison of two equal scores."""
    metric = rules.metric(scenario)
    value = written_logs.performance(scenario)[metric.key]
    compared: SpeedComparison = compare_speed(
        compliance_test(test).speed, scenario, metric, value, value
    )
    return verify_performance_text(compared)


def measurements() -> dict[str, Any]:
    """How the model was used."""
    return {
        "starting_weights_filename": "model.onnx",
        "retraining": "no",
        "input_data_types": "fp32",
        "weight_data_types": "fp32",
        "weight_transformations": "no",
    }


def system(division: str, submitter: str, system_type: str = "edge") -> dict[str, Any]:
    """A description of a system without an accelerator."""
    return {
        "division": division,
        "submitter": submitter,
        "status": "available",
        "system_type": system_type,
        "system_type_detail": "edge server",
        "system_name": "Sample server",
        "number_of_nodes": "1",
        "host_processor_model_name": "Sample processor",
        "host_processors_per_node": "2",
        "host_processor_core_count": "32",
        "host_processor_frequency": "",
        "host_processor_caches": "",
        "host_processor_interconnect": "",
        "host_memory_capacity": "256 GB",
        "host_memory_configuration": "8 x 32 GB",
        "host_storage_capacity": "1 TB",
        "host_storage_type": "SSD",
        "host_networking": "Ethernet",
        "host_network_card_count": "1",
        "host_networking_topology": "N/A",
        "accelerators_per_node": 0,
        "accelerator_model_name": "N/A",
        "accelerator_memory_capacity": "N/A",
        "accelerator_memory_configuration": "N/A",
        "accelerator_host_interconnect": "N/A",
        "accelerator_frequency": "",
        "accelerator_interconnect": "N/A",
        "accelerator_interconnect_topology": "",
        "accelerator_on-chip_memories": "",
        "cooling": "air",
        "framework": "ONNX Runtime 1.20",
        "operating_system": "Linux",
        "other_software_stack": "Python 3.12",
        "hw_notes": "",
        "sw_notes": "",
    }


def _common(round_: Round, rules: BenchmarkRules) -> dict[str, Any]:
    seeds = {f"effective_{name}": value for name, value in asdict(round_.seeds).items()}
    return {
        **seeds,
        "qsl_reported_total_count": rules.dataset_size,
        "effective_performance_sample_count": rules.performance_sample_count,
    }


def hour_of(run: str) -> dict[str, str]:
    """When a run of 603 s was measured; each of an entry's runs has an hour of its own."""
    day = f"11-30-2026 {_HOURS[run]:02d}"
    return {"power_begin": f"{day}:00:00.000", "power_end": f"{day}:10:03.000"}


def _answer(index: int) -> str:
    return struct.pack("<i", 7 * index % 1000).hex().upper()


def _bodies(detail: str) -> Iterable[str]:
    return (line.partition(" ")[2] for line in detail.splitlines())
