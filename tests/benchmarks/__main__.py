"""``python -m tests.benchmarks [--only NAME]… [--rounds N] [--json FILE] [--list]``."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from pathlib import Path

from datasets.disk.cache import default_cache
from tests.benchmarks import report
from tests.benchmarks.benchmark import Benchmark, Outcome, Place, Round, outcomes

MODULES = (
    "offline",
    "single_stream",
    "empty",
    "server",
    "start_up",
    "prepare_images",
    "check_submission",
    "read_detail_log",
    "search_simulated",
)
"""Each has BENCHMARKS."""
ROUNDS = 5


def benchmarks() -> dict[str, Benchmark]:
    """All benchmarks, by name, in the order in which they are run."""
    modules = [importlib.import_module(f"tests.benchmarks.{name}") for name in MODULES]
    return {made.name: made for module in modules for made in module.BENCHMARKS}


def measure(benchmark: Benchmark, rounds: int) -> list[Outcome]:
    """Run a benchmark; its progress goes to standard error."""
    measured: list[Round] = []
    sys.stderr.write(f"{benchmark.name}: {benchmark.ours}, against {benchmark.reference}\n")
    with tempfile.TemporaryDirectory() as scratch:
        for done in benchmark.rounds(Place(default_cache(), Path(scratch)), rounds):
            measured.append(done)
            pairs = (
                f"{name} {pair.ours:.5g} / {pair.reference:.5g}" for name, pair in done.items()
            )
            sys.stderr.write(f"  round {len(measured)} of {rounds}: {', '.join(pairs)}\n")
    return outcomes(benchmark, measured)


def main() -> None:
    known = benchmarks()
    asked = _arguments(list(known))
    if asked.list:
        sys.stdout.write(
            "".join(f"{b.name}: {b.ours}, against {b.reference}\n" for b in known.values())
        )
        return
    results = [
        outcome for name in asked.only or known for outcome in measure(known[name], asked.rounds)
    ]
    sys.stdout.write(report.table(results) + "\n")
    if asked.json:
        asked.json.write_text(json.dumps(report.document(results), indent=1, ensure_ascii=False))


def _arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--list", action="store_true", help="name the benchmarks and end")
    return parser.parse_args()


if __name__ == "__main__":
    main()
