"""A strict reader and a writer of LoadGen's user.conf.

LoadGen's own parser ignores what it does not understand and returns success. Here every line is
either understood or refused with its number and the nearest right key.

    reading, settings: a file to entries, LoadGen's settings to a file

What a line means is the audit's to say too, and stands there.
"""

from audit.userconf import Entry, settings_for
from harness.running.userconf.reading import entries_of, read
from harness.running.userconf.settings import render

__all__ = ["Entry", "entries_of", "read", "render", "settings_for"]
