"""Which images a dataset should have, and which of them are there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ExpectedImage:
    """One image that a dataset should have."""

    index: int
    name: str
    """The image's name in the dataset, which is part of its identity."""
    file: str
    """The name under which it lies among the files."""
    label: int


@dataclass(frozen=True)
class Expected:
    """All images that a dataset should have and whose label is known."""

    images: tuple[ExpectedImage, ...]
    source: str
    """Where that is known from; the start of a sentence on an image that isn't among them."""
    absent: tuple[str, ...] = ()
    """Names of further images, known to be missing."""

    @property
    def count(self) -> int:
        """Images of the whole dataset."""
        return len(self.images) + len(self.absent)
