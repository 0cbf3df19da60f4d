"""Standard output and standard error: colour, tables, progress; streams that are closed or full."""

from __future__ import annotations

import contextlib
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TextIO

from kanopy._time_left import TimeLeft

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


class Terminal:
    """One stream, and what it can show.

    Colour is used where the stream is a terminal and NO_COLOR is not set. With ``may_be_lost`` it is no
    failure that nobody can read what is said.
    """

    def __init__(self, stream: TextIO, *, colour: bool | None = None, may_be_lost: bool = False) -> None:
        self.stream = stream
        self._tolerated: tuple[type[Exception], ...] = (OSError,) if may_be_lost else ()
        self.is_terminal = stream.isatty()
        wanted = self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.colour = wanted if colour is None else colour
        self.unicode = (stream.encoding or "").lower().replace("-", "") in ("utf8", "utf16")
        self._progress_shown, self._left = False, TimeLeft()

    def say(self, text: str = "") -> None:
        self.clear_progress()
        self._write(text + "\n")

    def say_labelled(self, label: str, text: str, *styles: str) -> None:
        """A line with a label in front, bold or as told; the texts of such lines stand below each other."""
        self.say(f"{self.styled(label, *(styles or ('bold',)))}{' ' * (9 - len(label))}{text}")

    def say_note(self, text: str) -> None:
        self.say_labelled("note", text, "dim")

    def styled(self, text: str, *styles: str) -> str:
        """The text in bold, dim or a colour, where the stream shows that."""
        if not self.colour or not styles:
            return text
        return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"

    def table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], *, indent: int = 2, longest: int = 24
    ) -> None:
        """An aligned table; cells with more than ``longest`` characters are cut."""
        lines = [[_cut(printable(cell), longest) for cell in row] for row in [header, *rows]]
        widths = [max(_width(line[place]) for line in lines) for place in range(len(header))]
        for number, line in enumerate(lines):
            padded = (cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True))
            text = " " * indent + "  ".join(padded).rstrip()
            self.say(self.styled(text, "dim") if number == 0 else text)

    def bar(self, share: float, width: int = 40) -> str:
        """A bar whose length is the share of the width; anything above nothing shows."""
        length = max(round(share * width), 1 if share > 0 else 0)
        return ("█" if self.unicode else "#") * length

    def progress(self, stage: str, share: float | None) -> None:
        """Show where the work stands, on one line that is overwritten; only on a terminal."""
        if not self.is_terminal:
            return
        left = self._left(stage, share)
        done = "" if share is None else f" {share:4.0%} {self.bar(share, 20)}"
        import shutil  # slow to load, and for terminals alone

        columns = shutil.get_terminal_size().columns
        self._write("\r\x1b[K" + f"{stage} …{done}{f' {left}' if left else ''}"[: columns - 1])
        self._progress_shown = True

    def clear_progress(self) -> None:
        if self._progress_shown:
            self._write("\r\x1b[K")
            self._progress_shown = False

    def _write(self, text: str) -> None:
        encoding = self.stream.encoding or "ascii"
        with contextlib.suppress(*self._tolerated):
            self.stream.write(text.encode(encoding, "replace").decode(encoding))
            self.stream.flush()


def standard_error() -> Terminal:
    """Messages: a full disk or a closed terminal behind them must not change what the run does."""
    return Terminal(sys.stderr, may_be_lost=True)


def standard_output() -> Terminal:
    return Terminal(sys.stdout)


def printable(text: str) -> str:
    """Control characters are shown, not obeyed: a cell must not be able to drive the terminal."""
    return "".join(
        " " if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") else letter for letter in text
    )


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def stand_in_for_closed_streams() -> None:
    """Let standard streams that are closed lead nowhere.

    The next file that is opened would otherwise get the number of a closed one, 0, 1 or 2, and what is
    printed, by us or by a library, would be written into it.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    for name in ("stdout", "stderr"):  # Python has None where a stream was closed when it started
        stream = getattr(sys, name)
        if stream is None or stream.closed:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123


@contextlib.contextmanager
def printing_verdict(messages: Terminal) -> Iterator[None]:
    """What is printed inside may be lost: the exit code is the verdict, whether or not anybody can read more
    about it."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            messages.say_labelled("warning", f"the verdict could not be printed: {error.strerror}", "yellow")
        give_up_output()


def give_up_output() -> None:
    """Forget what could not be printed, or Python would try once more on leaving, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
