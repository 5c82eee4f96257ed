"""``python -m tests.write_rules`` writes the page of a submission's rules from their catalogue."""

from __future__ import annotations

from datasets.disk.files import atomic_write
from harness.report.rules import PAGE, page

if __name__ == "__main__":
    with atomic_write(PAGE) as file:
        file.write(page().encode())
