"""Submission trees of MLPerf Inference: checked, packaged, and moved from one layout to another.

    scan (files.Tree) → tree (Submission, Submitter, System, Entry) → checks → findings → verdicts

A check is a generator of findings about one part of the tree; it opens files through ``Tree`` alone
and never stops another check. What a rule is called, says and stands for is data (``rules/``).
"""
