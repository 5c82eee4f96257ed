"""What is right, from the files that an auditor has: labels, images, or questions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit.accuracy import spans, top1
from audit.accuracy.truth import LabelTruth, QuestionTruth, Truth
from datasets.errors import UsageError

_DTYPES = {"resnet50": top1.DTYPES, "bert": spans.DTYPES}


@dataclass(frozen=True)
class TruthFiles:
    """Where the right answers stand. Sample i of a log is image or feature i of them."""

    labels: Path | None = None
    """A label map, or an archive of one: its order is that of the samples."""
    data: Path | None = None
    """A folder or archive of images with its labels, or a SQuAD file."""
    vocab: Path | None = None
    dtype: str | None = None
    """The type that answers are logged in; None finds it."""


def read_truth(benchmark: str, files: TruthFiles) -> Truth:
    """The truth for ``benchmark``. UsageError where a file that it needs is not named, DataError
    where one is not what it should be."""
    known = _DTYPES.get(benchmark)
    if known is None:
        raise UsageError(f"There is no benchmark {benchmark!r}; those are {', '.join(_DTYPES)}.")
    if files.dtype is not None and files.dtype not in known:
        raise UsageError(f"{benchmark} logs answers as {', '.join(known)}, not as {files.dtype!r}.")
    return _questions(files) if benchmark == "bert" else _labels(files)


def _labels(files: TruthFiles) -> Truth:
    from datasets.images.imagenet import read_imagenet
    from datasets.images.label_files import labels_in

    if files.data is not None:
        images = read_imagenet(files.data, files.labels).images
        return LabelTruth(tuple(image.label for image in images), files.dtype)
    if files.labels is None:
        raise UsageError("Nothing says which label is right: name the label map with --labels.")
    rows = labels_in(files.labels).rows
    if not rows:
        raise UsageError(f"{files.labels} lists classes but no images: name a label map.")
    return LabelTruth(tuple(row.label for row in rows), files.dtype)


def _questions(files: TruthFiles) -> Truth:
    from datasets.questions.features import read_features
    from datasets.questions.squad import read_squad
    from datasets.questions.wordpiece import Vocabulary

    if files.data is None or files.vocab is None:
        raise UsageError(
            "Nothing says which answer is right: name the SQuAD file with --data and BERT's "
            "vocabulary with --vocab."
        )
    features = read_features(read_squad(files.data), Vocabulary(files.vocab))
    return QuestionTruth(features, files.dtype)
