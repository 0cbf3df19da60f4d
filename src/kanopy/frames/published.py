"""Rows in an order that follows from their content alone, and the published table: words and codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import Recoding
from kanopy.data.arrays import Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.keys import pack
from kanopy.frames.encode import Encoded


@dataclass(frozen=True, slots=True, eq=False)
class PublishedColumn:
    """One column as it is published."""

    name: str
    words: pa.StringArray  # the different texts; missing is the empty text
    values: pa.Array  # the same in the type in which frames and Parquet files hold them; missing is null
    codes: NDArray[np.int32]  # the word of each row


@dataclass(frozen=True, slots=True, eq=False)
class PublishedTable:
    """What is published, before it is written."""

    columns: tuple[PublishedColumn, ...]
    n_rows: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def to_arrow(self) -> pa.Table:
        """A fresh Arrow table: plain columns, no dictionary, no metadata; O(rows * columns)."""
        return pa.table({column.name: column.values.take(pa.array(column.codes)) for column in self.columns})


def in_canonical_order(encoded: Encoded) -> tuple[Encoded, Ints]:
    """Sort the rows by quasi-identifiers, then by all they publish, then by person; also the source rows.

    Rows that tie are equal in everything that a method sees, so the same rows and seed give the same release.
    O(rows * columns) plus a sort.
    """
    table, passing = encoded.table, encoded.passing
    codes: list[NDArray[Any]] = [column.codes for column in table.quasi]
    sizes = [column.domain.n_codes for column in table.quasi]
    codes += [column.codes for column in passing.values()]
    sizes += [len(column.texts) + 1 for column in passing.values()]
    if table.persons is not None:
        codes, sizes = [*codes, table.persons], [*sizes, int(table.persons.max()) + 1]
    # PRIVACY: the order of the source reaches no method (tests/properties/test_row_order.py).
    order = np.argsort(pack(codes, sizes, table.n_rows)[0])
    sorted_table = replace(
        table,
        quasi=tuple(column.take(order) for column in table.quasi),
        target=None if table.target is None else table.target.take(order),
        confidential={name: column.take(order) for name, column in table.confidential.items()},
        persons=None if table.persons is None else table.persons[order],
        others=lambda: tuple(column.take(order) for column in table.others()),
    )
    sorted_passing = {name: replace(column, codes=column.codes[order]) for name, column in passing.items()}
    return replace(encoded, table=sorted_table, passing=sorted_passing), order


def publish(encoded: Encoded, recoding: Recoding) -> tuple[PublishedTable, Ints]:
    """The published table, sorted, and the source row behind each of its rows; O(rows * columns), a sort."""
    groups, n_groups = recoding.groups
    kept = np.flatnonzero(recoding.is_kept)
    passing = {name: column.codes.take(kept) for name, column in encoded.passing.items()}
    if recoding.target is not None:
        passing |= _made_up_target(encoded, recoding.target.take(kept))
    sizes = [len(column.texts) + 1 for column in encoded.passing.values()]
    # PRIVACY: rows are sorted by published cells alone; ties are equal rows (tests/unit/frames).
    keys, _ = pack([groups, *passing.values()], [n_groups, *sizes], len(kept))
    order = np.argsort(keys)
    source_row = kept.take(order)
    recoded = {column.domain.name: column for column in recoding.columns}
    columns = []
    for name in encoded.names:
        if name in recoded:
            words, word_of_cell = recoded[name].words
            codes = word_of_cell.take(recoded[name].ids.take(source_row))
            columns.append(_column(name, pa.array(words, pa.string()), None, codes))
        else:
            column = encoded.passing[name]
            words = pa.concat_arrays([column.texts, pa.array([MISSING_TEXT], column.texts.type)])
            values = pa.concat_arrays([column.values, pa.nulls(1, column.values.type)])
            columns.append(_column(name, words, values, passing[name].take(order)))
    return PublishedTable(tuple(columns), len(kept)), source_row


def _made_up_target(encoded: Encoded, codes: NDArray[Any]) -> dict[str, NDArray[np.int32]]:
    """The codes of made-up classes among the words of the class."""
    target = encoded.table.target
    assert target is not None
    texts = encoded.passing[target.domain.name].texts.to_pylist()
    place = {text: number for number, text in enumerate(texts)}
    # A hierarchy may know classes that the table lacks; none is made up, and -1 would not be published.
    word_of_code = [place.get(label, -1) for label in target.domain.labels] + [len(texts)]
    return {target.domain.name: np.array(word_of_code, dtype=np.int32)[codes]}


def _column(name: str, words: pa.StringArray, values: Any, codes: NDArray[np.int32]) -> PublishedColumn:
    """PRIVACY: words that no published row uses are left behind (tests/unit/frames/test_published.py)."""
    is_used = np.bincount(codes, minlength=len(words)) > 0
    if not is_used.all():
        codes = (np.cumsum(is_used, dtype=np.int32) - np.int32(1))[codes]
        words = words.filter(pa.array(is_used))
        values = None if values is None else values.filter(pa.array(is_used))
    if values is None:
        values = pa.array([word or None for word in words.to_pylist()], pa.string())
    return PublishedColumn(name, words, values, codes)


def rewritten(table: PublishedTable, rewrite: Callable[[str], str]) -> PublishedTable:
    """The table with every word put through ``rewrite``."""
    columns = (
        replace(column, words=pa.array([rewrite(word) for word in column.words.to_pylist()], pa.string()))
        for column in table.columns
    )
    return PublishedTable(tuple(columns), table.n_rows)
