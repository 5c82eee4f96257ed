"""Values as findings show them: never longer than a person reads.

What is shown comes from files of others, where a number may be replaced by a hundred thousand
brackets. Every finding's values pass here, whoever made it.
"""

from __future__ import annotations

MOST_CHARACTERS = 400
"""Of one value; more than any path or list of names that a finding tells of in practice."""


def shortened(value: object) -> str:
    """``value`` as text; of one that is too long, its beginning and how long it is."""
    text = str(value)
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[: MOST_CHARACTERS // 2]}… ({len(text)} characters)"
