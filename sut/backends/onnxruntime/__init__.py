"""ONNX Runtime behind the seam: .onnx files on whichever execution provider is asked for."""

from sut.backends.onnxruntime.provider import PROVIDER

__all__ = ["PROVIDER"]
