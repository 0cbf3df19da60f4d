"""Runs of values, and how they become one array of members per cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.learners.cells import Bools, CellColumn, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Runs of values, sorted by cell: cell ``cell[i]`` may stand for the values ``low[i] .. high[i]``."""

    cell: Ints
    low: Ints
    high: Ints

    @classmethod
    def of_lists(cls, cell: list[int], low: list[int], high: list[int]) -> Spans:
        return cls(*(np.array(numbers, dtype=np.int64) for numbers in (cell, low, high)))

    def members(self, n_cells: int, n_values: int) -> tuple[Ints, Ints]:
        """Where the members of each cell begin, and the members; O(members), a sort where runs overlap."""
        lengths = np.maximum(self.high - self.low + 1, 0)
        ends = np.cumsum(lengths)
        steps = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
        n_places = max(n_values, 1)
        keys = np.repeat(self.cell * n_places + self.low, lengths) + steps
        if not np.all(keys[1:] > keys[:-1]):
            keys = np.unique(keys)
        owners, members = np.divmod(keys, n_places)
        first = np.zeros(n_cells + 1, dtype=np.int64)
        np.cumsum(np.bincount(owners, minlength=n_cells), out=first[1:])
        return first, members


def number_spans(low: Floats, high: Floats, numbers: Floats) -> tuple[Ints, Ints]:
    """First and last of the known numbers in each range; where there is none, the nearest one to it.

    Of two that are equally near, the lower one. O(ranges * log(numbers)).
    """
    start = np.searchsorted(numbers, low, side="left")
    stop = np.searchsorted(numbers, high, side="right") - 1
    empty = np.flatnonzero(stop < start)
    if len(empty) and len(numbers):
        below = np.maximum(start[empty] - 1, 0)
        above = np.minimum(start[empty], len(numbers) - 1)
        # Halved before subtracting: the distance of two large floats may not fit into a float.
        to_lower = np.abs(low[empty] / 2 - numbers[below] / 2)
        to_upper = np.abs(numbers[above] / 2 - high[empty] / 2)
        start[empty] = stop[empty] = np.where(to_lower <= to_upper, below, above)
    return start, stop


def column_of_spans(
    fitted: CellColumn, ids: NDArray[np.int32], spans: Spans, with_missing: Bools, is_suppressed: Bools
) -> CellColumn:
    """A column of the given cells over the values of another one."""
    first, members = spans.members(len(with_missing), fitted.n_values)
    return CellColumn(
        fitted.name,
        fitted.values,
        fitted.numbers,
        ids,
        first,
        members,
        with_missing,
        is_suppressed,
        fitted.nodes,
    )


def column_of_numbers(fitted: CellColumn, ids: NDArray[np.int32], low: Ints, high: Ints) -> CellColumn:
    """A column in which cell ``i`` is a number, or the values ``low[i] .. high[i]`` in its place.

    The id after them all means missing, which is a cell only where a row has it.
    """
    n_numbers = len(low)
    with_missing = np.zeros(n_numbers + bool((ids == n_numbers).any()), dtype=bool)
    with_missing[n_numbers:] = True
    return column_of_spans(
        fitted, ids, Spans(np.arange(n_numbers), low, high), with_missing, np.zeros_like(with_missing)
    )


def column_of_values(
    name: str, values: tuple[str, ...], numbers: Floats | None, nodes: Mapping[str, tuple[int, ...]]
) -> CellColumn:
    """A column that knows its values and has neither cells nor rows yet."""
    none, nobody = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
    ids, first = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
    return CellColumn(name, values, numbers, ids, first, none, nobody, nobody, nodes)
