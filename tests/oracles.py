"""The definitions again, naively: plain lists in, exact fractions out, nothing shared with the fast code."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

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
