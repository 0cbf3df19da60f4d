"""Whether every group keeps a promise, decided from the audit's own counts: one function per kind of promise.

A promise is plain data: its kind and its bounds. Nothing here is shared with ``kanopy.privacy``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.auditing import precise
from kanopy.auditing.counted import Held, moved_equal, moved_in_order, moved_in_tree
from kanopy.auditing.precise import Integers
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.errors import PolicyError

Bounds = Mapping[str, Any]
Tree = tuple[Ints, Ints, Ints]  # the parent and the height of every node, and the node of each value

_UNSURE = 1e-9  # floats that come closer to a bound than this share of it do not decide


class Confidential(NamedTuple):
    """A confidential column: its counted values in order, missing the last, their codes, its hierarchy."""

    held: Held
    code_of: Mapping[str, int]
    tree: Tree | None = None


class Decision(NamedTuple):
    """Whether each group keeps a promise, and what each of them reaches."""

    holds: Bools
    reached: NDArray[Any]
    more_is_better: bool = False

    @property
    def level(self) -> float:
        """What the worst group reaches."""
        if not len(self.reached):
            return float("nan")
        return float(self.reached.min() if self.more_is_better else self.reached.max())

    @classmethod
    def joined(cls, decisions: Sequence[Decision]) -> Decision:
        """Decisions of one kind about the groups of several sets of columns, as one; O(groups)."""
        holds, reached = (np.concatenate([each[part] for each in decisions]) for part in (0, 1))
        return cls(holds, reached, decisions[0].more_is_better)


def _distinct(column: Confidential, bounds: Bounds) -> Decision:
    """At least l different values."""
    different = np.bincount(column.held.group, minlength=column.held.n_groups)
    return Decision(different >= bounds["l"], different, more_is_better=True)


def _entropy(column: Confidential, bounds: Bounds) -> Decision:
    """As varied as l equally frequent values: ``exp(entropy) >= l``."""
    held, least = column.held, Fraction(bounds["l"])
    sizes = np.maximum(held.sizes, 1)
    logs = np.bincount(held.group, held.count * np.log(held.count), minlength=held.n_groups)
    varied = np.exp(np.log(sizes) - logs / sizes)
    holds = varied >= float(least)
    # Equally frequent values: their number is the answer, without rounding.
    different = np.bincount(held.group, minlength=held.n_groups)
    most, fewest = np.zeros_like(sizes), sizes.copy()
    np.maximum.at(most, held.group, held.count)
    np.minimum.at(fewest, held.group, held.count)
    is_even = most == fewest
    holds[is_even] = precise.times(different[is_even], least.denominator) >= least.numerator
    is_open = ~is_even & (np.abs(varied - float(least)) <= _UNSURE * float(least))
    first = np.searchsorted(held.group, np.arange(held.n_groups + 1))
    known: dict[tuple[int, ...], bool] = {}
    for group in np.flatnonzero(is_open).tolist():
        sorted_counts = np.sort(held.count[first[group] : first[group + 1]])
        counts = tuple((sorted_counts // np.gcd.reduce(sorted_counts)).tolist())
        if counts not in known:
            terms = [(-count, Fraction(count)) for count in counts]
            known[counts] = precise.logarithms_sign([(sum(counts), sum(counts) / least), *terms]) >= 0
        holds[group] = known[counts]
    return Decision(holds, varied, more_is_better=True)


def _recursive(column: Confidential, bounds: Bounds) -> Decision:
    """The most frequent value is rarer than c times all from the l-th most frequent on."""
    held = column.held
    order = np.lexsort((-held.count, held.group))
    group, count = held.group[order], held.count[order]
    rank = np.arange(len(group)) - np.searchsorted(group, group)
    most = precise.summed(count[rank == 0], group[rank == 0], held.n_groups)
    is_rare = rank >= bounds["l"] - 1
    rare = precise.summed(count[is_rare], group[is_rare], held.n_groups)
    return Decision(precise.below(most, rare, bounds["c"]), precise.quotients(most, rare))


def _close(column: Confidential, bounds: Bounds) -> Decision:
    """A distance of at most t from the whole table."""
    distance = bounds["distance"]
    if distance == "equal":
        moved, whole = moved_equal(column.held)
    elif distance == "ordered":
        moved, whole = moved_in_order(column.held)
    elif distance == "hierarchical" and column.tree is not None:
        moved, whole = moved_in_tree(column.held, *column.tree)
    else:
        advice = "add the hierarchy of the column, or use the distance 'equal' or 'ordered'"
        raise PolicyError(f"closeness of column {bounds['column']!r} cannot be measured", advice)
    return Decision(precise.at_most(moved, whole, bounds["t"]), precise.quotients(moved, whole))


def _share_of(column: Confidential, bounds: Bounds) -> Decision:
    """At most this share of a group's members has the value, or each of the values that are named, or each
    value where none is."""
    held, bound = column.held, bounds["alpha" if "alpha" in bounds else "at_most"]
    with_it = np.zeros(held.n_groups, dtype=np.int64)
    is_meant = np.ones(len(held.value), dtype=bool)
    if bounds["value"] is not None:
        # PRIVACY: every value that is named is bounded (tests/sabotage/test_weak_promises.py).
        is_meant = np.isin(held.value, [column.code_of.get(name, -1) for name in named_values(bounds)])
    np.maximum.at(with_it, held.group[is_meant], held.count[is_meant])
    return Decision(precise.at_most(with_it, held.members, bound), precise.quotients(with_it, held.members))


def named_values(bounds: Bounds) -> tuple[str, ...]:
    """The values that a promise names: none, one or several."""
    value = bounds.get("value")
    return tuple(value) if isinstance(value, tuple | list) else () if value is None else (value,)


def _shares(held: Held) -> tuple[Integers, Integers]:
    """Of every entry, the share in the group and in the table, both times the members of both."""
    inside = precise.times(held.count, held.n_table)
    return inside, precise.products(held.totals[held.value], held.members[held.group])


def _worst(held: Held, is_kept: Bools, reached: Floats) -> tuple[Bools, Floats]:
    """Of every group, whether all its entries keep the bound, and the largest value that they reach."""
    holds, largest = np.ones(held.n_groups, dtype=bool), np.zeros(held.n_groups)
    holds[held.group[~is_kept]] = False
    np.maximum.at(largest, held.group, reached)
    return holds, largest


def _disclosure(column: Confidential, bounds: Bounds) -> Decision:
    """Shares in the group and in the table less than a factor of ``2 ** delta`` apart."""
    held, delta = column.held, Fraction(bounds["delta"])
    inside, overall = _shares(held)
    larger, smaller = np.maximum(inside, overall), np.minimum(inside, overall)
    apart = np.log1p(precise.quotients(larger - smaller, smaller)) / math.log(2)
    is_kept = apart < float(delta)
    is_open = np.abs(apart - float(delta)) <= _UNSURE * max(1.0, float(delta))
    if is_open.any():
        is_kept[is_open] = _is_less_apart(larger[is_open], smaller[is_open], delta)
    holds, reached = _worst(held, is_kept, apart)
    if bounds["strict_zero"]:
        lacks = np.bincount(held.group, minlength=held.n_groups) < np.count_nonzero(held.totals)
        holds[lacks], reached[lacks] = False, np.inf
    return Decision(holds, reached)


def _is_less_apart(larger: Integers, smaller: Integers, delta: Fraction) -> Bools:
    """Whether ``log2(larger / smaller) < delta``, exactly, where they come close to each other."""
    if delta.denominator == 1:  # only then can they be equal
        return np.asarray(larger < precise.times(smaller, 2**delta.numerator), dtype=bool)
    ratios = [Fraction(*pair) for pair in zip(larger.tolist(), smaller.tolist(), strict=True)]
    known = {
        ratio: precise.logarithms_sign([(delta.numerator, Fraction(2)), (-delta.denominator, ratio)]) > 0
        for ratio in set(ratios)
    }
    return np.array([known[ratio] for ratio in ratios], dtype=bool)


def _likeness(column: Confidential, bounds: Bounds) -> Decision:
    """No share grows by more than beta; with ``enhanced`` nor by more than ``-ln(share in the table)``."""
    held = column.held
    inside, overall = _shares(held)
    grown = np.maximum(inside - overall, 0)
    gain = precise.quotients(grown, overall)
    is_kept = precise.at_most(grown, overall, bounds["beta"])
    if bounds["kind"] == "enhanced":
        under_cap = _is_under_cap(held, grown, overall, gain)
        is_kept, gain = is_kept & under_cap, np.where(under_cap, gain, np.inf)
    return Decision(*_worst(held, is_kept, gain))


def _is_under_cap(held: Held, grown: Integers, overall: Integers, gain: Floats) -> Bools:
    """Whether ``gain <= -ln(share in the table)`` for every entry; exactly, where floats are not sure."""
    totals = np.maximum(held.totals, 1)
    cap = -np.log1p((totals - held.n_table) / max(held.n_table, 1))[held.value]
    is_under: Bools = (gain <= cap) | np.asarray(grown == 0, dtype=bool)
    is_open = (np.abs(gain - cap) <= _UNSURE * cap) & np.asarray(grown > 0, dtype=bool)
    for entry in np.flatnonzero(is_open).tolist():
        in_table = Fraction(int(held.totals[held.value[entry]]), held.n_table)
        gained = Fraction(int(grown[entry]), int(overall[entry]))
        is_under[entry] = precise.logarithms_sign([(-1, in_table)], -gained) >= 0
    return is_under


_KINDS: dict[str, Callable[[Confidential, Bounds], Decision]] = {
    "DistinctDiversity": _distinct,
    "EntropyDiversity": _entropy,
    "RecursiveDiversity": _recursive,
    "Closeness": _close,
    "AlphaBound": _share_of,
    "Template": _share_of,
    "DeltaDisclosure": _disclosure,
    "BetaLikeness": _likeness,
}
_SIZES = ("KAnonymity", "AnonymityOf", "CombinationAnonymity")


def decide(kind: str, bounds: Bounds, members: Ints, column: Confidential | None) -> Decision:
    """Whether each group keeps a promise of this kind; ``members`` are the rows, or persons, of each group.

    A PolicyError says that the kind is unknown: a promise that cannot be recounted cannot be made.
    """
    if kind in _SIZES:
        # PRIVACY: k itself suffices, and nothing below it (tests/sabotage/test_weak_promises.py).
        return Decision(members >= bounds["k"], members, more_is_better=True)
    if kind not in _KINDS or column is None:
        kinds = f"kinds: {', '.join((*_SIZES, *_KINDS))}"
        raise PolicyError(f"kanopy cannot recount a promise of the kind {kind!r}", kinds)
    decision = _KINDS[kind](column, bounds)
    is_nobodys = members == 0  # every group has rows
    if is_nobodys.any():
        # PRIVACY: nothing can be promised about rows that count for nobody
        # (tests/unit/auditing/test_nameless_rows.py).
        worst = 0 if decision.more_is_better else np.inf
        reached = np.where(is_nobodys, worst, decision.reached)
        decision = decision._replace(holds=decision.holds & ~is_nobodys, reached=reached)
    return decision
