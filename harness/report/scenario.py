"""How scenarios that the round does not have are marked in tables."""

from __future__ import annotations

_MARK = " *"
NOT_IN_ROUND_NOTE = "* not in this round for such systems: measured all the same, never submitted"
"""What explains the mark below a table."""


def scenario_name(scenario: str, in_round: bool) -> str:
    """``Server``, or ``Server *`` where the round has no such scenario."""
    return scenario if in_round else f"{scenario}{_MARK}"
