"""Ranked draws: the values of a group's sketch, given to its rows in the order of correlated random numbers.

The numbers of a group lie on straight lines through its chunk means, each at the middle rank of its chunk;
the lines at both ends go on. So they keep the order and nearly the means of the chunks, and a category is
drawn exactly as often as it was counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Codes, Floats, Ints


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
        """The number of each rank, counted from 0, in the group beside it; O(ranks * log(means)).

        Ends go on straight, but not beyond the least and the largest of all means.
        """
        n_chunks = np.diff(self.first)
        owner = np.repeat(np.arange(len(n_chunks)), n_chunks)
        chunk = np.arange(len(owner)) - self.first[owner]
        # As numbers are cut into chunks in kanopy.data.sketch.
        before, after = ((each * self.n_numbers[owner]) // n_chunks[owner] for each in (chunk, chunk + 1))
        middle = (before + after - 1) / 2
        # Groups one after the other on one line, with room for their ranks.
        room = float(self.n_numbers.max(initial=0)) + 2
        place = np.searchsorted(owner * room + middle, np.asarray(group) * room + rank)
        last = self.first[1:][group] - 1
        left = np.clip(place - 1, self.first[:-1][group], np.maximum(last - 1, self.first[:-1][group]))
        right = np.minimum(left + 1, last)
        width = middle[right] - middle[left]
        share = np.divide(rank - middle[left], width, out=np.zeros(len(left)), where=width > 0)
        # Of an eighth of the means: beyond the ends of large floats something may not fit into a float.
        eighths = self.means / 8
        drawn = eighths[left] * (1 - share) + eighths[right] * share
        return np.asarray(8 * np.clip(drawn, eighths.min(initial=np.inf), eighths.max(initial=-np.inf)))


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
