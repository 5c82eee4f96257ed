"""Judges evidence: pure functions from parsed files and rules to findings. Runs nothing."""
