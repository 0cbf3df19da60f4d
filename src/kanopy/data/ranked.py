"""Ranked draws: the values of a group's sketch, given to its rows in the order of correlated random numbers.

The numbers of a group lie on straight lines through its chunk means, each at the middle rank of its chunk.
Those of the first and the last chunk begin half-way to the next mean, and lie as exponentially distributed
numbers do, few of them far out; 25 or more lie evenly. So they keep the order and nearly the means of the
chunks, and a category is drawn exactly as often as it was counted.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Codes, Floats, Ints

_PARTS = 1 << 10
_EVEN = 25
"""Numbers of an outer chunk that lie evenly: so many exponentially distributed ones would lie too far out."""


def correlated(n_rows: int, correlation: Floats, rng: np.random.Generator) -> Floats:
    """Normal numbers per row (down) and column (across) that go together like this; O(rows * columns^2)."""
    lengths, axes = np.linalg.eigh(correlation)
    # Rounded to two decimals, a matrix may have axes that are a little shorter than nothing.
    return np.asarray(rng.standard_normal((n_rows, len(correlation))) @ (axes * np.sqrt(lengths.clip(0))).T)


def ranks_in_groups(group: Codes, starts: Ints, keys: Floats) -> Ints:
    """The place of each row among those of its group, from 0 on, by its key; O(rows * log(rows)).

    ``starts`` is how many rows the groups before each one have.
    """
    order = np.lexsort((keys, group))
    ranks = np.empty(len(group), dtype=np.int64)
    ranks[order] = np.arange(len(group)) - np.asarray(starts)[group[order]]
    return ranks


class ChunkMeans(NamedTuple):
    """The numbers of each group, as far as its cell tells them."""

    first: Ints  # group g has the means first[g] to before first[g + 1]; one or more
    means: Floats
    n_numbers: Ints  # of each group

    def at(self, group: Codes, rank: Floats) -> Floats:
        """The number of each rank, counted from 0, in the group beside it; O(ranks * log(means))."""
        n_chunks = np.diff(self.first)
        owner = np.repeat(np.arange(len(n_chunks)), n_chunks)
        chunk = np.arange(len(owner)) - self.first[owner]
        # As numbers are cut into chunks in kanopy.data.sketch.
        begin, end = ((each * self.n_numbers[owner]) // n_chunks[owner] for each in (chunk, chunk + 1))
        middle = (begin + end - 1) / 2
        # Groups one after the other on one line, with room for their ranks.
        room = float(self.n_numbers.max(initial=0)) + 2
        rank, line = np.clip(rank, 0, np.maximum(self.n_numbers[group] - 1.0, 0)), np.asarray(group) * room
        here = np.searchsorted(owner * room + begin, line + rank, side="right") - 1
        left = np.maximum(np.searchsorted(owner * room + middle, line + rank) - 1, self.first[:-1][group])
        right = np.minimum(left + 1, self.first[1:][group] - 1)
        width = middle[right] - middle[left]
        share = np.divide(rank - middle[left], width, out=np.zeros(len(left)), where=width > 0)
        # Of small parts of the means: beyond the ends of large floats something may not fit into a float.
        parts = self.means / _PARTS
        drawn = parts[left] * (1 - share) + parts[right] * share
        sizes = np.maximum(end - begin, 1)
        size, mean_wait = sizes[here], _mean_waits(sizes)[here]
        is_first, is_last = chunk[here] == 0, here == self.first[1:][group] - 1
        for is_end, depth, inner in (
            (is_first & ~is_last, end[here] - 1 - rank, here + 1),
            (is_last & ~is_first, rank - begin[here], here - 1),
        ):
            edge = (parts[here] + parts[np.clip(inner, 0, len(parts) - 1)]) / 2
            wait = -np.log1p(-np.clip((depth + 0.5) / size, 0, 1 - 0.5 / size)) / mean_wait
            wait = np.where(size < _EVEN, wait, 2 * (depth + 0.5) / size)
            beyond = edge + (parts[here] - edge) * wait
            drawn = np.where(is_end, beyond, drawn)
        return np.asarray(_PARTS * np.clip(drawn, *self._limits(parts)))

    def _limits(self, parts: Floats) -> tuple[float, float]:
        """What no number lies beyond: the outermost means, and twice what lies between the outermost one and
        the edge of its chunk. Numbers do not change their sign where no mean does; O(means)."""
        low, high = (
            float(each) for each in (np.append(parts, np.inf).min(), np.append(parts, -np.inf).max())
        )
        begin, end = self.first[:-1], self.first[1:] - 1
        begin, end = begin[begin < end], end[begin < end]
        below = (parts[begin + 1] - parts[begin])[parts[begin] == low].min(initial=np.inf)
        above = (parts[end] - parts[end - 1])[parts[end] == high].min(initial=np.inf)
        least, largest = (
            each - by if np.isfinite(by) else each for each, by in ((low, below), (high, -above))
        )
        largest_float = float(np.finfo(np.float64).max) / _PARTS
        least = max(least, 0.0 if low >= 0 else -largest_float)
        return least, min(largest, 0.0 if high <= 0 else largest_float)


def _mean_waits(sizes: Ints) -> Floats:
    """The mean of -log(1 - (i + 1/2) / n) for i from 0 to before n, the numbers that lie as n exponentially
    distributed ones do; O(sizes log sizes)."""
    different, place = np.unique(sizes, return_inverse=True)
    means = [math.log(n) - (math.lgamma(n + 0.5) - math.lgamma(0.5)) / n for n in different.tolist()]
    return np.array(means)[place]


class CountedCodes(NamedTuple):
    """The categories of each group, in the order in which they are given to ranks, and how often each is."""

    first: Ints  # group g has the entries first[g] to before first[g + 1]; one or more
    code: Ints
    times: Ints

    def at(self, group: Codes, rank: Floats) -> Ints:
        """The category of each rank, counted from 0, in the group beside it; O(ranks * log(entries))."""
        ends = np.cumsum(self.times)
        before = np.append(0, ends)[self.first[:-1]]
        place = np.searchsorted(ends, before[group] + rank, side="right")
        return np.asarray(self.code[np.minimum(place, self.first[1:][group] - 1)])
