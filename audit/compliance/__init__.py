"""Compliance tests of MLPerf Inference: whether a run is one, and whether it is passed.

What each test is, and its limits, are data of :mod:`audit.compliance_tests`.

A verdict is made by comparing logs, all bytes of every answer, and never by reading another
program's words. A run shorter than the round demands gets no verdict: it means nothing.
"""
