"""Reading the inputs and outputs that a model declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from datasets.errors import ModelError
from sut.backend import Tensor

INTEGERS = ("int64", "int32")
FLOATS = ("float32", "float16")


def stem(tensor: Tensor) -> str:
    """The tensor's name without TensorFlow's output number: ``ArgMax`` of ``ArgMax:0``."""
    return tensor.name.partition(":")[0]


def described(tensors: Sequence[Tensor]) -> str:
    """The tensors in people's words: ``input_ids int64 [?, 384]``."""
    words = (f"{t.name} {t.dtype} [{', '.join(_size(s) for s in t.shape)}]" for t in tensors)
    return "; ".join(words) or "none"


def _size(size: int | None) -> str:
    return "?" if size is None else str(size)


def unfit(benchmark: str, wanted: str, found: Sequence[Tensor], kind: str) -> ModelError:
    """What is raised where a model's ``kind`` (inputs or outputs) don't fit the benchmark."""
    return ModelError(
        f"The model can't run {benchmark}: {wanted}, but its {kind} are: {described(found)}; "
        f"export it with the {kind} of the official model."
    )


def batch_facts(batch: int | None) -> Mapping[str, str]:
    """What people should know of the batch that the model's shape imposes."""
    if batch is None:
        return {"batch": "any"}
    return {
        "batch": f"fixed at {batch} by the model",
        "warning": f"The model's shape fixes the batch at {batch}: it is run so, whatever batch "
        "is asked for; export it with a free batch for more speed.",
    }
