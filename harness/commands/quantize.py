"""What ``loadproof quantize`` does, once the command line has been read."""

from __future__ import annotations

from audit import schema
from harness import exits
from harness.commands.terminal import attended, say, say_json
from harness.report.quantization import render
from harness.request import Request
from harness.running.errands import Errands
from harness.variants.quantize import Quantizing
from harness.variants.wanted import Wanted


def quantize_command(request: Request, wanted: Wanted, as_json: bool) -> int:
    """Make the variant and hold it to the gate; exit 1 where it misses the accuracy target."""
    with attended() as (display, stop):
        errands = Errands(request, request.cache / "quantize.log", stop, display)
        document = Quantizing(errands, wanted).run()
    schema.require(document, "quantization", "what was made")
    if as_json:
        say_json(document)
    else:
        say(render(document))
    check = document["check"]
    missed = check is not None and not check["sides"][1]["passed"]
    return exits.FINDINGS if missed else exits.FINE
