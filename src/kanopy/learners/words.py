"""From the texts of a column to cells over its values, on the training table and on new rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data import Hierarchy
from kanopy.data.grammar import MISSING_TEXT, ReadCell, read_cell, write_alone, write_range
from kanopy.errors import InputError
from kanopy.frames.distinct import distinct_column
from kanopy.frames.numbers import is_declared_number, is_number
from kanopy.learners.cells import CellColumn, Floats
from kanopy.learners.spans import (
    Spans,
    column_of_numbers,
    column_of_spans,
    column_of_values,
    number_spans,
)
from kanopy.policy import shown_name

_SPECIAL = ("*", "[", "{", "\\")
"""How a cell begins that is not simply a value."""


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """The different texts of a column, what each says, and the text of each row."""

    texts: list[str]
    cells: list[ReadCell]
    codes: NDArray[np.int32]


def training_column(name: str, column: pa.ChunkedArray, hierarchy: Hierarchy | None = None) -> CellColumn:
    """Read a column and find out which values it is about; O(rows + cells * members), and sorts of values.

    Parameters
    ----------
    name : str
    column : pa.ChunkedArray
    hierarchy : Hierarchy, optional
        Its nodes stand for the values below them; without, they are words like any other.
    """
    if _holds_numbers(column) and hierarchy is None:
        numbers, ids = _different_numbers(name, column)
        values = tuple(pc.cast(pa.array(numbers), pa.string()).to_pylist())
        places = np.arange(len(values))
        return column_of_numbers(column_of_values(name, values, numbers, {}), ids, places, places)
    words = _read_words(name, column)
    leaves_below = {} if hierarchy is None else _leaves_below(hierarchy)
    known_numbers, values = _values_of(words.cells, leaves_below)
    place = {value: code for code, value in enumerate(values)}
    nodes = {
        label: tuple(sorted({_place(leaf, place, known_numbers) for leaf in leaves} - {-1}))
        for label, leaves in leaves_below.items()
    }
    return _column_of_words(words, column_of_values(name, values, known_numbers, nodes))


def new_column(column: pa.ChunkedArray, fitted: CellColumn) -> CellColumn:
    """Read a column of new rows over the values of the fitted one; O(rows + cells * members).

    A number that was not seen, and a range without any that was, goes to the nearest that was; a word that
    was not seen has no members.
    """
    if _holds_numbers(column) and fitted.numbers is not None and not fitted.nodes:
        different, ids = _different_numbers(fitted.name, column)
        return column_of_numbers(fitted, ids, *number_spans(different, different, fitted.numbers))
    return _column_of_words(_read_words(fitted.name, column), fitted)


# --- which values there are


def _values_of(
    cells: Iterable[ReadCell], leaves_below: Mapping[str, tuple[str, ...]]
) -> tuple[Floats | None, tuple[str, ...]]:
    """The values that cells name, ordered; and their numbers where all are some."""
    named = {leaf for cell in cells for text in cell.texts for leaf in leaves_below.get(text, (text,))}
    ranges = {ends for cell in cells for ends in cell.ranges}
    texts = named.union(*ranges)
    # Only numbers are published as ranges; then leading zeros do not make a code of them.
    if texts and all(map(is_declared_number if ranges else is_number, texts)):
        # Of equal numbers, such as 1 and 1.0, the shortest text.
        by_text = sorted(texts, key=lambda text: (len(text), text))
        numbers, example = np.unique(np.array([float(text) for text in by_text]), return_index=True)
        return numbers, tuple(by_text[number] for number in example.tolist())
    return None, tuple(sorted(named.union(write_range(*ends) for ends in ranges)))


def _leaves_below(hierarchy: Hierarchy) -> dict[str, tuple[str, ...]]:
    """The leaves under each node that a cell may name; the root is published as suppressed."""
    spans = zip(hierarchy.node_label, hierarchy.node_low.tolist(), hierarchy.node_high.tolist(), strict=True)
    return {label: hierarchy.leaves[low : high + 1] for label, low, high in spans if low < high}


def _place(text: str, place: Mapping[str, int], numbers: Floats | None) -> int:
    """The code of a value, -1 where it has none; numbers are found however they are written."""
    code = place.get(text, -1)
    if code >= 0 or numbers is None or not is_declared_number(text):
        return code
    code = int(np.searchsorted(numbers, float(text)))
    return code if code < len(numbers) and numbers[code] == float(text) else -1


# --- what texts say


def _read_words(name: str, column: pa.ChunkedArray) -> _Words:
    coded = distinct_column(name, without_nan(column), ())
    texts = coded.texts.to_pylist()
    if coded.n_missing:
        texts.append(MISSING_TEXT)
    return _Words(texts, [_read(text) for text in texts], coded.codes)


@lru_cache(maxsize=1 << 15)
def _read(text: str) -> ReadCell:
    """What a text says as a cell; where nobody writes cells like that it is a raw value.

    Such as a set without an end, a set of one, or a backslash before what needs none.
    """
    if text and not text.startswith(_SPECIAL):
        return ReadCell(texts=(text,))
    try:
        cell = _simple_set(text) or read_cell(text)
    except ValueError:
        return ReadCell(texts=(text,))
    if text[:1] == "\\":
        is_written = write_alone(cell.texts[0]) == text
    elif text[:1] == "{":
        is_written = len(cell.texts) + len(cell.ranges) + cell.with_missing > 1
    else:
        is_written = True
    return cell if is_written else ReadCell(texts=(text,))


def _simple_set(text: str) -> ReadCell | None:
    """What ``read_cell`` would say, several times faster, of a set without escapes and ranges; else None."""
    if len(text) < 2 or text[0] != "{" or text[-1] != "}" or "\\" in text or "[" in text:
        return None
    members = text[1:-1].split(", ")
    if text.count(",") != len(members) - 1:
        return None
    return ReadCell(with_missing="" in members, texts=tuple(member for member in members if member))


def _column_of_words(words: _Words, fitted: CellColumn) -> CellColumn:
    """The cells that texts stand for over fitted values."""
    is_suppressed = np.array([cell.is_suppressed for cell in words.cells], dtype=bool)
    with_missing = np.array([cell.with_missing for cell in words.cells], dtype=bool) | is_suppressed
    spans = _spans_of_texts(words, fitted) if fitted.numbers is None else _spans_of_numbers(words, fitted)
    return column_of_spans(fitted, words.codes, spans, with_missing, is_suppressed)


def _spans_of_texts(words: _Words, fitted: CellColumn) -> Spans:
    place = {value: (code,) for code, value in enumerate(fitted.values)}
    meaning = {**place, **fitted.nodes}
    owners: list[int] = []
    low: list[int] = []
    high: list[int] = []
    for number, (word, cell) in enumerate(zip(words.texts, words.cells, strict=True)):
        if cell.is_suppressed:
            owners.append(number)
            low.append(0)
            high.append(fitted.n_values - 1)
            continue
        # Where the values are no numbers, a range is a text that happens to look like one.
        texts = [*cell.texts, *(write_range(*ends) for ends in cell.ranges)]
        codes = [code for text in texts for code in meaning.get(text, ())]
        # A raw text that looks like a cell about things unheard of, but is itself a value that training had.
        codes = codes or list(place.get(word, ()))
        owners += [number] * len(codes)
        low += codes
        high += codes
    return Spans.of_lists(owners, low, high)


def _spans_of_numbers(words: _Words, fitted: CellColumn) -> Spans:
    """Here everything is a range: a number from itself to itself, a suppressed cell without ends."""
    assert fitted.numbers is not None
    number_of = dict(zip(fitted.values, fitted.numbers.tolist(), strict=True))
    owners: list[int] = []
    low: list[float] = []
    high: list[float] = []
    for number, cell in enumerate(words.cells):
        ranges = [(-np.inf, np.inf)] if cell.is_suppressed else []
        for text in cell.texts:
            if text in fitted.nodes:
                ranges += [(known, known) for known in fitted.numbers[list(fitted.nodes[text])].tolist()]
            elif text in number_of or is_declared_number(text):
                exact = number_of.get(text) or float(text)
                ranges.append((exact, exact))
        for start, end in cell.ranges:
            if is_declared_number(start) and is_declared_number(end):
                ranges.append((float(start), float(end)))
        owners += [number] * len(ranges)
        low += [start for start, _ in ranges]
        high += [end for _, end in ranges]
    ends = number_spans(np.array(low, dtype=np.float64), np.array(high, dtype=np.float64), fitted.numbers)
    return Spans(np.array(owners, dtype=np.int64), *ends)


# --- columns of numbers


def without_nan(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A number that is none is missing; Arrow and polars tell them apart."""
    if not pa.types.is_floating(column.type):
        return column
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)


def _holds_numbers(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_integer(column.type) or pa.types.is_floating(column.type))


def _different_numbers(name: str, column: pa.ChunkedArray) -> tuple[Floats, NDArray[np.int32]]:
    """The numbers of a typed column, ascending, and the place of each row's; missing comes last."""
    floats = pc.cast(column, pa.float64(), safe=False).to_numpy()
    is_missing = np.isnan(floats)
    n_infinite = int(np.isinf(floats).sum())
    if n_infinite:
        raise InputError(f"column {shown_name(name)} holds {n_infinite} infinite numbers", "leave them empty")
    different, place = np.unique(floats[~is_missing], return_inverse=True)
    ids = np.full(len(floats), len(different), dtype=np.int32)
    ids[~is_missing] = place
    return different, ids
