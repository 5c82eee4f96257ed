"""Whether evidence and tree lie where a package can be made of the one in the other."""

from __future__ import annotations

from pathlib import Path

from audit.judge import require_evidence
from audit.submission.packaging.request import Request
from datasets.errors import UsageError


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
