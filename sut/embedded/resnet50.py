"""The embedded ResNet-50: the official model's compute and interface, with nothing to download.

The network is ResNet-50 v1.5 with random kernels and a head fitted to handwritten digits: digit d
is class d + 1 of 1,001, so a label is the class less 1 as with the official model, and no other
class ever wins. It is the same on every machine, for every runtime. Its scores are not MLPerf
results; the reference score that ``resnet50.json`` records is its accuracy target.
"""

from __future__ import annotations

import json
from pathlib import Path

from datasets.disk.files import atomic_write
from datasets.errors import ModelError
from sut.embedded.resnet50_weights import Fitted, Resnet50Weights, assemble

_RECORD = Path(__file__).with_name("resnet50.json")


def weights() -> Resnet50Weights:
    """The weights, checked against the recorded SHA-256: ModelError where they differ."""
    made = assemble(Fitted.shipped())
    found, recorded = made.sha256(), weights_sha256()
    if found != recorded:
        raise ModelError(
            f"The embedded ResNet-50's weights have SHA-256 {found} instead of {recorded}: "
            "reinstall loadproof, and report the NumPy version and processor if it happens again."
        )
    return made


def weights_sha256() -> str:
    """SHA-256 that the weights have on every machine, in hex, as recorded; costs no computing."""
    return str(json.loads(_RECORD.read_text())["weights_sha256"])


def write_onnx(path: Path) -> None:
    """Write the ONNX file (``resnet50_onnx`` says what is in it), atomically."""
    from sut.embedded.resnet50_onnx import classifier_model

    _write(path, classifier_model(weights()))


def write_frozen_graph(path: Path) -> None:
    """Write the frozen TensorFlow graph (``resnet50_tensorflow`` says what is in it), atomically.

    Imports TensorFlow: call it in a process of its own.
    """
    from sut.embedded.resnet50_tensorflow import frozen_graph

    _write(path, frozen_graph(weights()))


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as file:
        file.write(content)
