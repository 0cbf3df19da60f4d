"""The definitions again, naively: plain lists in, exact fractions out, nothing shared with the fast code."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from kanopy.data import CodedColumn, Domain, GroupCounts, Hierarchy, Histogram

Value = str | None
"""A confidential value; None is missing, which is a value like any other."""
Tree = str | tuple["Tree", ...]
"""A leaf, or the children of a node."""

# --- Privacy: what the fast code takes, from plain lists -------------------------------------------------


def counts_of(
    groups: Sequence[Sequence[Value]],
    *,
    dropped: Sequence[Value] = (),
    labels: Sequence[str] | None = None,
    persons: Sequence[int] | None = None,
    hierarchy: Hierarchy | None = None,
    column: str = "d",
) -> GroupCounts:
    """Count one column; the table is all groups and the dropped rows, the labels are in domain order."""
    table = [value for group in groups for value in group] + list(dropped)
    if hierarchy is not None:
        labels = hierarchy.leaves
    elif labels is None:
        labels = sorted({value for value in table if value is not None})
    domain = Domain(column, tuple(labels), hierarchy=hierarchy)
    code_of = {None: domain.missing_code} | domain.code_of
    codes = np.array([code_of[value] for value in table], dtype=np.uint32)
    number = np.array([place for place, group in enumerate(groups) for _ in group], dtype=np.int32)
    totals = np.bincount(codes, minlength=domain.n_codes)
    grouped = CodedColumn(domain, codes[: len(number)])
    return GroupCounts(
        np.array([len(group) for group in groups], dtype=np.int64),
        None if persons is None else np.array(persons, dtype=np.int64),
        {column: Histogram.of(grouped, number, len(groups), totals)},
    )


def hierarchy_of(tree: Tree, column: str = "d") -> Hierarchy:
    """The tree as a hierarchy; short branches are padded with their leaf, as a custodian would."""
    depth = _height(tree)
    paths: list[list[str]] = []

    def walk(node: Tree, above: list[str]) -> None:
        if isinstance(node, str):
            paths.append([node] * (1 + depth - len(above)) + above[::-1])
            return
        name = f"node {len(paths)} at {len(above)}"
        for child in node:
            walk(child, [*above, name])

    walk(tree, [])
    return Hierarchy.from_paths(column, paths)


# --- Privacy: the definitions ----------------------------------------------------------------------------


def group_sizes(
    columns: Mapping[str, Sequence[str]], known: Sequence[str], members: Sequence[int]
) -> list[int]:
    """How many different members are behind every combination of the known columns."""
    lines = zip(*(columns[name] for name in known), strict=True)
    behind: dict[tuple[str, ...], set[int]] = {}
    for line, member in zip(lines, members, strict=True):
        behind.setdefault(line, set()).add(member)
    return [len(group) for group in behind.values()]


def share(group: Sequence[Value], value: Value) -> Fraction:
    return Fraction(sum(other == value for other in group), len(group))


def largest_share(group: Sequence[Value]) -> Fraction:
    return max(share(group, value) for value in group)


def n_distinct(group: Sequence[Value]) -> int:
    return len(set(group))


def entropy_size(group: Sequence[Value]) -> float:
    """How many equally frequent values would be as mixed as this group."""
    return 2 ** -sum(float(share(group, value)) * math.log2(share(group, value)) for value in set(group))


def is_recursively_diverse(group: Sequence[Value], c: Fraction, l: int) -> bool:  # noqa: E741
    counts = sorted(Counter(group).values(), reverse=True)
    return len(counts) >= l and counts[0] < c * sum(counts[l - 1 :])


def equal_distance(group: Sequence[Value], table: Sequence[Value]) -> Fraction:
    return sum((abs(share(group, value) - share(table, value)) for value in set(table)), Fraction(0)) / 2


def ordered_distance(group: Sequence[Value], table: Sequence[Value], order: Sequence[Value]) -> Fraction:
    """Earth mover's distance on a line: copy both to the same length, sort, move each to its counterpart."""
    occurring = [value for value in order if value in set(table)]
    if len(occurring) == 1:
        return Fraction(0)
    earth = sorted(occurring.index(value) for value in group for _ in table)
    holes = sorted(occurring.index(value) for value in table for _ in group)
    moved = sum(abs(here - there) for here, there in zip(earth, holes, strict=True))
    return Fraction(moved, len(earth) * (len(occurring) - 1))


def hierarchical_distance(group: Sequence[Value], table: Sequence[Value], tree: Tree) -> Fraction:
    """Li, Li, Venkatasubramanian: at every node, what its children have too much fills what they lack."""
    cost = Fraction(0)
    root = tree if isinstance(tree, tuple) else (tree,)
    whole_height = _height(root)

    def extra(node: Tree | None) -> Fraction:
        nonlocal cost
        if node is None or isinstance(node, str):
            return share(group, node) - share(table, node)
        children: tuple[Tree | None, ...] = (*node, None) if node is root else node
        extras = [extra(child) for child in children]
        surplus = sum((each for each in extras if each > 0), Fraction(0))
        lack = -sum((each for each in extras if each < 0), Fraction(0))
        cost += Fraction(_height(node), whole_height) * min(surplus, lack)
        return surplus - lack

    extra(root)
    return cost


def _height(tree: Tree) -> int:
    return 0 if isinstance(tree, str) else 1 + max(_height(child) for child in tree)


def keeps_delta(
    group: Sequence[Value], table: Sequence[Value], delta: Fraction, *, strict_zero: bool
) -> bool:
    """Whether ``2**-delta < p/q < 2**delta``, both sides raised to the denominator of delta."""
    if strict_zero and set(table) - set(group):
        return False
    for value in set(group):
        factor = share(group, value) / share(table, value)
        raised, limit = factor**delta.denominator, Fraction(2) ** delta.numerator
        if not 1 / limit < raised < limit:
            return False
    return True


def keeps_beta(
    group: Sequence[Value], table: Sequence[Value], beta: Fraction, *, enhanced: bool = False
) -> bool:
    for value in set(table):
        inside, overall = share(group, value), share(table, value)
        if inside <= overall:
            continue
        gain = (inside - overall) / overall
        if gain > beta or (enhanced and float(gain) > -math.log(overall)):
            return False
    return True


# --- Mondrian: the recursion of the papers, one node at a time -------------------------------------------


@dataclass(frozen=True)
class PlainColumn:
    """A quasi-identifier: its value in every row, and all its values in order; numbers are exact."""

    values: Sequence[Value]
    order: Sequence[str]
    is_numeric: bool = False
    tree: Tree | None = None

    @cached_property
    def _ranks(self) -> dict[Value, int]:
        return {value: rank for rank, value in enumerate([*self.order, None])}

    def rank(self, row: int) -> int:
        """The place of the row's value in the order; missing is last."""
        return self._ranks[self.values[row]]

    def position(self, rank: int) -> Fraction:
        """Where a value lies between the first and the last of the column; missing lies at the end."""
        last = len(self.order) - 1
        if rank > last:
            return Fraction(1)
        point, low, high = (self._point(place) for place in (rank, 0, last))
        return (point - low) / (high - low) if high > low else Fraction(0)

    def _point(self, rank: int) -> Fraction:
        return Fraction(self.order[rank] if self.is_numeric else rank)


Rows = list[int]
Holds = Callable[[Rows], bool]


def naive_mondrian(
    columns: Sequence[PlainColumn],
    rows: Rows,
    holds: Holds,
    *,
    k: int = 1,
    classes: Sequence[Value] | None = None,
    strict: bool = True,
    try_lower_cut: bool = True,
    width: str = "range",
    max_chance: float = 0.05,
) -> list[Rows]:
    """The groups of rows; where classes are given, cuts by gain are tried before median cuts."""
    groups, level = [], [rows]
    tells: set[int] = set()  # columns that were cut for their gain, on the levels above
    while level:
        found, below = set(), []
        for node in level:
            chosen = None if classes is None else _gain_cut(columns, node, holds, classes, k, max_chance)
            if chosen is None:
                options = {"strict": strict, "try_lower_cut": try_lower_cut, "width": width}
                parts = _median_cut(columns, node, holds, tells, **options)
            else:
                place, parts = chosen
                found.add(place)
            if parts is None:
                groups.append(node)
            else:
                below += parts
        tells |= found if max_chance < 1 else set()
        level = below
    return groups


def _median_cut(
    columns: Sequence[PlainColumn],
    rows: Rows,
    holds: Holds,
    tells: set[int],
    *,
    strict: bool,
    try_lower_cut: bool,
    width: str,
) -> list[Rows] | None:
    widths = []
    for place, column in enumerate(columns):
        ranks = {column.rank(row) for row in rows}
        reach = column.position(max(ranks)) - column.position(min(ranks))
        if len(ranks) > 1:
            widths.append((place not in tells, -(len(ranks) if width == "distinct" else reach), place))
    for *_, place in sorted(widths):
        column = columns[place]
        median = sorted(column.rank(row) for row in rows)[(len(rows) - 1) // 2]
        below = [row for row in rows if column.rank(row) < median]
        at_median = [row for row in rows if column.rank(row) == median]
        if strict:
            lefts = [below + at_median] + ([below] if try_lower_cut else [])
        else:
            lefts = [below + at_median[: len(rows) // 2 - len(below)]]
        for left in lefts:
            parts = _in_two(rows, set(left))
            if all(parts) and all(map(holds, parts)):
                return parts
    return None


def _gain_cut(
    columns: Sequence[PlainColumn],
    rows: Rows,
    holds: Holds,
    classes: Sequence[Value],
    k: int,
    max_chance: float,
) -> tuple[int, list[Rows]] | None:
    """The first cut, in the order of columns and boundaries, that leaves the least class entropy."""
    least, best = math.inf, None
    for place, column in enumerate(columns):
        for parts in _class_cuts(column, rows, classes):
            # Rounded: cuts that are equally good must tie, however their entropies were added up.
            left = round(sum(_summed_entropy([classes[row] for row in part]) for part in parts), 6)
            if left < least and all(map(holds, parts)):
                least, best = left, (place, parts)
    whole = round(_summed_entropy([classes[row] for row in rows]), 6)
    if best is None or (whole - least) / len(rows) <= 1e-9:
        return None
    # Columns share the chance evenly, and so do the cuts of each.
    n_cuts = [_n_cuts(column, rows, k) for column in columns]
    n_tried = n_cuts[best[0]] * sum(number > 0 for number in n_cuts)
    shuffled = naive_chance([[classes[row] for row in part] for part in best[1]])
    return None if max_chance < 1 and shuffled * n_tried > Fraction(str(max_chance)) else best


def _n_cuts(column: PlainColumn, rows: Rows, k: int) -> int:
    """How many cuts a column offers, whatever the classes: one along a hierarchy, one for every boundary that
    leaves k rows on either side, or one for every way to divide the values in two."""
    ranks = sorted(column.rank(row) for row in rows)
    if column.tree is not None:
        return 1
    if column.is_numeric:
        return sum(min(ranks.index(rank), len(ranks) - ranks.index(rank)) >= k for rank in set(ranks[1:]))
    return 2 ** (len(set(ranks)) - 1) - 1


def naive_chance(parts: Sequence[Sequence[Value]]) -> Fraction:
    """How likely classes that are shuffled differ so much between parts; exact where counting decides it."""
    whole = [value for part in parts for value in part]
    totals, n = Counter(whole), len(whole)
    pearson = sum(
        Fraction((part.count(value) * n - len(part) * total) ** 2, len(part) * total * n)
        for part in parts
        for value, total in totals.items()
    )
    half, z = (len(parts) - 1) * (len(totals) - 1) / 2, float(pearson * (n - 1) / n / 2)
    tail = 1.0
    if z > half:
        tail = min(1.0, math.exp(half * math.log(z) - z - math.lgamma(half)) / (z - half + 1))
    arrangements = math.prod(_arrangements(Counter(part)) for part in parts)
    return max(Fraction(tail), Fraction(arrangements, _arrangements(totals)))


def _arrangements(counts: Counter[Value]) -> int:
    """In how many orders so many values of each kind can be put."""
    return math.factorial(counts.total()) // math.prod(map(math.factorial, counts.values()))


def _class_cuts(column: PlainColumn, rows: Rows, classes: Sequence[Value]) -> list[list[Rows]]:
    if column.tree is not None:
        parts = _children(column.tree, {row: column.values[row] for row in rows})
        return [parts] if len(parts) > 1 else []
    ranks = sorted({column.rank(row) for row in rows})
    slots = [[row for row in rows if column.rank(row) == rank] for rank in ranks]
    if not column.is_numeric:
        seen = [classes[row] for row in rows]
        most = max(sorted(set(seen), key=lambda value: (value is None, value)), key=seen.count)
        slots.sort(key=lambda slot: share([classes[row] for row in slot], most))
    return [
        _in_two(rows, {row for slot in slots[:place] for row in slot})
        for place in range(1, len(slots))
        if len({classes[row] for row in slots[place - 1] + slots[place]}) > 1
    ]


def _in_two(rows: Rows, left: set[int]) -> list[Rows]:
    return [[row for row in rows if row in left], [row for row in rows if row not in left]]


def _children(tree: Tree, values: dict[int, Value]) -> list[Rows]:
    """The rows under each child of the smallest node that covers all values; missing is one more child."""
    missing = [row for row, value in values.items() if value is None]
    present = {value for value in values.values() if value is not None}
    children = [tree] if isinstance(tree, str) else list(tree)
    while True:
        covering = [child for child in children if present <= _leaves(child)]
        if not covering or isinstance(covering[0], str):
            break
        children = list(covering[0])
    parts = [[row for row, value in values.items() if value in _leaves(child)] for child in children]
    return [part for part in [*parts, missing] if part]


def _leaves(tree: Tree) -> set[str]:
    return {tree} if isinstance(tree, str) else {leaf for child in tree for leaf in _leaves(child)}


def _summed_entropy(values: Sequence[Value]) -> float:
    """Rows times class entropy, in bits."""
    counts = Counter(values).values()
    return sum(count * math.log2(len(values) / count) for count in counts)
