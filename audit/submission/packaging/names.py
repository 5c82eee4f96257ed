"""Names that a submission may hold: letters, digits, dots, hyphens and underscores."""

from __future__ import annotations

import re
import unicodedata

from datasets.errors import UsageError

_OTHER = re.compile(r"[^A-Za-z0-9._-]+")


def slug(name: str, option: str) -> str:
    """``name`` as a folder may be called: accents dropped, a hyphen for whatever else is odd.

    UsageError naming ``option`` where nothing is left of it. A slug is its own slug.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    made = _OTHER.sub("-", plain).strip("-._")
    if not made:
        raise UsageError(f"{option} {name!r} has no letter or digit to name a folder by.")
    return made
