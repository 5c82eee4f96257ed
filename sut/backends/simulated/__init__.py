"""A device that exists only as a law of time: it proves batching, searches and failure handling.

Answers go in and come out, after the time that the law states; what is measured on it says
something about the harness and nothing about a model.
"""

from sut.backends.simulated.provider import PROVIDER

__all__ = ["PROVIDER"]
