"""Empty answers: a device that gives them does no work, so whoever counts speed refuses them."""

from __future__ import annotations

from sut.adapter import Answers


def count_empty(answers: Answers) -> int:
    """How many of ``answers`` hold nothing."""
    if answers.sizes is None:
        return 0 if answers.data.nbytes else len(answers)
    return answers.sizes.count(0)


def empty_cause(empty: int, answered: int) -> str:
    """Why a run of which ``empty`` of ``answered`` answers hold nothing has failed."""
    return f"{empty} of {answered} answers were empty"
