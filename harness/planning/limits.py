"""Under which latency limit Server is measured, and why.

An official limit may be out of reach of a machine on which a single query takes longer. Server is
then measured under a limit that the machine can meet, which is stated and not comparable.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.rules import BenchmarkRules
from harness.running.curve import LatencyCurve

HEADROOM = 1.5
"""An official limit is within reach where a single query takes at most limit / HEADROOM."""
FLOOR_NS = 1_000_000


@dataclass(frozen=True)
class ServerLimit:
    """The limit on the tail latency of Server."""

    limit_ns: int
    official: bool
    note: str


def server_limit(rules: BenchmarkRules, curve: LatencyCurve, multiple: float) -> ServerLimit:
    """The round's limit where the machine can meet it, else ``multiple`` times the latency of a
    single query: room for some queries to wait for one another."""
    official_ns = rules.latency_limit_ns("Server")
    single_ns = curve.batch_s(1) * 1e9
    if official_ns is not None and single_ns * HEADROOM <= official_ns:
        return ServerLimit(official_ns, True, f"Server limit {official_ns / 1e6:g} ms: the round's")
    own_ns = max(FLOOR_NS, round(single_ns * multiple, -5))
    why = (
        "the round has no Server limit for this benchmark"
        if official_ns is None
        else f"a single query takes {single_ns / 1e6:.1f} ms, too long for the round's limit of "
        f"{official_ns / 1e6:g} ms"
    )
    own_ns = int(own_ns)
    return ServerLimit(
        own_ns,
        False,
        f"Server limit {own_ns / 1e6:g} ms, {multiple:g} × the single-query latency, not "
        f"comparable: {why}",
    )
