"""How much memory this process needed at most."""

from __future__ import annotations

import re
import resource
from pathlib import Path

from datasets.sysfs import content


def peak_rss_bytes() -> int:
    """The most memory this process held. ``ru_maxrss`` is inherited across exec, so that it may be
    the parent's; where /proc tells this process's own, that is taken."""
    own = re.search(r"^VmHWM:\s+(\d+) kB", content(Path("/proc/self/status")), re.MULTILINE)
    return 1024 * (int(own[1]) if own else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
