"""``kanopy draw``."""

from __future__ import annotations

from argparse import Namespace

from kanopy._arrow_start import start_pyarrow
from kanopy.cli.terminal import standard_error
from kanopy.receiving import DRAWN, draw_to_file


def run(given: Namespace) -> int:
    start_pyarrow()
    terminal = standard_error()
    terminal.progress("drawing", None)
    certificate = given.certificate
    draw_to_file(given.input, given.output, seed=given.seed, force=given.force, certificate=certificate)
    terminal.clear_progress()
    terminal.say_labelled("written", f"{given.output}, drawn with seed {given.seed}", "green", "bold")
    terminal.say_note(
        f"its rows are made up from the cells of the release; column {DRAWN} says so in every row. "
        "Nothing is promised about it that the release does not promise"
    )
    return 0
