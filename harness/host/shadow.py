"""Telling our top-level package ``datasets`` from the well-known library of the same name."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import datasets

FOREIGN = "datasets"
"""The distribution that ships the other package."""
OWN_ENVIRONMENT = "install loadproof into an environment of its own."
"""What to do about it."""


def foreign_datasets() -> str:
    """What is wrong with the package ``datasets`` that Python finds, or nothing.

    Either the other library comes first on the path, or both were installed into one folder and
    their files lie mixed.
    """
    folder = Path(datasets.__path__[0])
    if not getattr(datasets, "IS_LOADPROOF", False):
        return f"another library called datasets at {folder} hides loadproof's own"
    if (folder / "arrow_dataset.py").exists():
        version = _version()
        return f"the library datasets {version} was installed into the same folder {folder}"
    return ""


def refuse_foreign_datasets() -> None:
    """DataError where Python may find the other package in place of ours."""
    from datasets.errors import DataError

    trouble = foreign_datasets()
    if trouble:
        raise DataError(f"{trouble}: {OWN_ENVIRONMENT}")


def _version() -> str:
    try:
        return metadata.version(FOREIGN)
    except metadata.PackageNotFoundError:
        return "(of an unknown version)"
