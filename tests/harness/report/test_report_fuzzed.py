"""Whatever a result file holds: it is shown and compared, or refused in a sentence."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.comparison.comparing import compare_all
from audit.comparison.document import comparison_document
from audit.judge import judge
from audit.result import read_result
from datasets.errors import LoadproofError
from harness.report.comparison import render as render_comparison
from harness.report.result import FORMATS, render
from tests.audit.written_evidence import Evidence

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=3,
)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    evidence = Evidence(tmp_path_factory.mktemp("fuzzed") / "evidence", ("Offline", "Server"))
    assert judge(evidence.root).passed
    return evidence.root / "result.json"


def _places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in ``document`` but those inside the plan, which is not shown."""
    if path[:1] == ("plan",):
        return
    if path:
        yield path
    items: Any = ()
    if isinstance(document, dict):
        items = document.items()
    elif isinstance(document, list):
        items = enumerate(document)
    for key, inner in items:
        yield from _places(inner, (*path, key))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_result_with_anything_anywhere_is_read_or_refused(
    result: Path, data: st.DataObject
) -> None:
    document = json.loads(result.read_text("utf-8"))
    *inside, last = data.draw(st.sampled_from(list(_places(document))))
    changed = copy.deepcopy(document)
    at = changed
    for key in inside:
        at = at[key]
    at[last] = data.draw(ANYTHING)
    path = result.with_name("changed.json")
    path.write_text(json.dumps(changed), "utf-8")
    try:
        read = read_result(path)
        shown = [render(read, form) for form in FORMATS]
    except LoadproofError as refused:
        assert len(str(refused)) > 10
        return
    assert all(shown)
    compared = compare_all([read_result(result), read])
    assert render_comparison(compared)
    assert comparison_document(compared)
