"""What the library of the command line refuses, told as every other refusal is.

It would draw a box as wide as the terminal, which breaks the sentence and hides it from whoever
searches a log for it.
"""

from __future__ import annotations

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from datasets.errors import UsageError

_REFUSAL: Any = typer.BadParameter.__base__
"""Of all that is wrong with what was typed. Releases of typer differ in where it is defined."""
_HELP = "NoArgsIsHelpError"
"""What is raised where nothing was typed and the help was shown."""


class Told(TyperGroup):
    """All commands. One that was typed wrongly is a UsageError with one sentence."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command that was typed; in ``standalone_mode``, as by default, its exit code ends
        the process."""
        alone = extra.pop("standalone_mode", True)
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except _REFUSAL as error:
            if type(error).__name__ != _HELP:
                raise UsageError(_sentence(error)) from error
            sys.stderr.write(error.format_message())
            code = error.exit_code
        if alone:
            sys.exit(code)
        return code


def _sentence(error: Any) -> str:
    """A refused value is told by whoever reads it; of all else the help says what there is."""
    said: str = error.format_message()
    said += "" if said.endswith((".", "?")) else "."
    if error.ctx is None or type(error) is typer.BadParameter:
        return said
    return f"{said} `{error.ctx.command_path} --help` says what there is."
