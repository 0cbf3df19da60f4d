"""kACTUS where it could go wrong: promises beyond k, moves that are undone, lots, trees without branches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from oracles_tree_methods import at_least
from plain_tables import column_of, printed_groups

import kanopy
from kanopy.algorithms.kactus import anonymize_leaves, kactus
from kanopy.data import EncodedTable
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import (
    AlphaBound,
    Closeness,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)
from kanopy.trees import Tree, TreeBuilder

Family = dict[str, str]
"""The confidential values of the rows of each leaf, one letter each."""


def table_of_family(family: Family, persons: list[int] | None = None) -> EncodedTable:
    values = "".join(family.values())
    leaves = column_of("leaf", [leaf for leaf, rows in family.items() for _ in rows])
    bounded = column_of("d", list(values))
    target = column_of("class", ["Y", "N", "N"] * len(values))
    target = type(target)(target.domain, target.codes[: len(values)])
    codes = None if persons is None else np.array(persons, dtype=np.int32)
    return EncodedTable(len(values), (leaves,), target, {"d": bounded}, codes)


def stump(table: EncodedTable, _min_rows: int = 0) -> Tree:
    """One branch for every leaf; as an inducer."""
    builder = TreeBuilder([column.domain for column in table.quasi])
    builder.split(0, column=0)
    return builder.tree()


def released(table: EncodedTable, promise: PrivacyModel, seed: int = 0, **literal: bool) -> np.ndarray:
    """The node of each row: 0 is the root, 1, 2, ... are the leaves, -1 is nowhere."""
    tree = stump(table)
    leaf = tree.route([column.codes for column in table.quasi], table.n_rows)
    return anonymize_leaves(tree, leaf, table, promise, np.random.default_rng(seed), **literal).node


def sizes(family: Family, promise: PrivacyModel, **literal: bool) -> dict[int, int]:
    """How many rows each node releases: the same for every seed."""
    table = table_of_family(family)
    found = [Counter(released(table, promise, seed, **literal).tolist()) for seed in range(8)]
    assert all(each == found[0] for each in found)
    return found[0]


# --- Moves that would break the promise are undone -------------------------------------------------------

HALF = KAnonymity(3) & AlphaBound("d", "1/2")


def test_a_move_that_breaks_the_promise_of_the_giver() -> None:
    """Whoever leaves, of xxyy three are left, and two of them are the same; z, w and anyone would do."""
    assert sizes({"a": "xxyy", "b": "zw"}, HALF) == {1: 4, -1: 2}
    assert sizes({"a": "xxyyvv", "b": "zw"}, HALF) == {1: 5, 0: 3}  # of five, two are no harm
    assert sizes({"a": "xxyy", "b": "zw"}, KAnonymity(3)) == {1: 3, 0: 3}  # nor where only k is promised


def test_a_move_that_breaks_the_promise_of_those_that_are_helped() -> None:
    """z, z and anyone: two of three are the same."""
    assert sizes({"a": "pqrs", "b": "zz"}, HALF) == {1: 4, -1: 2}
    assert sizes({"a": "pqrs", "b": "zw"}, HALF) == {1: 3, 0: 3}
    assert sizes({"a": "pqrs", "b": "zz"}, KAnonymity(3)) == {1: 3, 0: 3}


def test_only_the_family_that_would_break_it_gives_nothing() -> None:
    """Two families side by side, one of which must keep its rows."""
    up, leaf, values = zip(
        *[("u", "a", d) for d in "xxyy"],
        *[("u", "b", d) for d in "zw"],
        *[("v", "a", d) for d in "pqrs"],
        *[("v", "b", d) for d in "zw"],
        strict=True,
    )
    quasi = (column_of("up", up), column_of("leaf", leaf))
    table = EncodedTable(12, quasi, column_of("class", ["Y"] * 12), {"d": column_of("d", values)})
    builder = TreeBuilder([column.domain for column in quasi])
    u, v, _ = builder.split(0, column=0)
    u_a, *_ = builder.split(u, column=1)
    v_a, *_ = builder.split(v, column=1)
    tree = builder.tree()
    leaves = tree.route([column.codes for column in quasi], 12)
    node, _ = anonymize_leaves(tree, leaves, table, HALF, np.random.default_rng(0))
    assert Counter(node.tolist()) == {u_a: 4, -1: 2, v_a: 3, v: 3}


@pytest.mark.parametrize("literal", ["literal_nui_zero", "literal_nui_ge_k"])
def test_literal_moves_are_undone_as_well(literal: str) -> None:
    leaves = {"a": "xxyyxy"} if literal == "literal_nui_zero" else {"a": "xxyyxy", "b": "zw", "c": "zw"}
    promise = KAnonymity(3) & AlphaBound("d", "0.55")  # of three that are x or y, two are the same
    assert sizes(leaves, promise, **{literal: True})[1] == 6
    assert sizes(leaves, KAnonymity(3), **{literal: True})[1] == 3


# --- Leftovers at the root -------------------------------------------------------------------------------


def test_leftovers_that_break_another_part_are_joined() -> None:
    """Four z are enough rows, but too much of the same: dropping them all would be wrong."""
    promise = KAnonymity(3) & AlphaBound("d", "0.6")
    assert sizes({"a": "pqr", "b": "zzzz"}, promise) == {0: 7}
    # The smallest group joins, and no more of them than are needed.
    assert sizes({"a": "stuvw", "b": "zzzz", "c": "pqr"}, promise) == {1: 5, 0: 7}
    # Fewer than k are dropped, as in the paper.
    assert sizes({"a": "pqr", "b": "zz"}, promise) == {1: 3, -1: 2}
    # And where they keep the promise, they are a group of their own.
    assert sizes({"a": "pqr", "b": "z", "c": "w", "d": "v"}, promise) == {1: 3, 0: 3}


def test_what_all_rows_together_break_is_refused() -> None:
    table = table_of_family({"a": "pq", "b": "zzzz"})
    with pytest.raises(UnsatisfiableError, match="even all rows together"):
        kactus(table, KAnonymity(3) & AlphaBound("d", "0.6"), np.random.default_rng(0), inducer=stump)


# --- Any promise -----------------------------------------------------------------------------------------

PROMISES = [
    DistinctDiversity("d", 2),
    EntropyDiversity("d", "1.8"),
    RecursiveDiversity("d", 2, 2),
    AlphaBound("d", "0.6"),
    AlphaBound("d", "0.5", "x"),
    Template(["leaf", "n"], "d", "x", "0.45"),
    Closeness("d", "0.4"),
]


@pytest.mark.parametrize("with_persons", [False, True])
@pytest.mark.parametrize("with_k", [False, True])
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: type(promise).__name__)
def test_groups_keep_any_promise(promise: PrivacyModel, with_k: bool, with_persons: bool) -> None:
    rng = np.random.default_rng(5)
    n_rows = 400
    letters, numbers = rng.choice(list("abcdef"), n_rows), rng.integers(0, 40, n_rows)
    classes = np.where((letters < "c") ^ (numbers > 20) ^ (rng.random(n_rows) < 0.1), "Y", "N")
    persons = rng.integers(0, 1500, n_rows).astype(np.int32) if with_persons else None
    bounded = column_of("d", rng.choice(list("xyz"), n_rows, p=[0.35, 0.35, 0.3]).tolist())
    quasi = (column_of("leaf", letters.tolist()), column_of("n", numbers.tolist()))
    table = EncodedTable(n_rows, quasi, column_of("class", classes.tolist()), {"d": bounded}, persons)
    asked = promise & KAnonymity(6) if with_k else promise
    recoding = kactus(table, asked, rng, inducer="c45", min_rows=2, publish="range")
    groups = printed_groups(recoding)
    assert len(groups) > 1
    for group in groups:
        label = np.zeros(len(group), dtype=np.int32)
        counts = kanopy.data.GroupCounts.of(table, label, 1, np.array(group))
        assert asked.holds(counts).all()


def test_k_counts_persons() -> None:
    """Leaf a has four rows of two persons."""
    family = {"a": "xyxy", "b": "xyzv"}
    persons = [1, 1, 2, 2, 3, 4, 5, 6]
    assert Counter(released(table_of_family(family), KAnonymity(3)).tolist()) == {1: 4, 2: 4}
    of_persons = released(table_of_family(family, persons), KAnonymity(3))
    assert Counter(of_persons[:4].tolist()) == {0: 4}
    assert len(set(np.array(persons)[of_persons == 0].tolist())) == 3


# --- Trees without branches ------------------------------------------------------------------------------


def test_a_tree_that_is_a_leaf() -> None:
    table = table_of_family({"a": "xyz", "b": "xy"})

    def leaf(table: EncodedTable, _min_rows: int) -> Tree:
        return TreeBuilder([column.domain for column in table.quasi]).tree()

    recoding = kactus(table, KAnonymity(3), np.random.default_rng(0), inducer=leaf)
    assert recoding.is_kept.all()
    assert {recoding.columns[0].texts[cell] for cell in recoding.columns[0].ids.tolist()} == {"*"}


@pytest.mark.parametrize("inducer", ["c45", "id3"])
def test_a_single_class(inducer: str) -> None:
    """Nothing to tell apart, so nothing is told."""
    frame = pa.table({"q": ["a", "a", "b", "b", "c"], "t": ["Y"] * 5})
    policy = kanopy.Policy(quasi_identifiers=["q"], target="t", k=2)
    release = kanopy.anonymize(frame, policy, method="kactus", inducer=inducer, allow_empty=True)
    assert release.frame["q"].to_pylist() == ["*"] * 5


@pytest.mark.parametrize("promise", [KAnonymity(2), HALF, Closeness("d", "0.9") & KAnonymity(2)])
def test_branches_that_nobody_takes(promise: PrivacyModel) -> None:
    """The deepest level has no rows at all."""
    table = table_of_family({"a": "xyz", "b": "xyz"})
    builder = TreeBuilder([column.domain for column in table.quasi])
    *_, missing = builder.split(0, column=0)
    builder.split(missing, column=0)
    tree = builder.tree()
    leaf = tree.route([column.codes for column in table.quasi], 6)
    node, _ = anonymize_leaves(tree, leaf, table, promise, np.random.default_rng(0))
    assert Counter(node.tolist()) == {1: 3, 2: 3}


def test_no_tree_at_all() -> None:
    with pytest.raises(PolicyError, match="gave no tree"):
        kactus(table_of_family({"a": "xyz"}), KAnonymity(2), np.random.default_rng(0), inducer=lambda *_: 1)


# --- Lots ------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_rows() -> None:
    table = table_of_family({"a": "x" * 20, "b": "x" * 12, "c": "x" * 3})
    first, again, other = (released(table, KAnonymity(8), seed) for seed in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()


def test_all_spare_rows_are_equally_likely_to_be_moved() -> None:
    """Of a 12 rows are spare and of b 4, and 5 of these 16 are drawn: per row, 12/20 or 4/12 times 5/16."""
    table = table_of_family({"a": "x" * 20, "b": "x" * 12, "c": "x" * 3})
    n_draws = 2000
    n_moved = np.zeros(table.n_rows)
    for seed in range(n_draws):
        node = released(table, KAnonymity(8), seed)
        assert np.count_nonzero(node == 0) == 8
        n_moved += node == 0
    assert (n_moved[32:] == n_draws).all()
    for rows, share in ((slice(0, 20), 12 / 20 * 5 / 16), (slice(20, 32), 4 / 12 * 5 / 16)):
        deviations = (n_moved[rows] - n_draws * share) / np.sqrt(n_draws * share * (1 - share))
        assert np.abs(deviations).max() < 4
    # Fairness among the leaves too: per spare row, not per leaf.
    assert n_moved[:20].sum() / n_moved[20:32].sum() == pytest.approx(12 / 4, rel=0.06)


def test_progress_ends_with_what_was_released() -> None:
    told: list[tuple[int, int]] = []
    table = table_of_family({"a": "xxxx", "b": "x"})
    tree = stump(table)
    leaf = tree.route([column.codes for column in table.quasi], 5)
    anonymize_leaves(
        tree, leaf, table, at_least(2), np.random.default_rng(0), lambda *each: told.append(each)
    )
    assert told == [(3, 5)]
