"""Worked examples of kACTUS-2, each with a near miss that comes out differently.

W1: one leaf is swapped, one suppressed. W2: which sibling gives. W3: how much it must keep.
W4: several classes. W5: no swapping.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from plain_tables import table_of

from kanopy.algorithms.kactus2 import _Repair, entropy, kactus2, select
from kanopy.data import EncodedTable, Recoding
from kanopy.privacy import KAnonymity
from kanopy.trees import TreeBuilder

Family = dict[str, str]
"""The classes of the rows of each leaf, one letter each."""

W1: Family = {"a": "YYYYYYYYYNNN", "b": "YNN", "c": "N"}
OPTIONS = {"swapping_threshold": 0.5, "swap_strict": True, "donor_only": False, "pooled": False}


def table_of_family(family: Family) -> EncodedTable:
    """A root with one branch for the family, which is divided by x, and one that needs nobody."""
    leaves = [leaf for leaf, classes in family.items() for _ in classes]
    n_others = 2 * len(leaves)
    columns = {"up": ["here"] * len(leaves) + ["there"] * n_others, "x": leaves + ["a"] * n_others}
    return table_of(columns, target=[*"".join(family.values()), *"Z" * n_others])


def repaired(family: Family, k: int = 5, **options: object) -> tuple[Counter[tuple[str, str]], int]:
    """What every group of the family prints for x, and its classes; and how many cells were swapped."""
    table = table_of_family(family)
    builder = TreeBuilder([column.domain for column in table.quasi])
    here, *_ = builder.split(0, column=0)
    builder.split(here, column=1)
    tree = builder.tree()
    repair = _Repair(table, tree, KAnonymity(k), **OPTIONS | options)
    repair.run(lambda *_: None)
    groups = repair.released()
    target = table.target
    labels = np.array([*target.domain.labels, ""])[target.codes]
    x = repair.swapped_table().quasi[1]
    found: Counter[tuple[str, str]] = Counter()
    for number, node in enumerate(groups.node.tolist()):
        rows = np.flatnonzero(groups.group == number)
        if node in (0, here):
            said = "?"
        elif tree.parent[node] == here:
            assert len(set(x.codes[rows].tolist())) == 1
            said = x.domain.labels[x.codes[rows[0]]]
        else:
            continue
        assert len(rows) >= k or node == 0
        told = "".join(sorted(labels[rows].tolist(), reverse=True))
        found[said, told] += 1
    return found, sum(len(rows) for rows, _, _ in repair.swaps)


# --- W1 and W5: swap and suppress ------------------------------------------------------------------------


def test_one_leaf_is_swapped_and_one_suppressed() -> None:
    groups, n_swapped = repaired(W1)
    assert groups == Counter({("b", "YNNNN"), ("?", "YYYNN"), ("a", "YYYYYY")})
    assert n_swapped == 2


def test_without_swapping() -> None:
    """W5: a serves b with N, N and then c with N, Y, Y, Y; it keeps six."""
    groups, n_swapped = repaired(W1, swapping_threshold=0.0)
    assert groups == Counter({("?", "YNNNN"), ("?", "YYYNN"), ("a", "YYYYYY")})
    assert n_swapped == 0


@pytest.mark.parametrize(
    ("threshold", "n_swapped"), [(0.0, 0), (0.39, 0), (0.4, 2), (0.79, 2), (0.8, 6), (1.0, 6)]
)
def test_the_threshold_is_included(threshold: float, n_swapped: int) -> None:
    """b lacks 2 of 5, c lacks 4 of 5."""
    assert repaired(W1, swapping_threshold=threshold)[1] == n_swapped


def test_the_threshold_is_a_decimal_number() -> None:
    """0.29 times 100 is less than 29 for floats; 29 of 100 is 0.29 all the same."""
    family = {"a": "Y" * 150, "b": "N" * 71}
    assert repaired(family, 100, swapping_threshold=0.29)[1] == 29
    assert repaired(family, 100, swapping_threshold=0.28)[1] == 0


def test_fewer_rows_to_give() -> None:
    """W1 with two rows of a less: after b nothing is left that c could have; it goes up and is dropped."""
    groups, n_swapped = repaired(W1 | {"a": "YYYYYYYNNN"})
    assert groups == Counter({("b", "YNNNN"), ("a", "YYYYYYYN")})
    assert n_swapped == 2


def test_the_rows_that_come_first_are_moved() -> None:
    table = table_of_family(W1)
    builder = TreeBuilder([column.domain for column in table.quasi])
    here, *_ = builder.split(0, column=0)
    builder.split(here, column=1)
    repair = _Repair(table, builder.tree(), KAnonymity(5), **OPTIONS)
    repair.run(lambda *_: None)
    x = table.quasi[1].codes
    is_swapped = np.flatnonzero(repair.swapped_table().quasi[1].codes != x)
    assert is_swapped.tolist() == [9, 10]  # the first two N of a; the third goes to c


# --- W1 through the whole method -------------------------------------------------------------------------


def printed(recoding: Recoding) -> Counter[tuple[str, ...]]:
    kept = np.flatnonzero(recoding.is_kept).tolist()
    return Counter(tuple(column.texts[column.ids[row]] for column in recoding.columns) for row in kept)


@pytest.mark.parametrize(
    ("threshold", "x"),
    [(0.5, {"a": 6, "b": 5, "*": 5}), (0.0, {"a": 6, "*": 10}), (0.8, {"a": 6, "b": 5, "c": 5})],
)
def test_the_whole_method(threshold: float, x: dict[str, int]) -> None:
    """ID3 finds the tree by itself: Z tells the branches of the root apart, x divides Y from N."""
    table = table_of_family(W1)
    recoding = kactus2(
        table,
        KAnonymity(5),
        np.random.default_rng(0),
        swapping_threshold=threshold,
        inducer="id3",
        min_rows=1,
        merge="suppress",
    )
    assert printed(recoding) == {("here", label): n for label, n in x.items()} | {("there", "*"): 32}
    assert recoding.facts == {"swapped_cells": {0.5: 2, 0.0: 0, 0.8: 6}[threshold]}


# --- W2: which sibling gives -----------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["a", "b"])
def test_the_giver_is_the_one_that_becomes_purest(first: str) -> None:
    second = "ab"[first == "a"]
    groups, n_swapped = repaired({first: "YYYYYYYYNN", second: "YYYYYNNNNN", "c": "NNN"})
    assert groups == Counter({("c", "NNNNN"), (first, "YYYYYYYY"), (second, "YYYYYNNNNN")})
    assert n_swapped == 2


def test_the_entropies_of_the_givers() -> None:
    small, required = np.array([3, 0]), 2
    for donor, left in (([2, 8], 0), ([5, 5], 0.954434)):
        counts = np.array(donor)
        assert entropy(counts - select(counts, small, required)) == pytest.approx(left, abs=5e-7)


def test_another_giver() -> None:
    """The other one wins where it would be the purer one: Y7 N3 leaves more doubt than Y8 N1 and 0."""
    groups, _ = repaired({"a": "YYYYYYYNNN", "b": "YYYYYYYYNN", "c": "NNN"})
    assert groups["a", "YYYYYYYNNN"] == 1
    assert groups["b", "YYYYYYYY"] == 1
    # Of equals the first in the order of the tree.
    groups, _ = repaired({"a": "YYYYYYYYNN", "b": "YYYYYYYYNN", "c": "NNN"})
    assert groups["a", "YYYYYYYY"] == 1


# --- W3: how much the giver must keep --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("giver", "options", "groups", "n_swapped"),
    [
        pytest.param("YYYYYNN", {}, {("?", "NNNNN"), ("a", "YYYYY")}, 0, id="suppressed"),
        pytest.param("YYYYYYNN", {}, {("b", "NNNNN"), ("a", "YYYYYY")}, 2, id="one row more"),
        pytest.param(
            "YYYYYNN",
            {"swap_strict": False},
            {("b", "NNNNN"), ("a", "YYYYY")},
            2,
            id="not strict",
        ),
        pytest.param("YYYYYN", {}, {("a", "YYYYYN")}, 0, id="one row less"),
    ],
)
def test_more_than_k_must_stay(
    giver: str, options: dict[str, bool], groups: set[tuple[str, str]], n_swapped: int
) -> None:
    assert repaired({"a": giver, "b": "NNN"}, **options) == (Counter(groups), n_swapped)


# --- W4: several classes ---------------------------------------------------------------------------------


def test_the_rarest_class_goes_where_none_is_wanted() -> None:
    donor, small = np.array([4, 3, 1, 0]), np.array([0, 0, 0, 2])
    assert entropy(donor) == pytest.approx(1.405639, abs=5e-7)
    left = [donor - select(donor, small, required) for required in (1, 2, 3)]
    assert [after.tolist() for after in left] == [[4, 3, 0, 0], [4, 2, 0, 0], [4, 1, 0, 0]]
    assert list(map(entropy, left)) == pytest.approx([0.985228, 0.918296, 0.721928], abs=5e-7)


@pytest.mark.parametrize(("taken", "left"), [(0, 1.448816), (1, 1.378783), (2, 0.985228)])
def test_the_first_step_and_its_alternatives(taken: int, left: float) -> None:
    after = np.array([4, 3, 1, 0])
    after[taken] -= 1
    assert entropy(after) == pytest.approx(left, abs=5e-7)


def test_the_wanted_class_goes_first_where_there_is_one() -> None:
    """The near miss: with a B among the small ones, it is B that is wanted, then what is rarest."""
    donor = np.array([4, 3, 1, 0])
    assert select(donor, np.array([0, 2, 0, 1]), 3).tolist() == [0, 3, 0, 0]
    assert select(donor, np.array([0, 2, 0, 1]), 3, match=False).tolist() == [0, 2, 1, 0]
    assert select(donor, np.array([0, 2, 0, 2]), 4).tolist() == [0, 3, 1, 0]
