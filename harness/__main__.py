"""``python -m harness`` is the command ``loadproof``."""

from harness.cli import main

main()
