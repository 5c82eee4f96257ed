"""The file that makes a run a compliance test: LoadGen reads it beside its own settings."""

from __future__ import annotations

from pathlib import Path

from audit.compliance_tests import compliance_test
from harness.spec import RunSpec

AUDIT_CONFIG = "audit.config"


def write_audit_config(spec: RunSpec, folder: Path) -> Path | None:
    """LoadGen's audit.config for the run, written into ``folder``; None for a run without test."""
    if spec.test is None:
        return None
    path = folder / AUDIT_CONFIG
    path.write_text(compliance_test(spec.test).config_text(), "utf-8")
    return path
