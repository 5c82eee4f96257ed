"""Breaking a text into lines so that it stays legible: between words, and within long names where
their parts meet, as in ``results/`` ``rtx4090x2-`` ``TensorRT-`` ``default_`` ``config`` ``.txt``.

Only a part that is longer than a line is broken elsewhere. No sign but a blank is lost.
"""

from __future__ import annotations

import re
from textwrap import TextWrapper


class _Breaker(TextWrapper):
    """Breaks behind a slash, a hyphen or an underscore inside a name, and before its suffix."""

    wordsep_re = re.compile(
        r"(\s+)|(?<=[/_])(?=[^\s/_])|(?<=\w-)(?=[^\W\d_])|(?<=\w)(?=\.[A-Za-z])"
    )


def broken(text: str, width: int, indent: str = "") -> str:
    """``text`` in lines of at most ``width`` characters, all but the first behind ``indent``; its
    own lines stay apart."""
    breaker = _Breaker(width=width, subsequent_indent=indent)
    return "\n".join("\n".join(breaker.wrap(line)) for line in text.split("\n"))
