"""``loadproof sweep``: which settings suit a machine best, measured over a grid of them.

request → grid, estimate → opened (child processes: measure, score) → recommend → confirmation, with
a short_run of LoadGen for each → record. The job that goes through them is :mod:`harness.sweeping`.
"""
