"""TensorFlow behind the seam: frozen graphs (.pb) and SavedModel folders."""

from sut.backends.tensorflow.provider import PROVIDER

__all__ = ["PROVIDER"]
