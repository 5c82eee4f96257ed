"""Files on this machine, whatever they hold: writing them whole, reading only what is a file.

files → regular → named_file: writing and hashing, what can be read, a place that a user named.
Then lock (one writer at a time), space (room before something large), cache (where all is kept) and
foreign (what turns up in place of the file that was wanted).
"""
