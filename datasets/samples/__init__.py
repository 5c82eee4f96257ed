"""Samples as every benchmark hands them to a model: written once, mapped, loaded, batched.

prepared first: what samples are. On disk: row_writer and checkpoints → store. In memory:
row_reader, room → resident → library. simulated are the samples that need no data at all.
"""
