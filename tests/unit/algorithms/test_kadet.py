"""kADET where it could go wrong: promises beyond k, persons, missing values, levels, equal numbers."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of, table_of

import kanopy
from kanopy.algorithms.kadet import kadet
from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy, Recoding
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import AlphaBound, DistinctDiversity, KAnonymity, PrivacyModel


def grown(table: EncodedTable, promise: PrivacyModel) -> Recoding:
    return kadet(table, promise, np.random.default_rng(0))


def printed(recoding: Recoding) -> Counter[tuple[str, ...]]:
    assert recoding.is_kept.all()
    return Counter(
        tuple(column.texts[column.ids[row]] for column in recoding.columns)
        for row in range(len(recoding.is_kept))
    )


def bounded(q: str, classes: str, values: str, persons: list[int] | None = None) -> EncodedTable:
    codes = None if persons is None else np.array(persons, dtype=np.int32)
    quasi = (column_of("q", list(q)),)
    confidential = {"d": column_of("d", list(values))}
    return EncodedTable(len(q), quasi, column_of("class", list(classes)), confidential, codes)


# --- Promises --------------------------------------------------------------------------------------------


def test_every_part_of_the_promise_must_hold() -> None:
    table = bounded("aaabbb", "YYYNNN", "xyxzzz")
    assert printed(grown(table, KAnonymity(3))) == {("a",): 3, ("b",): 3}
    assert printed(grown(table, KAnonymity(3) & DistinctDiversity("d", 2))) == {("*",): 6}
    varied = bounded("aaabbb", "YYYNNN", "xyxzzw")
    assert printed(grown(varied, KAnonymity(3) & DistinctDiversity("d", 2))) == {("a",): 3, ("b",): 3}


def test_k_counts_persons() -> None:
    arguments = ("aaabbb", "YYYNNN", "xyxyxy")
    assert len(printed(grown(bounded(*arguments, [1, 2, 3, 4, 5, 6]), KAnonymity(3)))) == 2
    assert len(printed(grown(bounded(*arguments, [1, 2, 2, 4, 5, 6]), KAnonymity(3)))) == 1


@pytest.mark.parametrize("kind", ["number", "text", "tree"])
@pytest.mark.parametrize("promise", [KAnonymity(12), KAnonymity(5) & AlphaBound("d", "0.6")])
@pytest.mark.parametrize("with_persons", [False, True])
def test_groups_keep_the_promise(kind: str, promise: PrivacyModel, with_persons: bool) -> None:
    rng = np.random.default_rng(1)
    n_rows = 300
    values = rng.integers(0, 8, n_rows)
    numbers = [None if value == 7 else int(value) for value in values]
    texts = [None if number is None else f"v{number}" for number in numbers]
    paths = [(f"v{n}", f"pair {n // 2}", f"half {n // 4}") for n in range(7)]
    quasi = {
        "number": column_of("q", numbers),
        "text": column_of("q", texts),
        "tree": column_of("q", texts, Hierarchy.from_paths("q", paths)),
    }[kind]
    other = column_of("r", rng.choice(list("abc"), n_rows).tolist())
    classes = np.where((values % 3 == 0) ^ (rng.random(n_rows) < 0.2), "Y", "N")
    persons = rng.integers(0, 1200, n_rows).astype(np.int32) if with_persons else None
    confidential = {"d": column_of("d", rng.choice(list("xyz"), n_rows).tolist())}
    table = EncodedTable(n_rows, (quasi, other), column_of("class", classes.tolist()), confidential, persons)
    recoding = grown(table, promise)
    groups, n_groups = recoding.groups
    assert n_groups == len(recoding.model.leaves()) > 1
    assert promise.holds(kanopy.data.GroupCounts.of(table, groups, n_groups)).all()


def test_what_all_rows_together_break_is_refused() -> None:
    with pytest.raises(UnsatisfiableError):
        grown(bounded("ab", "YN", "xy"), KAnonymity(3))


# --- Which split -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", ["YYYYYY", "YNYNYN"], ids=["a single class", "no gain"])
def test_nothing_to_gain(classes: str) -> None:
    recoding = grown(table_of({"q": list("aabbcc")}, target=list(classes)), KAnonymity(2))
    assert printed(recoding) == {("*",): 6}
    assert len(recoding.model.leaves()) == 1


def test_of_equal_columns_the_first() -> None:
    columns = {"q": list("aabb"), "r": list("aabb")}
    assert printed(grown(table_of(columns, target=list("YYNN")), KAnonymity(2))) == {
        ("a", "*"): 2,
        ("b", "*"): 2,
    }


def test_missing_is_a_branch_and_must_keep_the_promise() -> None:
    three, two = [1, 1, 1, 2, 2, 2, None, None, None], [1, 1, 1, 2, 2, 2, 2, None, None]
    split = printed(grown(table_of({"n": three}, target=list("YYYNNNYYY")), KAnonymity(3)))
    assert split == {("1",): 3, ("2",): 3, ("",): 3}
    assert len(printed(grown(table_of({"n": two}, target=list("YYYNNNNYY")), KAnonymity(3)))) == 1
    # What missing leaves in doubt is no gain.
    mixed = table_of({"n": [1, 1, 2, 2, None, None, None, None]}, target=list("YNYNYNYN"))
    assert printed(grown(mixed, KAnonymity(2))) == {("*",): 8}
    as_texts = [None if number is None else str(number) + "." for number in three]
    split = printed(grown(table_of({"q": as_texts}, target=list("YYYNNNYYY")), KAnonymity(3)))
    assert split == {("1.",): 3, ("2.",): 3, ("",): 3}


def test_a_number_is_cut_again() -> None:
    table = table_of({"n": [1, 1, 2, 2, 3, 3, 4, 4]}, target=list("YYNNYYNN"))
    assert printed(grown(table, KAnonymity(2))) == {("1",): 2, ("2",): 2, ("3",): 2, ("4",): 2}
    # No cut of four and four gains anything; two and six would, but two are too few.
    assert printed(grown(table, KAnonymity(3))) == {("*",): 8}


def test_a_number_that_is_written_twice_is_not_cut() -> None:
    """1.0 is not above 1, whatever the class says."""
    domain = Domain("n", ("1", "1.0", "2"), np.array([1.0, 1.0, 2.0]))
    codes = np.array([0, 0, 1, 1, 2, 2], dtype=np.uint8)
    table = EncodedTable(6, (CodedColumn(domain, codes),), column_of("class", list("YYNNNN")))
    assert printed(grown(table, KAnonymity(2))) == {("[1, 1.0]",): 4, ("2",): 2}
    other = EncodedTable(
        6, (CodedColumn(Domain("n", ("1", "1.5", "2"), np.array([1, 1.5, 2])), codes),), table.target
    )
    assert printed(grown(other, KAnonymity(2))) == {("1",): 2, ("[1.5, 2]",): 4}


# --- Levels of a hierarchy -------------------------------------------------------------------------------


@pytest.mark.parametrize("with_root", [False, True])
def test_the_root_of_a_hierarchy_is_no_level(with_root: bool) -> None:
    """Files may name the root, or not; apart from missing it holds everything, and would print as nothing."""
    ends = ["*"] if with_root else []
    paths = [(letter, "ab" if letter in "ab" else "cd", *ends) for letter in "abcd"]
    hierarchy = Hierarchy.from_paths("q", paths)
    classes = list("YNYNYNYNYNYNYYYY")
    table = table_of({"q": [*"aabcccccdddd", *[None] * 4]}, target=classes, hierarchies={"q": hierarchy})
    assert printed(grown(table, KAnonymity(4))) == {("*",): 16}  # a and b are three, and too few
    assert printed(grown(table, KAnonymity(3))) == {("ab",): 3, ("cd",): 9, ("",): 4}


def test_the_finest_level_that_is_allowed() -> None:
    paths = [(letter, letter if letter in "ab" else "cd", "abcd") for letter in "abcd"]
    hierarchy = Hierarchy.from_paths("q", paths)
    classes = "YYYNNNYYN"
    table = table_of({"q": list("aaabbbccd")}, target=list(classes), hierarchies={"q": hierarchy})
    assert printed(grown(table, KAnonymity(3))) == {("a",): 3, ("b",): 3, ("cd",): 3}
    assert printed(grown(table, KAnonymity(4))) == {("*",): 9}


# --- Through the door ------------------------------------------------------------------------------------


def test_the_tree_is_that_of_the_table() -> None:
    frame = pa.table({"q": ["a", "a", "b", "b", None, None], "t": ["Y", "Y", "N", None, "N", "N"]})
    release = kanopy.anonymize(frame, kanopy.Policy(quasi_identifiers=["q"], target="t", k=2), method="kadet")
    assert str(release.model) == "q = a: Y (2)\nq = b: N (2/1)\nq is missing: N (2)\n"
    assert release.manifest["truthful"]
    assert release.manifest["rows"] == {"in": 6, "out": 6, "dropped": 0}


def test_other_methods_have_no_tree() -> None:
    frame = pa.table({"q": ["a", "a", "b", "b"] * 8, "t": ["Y", "Y", "N", "N"] * 8})  # sketch needs 30 rows
    policy = kanopy.Policy(quasi_identifiers=["q"], target="t", k=2)
    for method in kanopy.methods():
        release = kanopy.anonymize(frame, policy, method=method.name, allow_empty=True)
        assert (release.model is not None) == method.publishes_tree
