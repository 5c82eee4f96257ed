"""Reading a tree as a submission: which submitters, systems and entries its folders name.

Nothing that lies in the tree can make this raise: what can't be understood is read as unknown, and
the checks say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from audit.rules import BenchmarkRules, Round, load_round, normal_system_type
from audit.submission.contents import names_of
from audit.submission.files import Tree, join, scan
from audit.submission.layout import Layout, layout_of
from audit.submission.tree import Description, Entry, Submission, Submitter, System
from datasets.errors import EvidenceError, StorageError

MODEL_MAPPING = "model_mapping.json"
"""The open division's own names of benchmarks, at the submitter's root."""
ENDPOINTS_CONFIG = ("config.yaml", "config.yml")
SYSTEM_TYPES = ("edge", "datacenter", "datacenter,edge")

_SMALLER_RESNETS = ("mobilenet", "efficientnet")
"""What a folder may start with that competes as resnet, in the open division alone."""
_SYSTEM_TYPE = re.compile(r'"system_type"\s*:\s*"([^"]*)"')


def read_submission(root: Path, round_name: str, submitter: str | None = None) -> Submission:
    """The submission at ``root``, by the rules of a round; of one submitter alone if it is given.

    UsageError for a round that isn't known; StorageError where ``root`` can't be listed.
    """
    round_, layout = load_round(round_name), layout_of(round_name)
    try:
        tree = scan(root, leave_out=names_of("root"))
    except OSError as error:
        raise StorageError(
            f"{root} can't be listed: {error.strerror}; name the folder that holds closed or open."
        ) from error
    return Submission(
        tree=tree,
        round=round_,
        layout=layout,
        submitters=tuple(
            _submitter(_Reader(tree, round_, layout, division, name))
            for division in tree.folders("")
            if not division.startswith(".")
            for name in tree.folders(division)
            if submitter in (None, name)
        ),
        asked=submitter,
    )


@dataclass(frozen=True)
class _Reader:
    """One submitter's folder, and the rules to read it by."""

    tree: Tree
    round: Round
    layout: Layout
    division: str
    submitter: str

    @property
    def folder(self) -> str:
        return join(self.division, self.submitter)


def _submitter(reader: _Reader) -> Submitter:
    mapping = _model_mapping(reader)
    results = join(reader.folder, "results")
    tested = reader.tree.folders(results)
    described = _described(reader.tree, join(reader.folder, "systems"))
    return Submitter(
        division=reader.division,
        name=reader.submitter,
        folder=reader.folder,
        systems=tuple(_system(reader, name, mapping) for name in sorted({*tested, *described})),
    )


def _described(tree: Tree, folder: str) -> Iterable[str]:
    """The systems that a folder of descriptions names."""
    for name in tree.listed(folder):
        if name.endswith(".json") and not name.startswith("."):
            yield name.removesuffix(".json")


def _system(reader: _Reader, name: str, mapping: Mapping[str, str]) -> System:
    file = join(reader.folder, "systems", f"{name}.json")
    description = Description(_system_type(_text(reader.tree, file)))
    results = join(reader.folder, "results", name)
    return System(
        name=name,
        description_file=file,
        description=description,
        entries=tuple(
            _entry(reader, name, description, benchmark, scenario, mapping)
            for benchmark in reader.tree.folders(results)
            for scenario in reader.tree.folders(join(results, benchmark))
        ),
    )


def _entry(
    reader: _Reader,
    system: str,
    description: Description,
    benchmark: str,
    scenario: str,
    mapping: Mapping[str, str],
) -> Entry:
    places = {"system": system, "benchmark": benchmark, "scenario": scenario}
    layout = reader.layout
    results = join(reader.folder, layout.results.format_map(places))
    return Entry(
        division=reader.division,
        submitter=reader.submitter,
        system=system,
        system_type=description.system_type,
        benchmark_folder=benchmark,
        benchmark=_benchmark(reader, benchmark, mapping),
        scenario_folder=scenario,
        scenario=scenario_named(reader.round, scenario),
        results=results,
        measurements=_beside(reader, layout.measurements.format_map(places)),
        compliance=_beside(reader, layout.compliance.format_map(places)),
        endpoints=_of_endpoints(reader.tree, results),
    )


def _of_endpoints(tree: Tree, results: str) -> bool:
    """Whether ``results`` are told by a configuration of the endpoints harness, not by LoadGen."""
    configured = any(tree.is_file(join(results, name)) for name in ENDPOINTS_CONFIG)
    return configured and not tree.is_folder(join(results, "performance", "run_1"))


def _beside(reader: _Reader, path: str) -> str:
    """Where the folder ``path`` really is, whose last name may be written in another case."""
    path = join(reader.folder, path)
    parent, _, wanted = path.rpartition("/")
    names = [name for name in reader.tree.folders(parent) if name.lower() == wanted.lower()]
    return path if wanted in names or not names else join(parent, names[0])


def _benchmark(reader: _Reader, folder: str, mapping: Mapping[str, str]) -> BenchmarkRules | None:
    """What a folder's name stands for in its division; None where it stands for nothing."""
    smaller = folder.startswith(_SMALLER_RESNETS)
    if reader.division != "open":
        return None if smaller else reader.round.listed(folder)
    name = "resnet" if smaller else mapping.get(folder, folder)
    return reader.round.listed(folder) or reader.round.listed(name)


def scenario_named(round_: Round, folder: str) -> str | None:
    """The round's name for a scenario's folder, which may be written in any case; or None."""
    return next((one for one in round_.scenarios if one.lower() == folder.lower()), None)


def _model_mapping(reader: _Reader) -> Mapping[str, str]:
    """The open division's own names; none where the file can't be read as a table of names."""
    text = _text(reader.tree, join(reader.folder, MODEL_MAPPING))
    try:
        table = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(table, dict):
        return {}
    return {name: listed for name, listed in table.items() if isinstance(listed, str)}


def _system_type(text: str) -> str:
    """The type that a description states, however damaged the rest of it is."""
    stated = [normal_system_type(found) for found in _SYSTEM_TYPE.findall(text)]
    return next((one for one in reversed(stated) if one in SYSTEM_TYPES), "")


def _text(tree: Tree, path: str) -> str:
    """What can be read at ``path``; nothing where there is no file."""
    try:
        return tree.read(path).decode("utf-8", errors="replace") if tree.is_file(path) else ""
    except EvidenceError:
        return ""
