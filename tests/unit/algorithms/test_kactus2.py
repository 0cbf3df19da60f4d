"""kACTUS-2: what it falsifies is counted, and never more than it may; promises beyond k are kept."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import kanopy
from kanopy.algorithms.kactus2 import _Repair, kactus2
from kanopy.data import EncodedTable, GroupCounts
from kanopy.errors import PolicyError
from kanopy.privacy import AlphaBound, KAnonymity, PrivacyModel
from kanopy.release.floor import band
from kanopy.trees import Tree, TreeBuilder

OPTIONS = {"swapping_threshold": 0.5, "swap_strict": True, "donor_only": False, "pooled": False}
Leaf = tuple[str, str]
"""The classes of its rows, and their confidential values; one letter each."""


def repaired(leaves: dict[str, Leaf], promise: PrivacyModel, **options: object) -> tuple[Counter[str], int]:
    """What x says in every group of a family, with the classes; and how many cells were swapped."""
    x = [leaf for leaf, (classes, _) in leaves.items() for _ in classes]
    classes = "".join(classes for classes, _ in leaves.values())
    values = "".join(values for _, values in leaves.values())
    assert len(classes) == len(values) == len(x)
    quasi = (column_of("up", ["u"] * len(x)), column_of("x", x))
    target, bounded = column_of("class", list(classes)), column_of("d", list(values))
    confidential = {"d": bounded} if promise.columns else {}
    table = EncodedTable(len(x), quasi, target, confidential)
    builder = TreeBuilder([column.domain for column in quasi])
    here, _ = builder.split(0, column=0)
    builder.split(here, column=1)
    repair = _Repair(table, builder.tree(), promise, **OPTIONS | options)
    repair.run(lambda *_: None)
    groups = repair.released()
    found: Counter[str] = Counter()
    for number, node in enumerate(groups.node.tolist()):
        rows = np.flatnonzero(groups.group == number)
        counts = GroupCounts.of(table, np.zeros(len(rows), dtype=np.int32), 1, rows)
        assert promise.holds(counts).all()
        said = {0: "root", here: "?"}.get(node) or sorted(leaves)[node - here - 2]
        found[f"{said}: {''.join(sorted(classes[row] for row in rows))}"] += 1
    return found, sum(len(rows) for rows, _, _ in repair.swaps)


K5 = KAnonymity(5)


# --- Options ---------------------------------------------------------------------------------------------


def test_strict_or_not() -> None:
    leaves = {"a": ("Y" * 7, "-" * 7), "b": ("NNN", "---")}
    assert repaired(leaves, K5) == ({"?: NNNYY": 1, "a: YYYYY": 1}, 0)
    assert repaired(leaves, K5, swap_strict=False) == ({"b: NNNYY": 1, "a: YYYYY": 1}, 2)


def test_for_the_sake_of_the_giver() -> None:
    """The small leaf is all Y; the giver would rather be rid of its N."""
    leaves = {"a": ("YYYYYYYYNN", "-" * 10), "b": ("YYY", "---")}
    assert repaired(leaves, K5) == ({"b: YYYYY": 1, "a: NNYYYYYY": 1}, 2)
    assert repaired(leaves, K5, donor_only=True) == ({"b: NNYYY": 1, "a: YYYYYYYY": 1}, 2)


def test_all_small_leaves_as_one() -> None:
    """One by one, b takes four rows and leaves too few for c; as one they need three."""
    leaves = {"a": ("Y" * 12, "-" * 12), "b": ("N", "-"), "c": ("N", "-")}
    one_by_one = repaired(leaves, K5, swapping_threshold=0.0)
    assert one_by_one == ({"?: NYYYY": 1, "a: YYYYYYYY": 1}, 0)
    as_one = repaired(leaves, K5, swapping_threshold=0.0, pooled=True)
    assert as_one == ({"?: NNYYY": 1, "a: YYYYYYYYY": 1}, 0)


def test_small_leaves_that_suffice_as_one_take_nothing() -> None:
    leaves = {"a": ("Y" * 12, "-" * 12), "b": ("NNN", "---"), "c": ("NNN", "---")}
    as_one = repaired(leaves, K5, swapping_threshold=0.0, pooled=True)
    assert as_one == ({"?: NNNNNN": 1, f"a: {'Y' * 12}": 1}, 0)
    # Swapping comes first, and is not done as one.
    assert repaired(leaves, K5, pooled=True)[1] == 4


# --- Promises beyond k -----------------------------------------------------------------------------------

HALF = KAnonymity(4) & AlphaBound("d", "1/2")


def test_nobody_gives_what_breaks_their_own_promise() -> None:
    """The giver's first row is its only way out of being all x: xxyy and one y more is not xxx."""
    leaves = {"a": ("Y" * 6, "yyyxxx"), "b": ("NNN", "zwv")}
    assert repaired(leaves, KAnonymity(4)) == ({"b: NNNY": 1, "a: YYYYY": 1}, 1)
    # Without the first y, three of five are x.
    assert repaired(leaves, HALF) == ({"a: YYYYYY": 1}, 0)
    # With one z among them, two of five are y, and three are x: still too many; with two it is fine.
    assert repaired({"a": ("Y" * 6, "yzzxxx"), "b": leaves["b"]}, HALF) == ({"a: YYYYYY": 1}, 0)
    assert repaired({"a": ("Y" * 6, "yzzvxx"), "b": leaves["b"]}, HALF)[1] == 1


def test_nobody_is_given_what_breaks_their_promise() -> None:
    """Two z and a w, and the first row of a: where it is a z too, three of four are z."""
    leaves = {"a": ("Y" * 7, "zpqrstu"), "b": ("NNN", "zzw")}
    assert repaired(leaves, KAnonymity(4))[1] == 1
    assert repaired(leaves, HALF) == ({"a: YYYYYYY": 1}, 0)
    assert repaired({"a": ("Y" * 7, "vpqrstu"), "b": leaves["b"]}, HALF)[1] == 1


def test_another_giver_where_the_purest_may_not() -> None:
    leaves = {"a": ("Y" * 6, "yyyxxx"), "b": ("YYYNNNN", "pqrstuv"), "c": ("YYY", "zwv")}
    assert repaired(leaves, KAnonymity(4))[0]["a: YYYYY"] == 1
    assert repaired(leaves, HALF) == ({"a: YYYYYY": 1, "b: NNNNYY": 1, "c: YYYY": 1}, 1)


def test_leaves_of_enough_rows_that_break_the_promise_go_up() -> None:
    leaves = {"a": ("Y" * 6, "pqrstu"), "b": ("N" * 6, "zzzzww")}
    assert repaired(leaves, HALF) == ({"root: NNNNNNYYYYYY": 1}, 0)
    assert repaired(leaves, KAnonymity(4)) == ({"a: YYYYYY": 1, "b: NNNNNN": 1}, 0)


@pytest.mark.parametrize("merge", ["suppress", "members"])
def test_a_group_that_joins_the_leftovers_is_not_swapped(merge: str) -> None:
    """Three b are filled up with an a. Then six z, too much of the same, need company: theirs, at the root,
    where nobody is told apart; so the a is an a again."""
    up, x = ["u"] * 13 + ["v"] * 6, ["a"] * 10 + ["b"] * 3 + ["a"] * 6
    quasi = (column_of("up", up), column_of("x", x))
    target = column_of("class", list("Y" * 10 + "N" * 3 + "Z" * 6))
    table = EncodedTable(19, quasi, target, {"d": column_of("d", list("abcdefghijklm" + "z" * 6))})
    options = {"inducer": "id3", "min_rows": 1, "merge": merge, "swapping_threshold": 0.5}
    rng = np.random.default_rng(0)
    assert kactus2(table, KAnonymity(4), rng, **options).facts == {"swapped_cells": 1}
    made = kactus2(table, KAnonymity(4) & AlphaBound("d", "0.6"), rng, **options)
    assert made.facts == {"swapped_cells": 0}
    assert made.groups[1] == 2
    for original, column in zip(quasi, made.columns, strict=True):
        for row in range(19):
            assert column.cells[column.ids[row]].covers(original.domain)[original.codes[row]]


# --- Through the door ------------------------------------------------------------------------------------


def some_people(n_rows: int = 300) -> pa.Table:
    rng = np.random.default_rng(3)
    job = rng.choice(["clerk", "smith", "nurse", "priest"], n_rows, p=[0.5, 0.3, 0.16, 0.04])
    age = rng.integers(20, 70, n_rows)
    town = rng.choice(["here", "there"], n_rows)
    odds = (age > 45) * 0.4 + (job == "clerk") * 0.3 + (job == "priest") * 0.5 + (town == "here") * 0.1
    ill = np.where(rng.random(n_rows) < odds, "yes", "no")
    row = np.arange(n_rows)
    return pa.table({"row": row, "age": age, "job": job, "town": town, "ill": ill})


POLICY = kanopy.Policy(
    quasi_identifiers=["age", "job", "town"],
    target="ill",
    keep=["row"],
    accept=["identifier:row"],
    k=10,
)


def n_lies(source: pa.Table, published: pa.Table) -> int:
    """Cells that are neither suppressed nor what the source says."""
    by_row = {row["row"]: row for row in source.to_pylist()}
    count = 0
    for row in published.to_pylist():
        original = by_row[row["row"]]
        count += row["job"] not in ("*", original["job"])
        count += row["town"] not in ("*", original["town"])
        if row["age"] != "*":
            low, _, high = row["age"].strip("[]").partition(", ")
            count += not int(low) <= original["age"] <= int(high or low)
    return count


SUPPRESS = {"merge": "suppress"}


def halves(table: EncodedTable, min_rows: int) -> Tree:
    """A tree of one's own: the first column at its middle, then one branch per job."""
    builder = TreeBuilder([column.domain for column in table.quasi])
    for side in builder.split(0, column=0, threshold=(table.quasi[0].domain.n_values - 1) // 2)[:2]:
        builder.split(side, column=1)
    return builder.tree()


@pytest.mark.parametrize("kind", ["fitted", "not fitted", "function"])
@pytest.mark.parametrize("options", [SUPPRESS, {"publish": "range"} | SUPPRESS, {"merge": "members"}])
def test_any_tree(kind: str, options: dict[str, str]) -> None:
    source = some_people()
    tree = DecisionTreeClassifier(min_samples_leaf=2, max_depth=6, random_state=0)
    if kind == "fitted":
        texts = OrdinalEncoder().fit_transform(source.select(["job", "town"]).to_pandas())
        tree.fit(np.column_stack([source["age"], texts]), source["ill"].to_pandas())
    inducer = halves if kind == "function" else tree
    asked = {"method": "kactus2", "inducer": inducer, "swapping_threshold": 1.0, **options}
    release = kanopy.anonymize(source, POLICY, **asked)
    assert release.audit.k >= POLICY.k
    assert len(set(release.frame["age"].to_pylist())) >= 2
    n_swapped = release.record["facts"]["swapped_cells"]
    assert n_swapped > 0, "a tree of which nothing has to be repaired tells nothing"
    if options["merge"] == "suppress":  # sets of jobs are not read here
        assert n_lies(source, release.frame) == n_swapped
    untouched = kanopy.anonymize(source, POLICY, **asked | {"swapping_threshold": 0.0})
    assert untouched.manifest["truthful"]


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(PolicyError, match="inducer"):
        kanopy.anonymize(some_people(), POLICY, method="kactus2", inducer="j48")
    with pytest.raises(PolicyError, match="no tree over the quasi-identifiers"):
        kanopy.anonymize(some_people(), POLICY, method="kactus2", inducer=lambda *_: None)


@pytest.mark.parametrize("options", [{}, {"pooled": True}, {"donor_only": True}, {"swap_strict": False}])
@pytest.mark.parametrize("inducer", ["c45", "id3"])
@pytest.mark.parametrize("threshold", [0, 0.5, 1])
def test_falsified_cells_are_counted(threshold: float, inducer: str, options: dict[str, bool]) -> None:
    source = some_people()
    release = kanopy.anonymize(
        source,
        POLICY,
        method="kactus2",
        swapping_threshold=threshold,
        inducer=inducer,
        min_rows=1,
        **options,
    )
    n_swapped = release.record["facts"]["swapped_cells"]
    assert n_lies(source, release.frame) == n_swapped
    assert release.manifest["truthful"] == (n_swapped == 0)
    assert release.manifest["facts"]["swapped_cells"] == band(n_swapped, max(POLICY.k, 3))
    notices = [notice for notice in release.record["notices"] if "swapped" in notice]
    assert len(notices) == (n_swapped > 0)
    if threshold == 0 or inducer == "id3":  # C4.5 prunes what would have to be repaired
        assert (n_swapped > 0) == (threshold > 0)
    assert not notices or f"{n_swapped:,} in all" in notices[0]
    told = [notice for notice in release.manifest["notices"] if "swapped" in notice]
    assert len(told) == len(notices)
    assert not told or f"{band(n_swapped, max(POLICY.k, 3))} in all" in told[0]
    classes = dict(zip(source["row"].to_pylist(), source["ill"].to_pylist(), strict=True))
    assert all(classes[row["row"]] == row["ill"] for row in release.frame.to_pylist())


def test_nothing_is_drawn() -> None:
    one, other = (kanopy.anonymize(some_people(), POLICY, method="kactus2", seed=seed) for seed in (1, 2))
    assert one.frame.equals(other.frame)


def test_a_tree_that_is_a_leaf() -> None:
    quasi = (column_of("q", list("aabbc")),)
    table = EncodedTable(5, quasi, column_of("class", ["Y"] * 5))
    recoding = kactus2(table, KAnonymity(3), np.random.default_rng(0))
    assert recoding.is_kept.all()
    assert recoding.facts == {"swapped_cells": 0}
    assert {recoding.columns[0].texts[cell] for cell in recoding.columns[0].ids.tolist()} == {"*"}
