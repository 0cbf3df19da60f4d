"""A CSV file of anyone whose lines repeat, as those of a release do: every different line is parsed once."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from kanopy.auditing.line_runs import FEWEST_REPEATS, line_runs
from kanopy.auditing.text import TextTable
from kanopy.errors import KanopyError
from kanopy.frames.csv_bytes import is_utf8, text_codec
from kanopy.frames.csv_file import read_csv
from kanopy.frames.csv_rows import ROW_LIMIT
from kanopy.frames.source import open_source


def read_repeated_file(
    path: Any, *, delimiter: str | None = None, encoding: str | None = None
) -> TextTable | None:
    """The table in a file; None where lines hardly repeat or are not rows, and for all that is no such file.

    O(bytes). What is wrong with a file is found by who reads it row by row.
    """
    if not isinstance(path, str | os.PathLike) or os.fspath(path) == "-" or not Path(path).is_file():
        return None
    try:
        with open_source(path) as source:
            if source.form != "csv" or not is_utf8(text_codec("utf-8" if encoding is None else encoding)):
                return None
            runs = line_runs(source.stream, fewest_repeats=FEWEST_REPEATS, longest_line=ROW_LIMIT)
            given = source.delimiter if delimiter is None else delimiter
            rows = read_csv(io.BytesIO(runs.lines), where=source.where, delimiter=given)
            table = TextTable.of_arrow(rows)
    except KanopyError:
        return None
    # PRIVACY: only a carriage return makes two rows of a line. Without one, a line that is no row is missing
    # in the number of rows (tests/properties/test_repeated_lines.py).
    if b"\r" in runs.lines or table.n_rows != len(runs.weight):
        return None
    return table.weighing(runs.weight)
