"""Whether repeats of one measurement tell the same: over runs, inside a run, and answer by answer.

Everything here is a pure function of numbers and a policy. The policy's limits decide; the tests
only keep noise from being called a trend or an outlier.
"""
