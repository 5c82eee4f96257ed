"""What is to be packaged, for whom, and where: in a tree that lies apart from all evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from audit.judge import require_evidence
from audit.submission.packaging.names import slug
from audit.submission.packaging.own_fields import OwnFields
from datasets.errors import UsageError


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


def require_places(request: Request) -> None:
    """UsageError where evidence is named twice, the tree lies in it, or a folder that is to be
    changed is a link; EvidenceError where there is no evidence."""
    _require_each_once(request)
    for folder in request.evidence:
        require_evidence(folder)
        if request.tree.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                f"{request.tree} lies in the evidence {folder}, which a package leaves as it is; "
                "name another place with --out."
            )
    division = request.tree / request.division
    for folder in (division, division / request.submitter_folder):
        if folder.is_symlink():
            raise UsageError(
                f"{folder} is a link to {folder.readlink()}, outside the tree or elsewhere in it; "
                "put the folder itself there, or name another place with --out."
            )


def _require_each_once(request: Request) -> None:
    seen: dict[Path, Path] = {}
    for folder in request.evidence:
        place = folder.resolve()
        if place in seen:
            also = "" if folder == seen[place] else f", also as {seen[place]}"
            raise UsageError(f"{folder} is named twice{also}; name each evidence folder once.")
        seen[place] = folder
