"""One plain table drawn from the cells of a release, so that any program can read it; marked in every row."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pyarrow as pa

from kanopy.certificate import CERTIFICATE_SUFFIXES, certificate_path
from kanopy.codebook import codebook_paths
from kanopy.codebook.meaning import NOT_SHOWN
from kanopy.errors import InputError, PolicyError
from kanopy.frames.csv_text import spreadsheet_safe_word, write_csv
from kanopy.frames.packed import packed
from kanopy.frames.parquet_file import write_parquet
from kanopy.frames.tables import from_arrow
from kanopy.learners.draws import Urn
from kanopy.learners.encoder import ColumnEncoding
from kanopy.learners.sketched import drawn_rows
from kanopy.learners.words import training_column
from kanopy.receiving.reading import check_kind
from kanopy.receiving.received import Column, Received, as_column, receive
from kanopy.release import Destination, Inputs, Transaction

DRAWN = "drawn_by_kanopy"
"""The last column of a drawn table: nobody may take it for the original, wherever it is copied to."""

Coded = tuple[str, list[str], np.ndarray[Any, np.dtype[np.int32]]]
"""A name, texts, and the text of each row."""


def draw(
    path: str | os.PathLike[str],
    *,
    seed: int = 0,
    verified: bool = True,
    kind: str = "pandas",
    certificate: str | os.PathLike[str] | None = None,
) -> Any:
    """Draw one plain table from a release; O(rows * columns * log(members)).

    Every cell becomes one of the values that it may stand for, drawn as the learners draw: members are
    equally likely, a range stands for the numbers that its column names between its ends, and a suppressed
    cell for what is usual in its column. Where ``*`` is a value of its own, it stays. Columns are drawn one
    by one, so a row is made up, and may equal a real one. The values of sketches are given to the rows that
    read alike, each as often as it was counted, in ranks that go together as the codebook tells. Columns that
    are no quasi-identifiers stay as they are. The last column, ``drawn_by_kanopy``, says in every row that it
    was drawn, and with which seed.

    Parameters
    ----------
    path : path
        The release: ``.csv``, ``.parquet``, or the folder of its parts.
    seed : int
        The same seed draws the same table.
    kind, certificate, verified
        See ``read_release``.

    Returns
    -------
    frame
        All of it text, with null for missing.
    """
    check_kind(kind)
    columns = _drawn(_release(path, certificate, verified=verified), seed)
    texts = {name: _nullable(words).take(pa.array(codes)) for name, words, codes in columns}
    return from_arrow(pa.table(texts), kind)


def draw_to_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    seed: int = 0,
    force: bool = False,
    certificate: str | os.PathLike[str] | None = None,
) -> Path:
    """The same into a file, of any form that releases have; nothing that describes a release stays beside it.

    Raises
    ------
    InputError
        Where neither a certificate nor a codebook says that the table is a release.
    """
    read = [("release", os.path.abspath(os.fspath(path)))]  # noqa: PTH100
    with Transaction(force=force, inputs=Inputs(tuple(read))) as transaction:
        place = transaction.reserve(output)
        transaction.reserve(certificate_path(place.path), suffixes=CERTIFICATE_SUFFIXES, vacate=True)
        for beside in codebook_paths(place.path):
            transaction.reserve(beside, suffixes=(beside.suffix,), vacate=True)
        received = _release(path, certificate, verified=True)
        columns = _drawn(received, seed)
        if received.is_disarmed:
            columns = [
                (spreadsheet_safe_word(name), list(map(spreadsheet_safe_word, words)), codes)
                for name, words, codes in columns
            ]
        _write(place, columns)
        transaction.commit()
    return place.path


def _write(place: Destination, columns: list[Coded]) -> None:
    with place.writing() as stream:
        if place.is_csv:
            with packed(stream, place.packing) as sink:
                write_csv(sink, columns, len(columns[0][2]))
        else:
            write_parquet(stream, [(name, _nullable(words), codes) for name, words, codes in columns])


def _nullable(words: list[str]) -> pa.Array:
    return pa.array([word or None for word in words], pa.string())


def _release(path: Any, certificate: str | os.PathLike[str] | None, *, verified: bool) -> Received:
    """What values are drawn from.

    PRIVACY: not any table. All cells of a source are exact, so it would be copied, and the copy called made
    up (tests/unit/receiving/test_draw.py).
    """
    received = receive(path, certificate, verified=verified)
    if DRAWN in received.columns:
        raise InputError("this table was drawn already", "draw from the release itself")
    if verified and not received.is_described:
        what = "this table has no certificate and no codebook beside it, so nothing says that it is a release"
        raise InputError(what, "ask for them whoever published it")
    return received


def _drawn(received: Received, seed: int) -> list[Coded]:
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise PolicyError("the seed must be a whole number, 0 or more", "for example seed = 1")
    received = _without_sketches(received, seed)
    columns = []
    for name, column in received.columns.items():
        if received.cells(name).is_cells:
            # Of its own for every column: another order of the columns draws the same.
            rng = np.random.default_rng([seed, crc32(name.encode())])
            has_rest = received.told[name].get("suppressed") == NOT_SHOWN
            columns.append(_drawn_column(name, column, rng, has_rest=has_rest))
        else:
            columns.append((name, column.words, np.asarray(column.codes, dtype=np.int32)))
    mark = np.zeros(received.n_rows, dtype=np.int32)
    return [*columns, (DRAWN, [f"drawn with seed {seed}"], mark)]


def _without_sketches(received: Received, seed: int) -> Received:
    """The same with plain values in the place of sketches, if there are any."""
    cells = {name: column for name, column in received.columns.items() if received.cells(name).is_cells}
    texts = {name: _nullable(column.words).take(column.codes) for name, column in cells.items()}
    if not texts:
        return received
    told, classes = received.reading, None
    if told is not None and told.classes is not None and told.classes.name in received.columns:
        target = received.columns[told.classes.name]
        classes = np.array(target.words)[target.codes]
    drawn = drawn_rows(pa.table(texts), told, np.random.default_rng(seed), 1, classes)
    if drawn is None:
        return received
    plain = {name: as_column(drawn.table[name]) for name in texts}
    return received._replace(columns={**received.columns, **plain})


def _drawn_column(name: str, column: Column, rng: np.random.Generator, *, has_rest: bool) -> Coded:
    texts = _nullable(column.words).take(column.codes)
    read = training_column(name, pa.chunked_array([texts]), has_rest=has_rest)
    urn = Urn.of(read, ColumnEncoding.fit(read, "uniform"))
    codes = urn.draw(read.ids, rng.random(len(read.ids)))
    return name, [*read.values, ""], codes.astype(np.int32)
