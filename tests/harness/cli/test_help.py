"""The help of every command, on the narrowest terminal that people use."""

from __future__ import annotations

from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from harness.cli.app import app

ROOT: Any = get_command(app)


def _commands(group: Any, above: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    found = []
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found += _commands(command, (*above, name))
        else:
            found.append(((*above, name), command))
    return found


@pytest.mark.parametrize(("words", "command"), _commands(ROOT))
def test_every_option_and_argument_is_named_whole_in_80_columns(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], command: Any
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = CliRunner().invoke(app, [*words, "--help"])
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    for parameter in command.params:
        if parameter.param_type_name == "option":
            assert set(parameter.opts) <= set(done.stdout.split())
        else:
            assert parameter.metavar in done.stdout
            assert parameter.metavar.strip("[]").isupper()
