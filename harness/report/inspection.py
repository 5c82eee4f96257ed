"""What ``loadproof inspect`` shows: one document of schema ``inspection``, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from tabulate import tabulate

from harness.report.width import fitted

Document = Mapping[str, Any]


def render(document: Document) -> str:
    """The facts, then the tensors, then what each benchmark makes of them; no trailing newline."""
    facts = tabulate([*_facts(document)], tablefmt="plain", disable_numparse=True)
    return "\n\n".join([facts, _tensors(document), *map(_driving, document["driving"])])


def _facts(document: Document) -> Iterator[tuple[str, str]]:
    yield "model", document["path"]
    yield "form", document["form"]
    yield "known", _known(document)
    yield "runtime", _runtime(document["runtime"])
    if document["opsets"]:
        yield "opset", ", ".join(f"{name} {n}" for name, n in document["opsets"].items())
    if document["ir_version"] is not None:
        yield "IR version", str(document["ir_version"])
    yield "producer", document["producer"] or "not stated"
    yield "size", f"{document['size_bytes']:,} bytes"
    yield "SHA-256", document["sha256"]
    if document["md5"]:
        yield "MD5", document["md5"]
    if document["external_files"]:
        files = ", ".join(document["external_files"])
        yield "other files", f"{files}: they hold weights, and no checksum here covers them"
    yield from document["metadata"].items()


def _known(document: Document) -> str:
    known = document["known"]
    if known is None:
        return "no: no model of `loadproof list` has its checksum"
    kind = "not an MLPerf model" if known["origin"] == "embedded" else "MLCommons' own file"
    return f"{known['name']} ({known['origin']}: {kind})"


def _runtime(runtime: Document) -> str:
    name = runtime["backend"] or "none"
    if runtime["reason"]:
        version = f" {runtime['version']}" if runtime["version"] else ""
        return f"{name}{version}; not opened: {runtime['reason']}"
    return f"{name} {runtime['version']} opens it as {runtime['precision']}"


def _tensors(document: Document) -> str:
    if document["inputs"] is None or document["outputs"] is None:
        return "Its inputs and outputs, and how it would be driven, show only once it is opened."
    rows = [
        (kind, tensor["name"], tensor["dtype"], _shape(tensor["shape"]))
        for kind, key in (("input", "inputs"), ("output", "outputs"))
        for tensor in document[key]
    ]
    return fitted(rows, ("", "name", "type", "shape"), keys=2)


def _shape(shape: Sequence[int | None]) -> str:
    return f"[{', '.join('?' if size is None else str(size) for size in shape)}]"


def _driving(entry: Document) -> str:
    if entry["reason"]:
        return str(entry["reason"])
    facts = [(name.replace("_", " "), fact) for name, fact in entry["facts"].items()]
    table = tabulate(facts, tablefmt="plain", disable_numparse=True)
    return f"The model can run {entry['benchmark']}:\n{indent(table, '  ')}"
