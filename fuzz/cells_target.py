"""Cell texts: what is written is read back exactly, and no text stops the readers of published cells."""

from __future__ import annotations

import zlib
from random import Random

import pyarrow as pa

from fuzz.target import Target, Violation, refused
from kanopy.data.grammar import (
    ReadCell,
    _read_set,
    _read_simple_set,
    clean_text,
    read_any_text,
    read_cell,
    write_alone,
    write_member,
    write_range,
    write_set,
)
from kanopy.errors import KanopyError
from kanopy.learners.cells import CellColumn
from kanopy.learners.reading import SharedRows
from kanopy.learners.words import new_column

_SEPARATOR = "\x1f"
_LONG = 8
"""From how many characters on a text in a message is no coincidence."""

_SEEDS = (
    "*", "", "a", "\\*", "\\[1, 2]", "[1, 2]", "[-1.5, 1e3]", "{a, b}", "{, a}", "{[1, 2], 5}", "{a\\, b, c}",
    "{\\[1\\, 2\\], \\{x\\}}", "{a", "{}", "{a}", "[1]", "[", "{\\", "\\", "{a,b}", "[, ]", "{[, }",
    "1\x1f2\x1f[1, 2]\x1f*", "01\x1f1.0\x1f{1, 2}\x1f", "1e999\x1f[1, 1e999]", "inf\x1fnan\x1f[-inf, inf]",
    "a\x1f{a, b}\x1f[1, 2]\x1f\\\\x", "é\x1fe\u0301\x1f {a, b} ", "{1, 2}\x1f[3, 1]\x1f2", "٣\x1f[٣, ٤]",
    "a\nb\x1f{a\\\nb, c}\x1f\\", "1_0\x1f[1_0, 2]\x1f0x1",
)  # fmt: skip

_PIECES = (
    *(
        "a",
        "b",
        "1",
        "2",
        "-1.5",
        "01",
        "1e3",
        "1e400",
        "*",
        "\\",
        "\\\\",
        "\\,",
        "\\[",
        "\\]",
        "[",
        "]",
        "{",
        "}",
        ",",
    ),
    *(
        ", ",
        " ",
        "[1, 2]",
        "[a, b]",
        "\n",
        "é",
        "e\u0301",
        "\u200b",
        "nan",
        "inf",
        "_",
        "+",
        "٣",
        "",
        "\\*",
        "--1",
    ),
)


class CellsTarget(Target):
    """``read_cell``, the writers of cells, and the learners' readers over columns of any texts.

    An input is UTF-8; texts are parted by U+001F. Each is a cell, a value and a
    member of a set in turn, and sometimes all are a column.
    """

    name = "cells"
    max_length = 512

    def seeds(self) -> list[bytes]:
        return [seed.encode() for seed in _SEEDS]

    def make(self, rng: Random) -> bytes:
        """Cells and values put together from pieces of both."""
        texts = []
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
            pieces = [rng.choice(_PIECES) for _ in range(rng.randint(1, 6))]
            brackets = rng.choice(("{}", "{}", "[]", ("", ""), ("\\", "")))
            texts.append(brackets[0] + rng.choice(("", ", ")).join(pieces) + brackets[1])
        return _SEPARATOR.join(texts).encode()

    def execute(self, data: bytes) -> str:
        texts = data.decode("utf-8", "replace").split(_SEPARATOR)
        said = sorted({_as_cell(text) for text in texts})
        values = [clean_text(text) for text in texts]
        for value in values:
            _as_value(value)
        _as_members(values)
        if zlib.crc32(data) % 4 == 0:  # slow, so only every fourth input
            said += _as_columns(texts)
        return "; ".join(said)


def _as_cell(text: str) -> str:
    """Any text: a cell that means the same when it is written again, or a ValueError that keeps it secret."""
    _check_fast_reader(text)
    try:
        cell = read_cell(text)
    except ValueError as error:
        if len(text) >= _LONG and text in str(error):
            raise Violation("the error shows the cell") from None
        return f"no cell: {error}"
    again = read_cell(_written(cell))
    if _meaning(again) != _meaning(cell):
        raise Violation("a cell that was read, written and read again is another one")
    return "a cell"


def _check_fast_reader(text: str) -> None:
    simple = _read_simple_set(text)
    if simple is None:
        return
    try:
        if simple != _read_set(text):
            raise Violation("the fast reader of sets reads something else")
    except ValueError:
        raise Violation("the fast reader of sets accepts what is no cell") from None


def _written(cell: ReadCell) -> str:
    if cell.is_suppressed:
        return "*"
    ranges = [write_range(*ends) for ends in cell.ranges]
    n_members = len(cell.texts) + len(ranges) + cell.with_missing
    if n_members == 1:
        return "".join([*map(write_alone, cell.texts), *ranges])
    return write_set([*map(write_member, cell.texts), *ranges, *([""] if cell.with_missing else [])])


def _meaning(cell: ReadCell) -> tuple[object, ...]:
    return cell.is_suppressed, cell.with_missing, sorted(cell.texts), sorted(cell.ranges)


def _as_value(value: str) -> None:
    """A value of the source, alone in its cell."""
    expected = ReadCell(texts=(value,)) if value else ReadCell(with_missing=True)
    if read_cell(write_alone(value)) != expected:
        raise Violation("a value is not read back")
    if read_any_text(write_alone(value)) != expected:
        raise Violation("a value is not read back by the learners")


def _as_members(values: list[str]) -> None:
    """Values of the source, together in one cell."""
    members = sorted(set(values))
    if len(members) < 2:
        return
    written = write_set([write_member(value) for value in members])
    for read in (read_cell, read_any_text):
        cell = read(written)
        if cell.is_suppressed or cell.ranges or cell.with_missing != ("" in members):
            raise Violation("a set of values is read as something else")
        if sorted(cell.texts) != [value for value in members if value]:
            raise Violation("the members of a set are not read back")


def _as_columns(texts: list[str]) -> list[str]:
    """A published column, as learners train on it and as they meet it again."""
    try:
        trained = SharedRows(pa.table({"cells": pa.array(texts, pa.string())})).training_table.columns[0]
        again = new_column(pa.chunked_array([pa.array([*texts, None, "unheard of"], pa.string())]), trained)
    except KanopyError as error:
        return [refused(error, *(text for text in texts if len(text) >= _LONG))]
    n_rows = len(texts)
    if len(trained.ids) != n_rows or [_row(trained, row) for row in range(n_rows)] != [
        _row(again, row) for row in range(n_rows)
    ]:
        raise Violation("a column says something else when it is met again")
    return ["numbers" if trained.numbers is not None else "words"]


def _row(column: CellColumn, row: int) -> tuple[object, ...]:
    """What a row says: the values it may stand for, whether it may be missing, whether it is suppressed."""
    cell = int(column.ids[row])
    members = column.members[column.first[cell] : column.first[cell + 1]].tolist()
    return members, bool(column.with_missing[cell]), bool(column.is_suppressed[cell])
