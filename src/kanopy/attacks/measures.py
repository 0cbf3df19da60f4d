"""What one release reveals: which rows could be a person's, what do they say, which cells say too much."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.attacks.candidates import Candidates, Words
from kanopy.attacks.figures import Downcoding, Inference, Linking, Sizes
from kanopy.data import Cell, CellKind, CodedColumn, Domain, RecodedColumn
from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.counts import count_distinct
from kanopy.data.keys import count_keys

Strangers = tuple[Ints, Ints] | None  # the best groups of people who are not in the release, and their values


def measure_linking(candidates: Candidates, k: int | None) -> Linking:
    """Count the published rows that could be each person's; O(people + combinations * groups / 64), with
    persons a sort."""
    kind = candidates.people.kind
    n_groups, n_rows = candidates.counts.n_groups[kind], candidates.counts.n_rows[kind]
    is_covered = n_groups > 0
    covered = n_rows[is_covered]
    smallest = int(covered.min()) if len(covered) else 0
    expected, largest = float((1 / covered).sum() / len(kind)), 1 / smallest if smallest else 0.0
    if candidates.people.persons is not None:
        expected, largest = _picked_of_persons(candidates, candidates.people.persons)
    return Linking(
        smallest=smallest,
        one_group=float((n_groups == 1).mean()),
        expected=expected,
        largest=largest,
        below_k=None if k is None else int((covered < k).sum()),
        uncovered=int((~is_covered).sum()),
    )


def _picked_of_persons(candidates: Candidates, persons: Codes) -> tuple[float, float]:
    """How likely a random candidate is one of the person's own rows: on average over persons, and at most.

    Where a person has several rows in a group, each of them is right (tests/unit/attacks/test_persons.py).
    Own rows are those that the same group fits best. Rows without a person are nobody's.
    """
    kind, n_groups = candidates.people.kind, candidates.groups.n_groups
    is_covered = candidates.counts.n_groups[kind] > 0
    rows = np.flatnonzero(is_covered & (persons >= 0))
    if not len(rows):
        return 0.0, 0.0
    group, person = candidates.best[kind[rows]], persons[rows]
    _, place, n_own = np.unique(person * np.int64(n_groups) + group, return_inverse=True, return_counts=True)
    # Rows that were dropped are among those of the source, and not of the release.
    own = np.minimum(n_own[place], candidates.groups.sizes[group])
    chance = own / candidates.counts.n_rows[kind[rows]]
    n_rows = np.bincount(persons[persons >= 0])
    return float((chance / n_rows[person]).sum() / np.count_nonzero(n_rows)), float(chance.max())


def measure_sizes(candidates: Candidates, k: int | None) -> Sizes | None:
    """Count groups of exactly k rows: the method had no choice, or filled them up."""
    if k is None:
        return None
    sizes = candidates.groups.sizes
    n_exact = int(np.count_nonzero(sizes == k))
    return Sizes(k, len(sizes), n_exact, n_exact * k / int(sizes.sum()))


def measure_inference(
    name: str, found: Candidates, published: Ints, own: Ints, possible: Words, strangers: Strangers
) -> Inference:
    """Guess a column for people in the release and for strangers; O(rows log rows).

    ``published`` and ``own`` are the values of the published rows and of the people, ``possible`` those of
    the candidates of each combination, as bits. Without strangers, people whom no group covers take their
    place if rows were dropped.
    """
    people, groups = found.people, found.groups
    guess, overall = most_frequent(groups.group, published, groups.n_groups)
    group, is_covered = found.best[people.kind], found.counts.n_groups[people.kind] > 0
    is_member = np.ones(people.n_rows, dtype=bool)
    if people.n_rows - len(published) >= int((~is_covered).sum()) > 0:
        # Rows were dropped, and the release cannot contain these people.
        is_member = is_covered
        strangers = strangers or (group[~is_member], own[~is_member])
    rate = share(guess[group[is_member]] == own[is_member])
    others = None if strangers is None else share(guess[strangers[0]] == strangers[1])
    return Inference(
        column=name,
        members=rate,
        majority=share(own[is_member] == overall),
        certain=share(is_certain_of(possible[people.kind], own)[is_member]),
        strangers=others,
        n_strangers=0 if strangers is None else len(strangers[1]),
        excess=None if others is None else rate - others,
    )


def most_frequent(group: NDArray[np.int32], values: Ints, n_groups: int) -> tuple[Ints, int]:
    """The most frequent value of each group (of ties, the more frequent one overall), and of all rows."""
    totals = np.bincount(values)
    pairs, count = count_keys(group.astype(np.int64) * len(totals) + values, n_groups * len(totals))
    owner, value = np.divmod(pairs, len(totals))
    order = np.lexsort((-value, totals[value], count, owner))
    last = np.flatnonzero(np.diff(owner[order], append=n_groups))
    return value[order][last], int(totals.argmax())


def is_certain_of(possible: Words, own: Ints) -> Bools:
    """Whether a single value is possible (a set of bits for each person) and the person has it."""
    n_values = np.bitwise_count(possible).sum(axis=1)
    word = possible[np.arange(len(own)), own // 64]
    has_own = (word >> (own % 64).astype(np.uint64)) & np.uint64(1)
    return np.asarray((n_values == 1) & (has_own == 1), dtype=bool)


def share(is_so: Bools) -> float:
    """The share of true entries; 0 where there are none at all."""
    return float(is_so.mean()) if len(is_so) else 0.0


def measure_downcoding(candidates: Candidates) -> Downcoding:
    """Draw the conclusions of Cohen, *Attacks on deidentification's defenses* (2022), and check them.

    The attacker assumes that no cell is wider than its group needs. So all values of a set occur, both ends
    of a range, and more than one child of a hierarchy node. Where the group has just as many rows, each of
    these stands for one of them. A column in which every value always has the same cell was recoded for all
    groups at once: there a cell tells about a group if no other has it. O(combinations * groups / 64).
    """
    groups, people = candidates.groups, candidates.people
    columns = list(zip(groups.patterns.columns, people.quasi, people.combinations, strict=True))
    claims, told = [], []
    for column, original, _ in columns:
        found = [_claim(cell, original) for cell in column.cells]
        claims.append(_Claims(*np.array(found, dtype=np.int64).reshape(-1, 4).T))
        told.append((claims[-1].n_parts[column.ids] == groups.sizes) & _is_about_its_group(column))
    is_told = np.logical_or.reduce(told)
    # As many people as rows: these people, and nobody else, are in the group.
    is_checked = is_told & (candidates.counts.n_people == groups.sizes)
    pairs = [np.stack(block)[:, is_checked[block[1]]] for block in candidates.pairs()]
    combination, group = np.concatenate(pairs, axis=1)
    is_right = is_checked.copy()
    for claim, is_claimed, (column, original, codes) in zip(claims, told, columns, strict=True):
        values = codes[combination].astype(np.int64)
        part = _parts(claim, original.domain, column.ids[group], values)
        holds = np.bincount(group[part < 0], minlength=groups.n_groups) == 0
        holds &= count_distinct(np.maximum(part, 0), group, groups.n_groups) == groups.sizes
        is_right &= holds | ~is_claimed
    return Downcoding(groups.n_groups, *(int(which.sum()) for which in (is_told, is_checked, is_right)))


class _Claims(NamedTuple):
    """What follows from each cell of a column; -1 where nothing does."""

    n_parts: Ints  # in a group of so many rows, one row is in each part
    low: Ints  # the parts of a range are its ends
    high: Ints
    node: Ints  # the parts of a hierarchy node are its children


def _is_about_its_group(column: RecodedColumn) -> Bools:
    """Whether the cell of each group was chosen for this group; O(cells * values)."""
    n_groups = np.bincount(column.ids, minlength=len(column.cells))
    n_cells = np.zeros(column.domain.n_codes, dtype=np.int64)
    for number in np.flatnonzero(n_groups).tolist():
        n_cells += column.cells[number].covers(column.domain)
    is_global = (n_cells <= 1).all()
    return np.asarray((n_groups[column.ids] == 1) | ~is_global, dtype=bool)


def _claim(cell: Cell, column: CodedColumn) -> tuple[int, int, int, int]:
    """The number of parts, the ends and the node of a cell."""
    if cell.kind is CellKind.MEMBERS:
        return len(cell.members) + cell.with_missing, -1, -1, -1
    if cell.kind is CellKind.RANGE and cell.low < cell.high and not cell.with_missing:
        return 2, cell.low, cell.high, -1
    hierarchy, node = column.domain.hierarchy, -1
    if cell.kind is CellKind.NODE and not cell.with_missing:
        node = cell.node
    if cell.kind is CellKind.SUPPRESSED and not column.totals[-1]:  # the root, unless values are missing
        node = 0
    if node < 0 or hierarchy is None or np.count_nonzero(hierarchy.node_parent == node) != 2:
        return -1, -1, -1, -1
    return 2, -1, -1, node


def _parts(claims: _Claims, domain: Domain, cell: NDArray[np.int32], codes: Ints) -> Ints:
    """The part that each value is in, given its cell; -1 where it is in none."""
    part = codes.copy()
    low, high, node = claims.low[cell], claims.high[cell], claims.node[cell]
    part[(low >= 0) & (codes != low) & (codes != high)] = -1
    is_below = node >= 0
    if domain.hierarchy is not None and is_below.any():
        part[is_below] = domain.hierarchy.child_index(node[is_below], codes[is_below])
    return part
