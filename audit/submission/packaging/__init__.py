"""From evidence to a submission: what goes in, where it lies, and how it gets there in one step.

    evidence → choosing (by its audit) → compose (pieces of each entry) → staging → the tree

Nothing is written before everything has been chosen, and evidence is only ever read.
"""
