"""``python -m harness`` is the command ``loadproof``."""

from harness.entry import main

main()
