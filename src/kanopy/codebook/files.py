"""The two files of a codebook: a table for programs, and a page for people."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kanopy.codebook.meaning import ColumnMeaning
from kanopy.codebook.page import PageFacts, page_of
from kanopy.codebook.readers import Written
from kanopy.codebook.sketches import WITH_NAMES, entries_of, read_reading
from kanopy.data import PublishedReading
from kanopy.frames.csv_form import with_comma
from kanopy.frames.csv_text import spreadsheet_safe_word, write_csv

CODEBOOK_SUFFIXES = (".csv", ".md")
FOLDER_CODEBOOK = ("_codebook.csv", "_codebook.md")
"""The codebook of a release that is a folder of parts; other programs pass over such names."""

_HEADER = ("column", "position", "role", "cells", "entry", "text", "meaning")

Line = tuple[str, str, str, str, str, str, str]


def codebook_paths(release: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Where the codebook of a file is: ``release.codebook.csv`` and ``.md`` beside ``release.csv``.

    Beside ``release.parquet`` it is ``release.parquet.codebook.csv``: one release may be there in both forms.
    """
    path = Path(release)
    stem = path.stem if path.suffix.lower() == ".csv" else path.name
    csv, md = (path.with_name(f"{stem}.codebook{suffix}") for suffix in CODEBOOK_SUFFIXES)
    return csv, md


def published_reading(release: str | os.PathLike[str]) -> PublishedReading | None:
    """What the codebook beside a file or folder says about sketches; None where there is none."""
    path = Path(release)
    return read_reading(path / FOLDER_CODEBOOK[0] if path.is_dir() else codebook_paths(path)[0])


def codebook_files(
    meanings: Sequence[ColumnMeaning],
    told: PageFacts,
    written: Written,
    reading: PublishedReading | None = None,
) -> tuple[bytes, bytes]:
    """The bytes of both files; levels are written as the texts of the release are. O(levels)."""
    commas = written.form.comma_columns
    safe = spreadsheet_safe_word if written.form.is_disarmed else str
    meanings = [
        each._replace(levels=tuple(with_comma(safe(level)) for level in each.levels))
        if each.name in commas
        else each
        for each in meanings
    ]
    lines = list(_lines(meanings, reading))
    if written.form.is_disarmed:
        lines = [_disarmed(line, commas) for line in lines]
    columns = []
    for name, texts in zip(_HEADER, zip(*lines, strict=True), strict=True):
        columns.append((name, texts, np.arange(len(texts), dtype=np.int32)))
    table = io.BytesIO()
    write_csv(table, columns, len(lines), delimiter=written.form.delimiter, mark=written.form.mark)
    page = page_of(meanings, told, written, reading)
    return table.getvalue(), page.encode("utf-8", "backslashreplace")


def _disarmed(line: Line, commas: Sequence[str]) -> Line:
    """Names of columns as they are in the release: readers find columns by them."""
    # A number with a decimal comma is none any more, and was plain where the release was disarmed.
    is_done = line[0] in commas and line[4] not in WITH_NAMES
    text = line[5] if is_done else spreadsheet_safe_word(line[5])
    return spreadsheet_safe_word(line[0]), *line[1:5], text, line[6]


def _lines(meanings: Sequence[ColumnMeaning], reading: PublishedReading | None) -> Iterator[Line]:
    """A line for what a column holds, for every kind of its cells, for every level, and about sketches."""
    for position, each in enumerate(meanings, start=1):
        column = (each.name, str(position), each.role, str(each.cells))
        yield (*column, "column", "", each.cells.sentence)
        for kind in each.kinds:
            yield (*column, "cell", kind.pattern, kind.meaning)
        if each.is_ordered:
            for which, level in zip(("lowest", "highest"), each.levels[:2], strict=False):
                yield (*column, which, level, f"the {which} that a cell names")
        for level in each.levels[2 * each.is_ordered :]:
            yield (*column, "level", level, "name of a group" if level in each.nodes else "value")
        if not each.is_ordered and each.n_levels > len(each.levels):
            yield (*column, "more", str(each.n_levels - len(each.levels)), "further levels are not listed")
        for entry in entries_of(reading, each.name):
            yield (*column, *entry)
