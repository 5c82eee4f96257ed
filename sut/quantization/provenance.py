"""What a made model says of itself: plain words in the metadata that every ONNX file may carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PREFIX = "loadproof."
"""Of every key, so that other tools' metadata is never taken for ours."""


@dataclass(frozen=True)
class Calibration:
    """Which samples decided the ranges."""

    name: str
    sha256: str
    """Of the list's bytes."""
    samples: int

    def __str__(self) -> str:
        return f"{self.name}, {self.samples} samples, SHA-256 {self.sha256}"


@dataclass(frozen=True)
class Provenance:
    """From what, how and with what a model was made."""

    precision: str
    method: str
    source: str
    source_sha256: str
    calibration: Calibration | None
    software: Mapping[str, str]
    """Distribution → version."""

    def metadata(self) -> dict[str, str]:
        """Key → text, as the file holds it."""
        software = ", ".join(f"{name} {version}" for name, version in self.software.items())
        texts = {
            "precision": self.precision,
            "method": self.method,
            "made_from": f"{self.source}, SHA-256 {self.source_sha256}",
            "calibration": str(self.calibration) if self.calibration else "none",
            "software": software,
        }
        return {f"{PREFIX}{key}": text for key, text in texts.items()}


def provenance_facts(metadata: Mapping[str, str]) -> Mapping[str, str]:
    """Our part of a file's metadata, without the prefix: facts of a plan; empty for other files."""
    ours = {key: text for key, text in metadata.items() if key.startswith(PREFIX)}
    return MappingProxyType({key.removeprefix(PREFIX): text for key, text in ours.items()})
