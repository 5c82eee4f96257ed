"""Datasets as the benchmarks define them: sources, reading, preprocessing, prepared samples.

Imports nothing else of loadproof. The name is also that of a well-known library, so
:data:`IS_LOADPROOF` lets the command line tell ours from a foreign package that shadows it.
"""

IS_LOADPROOF = True
