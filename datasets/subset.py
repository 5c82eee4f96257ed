"""The first few items of a dataset, for runs that only show whether everything works."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from datasets.images.imagenet import ImageNet
from datasets.questions.squad import SquadSet


def first_images(whole: ImageNet, first: int | None) -> ImageNet:
    """The first ``first`` images under an identity of their own; ``whole`` itself for None."""
    if first is None or first >= len(whole.images):
        return whole
    return replace(whole, images=whole.images[:first], sha256=_identity(whole.sha256, first))


def first_questions(whole: SquadSet, first: int | None) -> SquadSet:
    """The first ``first`` questions under an identity of their own; ``whole`` itself for None."""
    if first is None or first >= len(whole.questions):
        return whole
    cut = whole.questions[:first]
    return replace(whole, questions=cut, sha256=_identity(whole.sha256, first))


def _identity(sha256: str, first: int) -> str:
    return hashlib.sha256(f"{sha256} first {first}".encode()).hexdigest()
