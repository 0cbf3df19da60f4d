"""How large and how mixed groups should be: by what they tell about their members, on held-back rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from kanopy.algorithms.sketch.halving import halved
from kanopy.algorithms.sketch.pools import Asked, pools_of
from kanopy.algorithms.sketch.space import spread_out
from kanopy.algorithms.sketch.teachers import sample_of
from kanopy.algorithms.sketch.telling import Guessed, HeldBack, parts_of
from kanopy.data import CodedColumn, EncodedTable, Partition
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.keys import narrowest_unsigned
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import PrivacyModel

SPREADS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Those that are tried, for groups of each size."""
_ALIKE = 0.01
"""Dials are about as good where the shares of strangers that they guess differ by no more."""
_NOISE = 0.01
"""An excess up to this counts as none: with some 1,500 strangers it may be chance."""
_MOST_CHUNKS_OF = 100
"""Larger groups have no more chunks than groups of so many rows."""
_MOST_ROWS = 10_000
"""How many rows are looked at."""
_PARTS, _MOST_TURNS = 5, 2
"""One of five parts is held back, in turn: groups of far fewer rows tell more than those of the release."""
_ENOUGH_ROWS = 1_500
"""How many held-back rows are enough: few tell little."""


class Dials(NamedTuple):
    """How groups are made."""

    rows: int  # of a group, at least
    spread: float  # from 0, groups of rows that are alike, to 1, random groups

    @property
    def rows_with_chunks(self) -> int:
        """Rows of a group that the number of its chunks goes by."""
        return min(self.rows, _MOST_CHUNKS_OF)


class Choice(NamedTuple):
    """The dials, and why these."""

    dials: Dials
    facts: dict[str, Any]

    @classmethod
    def of(cls, dials: Dials, reason: str, **measured: float) -> Choice:
        """With what is told about it: figures in whole percent."""
        rounded = {name: round(figure, 2) + 0.0 for name, figure in measured.items()}
        return cls(
            dials, {"group_rows": dials.rows, "spread": dials.spread, "spread_chosen": reason, **rounded}
        )


class Pooled(NamedTuple):
    """Rows to be grouped: their classes, the part of the table that each may share a group with, their place.

    ``part`` equals the classes where groups are to be pure.
    """

    table: EncodedTable
    promise: PrivacyModel
    classes: Codes
    part: Codes
    points: Floats

    def of_rows(self, rows: Ints) -> Pooled:
        """Some of the rows."""
        table = self.table.of_rows(rows)
        return Pooled(table, self.promise, self.classes[rows], self.part[rows], self.points[rows])

    def grouped(self, dials: Dials, rng: np.random.Generator) -> Partition:
        """In groups; O(rows * axes * axes * log(rows))."""
        asked = Asked(self.table, self.promise)
        pool, n_pools = pools_of(self.part, self.points, asked)
        points = spread_out(self.points, dials.spread, rng)
        spare = None if points is self.points else points
        return Partition(*halved(points, pool, n_pools, dials.rows, asked.holds, spare))


def chosen(pooled: Pooled, sizes: Sequence[int], rng: np.random.Generator) -> Choice:
    """The dials with which strangers are guessed best, of those that tell no more than ``mondrian`` does.

    Of dials that are about as good, the least spread is chosen, and then the largest groups, which tell
    least. Where nothing tells as little as ``mondrian``, it is of those that tell least. Everything is
    measured on at most 10,000 rows: four fifths are grouped, the others are strangers. O(1) in rows beyond
    these.
    """
    sample = sample_of(pooled.classes, _MOST_ROWS, rng)
    folds = list(_folds(_of_sample(pooled, sample), rng))
    seed = int(rng.integers(2**31 - 1))
    try:
        for ours, _ in folds:
            Asked(ours.table, ours.promise)
        mondrian = _mean(folds, lambda fold: fold.held_back.by_mondrian(fold.ours.promise))
    except UnsatisfiableError:
        reason = "random groups: part of the rows do not keep the promise, so that nothing can be measured"
        return Choice.of(Dials(sizes[0], SPREADS[-1]), reason)
    tried, known = dict[Dials, Guessed](), dict[Hashable, Guessed]()

    def measured(dials: Dials) -> Guessed:
        if dials not in tried:
            tried[dials] = _mean(folds, partial(_by_sketch, dials, seed, known))
        return tried[dials]

    bound = max(_told(mondrian), _NOISE)
    for rows in sizes:
        for spread in SPREADS:
            if _told(measured(Dials(rows, spread))) <= bound:
                break  # more spread would tell less, and teach less
    least = min(map(_told, tried.values()))
    best = _best(tried, max(bound, least))
    for dials in (Dials(rows, spread) for rows in sizes for spread in SPREADS):
        if dials.rows == best.rows or dials.spread == best.spread:
            measured(dials)  # for the picture of the frontier
    within = "tells at most as much as mondrian" if least <= bound else "tells least"
    reason = f"guesses strangers best of what {within}"
    choice = Choice.of(best, reason, excess=tried[best].excess, excess_of_mondrian=mondrian.excess)
    return choice._replace(facts={**choice.facts, "frontier": _frontier(tried, mondrian)})


def _best(tried: dict[Dials, Guessed], bound: float) -> Dials:
    """Of dials that tell no more: what guesses strangers best, or about so, with the least spread."""
    within = {dials: found.strangers for dials, found in tried.items() if _told(found) <= bound}
    enough = max(within.values()) - _ALIKE
    good = (dials for dials, strangers in within.items() if strangers >= enough)
    return min(good, key=lambda dials: (dials.spread, -dials.rows))


def _told(guessed: Guessed) -> float:
    """The excess in whole percent: what is less is noise, also where rows are many."""
    return round(guessed.excess, 2)


def _frontier(tried: dict[Dials, Guessed], mondrian: Guessed) -> dict[str, Any]:
    """What was measured: size, spread, excess and share of strangers guessed; of mondrian the last two."""
    return {
        "sketch": [[*dials, told.excess, told.strangers] for dials, told in sorted(tried.items())],
        "mondrian": [mondrian.excess, mondrian.strangers],
    }


def _of_sample(pooled: Pooled, rows: Ints) -> Pooled:
    """Some of the rows, with the values that these have: what follows must not grow with those of all."""
    some = pooled.of_rows(rows)
    quasi = tuple(map(_with_present_values, some.table.quasi))
    return some._replace(table=replace(some.table, quasi=quasi))


def _with_present_values(column: CodedColumn) -> CodedColumn:
    domain = column.domain
    if domain.hierarchy is not None:
        return column
    present = np.flatnonzero(column.totals[:-1])
    number = np.full(domain.n_codes, len(present))
    number[present] = np.arange(len(present))
    labels = tuple(domain.labels[code] for code in present.tolist())
    numbers = None if domain.numbers is None else domain.numbers[present]
    return CodedColumn(
        replace(domain, labels=labels, numbers=numbers),
        number.astype(narrowest_unsigned(len(present) + 1))[column.codes],
    )


class _Fold(NamedTuple):
    """Rows to be grouped, and the same beside the others, which are strangers to them."""

    ours: Pooled
    held_back: HeldBack


def _folds(pooled: Pooled, rng: np.random.Generator) -> Iterator[_Fold]:
    """Folds, again and again until there were enough strangers."""
    n_strangers = 0
    for _ in range(_MOST_TURNS):
        part = parts_of(pooled.classes, pooled.table.persons, _PARTS, rng)
        for number in np.unique(part).tolist():
            is_stranger = part == number
            ours, theirs = (pooled.of_rows(np.flatnonzero(some)) for some in (~is_stranger, is_stranger))
            yield _Fold(ours, HeldBack(ours.table, ours.classes, theirs.table, theirs.classes))
            n_strangers += int(is_stranger.sum())
            if n_strangers >= _ENOUGH_ROWS:
                return


def _mean(folds: list[_Fold], measure: Callable[[_Fold], Guessed]) -> Guessed:
    members, strangers = np.mean([measure(fold) for fold in folds], axis=0).tolist()
    return Guessed(members, strangers)


def _by_sketch(dials: Dials, seed: int, known: dict[Hashable, Guessed], fold: _Fold) -> Guessed:
    """Looked up in ``known`` where groups are the same again, as in small tables they often are."""
    partition = fold.ours.grouped(dials, np.random.default_rng(seed))
    key = id(fold.ours), dials.rows_with_chunks, partition.group.tobytes()
    if key not in known:
        known[key] = fold.held_back.by_sketch(partition, dials.rows_with_chunks)
    return known[key]
