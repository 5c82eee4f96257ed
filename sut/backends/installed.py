"""Whether a runtime is installed, told from metadata alone: nothing heavy is imported."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec

from sut.backend import Availability


def availability(module: str, distributions: Sequence[str], remedy: str) -> Availability:
    """Version of the first of ``distributions`` that is installed and brings ``module``.

    ``remedy`` ends the sentence that stands in for a version: what to install.
    """
    if find_spec(module) is None:
        return Availability(None, f"The Python package {module} is not installed; {remedy}.")
    for name in distributions:
        try:
            return Availability(f"{metadata.version(name)} ({name})")
        except metadata.PackageNotFoundError:
            continue
    return Availability("of unknown version")
