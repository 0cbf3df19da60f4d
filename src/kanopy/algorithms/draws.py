"""Rows drawn at random where only their number is known: how many of each kind, all rows equally likely."""

from __future__ import annotations

import numpy as np

from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import counted, distinct_sorted

_AT_A_TIME = 1 << 20


def drawn_by_count(sizes: Ints, group: Codes, n: Ints, rng: np.random.Generator) -> Ints:
    """How many rows of each kind are among those that are drawn from each group, without replacement.

    All rows of all groups lie on a line, and those that are drawn, or those that are left, whichever are
    fewer, are places on it. O(kinds log kinds), plus sorts of places; memory is O(kinds + the largest n).

    Parameters
    ----------
    sizes : array of int
        The rows of each kind; there may be more than there is memory for.
    group : array of int
        The group of each kind.
    n : array of int
        How many rows of each group are drawn, at most all.
    rng : Generator
    """
    order = np.argsort(group, kind="stable")
    ends, n_rows = np.cumsum(sizes[order]), counted(group, len(n), sizes)
    last = np.cumsum(n_rows)
    is_rest = 2 * n > n_rows
    n_places = np.where(is_rest, n_rows - n, n)
    found = np.zeros(len(sizes), dtype=np.int64)
    batch = np.cumsum(n_places) // _AT_A_TIME
    for some in np.split(np.arange(len(n)), np.flatnonzero(np.diff(batch)) + 1):
        places = _different_places((last - n_rows)[some], last[some], n_places[some], rng)
        np.add.at(found, order[np.searchsorted(ends, places, side="right")], 1)
    return np.where(is_rest[group], sizes - found, found)


def _different_places(begin: Ints, end: Ints, n: Ints, rng: np.random.Generator) -> Ints:
    """So many different places from ``begin`` to before ``end`` of each stretch, all sets equally likely.

    Who meets a place again draws once more: a set of places is as likely as if they were drawn one by one.
    """
    places, lacking = np.empty(0, dtype=np.int64), n
    while lacking.any():
        drawn = rng.integers(np.repeat(begin, lacking), np.repeat(end, lacking))
        places = distinct_sorted(np.concatenate([places, drawn]))
        lacking = n - (np.searchsorted(places, end) - np.searchsorted(places, begin))
    return places
