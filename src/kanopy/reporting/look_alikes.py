"""What may be told about groups: how large they are, how sure they make, what the largest read like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kanopy.auditing.groups import Groups
from kanopy.auditing.text import TextColumn, TextTable
from kanopy.data.keys import group_rows
from kanopy.release import Release
from kanopy.reporting.naming import Unnamed, shown_cells
from kanopy.reporting.tally import Counting, Tally

_MOST_BINS = 8
_SHOWN_GROUPS = 6
_MAJORITIES = (0.5, 0.75, 0.9, 1.0)
"""Where one stretch of majority shares ends and the next begins; the last one is certainty itself."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The rows whose group lies in a stretch of sizes, or of majority shares."""

    label: str
    rows: Tally


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure the groups make their reader of one column.

    Parameters
    ----------
    column, role : str
    stretches : tuple of Stretch
        Rows by the share of the most frequent value in their group.
    certain : Tally
        Rows whose group has a single value.
    guessed : Tally
        Rows that are guessed right by the most frequent value of their group.
    guessed_blindly : Tally
        Rows that are guessed right by the most frequent value of all.
    """

    column: str
    role: str
    stretches: tuple[Stretch, ...]
    certain: Tally
    guessed: Tally
    guessed_blindly: Tally


@dataclass(frozen=True, slots=True)
class Example:
    """What at least as many rows as the floor read like.

    Parameters
    ----------
    rows : int
        Rows of the group.
    cells : tuple of str, Unnamed or None
        One per published column; None where the rows differ too much to show one, Unnamed where the cell
        names a rare value.
    """

    rows: int
    cells: tuple[str | Unnamed | None, ...]


def group_sizes(counting: Counting, groups: Groups) -> tuple[Stretch, ...]:
    """Rows by the size of their group, in a few stretches that begin at the floor; O(rows).

    PRIVACY: a stretch is never a single size, and none holds fewer rows than the floor
    (tests/unit/reporting/test_small_counts.py).
    """
    sizes = counting.members_of(*groups)
    floor, largest = counting.floor, int(sizes.max(initial=0))
    if largest < 4 * floor:
        width = max(2, -(-(largest - floor + 1) // _MOST_BINS))
        edges = list(range(floor, max(largest, floor) + width + 1, width))
    else:
        edges = [floor]
        while edges[-1] <= largest:
            edges.append(2 * edges[-1])
    edges = _at_most(edges, _MOST_BINS + 4)
    number = np.searchsorted(np.array(edges), sizes, side="right")[groups[0]]
    labels = [f"fewer than {floor:,}"]
    labels += [f"{low:,} to {beyond - 1:,}" for low, beyond in pairwise(edges)]
    return _stretches(counting, number, labels)


def _at_most(edges: list[int], most: int) -> list[int]:
    """Few enough edges: those in the middle go, every second one, until they fit."""
    while len(edges) > most:
        edges = [*edges[:1], *edges[2:-1:2], edges[-1]]
    return edges


def certainty(table: TextTable, counting: Counting, groups: Groups, column: str, role: str) -> Certainty:
    """How sure the groups make their reader of a column; O(rows), plus a sort where values are many.

    PRIVACY: neither the groups nor the values are named, and the shares are coarse: what is told is how
    many rows have such a group, not which (tests/unit/reporting/test_small_counts.py).
    """
    values = table.columns[column]
    is_majority, majority = _majorities(values, groups)
    number = np.searchsorted(np.array(_MAJORITIES), majority, side="right")[groups[0]]
    labels = ["less than half", "50% to 75%", "75% to 90%", "90% or more, not all", "all: certain"]
    overall = np.bincount(values.codes, minlength=len(values.words))
    return Certainty(
        column=column,
        role=role,
        stretches=_stretches(counting, number, labels),
        certain=counting.tally(majority[groups[0]] == 1.0),
        guessed=counting.tally(is_majority),
        guessed_blindly=counting.tally(values.codes == int(overall.argmax())),
    )


def _majorities(values: TextColumn, groups: Groups) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Whether each row has the most frequent value of its group (the first among equals), and the share
    of that value in each group."""
    group, n_groups = groups
    pairs, n_pairs = group_rows([group, values.codes], [n_groups, len(values.words)], len(group))
    count = np.bincount(pairs, minlength=n_pairs)
    group_of_pair = np.zeros(n_pairs, dtype=np.int64)
    group_of_pair[pairs] = group
    # Pairs are numbered by group, then value: the first of the most frequent ones leads its group.
    order = np.lexsort((np.arange(n_pairs), -count, group_of_pair))
    leads = np.ones(n_pairs, dtype=bool)
    leads[1:] = group_of_pair[order][1:] != group_of_pair[order][:-1]
    leading = order[leads]
    is_leading = np.zeros(n_pairs, dtype=bool)
    is_leading[leading] = True
    share = count[leading] / np.bincount(group, minlength=n_groups)
    return is_leading[pairs], share


def _stretches(counting: Counting, number: NDArray[np.intp], labels: Sequence[str]) -> tuple[Stretch, ...]:
    """Rows per stretch; stretches with too few rows are joined with the next one, or with the last."""
    joined: list[tuple[list[int], Tally]] = []
    waiting: list[int] = []
    for place in range(len(labels)):
        waiting.append(place)
        is_meant = np.isin(number, waiting)
        if 0 < counting.members(is_meant) < counting.floor:
            continue
        joined.append((waiting, counting.tally(is_meant)))
        waiting = []
    if waiting:
        while joined and joined[-1][1].rows == 0:
            waiting = joined.pop()[0] + waiting
        waiting = (joined.pop()[0] if joined else []) + waiting
        joined.append((waiting, counting.tally(np.isin(number, waiting))))
    told = [Stretch(_joined_label(labels, places), rows) for places, rows in joined]
    while told and told[0].rows.rows == 0:  # what is empty at the ends needs no bar
        told.pop(0)
    while told and told[-1].rows.rows == 0:
        told.pop()
    if not all(stretch.rows.is_told for stretch in told):  # the whole table is too small
        return ()
    return tuple(told)


def _joined_label(labels: Sequence[str], places: Sequence[int]) -> str:
    first, last = labels[places[0]], labels[places[-1]]
    return first if len(places) == 1 else f"{first} … {last}"


def examples(release: Release, counting: Counting, groups: Groups) -> tuple[Example, ...]:
    """What the largest groups read like; O(rows * columns).

    The quasi-identifiers are those of the group. The class and kept columns show their most frequent value
    as long as enough rows read so in all that is shown; a sensitive column is never shown beside them.

    PRIVACY: every example is read in at least as many rows as the floor
    (tests/unit/reporting/test_examples.py), and names no value that fewer rows of the source have
    (tests/unit/reporting/test_rare_cells.py).
    """
    table = release.rows.table
    naming = {name: _naming(release, name) for name in release.policy.quasi_identifiers}
    group, n_groups = groups
    members = counting.members_of(group, n_groups)
    largest = np.lexsort((np.arange(n_groups), -members))[:_SHOWN_GROUPS]
    shown = []
    for number in largest.tolist():
        if members[number] >= counting.floor:
            is_like = group == number
            cells = _read(release, naming, counting, is_like)
            shown.append(Example(int(is_like.sum()), tuple(cells[name] for name in table.columns)))
    return tuple(shown)


def _naming(release: Release, name: str) -> dict[str, str | Unnamed]:
    return shown_cells(
        release.rows.table.columns[name].words.to_pylist(),
        release.frequent_values(name),
        release.generalized_texts(name),
        release.hierarchies.get(name),
    )


def _read(
    release: Release,
    naming: Mapping[str, Mapping[str, str | Unnamed]],
    counting: Counting,
    is_like: NDArray[np.bool_],
) -> dict[str, str | Unnamed | None]:
    table, policy = release.rows.table, release.policy
    cells: dict[str, str | Unnamed | None] = dict.fromkeys(table.columns)
    first = int(is_like.argmax())
    for name in policy.quasi_identifiers:
        column = table.columns[name]
        cells[name] = naming[name][column.words[int(column.codes[first])].as_py()]
    target = () if policy.target is None else (policy.target,)
    for name in (*target, *policy.keep):
        column = table.columns[name]
        most = int(np.bincount(column.codes[is_like]).argmax())
        reads_so = is_like & (column.codes == most)
        word = column.words[most].as_py()
        if counting.members(reads_so) >= counting.floor and word in release.frequent_values(name):
            cells[name] = word
            is_like = reads_so
    return cells
