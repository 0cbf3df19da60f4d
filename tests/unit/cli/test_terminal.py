"""How kanopy looks in a terminal, and that a cell cannot drive it."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import sys
import unicodedata
from collections.abc import Iterator
from typing import TextIO

import pytest
from command import run

from kanopy.cli.terminal import Terminal, printable

NASTY = [
    "\x1b[2J\x1b[31mred",
    "a\x9b31mb",
    "a\rb",
    "a\nb\tc\x07\x08\x7f",
    "a\u202eb\u2066c",
    "a\u200bb\ufeffc",
    "a\u2028b\u2029c",
]


@pytest.fixture(autouse=True)
def _terminal_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def memory(encoding: str = "utf-8") -> TextIO:
    return io.TextIOWrapper(io.BytesIO(), encoding, newline="")


def said(stream: TextIO) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode(stream.encoding)  # type: ignore[attr-defined]


@contextlib.contextmanager
def a_terminal() -> Iterator[tuple[TextIO, list[str]]]:
    """A real terminal to write into; what arrived is in the list at the end."""
    reader, writer = pty.openpty()
    seen: list[str] = []
    try:
        with os.fdopen(writer, "w", encoding="utf-8", newline="") as stream:
            yield stream, seen
        arrived = b""
        with contextlib.suppress(OSError):  # how a terminal says that its other end is closed
            while part := os.read(reader, 1 << 16):
                arrived += part
        seen.append(arrived.decode())
    finally:
        os.close(reader)


@pytest.mark.parametrize("text", NASTY)
def test_control_characters_are_blanked(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    assert not any(unicodedata.category(letter)[0] == "C" for letter in shown)
    assert shown.splitlines() == [shown]
    terminal = Terminal(memory(), colour=False)
    terminal.table([text], [[text], ["x"]])
    lines = said(terminal.stream).removesuffix("\n").split("\n")
    assert len(lines) == 3
    assert not any(unicodedata.category(letter)[0] == "C" for line in lines for letter in line)


def test_other_letters_stay() -> None:
    assert printable("Zoë 北京 – ‘a’") == "Zoë 北京 – ‘a’"


def test_tables_are_aligned() -> None:
    terminal = Terminal(memory(), colour=False)
    terminal.table(["a", "bb"], [["北京", "x"], ["xyz", "y"], ["z" * 30, ""]])
    assert said(terminal.stream) == (
        f"  a{' ' * 23}  bb\n  北京{' ' * 20}  x\n  xyz{' ' * 21}  y\n  {'z' * 23}…\n"
    )


@pytest.mark.parametrize(("share", "length"), [(0, 0), (0.0001, 1), (0.5, 20), (0.49, 20), (1, 40)])
def test_bars(share: float, length: int) -> None:
    assert Terminal(memory()).bar(share) == "█" * length
    assert Terminal(memory("ascii")).bar(share) == "#" * length


def test_a_stream_that_cannot_show_a_letter() -> None:
    terminal = Terminal(memory("ascii"))
    terminal.say("Zoë …")
    assert said(terminal.stream) == "Zo? ?\n"


def test_no_colour_and_no_progress_where_it_is_piped() -> None:
    terminal = Terminal(memory())
    terminal.progress("reading", 0.5)
    terminal.say(terminal.styled("kept", "green", "bold"))
    assert said(terminal.stream) == "kept\n"


@pytest.mark.parametrize(
    ("variable", "value", "colour"),
    [("NO_COLOR", "1", False), ("NO_COLOR", "", True), ("TERM", "dumb", False), ("TERM", "xterm", True)],
)
def test_colour_on_a_terminal(
    variable: str, value: str, colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with a_terminal() as (stream, seen):
        terminal = Terminal(stream)
        terminal.say(terminal.styled("kept", "green", "bold"))
    assert seen[0].rstrip() == ("\x1b[32;1mkept\x1b[0m" if colour else "kept")


def test_progress_appears_and_is_cleared() -> None:
    with a_terminal() as (stream, seen):
        terminal = Terminal(stream)
        terminal.progress("reading", None)
        terminal.progress("mondrian", 0.5)
        terminal.say("done")
        terminal.say("more")
    clear = "\r\x1b[K"
    assert seen[0].replace("\r\n", "\n") == (
        f"{clear}reading …{clear}mondrian …  50% {'█' * 10}{clear}done\nmore\n"
    )


def test_progress_fits_on_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    with a_terminal() as (stream, seen):
        Terminal(stream).progress("a stage with a long name", 0.5)
    assert seen[0] == "\r\x1b[K" + "a stage with a long name"[:19]


def test_a_command_on_a_terminal(tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> None:
    table = f"{os.fspath(tmp_path)}/t.csv"
    with open(table, "w", encoding="utf-8") as stream:  # noqa: PTH123
        stream.write("q\na\na\n")
    with a_terminal() as (stream, seen):
        monkeypatch.setattr(sys, "stderr", stream)
        with contextlib.redirect_stdout(memory()):
            from kanopy.cli.main import main

            assert main(["audit", table, "--quasi", "q", "--k", "2"]) == 0
    assert seen[0] == "\r\x1b[Krecounting …\r\x1b[K", "the line must be gone before the verdict is shown"


def test_a_column_name_cannot_drive_the_terminal(tmp_path: os.PathLike[str]) -> None:
    table = f"{os.fspath(tmp_path)}/t.csv"
    with open(table, "w", encoding="utf-8") as stream:  # noqa: PTH123
        stream.write("q,\x1b[31mx\na,b\na,b\n")
    for command in (
        ["audit", table, "--quasi", "q", "--k", "2"],
        ["audit", table, "--quasi", "q", "--sensitive", "\x1b[31mx", "--k", "2"],
        ["anonymize", table, "-o", f"{table}.csv", "--quasi", "q", "--sensitive", "\x1b[31mx", "--k", "2"],
    ):
        outcome = run(*command)
        assert "\x1b" not in outcome.out + outcome.err, command
