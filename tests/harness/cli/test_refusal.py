"""What is typed wrongly gets one sentence, which names the option and says what it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from harness import exits
from harness.cli.types import number, whole_number
from tests.harness.command import run

NO_NUMBERS = ("nan", "inf", "-inf", "1e400", "many", "", "-1", "0")
SIMULATED = ("-b", "resnet50", "-k", "simulated")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--repeat", "1001"),
        ("--max-batch", "65537"),
        ("--max-batch", "1.5"),
        ("--threads", "9" * 20),
        *((option, value) for option in ("--stall-timeout", "--streams") for value in NO_NUMBERS),
    ],
)
def test_a_number_beyond_sense_is_refused_with_its_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    asked = ["qualify", *SIMULATED, "--output", str(tmp_path / "out"), option, value]
    assert run(*asked) == exits.USAGE
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"loadproof: Invalid value for '{option}': it takes a ")
    assert sentence.endswith(f", not {value!r}.")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--price-per-hour", "--latency-limit-ms", "--seconds"])
@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_sweep_takes_only_numbers_that_can_be_counted_with(
    capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    assert run("sweep", *SIMULATED, "--plan", option, value) == exits.USAGE
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"loadproof: Invalid value for '{option}': it takes a number from ")


@given(text=st.text(max_size=12) | st.floats().map(str) | st.integers().map(str))
def test_a_number_is_one_within_its_bounds_or_is_refused(text: str) -> None:
    for declared in (number(0.1, 3600), whole_number(1, 3600)):
        try:
            found = declared["parser"](text)
        except typer.BadParameter as refused:
            assert repr(text) in str(refused)
        else:
            assert 0.1 <= found <= 3600


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("qualfy",), "No such command 'qualfy'. Did you mean 'qualify'? "),
        (("prepare", "modles"), "No such command 'modles'. Did you mean 'models'? "),
        (("qualify", "--backnd", "x"), "No such option: --backnd (Possible options: --backend"),
        (("qualify",), "Missing option '--benchmark' / '-b'. "),
        (("show",), "Missing argument "),
        (("show", "a", "b"), "Got unexpected extra argument"),
    ],
)
def test_what_was_typed_wrongly_is_told_with_where_to_look(
    capsys: pytest.CaptureFixture[str], asked: tuple[str, ...], said: str
) -> None:
    assert run(*asked) == exits.USAGE
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"loadproof: {said}")
    assert sentence.endswith(" --help` says what there is.")


def test_a_command_alone_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    for alone in ([], ["prepare"]):
        assert run(*alone) == exits.USAGE
        shown = "".join(capsys.readouterr())
        assert "Usage:" in shown
        assert "loadproof: " not in shown
