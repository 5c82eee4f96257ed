"""From a dataset's reference to samples that a model takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.disk.cache import default_cache
from datasets.embedded.digits import scored_digits, write_digit_images
from datasets.errors import UsageError
from datasets.samples.library import SampleLibrary
from datasets.samples.simulated import labels
from harness.running.samples import images_of, prepare_samples, questions_of
from harness.spec import DatasetRef
from tests.harness.plans import SHA

QUESTIONS = Path(__file__).resolve().parents[3] / "datasets/embedded/questions.json"


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_digit_images(tmp_path_factory.mktemp("digits")))


@pytest.mark.parametrize(
    ("layout", "shape"), [("NCHW", (4, 3, 224, 224)), ("NHWC", (4, 224, 224, 3))]
)
def test_the_first_images_are_prepared_in_the_layout_asked_for(
    tmp_path: Path, digits: str, layout: str, shape: tuple[int, ...]
) -> None:
    dataset = DatasetRef("digits", "imagenet", digits, SHA, 1, "embedded", first=4)
    seen: list[tuple[int, int]] = []
    prepared = prepare_samples(
        dataset,
        layout=layout,
        dtype="float32",
        cache=tmp_path,
        progress=lambda done, total: seen.append((done, total)),
    )
    library = SampleLibrary(prepared)
    library.load(range(4))
    images = library.gather(np.arange(4))["image"]
    assert images.shape == shape
    assert images.dtype == np.float32
    assert prepared.count == 4
    assert seen[-1] == (4, 4)
    assert [image.label for image in images_of(dataset).images] == (
        scored_digits().labels[:4].tolist()
    )


def test_the_first_questions_are_those_of_the_file() -> None:
    dataset = DatasetRef("questions", "squad", str(QUESTIONS), SHA, 1, "embedded")
    whole = questions_of(dataset)
    part = questions_of(DatasetRef("questions", "squad", str(QUESTIONS), SHA, 1, "own", first=3))
    assert part.questions == whole.questions[:3]
    assert part.sha256 != whole.sha256


def test_simulated_samples_are_their_own_answers() -> None:
    dataset = DatasetRef("simulated", "simulated", None, SHA, 16, "simulated")
    prepared = prepare_samples(dataset, layout="", dtype="", cache=default_cache())
    assert prepared.arrays["answer"].tolist() == labels(16).tolist()


def test_questions_without_a_vocabulary_are_refused(tmp_path: Path) -> None:
    dataset = DatasetRef("questions", "squad", str(QUESTIONS), SHA, 1, "embedded")
    with pytest.raises(UsageError, match=r"questions needs a BERT vocabulary"):
        prepare_samples(dataset, layout="", dtype="int64", cache=tmp_path)


def test_a_dataset_without_a_path_is_refused() -> None:
    with pytest.raises(UsageError, match=r"The dataset digits has no path"):
        images_of(DatasetRef("digits", "imagenet", None, SHA, 1, "own"))
