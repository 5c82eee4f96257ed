"""How the shipped numbers of the embedded ResNet-50 were made; a reader can make them again.

    python -m sut.embedded.resnet50_fit OUT.npz

1. Kernels are random whole numbers (``resnet50_weights.raw_kernel``).
2. Layer by layer, each convolution is scaled and shifted so that each of its output channels has
   mean 0 and standard deviation 1 over all pixels of 30 of the fitted digits; the last
   convolution of a residual branch gets standard deviation 0.2. Less is more accurate but also
   less sensitive to arithmetic errors, which the model is there to notice: of all 597 digits that
   are not fitted, 0.2 reads 94.0 % and 0.5 reads 89.4 %.
3. The head is ridge regression, in closed form, from standardised features of the 1,200 fitted
   digits to their labels (lambda 1,000).

ONNX Runtime computes convolutions and features, so another version of it or another processor
gives slightly other numbers: that is why they ship. Takes about a minute on two cores, and the
shipped numbers read 471 of the 500 scored digits.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.disk.files import atomic_write
from datasets.embedded.digits import FRAME, calibration_digits, enlarge, scored_digits
from sut.embedded.resnet50_graph import BLOCKS, FEATURES, Layer, features, layers
from sut.embedded.resnet50_onnx import INPUT, feature_model, layer_model
from sut.embedded.resnet50_weights import (
    DIGITS,
    Convolution,
    Fitted,
    Floats,
    convolutions,
    raw_kernel,
)

CALIBRATION_IMAGES = 30
BRANCH_DEVIATION = 0.2
RIDGE = 1000.0
LOGITS_SUM = 16.0
"""The target of the right class; the others' is 0, so the ten logits sum to this."""
_MEAN_RGB = np.array([123.68, 116.78, 103.94], np.float32)
_BATCH = 32
_BRANCH_ENDS = frozenset(block.expand.name for block in BLOCKS)


def fit() -> Fitted:
    """All the numbers that ship."""
    digits = calibration_digits()
    scale, bias = calibrate(images(digits.cells[:: len(digits) // CALIBRATION_IMAGES]))
    seen = _features(convolutions(scale, bias), digits.cells)
    head, head_bias = ridge(seen, digits.labels)
    return Fitted(scale, bias, head, head_bias)


def images(cells: NDArray[np.uint8]) -> Floats:
    """Digits [N,8,8] as the standard preprocessing hands them over: [N,3,224,224]."""
    grey = enlarge(cells)[:, np.newaxis, FRAME:-FRAME, FRAME:-FRAME]
    return grey - _MEAN_RGB[:, np.newaxis, np.newaxis]


def calibrate(image: Floats) -> tuple[Floats, Floats]:
    """``scale`` and ``bias`` of all layers, measured on images [N,3,224,224]."""
    calibration = Calibration()
    features(calibration, image)
    measured = [calibration.measured[layer.name] for layer in layers()]
    return (
        np.concatenate([scale for scale, _ in measured]),
        np.concatenate([bias for _, bias in measured]),
    )


def ridge(seen: Floats, labels: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """``head`` [2048,10] and ``head_bias`` [10] from features [N,2048], in closed form.

    Penalised are the coefficients of the features less their mean over their deviation; the
    result takes features as they are.
    """
    wide = seen.astype(np.float64)
    mean, deviation = wide.mean(axis=0), np.maximum(wide.std(axis=0), 1e-6)
    standard = (wide - mean) / deviation
    targets = LOGITS_SUM * np.eye(DIGITS)[labels]
    centre = targets.mean(axis=0)
    covariance = standard.T @ standard + RIDGE * np.eye(FEATURES)
    slopes = np.linalg.solve(covariance, standard.T @ (targets - centre)) / deviation[:, np.newaxis]
    return slopes.astype(np.float32), (centre - mean @ slopes).astype(np.float32)


class Calibration:
    """Computes the network on real images, measuring each layer before it is used."""

    def __init__(self) -> None:
        self.measured: dict[str, tuple[Floats, Floats]] = {}

    def convolve(self, layer: Layer, value: Floats) -> Floats:
        raw = Convolution(raw_kernel(layer), np.zeros(layer.outputs, np.float32))
        result = _run(_session(layer_model(layer, raw)), value)
        mean = result.mean(axis=(0, 2, 3), dtype=np.float64)
        deviation = result.std(axis=(0, 2, 3), dtype=np.float64)
        wanted = BRANCH_DEVIATION if layer.name in _BRANCH_ENDS else 1.0
        scale = (wanted / deviation).astype(np.float32)
        bias = (-mean * scale).astype(np.float32)
        self.measured[layer.name] = scale, bias
        result *= _per_channel(scale)
        result += _per_channel(bias)
        return result

    def rectify(self, value: Floats, name: str) -> Floats:
        return value.clip(min=0)

    def add(self, left: Floats, right: Floats, name: str) -> Floats:
        return left + right

    def max_pool(self, value: Floats) -> Floats:
        padded = np.pad(value, ((0, 0), (0, 0), (0, 1), (0, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
        largest: Floats = windows[:, :, ::2, ::2].max(axis=(4, 5))
        return largest

    def average(self, value: Floats) -> Floats:
        mean: Floats = value.mean(axis=(2, 3))
        return mean


def _per_channel(numbers: Floats) -> Floats:
    return numbers[:, np.newaxis, np.newaxis]


def _features(layers_by_name: Mapping[str, Convolution], cells: NDArray[np.uint8]) -> Floats:
    """[N,2048] of digits [N,8,8]."""
    session = _session(feature_model(layers_by_name))
    batches = range(0, len(cells), _BATCH)
    return np.concatenate([_run(session, images(cells[at : at + _BATCH])) for at in batches])


def _session(model: bytes) -> Any:
    import onnxruntime

    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


def _run(session: Any, image: Floats) -> Floats:
    result: Floats
    (result,) = session.run(None, {INPUT: image})
    return result


def main(path: Path) -> None:
    """Fit, write the numbers to ``path`` and tell how they score on digits never seen."""
    fitted = fit()
    with atomic_write(path) as file:
        np.savez(file, **vars(fitted))
    digits = scored_digits()
    seen = _features(convolutions(fitted.scale, fitted.bias), digits.cells)
    right = (seen @ fitted.head + fitted.head_bias).argmax(axis=1) == digits.labels
    sys.stdout.write(f"{path}: {right.sum()} of {len(digits)} scored digits right\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("path", type=Path, metavar="OUT.npz")
    main(parser.parse_args().path)
