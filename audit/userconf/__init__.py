"""What a line of LoadGen's user.conf means, for harness and audit alike.

The harness obeys it, the audit holds the runs to it.

    lines → deciding: one line, what several of them decide
"""

from audit.userconf.deciding import settings_for
from audit.userconf.lines import Entry, understood

__all__ = ["Entry", "settings_for", "understood"]
