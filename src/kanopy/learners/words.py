"""Reads the texts of a column as cells over its values, in the training table and in new rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data import Hierarchy
from kanopy.data.arrays import Floats, Ints
from kanopy.data.grammar import (
    MISSING_TEXT,
    SUPPRESSED_TEXT,
    Part,
    ReadCell,
    read_any_text,
    write_range,
)
from kanopy.data.scale import DECLARED, Calendar, TextScale, scale_of
from kanopy.data.value_sets import CellTexts, ValueSets
from kanopy.errors import InputError
from kanopy.frames.distinct import DistinctColumn, distinct_column
from kanopy.learners.cells import CellColumn, Rest
from kanopy.policy import shown_name

_MISSING = ReadCell(with_missing=True)
_REST = (SUPPRESSED_TEXT, SUPPRESSED_TEXT)  # no range is written so
"""In the place of a value that the column does not show, where that is what ``*`` stands for."""


def training_column(
    name: str, column: pa.ChunkedArray, hierarchy: Hierarchy | None = None, *, has_rest: bool = False
) -> CellColumn:
    """Read a column and find its values, those below hierarchy nodes too; O(rows + cells * members).

    With ``has_rest``, ``*`` stands for all that the column does not show: one more value, the last. Numbers
    have an order, in which that has no place: there it stays suppressed, and so is what is not shown.
    """
    if _holds_numbers(column) and hierarchy is None:
        numbers, ids = _different_numbers(name, column)
        values = tuple(pc.cast(pa.array(numbers), pa.string()).to_pylist())
        places = np.arange(len(values))
        return _column_of_numbers(CellColumn.of_values(name, values, numbers), ids, places, places)
    words, cells, codes = _read_words(name, column)
    leaves_below = {} if hierarchy is None else _leaves_below(hierarchy)
    scale, known_numbers, values = _values_of(cells, leaves_below)
    fitted = CellColumn.of_values(name, values, known_numbers, scale=scale)
    place = {value: code for code, value in enumerate(values)}
    nodes = {
        label: tuple(sorted({_place(leaf, place, fitted) for leaf in leaves} - {-1}))
        for label, leaves in leaves_below.items()
    }
    rest = Rest.NONE
    if has_rest and (known_numbers is None or not _has_ranges(cells, scale)):
        rest = _rest_of(cells)
    if rest is not Rest.NONE and known_numbers is None:
        values = (*values, SUPPRESSED_TEXT)
    fitted = CellColumn.of_values(name, values, known_numbers, nodes, rest, scale)
    fitted = replace(fitted, missing_as=_cell_of_missing(cells) if has_rest else None)
    return _column_of_words(fitted, words, cells, codes)


def _cell_of_missing(cells: Iterable[ReadCell]) -> ReadCell | None:
    """The one cell of a column, recoded as a whole, that missing is in, if it is there with values."""
    shown = [cell for cell in cells if cell.with_missing or cell.is_suppressed]
    return shown[0] if len(shown) == 1 and shown[0].parts else None


def _has_ranges(cells: Iterable[ReadCell], scale: TextScale | None) -> bool:
    """Whether a cell stands for all values between two: a range, or a year among months."""
    if any(cell.ranges for cell in cells):
        return True
    ends = (scale.ends(text) for cell in cells for text in cell.texts) if isinstance(scale, Calendar) else ()
    return any(found is not None and found[0] < found[1] for found in ends)


def _rest_of(cells: Iterable[ReadCell]) -> Rest:
    if not any(cell.is_suppressed for cell in cells):
        return Rest.NONE
    is_missing_shown = any(cell.with_missing and not cell.is_suppressed for cell in cells)
    return Rest.VALUES if is_missing_shown else Rest.VALUES_AND_MISSING


def new_column(column: pa.ChunkedArray, fitted: CellColumn) -> CellColumn:
    """Read a column of new rows over the values of the fitted one; O(rows + cells * members).

    A number that was not seen, and a range without any that was, goes to the nearest that was; a word that
    was not seen has no members. Where ``*`` stands for what is not shown, they are read as ``*`` is.
    """
    is_plain = fitted.numbers is not None and not fitted.nodes and fitted.rest is Rest.NONE
    is_plain &= not isinstance(fitted.scale, Calendar) and fitted.missing_as is None
    if _holds_numbers(column) and is_plain and fitted.numbers is not None:
        different, ids = _different_numbers(fitted.name, column)
        return _column_of_numbers(fitted, ids, *_nearest_runs(different, different, fitted.numbers))
    words, cells, codes = _read_words(fitted.name, column)
    if fitted.missing_as is not None:
        cells = [cell if cell != _MISSING else fitted.missing_as for cell in cells]
    return _column_of_words(fitted, words, cells, codes)


def _values_of(
    cells: Iterable[ReadCell], leaves_below: Mapping[str, tuple[str, ...]]
) -> tuple[TextScale | None, Floats | None, tuple[str, ...]]:
    """The scale of the values that cells name, None if some are texts; their numbers; and they, in order."""
    named = {leaf for cell in cells for text in cell.texts for leaf in leaves_below.get(text, (text,))}
    ranges = {ends for cell in cells for ends in cell.ranges}
    texts = named.union(*ranges)
    scale = scale_of(texts, has_ranges=bool(ranges))
    if scale is None:
        return None, None, tuple(sorted(named.union(write_range(*ends) for ends in ranges)))
    if isinstance(scale, Calendar):
        texts = {end for text in texts for end in scale.outermost(text)}
    # Of equal numbers, such as 1 and 1.0, the shortest text.
    by_text = sorted(texts, key=lambda text: (len(text), text))
    numbers, example = np.unique(scale.numbers(by_text), return_index=True)
    return scale, numbers, tuple(by_text[number] for number in example.tolist())


def _leaves_below(hierarchy: Hierarchy) -> dict[str, tuple[str, ...]]:
    """The leaves under each node that a cell may name; the root is published as suppressed."""
    spans = zip(hierarchy.node_label, hierarchy.node_low.tolist(), hierarchy.node_high.tolist(), strict=True)
    return {label: hierarchy.leaves[low : high + 1] for label, low, high in spans if low < high}


def _place(text: str, place: Mapping[str, int], fitted: CellColumn) -> int:
    """The code of a value, or -1; numbers are found however they are written."""
    code, numbers = place.get(text, -1), fitted.numbers
    if code >= 0 or numbers is None or fitted.scale is None:
        return code
    number = fitted.scale.number(text)
    if number is None:
        return -1
    code = int(np.searchsorted(numbers, number))
    return code if code < len(numbers) and numbers[code] == number else -1


def _read_words(name: str, column: pa.ChunkedArray) -> tuple[list[str], list[ReadCell], NDArray[np.int32]]:
    """The different texts of a column, what each says as a cell, and the text of each row."""
    coded = distinct_cells(name, column)
    words = coded.texts.to_pylist()
    if coded.n_missing:
        words.append(MISSING_TEXT)
    return words, [read_any_text(word) for word in words], coded.codes


def _column_of_words(
    fitted: CellColumn, words: list[str], cells: list[ReadCell], codes: NDArray[np.int32]
) -> CellColumn:
    """The cells that texts stand for over fitted values."""
    if fitted.rest is not Rest.NONE:
        cells = _with_rest(cells, fitted)
    if fitted.numbers is None:
        texts, parts = _over_texts(words, cells, fitted)
    else:
        texts = CellTexts.of(cells)
        parts = _over_numbers(texts.parts, fitted, fitted.numbers)
    return replace(fitted, ids=codes, sets=texts.sets(parts), is_suppressed=texts.is_suppressed)


def _with_rest(cells: Iterable[ReadCell], fitted: CellColumn) -> list[ReadCell]:
    """Cells of a column whose ``*`` stands for what is not shown: one more value, or among numbers ``*``.

    Of texts, the parts that are not shown are found later; numbers are asked here.
    """
    place = {value: code for code, value in enumerate(fitted.values)}

    def with_rest(cell: ReadCell) -> ReadCell:
        may_be_rest = cell.is_suppressed or (cell.with_missing and fitted.rest is Rest.VALUES_AND_MISSING)
        if fitted.numbers is None:
            ranges = (*cell.ranges, _REST) if may_be_rest else cell.ranges
            return cell._replace(
                is_suppressed=False, with_missing=cell.with_missing and not may_be_rest, ranges=ranges
            )
        is_shown = all(_place(text, place, fitted) >= 0 or text in fitted.nodes for text in cell.texts)
        return ReadCell(is_suppressed=True) if may_be_rest or not is_shown else cell

    return list(map(with_rest, cells))


def _over_texts(words: list[str], cells: list[ReadCell], fitted: CellColumn) -> tuple[CellTexts, ValueSets]:
    """Texts over values that are no numbers, and the values of their parts.

    A range is a text that happens to look like one. A text that looks like a cell of unknown values may
    itself be a value that training had.
    """
    shown = fitted.values if fitted.rest is Rest.NONE else fitted.values[:-1]
    place = {value: (code,) for code, value in enumerate(shown)}
    meaning = {**place, **fitted.nodes}

    rest = () if fitted.rest is Rest.NONE else (fitted.n_values - 1,)

    def shown_codes(part: Part) -> Sequence[int]:
        return (
            rest if part == _REST else meaning.get(part if isinstance(part, str) else write_range(*part), ())
        )

    cells = [
        cell._replace(texts=(word,), ranges=())
        if word in place and not any(map(shown_codes, cell.parts))
        else cell
        for word, cell in zip(words, cells, strict=True)
    ]
    texts = CellTexts.of(cells)
    codes = [shown_codes(part) or rest for part in texts.parts]
    sizes = np.array(list(map(len, codes)), dtype=np.int64)
    members = np.array([code for found in codes for code in found], dtype=np.int64)
    without_missing = np.zeros(len(codes), dtype=bool)
    return texts, ValueSets.of_members(fitted.n_values, sizes, members, without_missing)


def _over_numbers(parts: Sequence[Part], fitted: CellColumn, numbers: Floats) -> ValueSets:
    """The values of each part: those below a node, those in a range, or the nearest one to a number."""
    owners, ends, scale = list[int](), list[tuple[float, float]](), fitted.scale or DECLARED
    for place, part in enumerate(parts):
        if isinstance(part, str) and part in fitted.nodes:
            found = [(number, number) for number in numbers[list(fitted.nodes[part])].tolist()]
        else:
            low, high = map(scale.ends, (part, part) if isinstance(part, str) else part)
            if low is None or high is None:
                continue
            found = [(low[0], high[1])]
        owners += [place] * len(found)
        ends += found
    starts, stops = np.array(ends, dtype=np.float64).reshape(-1, 2).T
    runs = _nearest_runs(starts, stops, numbers)
    without_missing = np.zeros(len(parts), dtype=bool)
    return ValueSets.of_runs(fitted.n_values, np.array(owners, dtype=np.int64), *runs, without_missing)


def distinct_cells(name: str, column: pa.ChunkedArray) -> DistinctColumn:
    """The different cells of a column; NaN is missing, which Arrow and polars tell apart."""
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    return distinct_column(name, column, ())


def _holds_numbers(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_integer(column.type) or pa.types.is_floating(column.type))


def _different_numbers(name: str, column: pa.ChunkedArray) -> tuple[Floats, NDArray[np.int32]]:
    """The numbers of a typed column, ascending, and the place of each row's; missing comes last."""
    floats = pc.cast(column, pa.float64(), safe=False).to_numpy()
    if n_infinite := int(np.isinf(floats).sum()):
        raise InputError(f"column {shown_name(name)} holds {n_infinite} infinite numbers", "leave them empty")
    different, ids = np.unique(floats, return_inverse=True)
    return different[~np.isnan(different)], ids.astype(np.int32)


def _column_of_numbers(fitted: CellColumn, ids: NDArray[np.int32], low: Ints, high: Ints) -> CellColumn:
    """Cell ``i`` has the values ``low[i] .. high[i]``; the next id is missing, a cell if a row has it."""
    n_numbers = len(low)
    with_missing = np.arange(n_numbers + bool((ids == n_numbers).any())) == n_numbers
    sets = ValueSets.of_runs(fitted.n_values, np.arange(n_numbers), low, high, with_missing)
    return replace(fitted, ids=ids, sets=sets, is_suppressed=np.zeros_like(with_missing))


def _nearest_runs(low: Floats, high: Floats, numbers: Floats) -> tuple[Ints, Ints]:
    """First and last known number in each range, or the nearest one to it; O(ranges * log(numbers))."""
    start = np.searchsorted(numbers, low, side="left")
    stop = np.searchsorted(numbers, high, side="right") - 1
    empty = np.flatnonzero(stop < start)
    if len(empty) and len(numbers):
        below = np.maximum(start[empty] - 1, 0)
        above = np.minimum(start[empty], len(numbers) - 1)
        # Of two equally near the lower. Halved first: the distance of large floats may not fit into a float.
        to_lower = np.abs(low[empty] / 2 - numbers[below] / 2)
        to_upper = np.abs(numbers[above] / 2 - high[empty] / 2)
        start[empty] = stop[empty] = np.where(to_lower <= to_upper, below, above)
    return start, stop
