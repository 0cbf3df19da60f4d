"""Every promise, naively, where members may be persons: plain lists in, one group at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from oracles import (
    Tree,
    Value,
    entropy_size,
    equal_distance,
    hierarchical_distance,
    is_recursively_diverse,
    ordered_distance,
)

Row = tuple[Any, Any, Value]
"""Group, member, value; where a row is a person, every row has a member of its own. None is nobody."""


def members_of(rows: Sequence[Row]) -> set[Any]:
    return {member for _, member, _ in rows} - {None}


def values_once(rows: Sequence[Row]) -> list[Value]:
    """The values of all members; each has each of its values once."""
    return [value for _, value in {(member, value) for _, member, value in rows if member is not None}]


def share_of(rows: Sequence[Row], value: Value) -> Fraction:
    """The members that have the value in one of the rows, of all members."""
    return Fraction(len(members_of([row for row in rows if row[2] == value])), len(members_of(rows)))


def promise_is_kept(
    promise: Any,
    group: Sequence[Row],
    table: Sequence[Row],
    *,
    tree: Tree | None = None,
    order: Sequence[Value] = ("a", "b", "c", "d", None),
) -> bool:
    """Whether one group keeps a promise in a table, by the definitions of docs/policy.md."""
    kind = type(promise).__name__
    inside = values_once(group)
    if not inside:
        return False  # nothing can be promised about rows of nobody
    if kind in ("KAnonymity", "AnonymityOf", "CombinationAnonymity"):
        return len(members_of(group)) >= promise.k
    if kind == "DistinctDiversity":
        return len(set(inside)) >= promise.l
    if kind == "EntropyDiversity":
        counts = set(Counter(inside).values())
        if len(counts) == 1:
            return len(set(inside)) >= promise.l
        return entropy_size(inside) >= promise.l - Fraction(1, 10**9)
    if kind == "RecursiveDiversity":
        return is_recursively_diverse(inside, promise.c, promise.l)
    if kind == "Closeness":
        return _distance(promise.distance, inside, values_once(table), tree, order) <= promise.t
    if kind in ("AlphaBound", "Template"):
        bound = promise.alpha if kind == "AlphaBound" else promise.at_most
        named = {promise.value} if isinstance(promise.value, str) else promise.value
        values = set(inside) if promise.value is None else named
        return all(share_of(group, value) <= bound for value in values)
    if kind == "DeltaDisclosure":
        return _keeps_delta(promise, group, table)
    assert kind == "BetaLikeness", kind
    return _keeps_beta(promise, group, table)


def _distance(
    distance: str, inside: list[Value], table: list[Value], tree: Tree | None, order: Sequence[Value]
) -> Fraction:
    if distance == "equal":
        return equal_distance(inside, table)
    if distance == "ordered":
        return ordered_distance(inside, table, [value for value in order if value in set(table)])
    assert tree is not None
    return hierarchical_distance(inside, table, tree)


def _keeps_delta(promise: Any, group: Sequence[Row], table: Sequence[Row]) -> bool:
    present = set(values_once(group))
    if promise.strict_zero and set(values_once(table)) - present:
        return False
    for value in present:
        factor = share_of(group, value) / share_of(table, value)
        limit = Fraction(2) ** promise.delta.numerator
        if not 1 / limit < factor**promise.delta.denominator < limit:
            return False
    return True


def _keeps_beta(promise: Any, group: Sequence[Row], table: Sequence[Row]) -> bool:
    for value in set(values_once(group)):
        overall = share_of(table, value)
        gain = (share_of(group, value) - overall) / overall
        if gain > 0 and (
            gain > promise.beta or (promise.kind == "enhanced" and float(gain) > -math.log(overall))
        ):
            return False
    return True
