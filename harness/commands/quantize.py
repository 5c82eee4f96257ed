"""What ``loadproof quantize`` does, once the command line has been read."""

from __future__ import annotations

import json
import sys

from rich.console import Console

from audit import schema
from harness import exits
from harness.report.live import display_for
from harness.report.quantization import render
from harness.request import Request
from harness.running.errands import Errands
from harness.stop import StopRequests
from harness.variants.quantize import Quantizing
from harness.variants.wanted import Wanted


def quantize_command(request: Request, wanted: Wanted, as_json: bool) -> int:
    """Make the variant and hold it to the gate; exit 1 where it misses the accuracy target."""
    display = display_for(Console(stderr=True))
    try:
        with StopRequests() as stop:
            errands = Errands(request, request.cache / "quantize.log", stop, display)
            document = Quantizing(errands, wanted).run()
    finally:
        display.close()
    schema.require(document, "quantization", "what was made")
    text = json.dumps(document, indent=2, ensure_ascii=False) if as_json else render(document)
    sys.stdout.write(text + "\n")
    check = document["check"]
    missed = check is not None and not check["sides"][1]["passed"]
    return exits.FINDINGS if missed else exits.FINE
