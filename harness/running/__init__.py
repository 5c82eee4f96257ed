"""Runs and their processes: one LoadGen run in one child process, watched from outside."""
