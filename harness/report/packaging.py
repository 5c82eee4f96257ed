"""What ``loadproof package`` and ``loadproof migrate`` print: what went where, and what did not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from audit.submission.packaging.choosing import LeftOut
from audit.submission.packaging.migration import Migrated, unplaced_tree
from audit.submission.packaging.own_fields import Unknown
from audit.submission.packaging.packing import Packed


def render_packed(packed: Packed) -> str:
    """The whole text, without a trailing newline."""
    return "\n".join(_packed(packed) if packed.written else _refused(packed))


def _packed(packed: Packed) -> Iterator[str]:
    yield f"Packed for {packed.round} into {packed.tree}:"
    yield from (f"  - {name}" for name in packed.entries)
    if packed.left_out:
        yield "Left out:"
        yield from _reasons(packed.left_out)
    if packed.unknown:
        yield "Unknown, and left to you (--system-file, or in the file itself):"
        yield from (f"  - {_field(one)}" for one in packed.unknown)
    yield from (f"Note: {note}." for note in packed.notes)
    yield f"Check it: loadproof check {packed.tree} --round {packed.round}"


def _refused(packed: Packed) -> Iterator[str]:
    yield "Nothing was packed:"
    yield from _reasons(packed.left_out)
    if any(one.fault for one in packed.left_out):
        yield "Measure again what is wrong, or pack what is right with --only-valid."


def _reasons(left_out: tuple[LeftOut, ...]) -> Iterator[str]:
    for one in left_out:
        for reason in one.reasons:
            yield f"  - {one.what}: {reason.rstrip('.')}"


def _field(unknown: Unknown) -> str:
    hint = f" ({unknown.hint})" if unknown.hint else ""
    return f"{unknown.file}: {unknown.field}{hint}"


def render_migrated(migrated: Migrated, tree: Path) -> str:
    """The whole text, without a trailing newline."""
    return "\n".join(_migrated(migrated, tree))


def _migrated(migrated: Migrated, tree: Path) -> Iterator[str]:
    count = len(migrated.moves) - len(migrated.unplaced)
    yield f"{count} files of {tree} are in {migrated.tree}, {migrated.moved} of them elsewhere."
    if migrated.unplaced:
        yield f"No place was found for these; they are kept in {unplaced_tree(migrated.tree)}:"
        yield from (f"  - {one.source}: {one.why_unplaced}" for one in migrated.unplaced)
    yield from (f"Note: {note}." for note in migrated.notes)
