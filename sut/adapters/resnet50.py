"""Drives ResNet50 models of any usual export: what each wants and answers is read off its shapes.

An answer is the label 0 … 999 as one little-endian float32, as the reference logs it. Models with
1001 classes keep 0 for the background, so their label is one less than their class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import ModelError, UsageError
from sut.adapter import Answers, Needs
from sut.adapters.tensors import FLOATS, INTEGERS, batch_facts, stem, unfit
from sut.backend import Arrays, Tensor

_CLASSES = (1000, 1001)
_CROP = 224
_OFFICIAL_INPUT = "input_tensor"


@dataclass
class Resnet50Adapter:
    """A :class:`sut.adapter.Adapter` for one ResNet50 model."""

    needs: Needs
    outputs: tuple[str, ...]
    max_batch: int | None
    facts: Mapping[str, str]
    input_name: str
    scores: bool
    """Whether the output is one score for each class, and not the class itself."""
    labels: NDArray[np.float32]
    """By class."""

    def feeds(self, samples: Arrays) -> Arrays:
        """The images, as they were prepared."""
        return {self.input_name: samples["image"]}

    def answers(self, outputs: Sequence[NDArray[Any]], samples: Arrays) -> Answers:
        """One float32 label a sample."""
        (output,) = outputs
        count = len(samples["image"])
        classes = output.argmax(axis=1) if self.scores else output
        if classes.size != count:
            raise ModelError(
                f"The model answered {self.outputs[0]} of shape {output.shape} to a batch of "
                f"{count} images; it must be one label for each."
            )
        try:
            return Answers(self.labels[classes.reshape(count)])
        except IndexError as error:
            raise ModelError(
                f"The model answered class {classes.max()}; its labels end at class "
                f"{len(self.labels) - 1}."
            ) from error


def resnet50_adapter(
    inputs: Sequence[Tensor], outputs: Sequence[Tensor], options: Mapping[str, str]
) -> Resnet50Adapter:
    """Raises ModelError where the model has no image input or no label or score output."""
    image = _image_input(inputs)
    answer = _answer_output(outputs)
    layout = "NCHW" if image.shape[1] == 3 else "NHWC"
    classes = _classes(outputs)
    offset, reason = _label_offset(classes, image, options)
    facts = {
        "layout": layout,
        "answer": answer.name,
        "input_dtype": image.dtype,
        "classes": "unknown" if classes is None else str(classes),
        "label_offset": f"{offset}: {reason}",
        **batch_facts(image.shape[0]),
    }
    return Resnet50Adapter(
        needs=Needs(layout=layout, dtype="float32"),
        outputs=(answer.name,),
        max_batch=image.shape[0],
        facts=facts,
        input_name=image.name,
        scores=answer.dtype in FLOATS,
        labels=np.arange(classes or max(_CLASSES), dtype=np.float32) - np.float32(offset),
    )


def _image_input(inputs: Sequence[Tensor]) -> Tensor:
    if len(inputs) == 1 and inputs[0].dtype == "float32" and len(inputs[0].shape) == 4:
        _, *sizes = inputs[0].shape
        sides = sizes[1:] if sizes[0] == 3 else sizes[:2] if sizes[2] == 3 else [0]
        if all(side in (None, _CROP) for side in sides):
            return inputs[0]
    wanted = "it needs one float32 input [N, 3, 224, 224] or [N, 224, 224, 3]"
    raise unfit("resnet50", wanted, inputs, "inputs")


def _answer_output(outputs: Sequence[Tensor]) -> Tensor:
    """The class itself where the model gives it: it is smaller to hand over than the scores."""
    labels = [
        t for t in outputs if t.dtype in INTEGERS and all(s in (1, None) for s in t.shape[1:])
    ]
    scores = [t for t in outputs if _is_scores(t)]
    for tensor in (*labels, *scores):
        return tensor
    wanted = "it needs an integer output [N] or a float output [N, 1000] or [N, 1001]"
    raise unfit("resnet50", wanted, outputs, "outputs")


def _is_scores(tensor: Tensor) -> bool:
    shape = tensor.shape
    return tensor.dtype in FLOATS and len(shape) == 2 and shape[1] in (*_CLASSES, None)


def _classes(outputs: Sequence[Tensor]) -> int | None:
    return next((t.shape[1] for t in outputs if _is_scores(t) and t.shape[1]), None)


def _label_offset(
    classes: int | None, image: Tensor, options: Mapping[str, str]
) -> tuple[int, str]:
    """The class of label 0, and how that is known."""
    asked = options.get("label_offset")
    if asked is not None:
        if asked not in ("0", "1"):
            raise UsageError(f"Option label_offset={asked} is neither 0 nor 1.")
        return int(asked), "as asked"
    if classes is not None:
        return classes - _CLASSES[0], f"the model has {classes} classes"
    if stem(image) == _OFFICIAL_INPUT:
        return 1, "assumed, as in the official model: the input is called input_tensor"
    return 0, "assumed: the model does not show how many classes it has"
