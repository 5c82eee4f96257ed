"""What a model's file says of itself, before any runtime has read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sut.backend import Tensor


@dataclass(frozen=True)
class Declared:
    """Facts that stand in a file. What its format does not state is empty or None."""

    producer: str = ""
    """The program that wrote it, with its version."""
    opsets: Mapping[str, int] = field(default_factory=dict)
    """Set of operators → its version."""
    ir_version: int | None = None
    """Version of the format itself."""
    inputs: tuple[Tensor, ...] | None = None
    outputs: tuple[Tensor, ...] | None = None
    external_files: tuple[str, ...] = ()
    """Files that hold weights of the model, by their paths from its folder."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Whatever the program that wrote it has to say, by keys of its own."""
