"""A release as it was received: its rows as text, and what its columns hold, as far as anything tells it."""

from __future__ import annotations

import csv
import os
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from kanopy.certificate import Certificate, certificate_path, read_certificate, verify
from kanopy.certificate.check import FAILS
from kanopy.certificate.hashing import hashed
from kanopy.codebook import (
    FOLDER_CODEBOOK,
    Cells,
    Decisions,
    codebook_paths,
    column_meaning,
    published_reading,
    told_cells,
)
from kanopy.codebook.meaning import QUASI, SUPPRESSED_TEXT, suppressed_of
from kanopy.data import PublishedReading
from kanopy.errors import InputError, KanopyWarning, PolicyError
from kanopy.frames.csv_form import with_point
from kanopy.frames.csv_text import as_before_disarming
from kanopy.frames.detected_file import read_detected
from kanopy.frames.tables import read_table

Told = dict[str, dict[str, str]]
"""Of each column, ``cells``, and ``suppressed`` where that is told."""


class Column(NamedTuple):
    """One column: its different texts, missing as the empty one, and the text of each row."""

    words: list[str]
    codes: pa.Array
    values: pa.ChunkedArray  # as they came, in their own type


class Received(NamedTuple):
    """The columns of a release, and what they hold."""

    columns: Mapping[str, Column]
    told: Mapping[str, Mapping[str, str]]
    n_rows: int
    is_described: bool  # whether a certificate or a codebook says that it is a release
    is_disarmed: bool = False  # whether formulas have a ``'`` in its file
    reading: PublishedReading | None = None  # how to read sketches

    def cells(self, name: str) -> Cells:
        """What a column holds."""
        return Cells(self.told[name]["cells"])


def receive(path: Any, certificate: str | os.PathLike[str] | None, *, verified: bool) -> Received:
    """Read the file or the folder of a release; with a certificate it is verified first. O(rows * columns).

    Raises
    ------
    InputError
        Where a certificate says that it is another file, or was changed.
    """
    if not isinstance(path, str | os.PathLike) or os.fspath(path) == "-":
        raise PolicyError("a release is read by its path", 'for example "release.csv"')
    place = Path(path)
    known, sha256 = _certified(place, certificate, verified=verified)
    if known is None:
        table, dialect = read_detected(place)
        with_commas = dialect is not None and dialect.delimiter != ","
        told: Told | None = _codebook(place, table.column_names)
    else:
        form = known.release.form
        delimiter = form.delimiter if place.suffix.lower() not in (".parquet", ".pq", "") else None
        table, with_commas = read_table(place, delimiter=delimiter)[1], bool(form.comma_columns)
        table = table.rename_columns(form.named(table.column_names))
        told = {name: dict(said) for name, said in known.cells.items()} or None
        if sha256 and place.is_file() and hashed(place)[0] != sha256:
            raise InputError(f"{place}: the file changed while it was read", "run again when it is complete")
    roles = {} if known is None else dict(known.roles)
    columns = {name: as_column(table[name]) for name in table.column_names}
    is_described = known is not None or told is not None
    if told is None:
        decided = Decisions({name: roles.get(name, QUASI) for name in columns}, {})
        told = told_cells(column_meaning(name, each.words, decided) for name, each in columns.items())
    if with_commas:
        columns = {name: _with_points(each, Cells(told[name]["cells"])) for name, each in columns.items()}
    reading = published_reading(place)
    is_disarmed = known is not None and known.release.form.is_disarmed
    if is_disarmed:
        columns = {name: _with_formulas(each) for name, each in columns.items()}
        reading = None if reading is None else _orders_with_formulas(reading)
    return Received(columns, told, table.num_rows, is_described, is_disarmed, reading)


def _certified(
    place: Path, given: str | os.PathLike[str] | None, *, verified: bool
) -> tuple[Certificate | None, str]:
    """The certificate, and the SHA-256 of the file that was verified with it."""
    path = certificate_path(place) if given is None else Path(given)
    if given is None and not path.exists():
        if verified:
            what = f"{place.name} has no certificate beside it: nobody checked that it is as it was published"
            warnings.warn(what, KanopyWarning, stacklevel=4)
        return None, ""
    if not verified:
        return read_certificate(path), ""
    found = verify(place, path)
    wrong = [check for check in found.checks if check.outcome == FAILS]
    if wrong:
        hint = (
            "get it again from its publisher; kanopy.read_release(..., verified=False) reads it all the same"
        )
        raise InputError(f"{place.name} is not what its certificate says: {wrong[0].message}", hint)
    return found.certificate, found.sha256


def _codebook(place: Path, names: list[str]) -> Told | None:
    """What the codebook beside a release says; None where there is none for these columns."""
    book = place / FOLDER_CODEBOOK[0] if place.is_dir() else codebook_paths(place)[0]
    if not book.is_file():
        return None
    try:
        lines = read_detected(book)[0].to_pylist()
        told = {line["column"]: {"cells": str(Cells(line["cells"]))} for line in lines}
        for line in lines:
            if line["entry"] == "cell" and line["text"] == SUPPRESSED_TEXT:
                told[line["column"]]["suppressed"] = suppressed_of(line["meaning"])
    except (InputError, KeyError, ValueError, csv.Error):
        return None
    return told if set(told) == set(names) else None


def as_column(values: pa.ChunkedArray) -> Column:
    """A column of text, or of values in their own type; O(rows)."""
    coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    whole = coded.unify_dictionaries().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    words = whole.dictionary.cast(pa.string()).to_pylist()
    return Column([*words, ""], whole.indices.fill_null(len(words)), values)


def _with_formulas(column: Column) -> Column:
    return column._replace(words=list(map(as_before_disarming, column.words)))


def _orders_with_formulas(reading: PublishedReading) -> PublishedReading:
    names = tuple(map(as_before_disarming, reading.names))
    orders = {
        as_before_disarming(name): tuple(map(as_before_disarming, order))
        for name, order in reading.orders.items()
    }
    classes = reading.classes
    if classes is not None:
        order = tuple(map(as_before_disarming, classes.order))
        classes = replace(classes, name=as_before_disarming(classes.name), order=order)
    return replace(reading, names=names, orders=orders, classes=classes)


def _with_points(column: Column, cells: Cells) -> Column:
    return column._replace(words=list(map(with_point, column.words))) if cells.are_numbers else column
