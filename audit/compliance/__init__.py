"""Compliance tests of MLPerf Inference: what makes a run one, and whether it is passed.

A verdict is made by comparing logs, all bytes of every answer, and never by reading another
program's words. A run shorter than the round demands gets no verdict: it means nothing.
"""
