"""Scores, made from the answers that an accuracy run logged and from nothing else."""
