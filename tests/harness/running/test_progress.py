"""The mapped progress of a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.running.progress import Phase, ProgressWriter, read_progress


def test_a_reader_sees_what_was_written(tmp_path: Path) -> None:
    assert read_progress(tmp_path) is None
    writer = ProgressWriter(tmp_path)
    writer.enter(Phase.RUNNING, 100)
    writer.issue(8)
    writer.complete(5, empty=2)
    writer.complete(1, empty=0)
    writer.fail(1)
    seen = read_progress(tmp_path)
    assert seen is not None
    assert (seen.phase, seen.total, seen.issued) == (Phase.RUNNING, 100, 8)
    assert (seen.completed, seen.empty, seen.failed) == (6, 2, 1)
    assert seen.last_ns >= seen.began_ns > 0


def test_no_reading_holds_half_of_a_value(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from harness.running.progress import Phase, ProgressWriter\n"
        "writer = ProgressWriter(Path(sys.argv[1]))\n"
        "writer.enter(Phase.RUNNING)\n"
        "for _ in range(200_000):\n"
        "    writer.issue(1)\n"
        "    writer.complete(1, empty=0)\n"
    )
    worker = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
    readings = []
    while worker.poll() is None:
        readings.append(read_progress(tmp_path))
    assert worker.returncode == 0
    whole = [one for one in readings if one is not None and one.phase is Phase.RUNNING]
    assert len(whole) > 100
    for name in ("began_ns", "issued", "completed", "last_ns"):
        seen = [getattr(one, name) for one in whole]
        assert seen == sorted(seen)


def test_a_cut_file_is_no_reading(tmp_path: Path) -> None:
    ProgressWriter(tmp_path)
    path = tmp_path / "progress.bin"
    path.write_bytes(path.read_bytes()[:-1])
    assert read_progress(tmp_path) is None
