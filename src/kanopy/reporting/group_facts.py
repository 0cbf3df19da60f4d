"""What a report says about groups: their sizes, what they reveal, and how the largest ones look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kanopy.auditing.text import Groups, TextColumn, TextTable
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.keys import group_rows
from kanopy.release import Release
from kanopy.reporting.column_facts import Unnamed, shown_cells
from kanopy.reporting.tally import Counting, Tally

_MOST_BINS = 8
_SHOWN_GROUPS = 6
# Stretches of the share of the most frequent value, and the shares between them
_MAJORITY_LABELS = ("less than half", "50% to 75%", "75% to 90%", "90% or more, not all", "all: certain")
_MAJORITIES = (0.5, 0.75, 0.9, 1.0)

ShownCell = str | Unnamed | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """The rows of groups within a range of sizes, or of majority shares."""

    label: str
    rows: Tally


@dataclass(frozen=True, slots=True)
class Certainty:
    """What the groups reveal about one column."""

    column: str
    role: str
    stretches: tuple[Stretch, ...]  # rows by the share of the most frequent value in their group
    certain: Tally  # rows whose group has a single value
    guessed: Tally  # rows with the most frequent value of their group
    guessed_blindly: Tally  # rows with the most frequent value of the whole table


@dataclass(frozen=True, slots=True)
class Example:
    """A group as published: its rows and one cell per column, None where the rows differ too much."""

    rows: int
    cells: tuple[ShownCell, ...]


def group_sizes(counting: Counting, groups: Groups) -> tuple[Stretch, ...]:
    """Rows by the size of their group, in a few stretches that begin at the floor; O(rows).

    PRIVACY: a stretch is never a single size, and none has fewer rows than the floor
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
    while len(edges) > _MOST_BINS + 4:  # drop every second inner edge
        edges = [*edges[:1], *edges[2:-1:2], edges[-1]]
    number = np.searchsorted(np.array(edges), sizes, side="right")[groups[0]]
    labels = [f"fewer than {floor:,}", *(f"{low:,} to {high - 1:,}" for low, high in pairwise(edges))]
    return _stretches(counting, number, labels)


def certainty(table: TextTable, counting: Counting, groups: Groups, column: str, role: str) -> Certainty:
    """What the groups reveal about a column; O(rows), plus a sort where values are many.

    PRIVACY: neither groups nor values are named, and the shares are coarse: how many rows have such a group
    is shown, not which (tests/unit/reporting/test_small_counts.py).
    """
    values = table.columns[column]
    is_majority, majority = _majorities(values, groups)
    number = np.searchsorted(np.array(_MAJORITIES), majority, side="right")[groups[0]]
    most_frequent = int(np.bincount(values.codes, minlength=len(values.words)).argmax())
    meant = (majority[groups[0]] == 1.0, is_majority, values.codes == most_frequent)
    stretches = _stretches(counting, number, _MAJORITY_LABELS)
    return Certainty(column, role, stretches, *map(counting.tally, meant))


def _majorities(values: TextColumn, groups: Groups) -> tuple[Bools, Floats]:
    """Whether each row has the most frequent value of its group (of ties, the first); its share per group."""
    group, n_groups = groups
    pairs, n_pairs = group_rows([group, values.codes], [n_groups, len(values.words)], len(group))
    count = np.bincount(pairs, minlength=n_pairs)
    group_of_pair = np.zeros(n_pairs, dtype=np.int64)
    group_of_pair[pairs] = group
    # Pairs are numbered by group, then value; the sort is stable, so ties keep this order.
    order = np.lexsort((-count, group_of_pair))
    leading = order[np.flatnonzero(np.diff(group_of_pair[order], prepend=-1))]
    is_leading = np.zeros(n_pairs, dtype=bool)
    is_leading[leading] = True
    return is_leading[pairs], count[leading] / np.bincount(group, minlength=n_groups)


def _stretches(counting: Counting, number: Ints, labels: Sequence[str]) -> tuple[Stretch, ...]:
    """Rows per stretch; one with too few rows is merged with the next one, the last with those before."""
    merged: list[tuple[list[int], Tally]] = []
    waiting: list[int] = []
    for place in range(len(labels)):
        waiting.append(place)
        is_meant = np.isin(number, waiting)
        if not counting.are_few(is_meant):
            merged.append((waiting, counting.tally(is_meant)))
            waiting = []
    if waiting:
        while merged and merged[-1][1].rows == 0:
            waiting = merged.pop()[0] + waiting
        waiting = (merged.pop()[0] if merged else []) + waiting
        merged.append((waiting, counting.tally(np.isin(number, waiting))))
    filled = [place for place, (_, rows) in enumerate(merged) if rows.rows != 0]
    shown = merged[filled[0] : filled[-1] + 1] if filled else []
    if not all(rows.is_told for _, rows in shown):  # the whole table is too small
        return ()
    stretches = []
    for places, rows in shown:
        first, last = labels[places[0]], labels[places[-1]]
        stretches.append(Stretch(first if len(places) == 1 else f"{first} … {last}", rows))
    return tuple(stretches)


def examples(release: Release, counting: Counting, groups: Groups) -> tuple[Example, ...]:
    """The largest groups as they are published; O(rows * columns).

    The class and kept columns show their most frequent value if enough rows have it together with all that is
    already shown. Sensitive columns are never shown here.

    PRIVACY: every example is published in at least as many rows as the floor
    (tests/unit/reporting/test_examples.py), and names no value of fewer rows of the source
    (tests/unit/reporting/test_rare_cells.py).
    """
    columns, quasi = release.rows.table.columns, release.policy.quasi_identifiers
    naming = {}
    for name in quasi:
        texts, hierarchy = columns[name].words.to_pylist(), release.hierarchies.get(name)
        frequent, generalized = release.frequent_values(name), release.generalized_texts(name)
        naming[name] = shown_cells(texts, frequent, generalized, hierarchy)
    members = counting.members_of(*groups)
    shown = []
    for number in np.argsort(-members, kind="stable")[:_SHOWN_GROUPS].tolist():
        if members[number] >= counting.floor:
            is_like = groups[0] == number
            cells = _example_cells(release, naming, counting, is_like)
            shown.append(Example(int(is_like.sum()), tuple(cells.get(name) for name in columns)))
    return tuple(shown)


def _example_cells(
    release: Release, naming: Mapping[str, Mapping[str, str | Unnamed]], counting: Counting, is_like: Bools
) -> dict[str, ShownCell]:
    columns, policy = release.rows.table.columns, release.policy
    cells: dict[str, ShownCell] = {}
    first = int(is_like.argmax())
    for name, cell_of_text in naming.items():
        column = columns[name]
        cells[name] = cell_of_text[column.words[int(column.codes[first])].as_py()]
    kept = [name for name in policy.keep if name not in release.elsewhere]
    for name in ([] if policy.target is None else [policy.target]) + kept:
        column = columns[name]
        most = int(np.bincount(column.codes[is_like]).argmax())
        has_it, word = is_like & (column.codes == most), column.words[most].as_py()
        if counting.members(has_it) >= counting.floor and word in release.frequent_values(name):
            cells[name] = word
            is_like = has_it
    return cells
