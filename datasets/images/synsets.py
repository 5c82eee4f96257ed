"""The WordNet ids of the 1,000 classes: class i is the i-th of them in sorted order.

Lists come in several forms: bare ids, or ids with words behind them. The order of the lines does
not matter; the ids themselves decide.
"""

from __future__ import annotations

import re

from datasets.errors import DataError

CLASSES = 1000
WNID = re.compile(r"n[0-9]{8}")
"""The WordNet id of a class, by which class folders are called."""


def is_synset_list(text: str) -> bool:
    """Whether ``text`` starts with a WordNet id, as no label map does."""
    return WNID.fullmatch(_first_word(text)) is not None


def parse_synsets(text: str, where: str) -> tuple[str, ...]:
    """The ids of ``text``, in the order of their classes; DataError unless they are 1,000."""
    words = [_first_word(line) for line in text.splitlines() if line.strip()]
    odd = next((word for word in words if not WNID.fullmatch(word)), None)
    if odd is not None:
        raise DataError(f"{where} is no list of WordNet ids: a line starts with {odd!r}.")
    if len(words) != CLASSES or len(set(words)) != CLASSES:
        raise DataError(
            f"{where} lists {len(set(words))} different WordNet ids in {len(words)} lines; "
            f"exactly the {CLASSES} of the classes are needed."
        )
    return tuple(sorted(words))


def _first_word(text: str) -> str:
    return (re.split(r"[\s,]+", text.strip(), maxsplit=1) or [""])[0]
