"""From a dataset's reference to its prepared samples, for every kind of dataset."""

from __future__ import annotations

from pathlib import Path

from datasets.cores import usable_cores
from datasets.errors import UsageError
from datasets.images.imagenet import ImageNet, read_imagenet
from datasets.questions.squad import SquadSet, read_squad
from datasets.samples.prepared import Prepared, Progress
from datasets.subset import first_images, first_questions
from harness.spec import DatasetRef


def images_of(dataset: DatasetRef) -> ImageNet:
    """The images that a reference of kind ``imagenet`` names."""
    labels = Path(dataset.labels) if dataset.labels else None
    return first_images(
        read_imagenet(_root(dataset), labels, allow_subset=dataset.allow_subset, name=dataset.name),
        dataset.first,
    )


def questions_of(dataset: DatasetRef) -> SquadSet:
    """The questions that a reference of kind ``squad`` names."""
    return first_questions(read_squad(_root(dataset), name=dataset.name), dataset.first)


def prepare_samples(
    dataset: DatasetRef, *, layout: str, dtype: str, cache: Path, progress: Progress | None = None
) -> Prepared:
    """The samples of ``dataset`` as a model wants them, from the cache or made now."""
    if dataset.kind == "imagenet":
        from datasets.images.preparing import prepare_images

        return prepare_images(images_of(dataset), layout, cache, progress, usable_cores())
    if dataset.kind == "squad":
        from datasets.questions.preparing import prepare_features

        if dataset.vocab is None:
            raise UsageError(f"{dataset.name} needs a BERT vocabulary: name a vocab.txt.")
        return prepare_features(questions_of(dataset), Path(dataset.vocab), dtype, cache, progress)
    from datasets.samples.simulated import prepare_labels

    return prepare_labels(dataset.count, cache)


def _root(dataset: DatasetRef) -> Path:
    if dataset.path is None:
        raise UsageError(f"The dataset {dataset.name} has no path.")
    return Path(dataset.path)
