"""Judging the logs of a harness that left no plan and no record: only what LoadGen wrote.

What was asked for is not known here, so settings are compared with a round alone.
"""
