"""What the harness itself costs, measured: ``python -m tests.benchmarks``.

Every figure sets ours beside a reference in one run: pairs take turns, so that a busy machine
disturbs both alike, and their median is told with its spread. Nothing here is asserted by a test.
"""
