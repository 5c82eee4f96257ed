"""What is to be packaged, for whom, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from audit.submission.packaging.names import slug
from audit.submission.packaging.own_fields import OwnFields


@dataclass(frozen=True)
class Request:
    """One call for a package."""

    evidence: tuple[Path, ...]
    tree: Path
    division: str
    """``closed`` or ``open``."""
    submitter: str
    """As it is written; its folder is a slug of it."""
    round: str | None = None
    """The round of the evidence if not given."""
    system: str | None = None
    """As it is written; named after the machine and the backend if not given."""
    display_name: str | None = None
    """How the description calls the system; as ``system`` does if not given."""
    benchmark: str | None = None
    """The round's name to submit under, where it has several: ``bert-99.9``."""
    own: OwnFields = field(default_factory=OwnFields)
    only_valid: bool = False
    """Whether what its audit rejects is left out, instead of refusing all."""
    replace: bool = False
    """Whether entries that are in the tree already are replaced."""

    @property
    def submitter_folder(self) -> str:
        """The submitter as folders and descriptions call it: both must be equal."""
        return slug(self.submitter, "--submitter")
