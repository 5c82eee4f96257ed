"""A strict reader and a writer of LoadGen's user.conf.

LoadGen's own parser ignores what it does not understand and returns success. Here every line is
either understood or refused with its number and the nearest right key.

    lines → reading, settings: one line, a file of them, what they decide
"""

from harness.running.userconf.lines import Entry
from harness.running.userconf.reading import entries_of, read
from harness.running.userconf.settings import render, settings_for

__all__ = ["Entry", "entries_of", "read", "render", "settings_for"]
