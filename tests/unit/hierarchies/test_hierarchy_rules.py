"""Rules: what they make of the values of a column, and what they refuse."""

from __future__ import annotations

import copy
import doctest
import pickle
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kanopy.data import Hierarchy
from kanopy.data.grammar import clean_text
from kanopy.errors import PolicyError
from kanopy.hierarchies import Cuts, Dates, Groups, HierarchyRule, Merge, Prefix, Quantiles, Ranges


def levels(hierarchy: Hierarchy, value: str) -> list[str]:
    """What stands for a value, from itself to the root, each once."""
    code = hierarchy.leaves.index(value)
    return list(dict.fromkeys(hierarchy.node_label[node] for node in hierarchy.ancestors[:, code]))


def groups(hierarchy: Hierarchy) -> dict[str, set[str]]:
    """The values of every node with more than one."""
    spans = zip(hierarchy.node_label, hierarchy.node_low, hierarchy.node_high, strict=True)
    return {label: set(hierarchy.leaves[low : high + 1]) for label, low, high in spans if high > low}


def ages(*numbers: int) -> list[str]:
    return [str(number) for number in numbers]


def test_ranges() -> None:
    tree = Ranges([5, 10, 20]).build("age", ages(*range(17, 91)))
    assert levels(tree, "43") == ["43", "40 to 44", "40 to 49", "40 to 59", "*"]
    assert levels(tree, "40") == ["40", "40 to 44", "40 to 49", "40 to 59", "*"]
    assert tree.leaves == tuple(ages(*range(17, 91))), "in the order of the numbers"
    shifted = Ranges(10, start=5).build("age", ages(*range(-20, 30)))
    assert levels(shifted, "14") == ["14", "5 to 14", "*"]
    assert levels(shifted, "-6") == ["-6", "-15 to -6", "*"]


def test_ranges_of_decimals() -> None:
    tree = Ranges([0.1, 0.5]).build("dose", ["0.1", "0.15", "0.2", "0.3", "0.29", "-0.05", "-0.01"])
    assert groups(tree) == {
        "*": set(tree.leaves),
        "0.1 to <0.2": {"0.1", "0.15"},
        "0.2 to <0.3": {"0.2", "0.29"},
        "0 to <0.5": {"0.1", "0.15", "0.2", "0.29", "0.3"},
        "-0.1 to <0": {"-0.05", "-0.01"},
    }
    whole = Ranges(2.5).build("n", ["0", "1", "2", "3", "4", "5", "6"])
    assert set(groups(whole)) == {"*", "0 to <2.5", "2.5 to <5", "5 to <7.5"}


def test_cuts() -> None:
    tree = Cuts([18, 30, 65]).build("age", ages(*range(10, 80)))
    assert [levels(tree, age)[1] for age in ages(17, 18, 29, 30, 64, 65)] == [
        "<18", "18 to 29", "18 to 29", "30 to 64", "30 to 64", ">=65",
    ]  # fmt: skip
    two = Cuts([[18, 30, 65], [65]]).build("age", ages(*range(10, 80)))
    assert levels(two, "20") == ["20", "18 to 29", "<65", "*"]
    assert levels(two, "70") == ["70", ">=65", "*"]


def test_quantiles_hold_equally_many_rows() -> None:
    tree = Quantiles(8).build("age", ages(*range(100, 180)))
    sizes = [len(values) for label, values in groups(tree).items() if label != "*"]
    assert sorted(sizes) == [10] * 8 + [20] * 4 + [40] * 2
    assert levels(tree, "125") == ["125", "120 to 129", "120 to 139", "<140", "*"]
    rows = np.ones((80, 2), dtype=np.int64)
    rows[0] = 200  # most rows are in one value, which then is a group of its own
    heavy = groups(Quantiles(4).build("age", ages(*range(100, 180)), lambda: rows))
    assert set(heavy) - {"*"} == {"101 to 109", ">=110", ">=101"}


def test_quantiles_of_equal_numbers_stay_together() -> None:
    tree = Quantiles(2).build("n", ["1", "1.0", "+1", "01", "2", "3", "4"])
    assert {"1", "1.0", "+1", "01"} <= groups(tree)["<2"]


def test_dates() -> None:
    days = ["2023-12-31", "2024-01-01", "2024-01-31", "2024-03-31", "2024-04-01", "2024-04-02", "2031-01-01"]
    tree = Dates(["month", "quarter", "year", "decade"]).build("visit", days)
    assert levels(tree, "2024-01-31") == ["2024-01-31", "2024-01", "2024-Q1", "2024", "2020s", "*"]
    assert tree.leaves == tuple(days), "in the order of time"
    german = Dates(["month", "year"], "%d.%m.%Y").build("visit", ["31.01.2024", "1.2.2024", "03.01.2024"])
    assert german.leaves == ("03.01.2024", "31.01.2024", "1.2.2024")
    assert levels(german, "31.01.2024") == ["31.01.2024", "2024-01", "*"]
    times = Dates("day").build(
        "t", ["2024-01-01 10:00:00", "2024-01-01T11:00:00+02:00", "2024-01-02 00:00:00"]
    )
    assert set(groups(times)) == {"*", "2024-01-01"}
    twice = Dates("month", "%Y-%m").build("t", ["2024-05", "2024-5", "2024-06"])
    assert groups(twice)["2024-05*"] == {"2024-05", "2024-5"}, "the name of a value is taken"


def test_prefixes() -> None:
    tree = Prefix([3, 2, 1]).build("zip", ["12345", "12399", "12500", "19000", "20000", "12", "1"])
    assert levels(tree, "12345") == ["12345", "123*", "12*", "1*", "*"]
    assert levels(tree, "12") == ["12", "12*", "1*", "*"]
    assert groups(tree)["12*"] == {"12345", "12399", "12500", "12"}
    assert "2*" not in tree.node_label, "a group of one is that one"
    codes = Prefix(3).build("icd", ["A01", "A01.1", "A01*", "A02"])
    assert groups(codes)["A01**"] == {"A01", "A01.1", "A01*"}, "the name of a value is taken"


def test_groups() -> None:
    tree = {
        "Higher education": {
            "Undergraduate": ["Bachelors", " Some-college "],
            "Graduate": ["Masters", "PhD"],
        },
        "Secondary": ["9th", "10th"],
    }
    made = Groups(tree).build("education", [])
    assert levels(made, "Masters") == ["Masters", "Graduate", "Higher education", "*"]
    assert levels(made, "9th") == ["9th", "Secondary", "*"]
    assert levels(made, "Some-college") == ["Some-college", "Undergraduate", "Higher education", "*"]
    assert Groups({"young": ["9", "10"], "old": ["70", "80"]}).build("age", []).leaves == (
        "9",
        "10",
        "70",
        "80",
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ranges([]), "widths above 0"),
        (lambda: Ranges(0), "widths above 0"),
        (lambda: Ranges([-5]), "widths above 0"),
        (lambda: Ranges([5, 12]), "multiple of the one before"),
        (lambda: Ranges([5, 5]), "multiple of the one before"),
        (lambda: Ranges([10, 5]), "multiple of the one before"),
        (lambda: Ranges("5"), "ranges takes widths"),
        (lambda: Ranges([True]), "ranges takes widths"),
        (lambda: Ranges(None), "ranges takes widths"),
        (lambda: Ranges(float("nan")), "ranges takes widths"),
        (lambda: Ranges(float("inf")), "ranges takes widths"),
        (lambda: Ranges(Fraction(1, 3)), "of at most 30 digits"),
        (lambda: Ranges(10**31), "of at most 30 digits"),
        (lambda: Ranges(5, start="0"), "start of ranges takes a number"),
        (lambda: Ranges({5}), "ranges takes widths"),
        (lambda: Cuts([]), "in rising order"),
        (lambda: Cuts([30, 18]), "in rising order"),
        (lambda: Cuts([18, 18]), "in rising order"),
        (lambda: Cuts([[18, 30], []]), "in rising order"),
        (lambda: Cuts([[18, 30], [18, 30]]), "leave out some"),
        (lambda: Cuts([[18, 30], [20]]), "leave out some"),
        (lambda: Cuts([18, [30]]), "cuts takes numbers"),
        (lambda: Cuts("18"), "cuts takes numbers"),
        (lambda: Quantiles(1), "whole number of at least 2"),
        (lambda: Quantiles(True), "whole number of at least 2"),
        (lambda: Quantiles(2.0), "whole number of at least 2"),
        (lambda: Quantiles([8, 4]), "whole number of at least 2"),
        (lambda: Dates([]), "from fine to coarse"),
        (lambda: Dates(["year", "month"]), "from fine to coarse"),
        (lambda: Dates(["month", "month"]), "from fine to coarse"),
        (lambda: Dates(["week"]), "dates takes some of second, minute, hour, day"),
        (lambda: Dates([5]), "dates takes some of second, minute, hour, day"),
        (lambda: Dates(["month"], "%d.%m"), "format of dates is not understood"),
        (lambda: Dates(["month"], "%Q%Y"), "format of dates is not understood"),
        (lambda: Dates(["year"], "%Y%"), "format of dates is not understood"),
        (lambda: Dates(["year"], "%Y %Y"), "format of dates is not understood"),
        (lambda: Dates(["year"], ""), "format of dates is not understood"),
        (lambda: Dates(["year"], 5), "format of dates is not understood"),
        (lambda: Dates(["month"], "%Y"), "does not tell the month"),
        (lambda: Dates(["day"], "%Y-%m"), "does not tell the day"),
        (lambda: Prefix([]), "in falling order"),
        (lambda: Prefix([1, 2]), "in falling order"),
        (lambda: Prefix([2, 2]), "in falling order"),
        (lambda: Prefix([0]), "whole numbers of at least 1"),
        (lambda: Prefix("3"), "whole numbers of at least 1"),
        (lambda: Prefix([2.0]), "whole numbers of at least 1"),
        (lambda: Prefix([True]), "whole numbers of at least 1"),
        (lambda: Merge(0), "from 1 to 20"),
        (lambda: Merge(21), "from 1 to 20"),
        (lambda: Merge(True), "from 1 to 20"),
        (lambda: Merge("3"), "from 1 to 20"),
        (lambda: Groups([]), "names with lists of values"),
        (lambda: Groups({"g": 5}), "1 groups are neither"),
        (lambda: Groups({"g": ["a", 5]}), "1 groups are neither"),
        (lambda: Groups({"g": "ab"}), "1 groups are neither"),
        (lambda: Groups({"g": {"h": None, "i": 5}}), "2 groups are neither"),
        (lambda: Groups({5: ["a"]}), "1 groups are neither"),
        (lambda: Groups({"g": []}), "1 groups are empty"),
        (lambda: Groups({"g": {}}), "1 groups are empty"),
        (lambda: Groups({}), "1 groups are empty"),
        (lambda: Groups({" ": ["a", "b"]}), "2 values or groups above them have no name"),
        (lambda: Groups({"g": ["a", ""]}), "1 values or groups above them have no name"),
        (lambda: Groups(deep(40)), "deeper than 30 levels"),
    ],
)
def test_a_rule_that_makes_no_sense(make: Any, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        make()
    assert message in caught.value.message
    assert caught.value.hint


def deep(depth: int) -> Any:
    return {"g": deep(depth - 1)} if depth else ["a"]


def test_a_near_unit() -> None:
    with pytest.raises(PolicyError) as caught:
        Dates(["quater"])
    assert caught.value.hint == "did you mean 'quarter'?"


SECRET = "SECRET-4711"


@pytest.mark.parametrize(
    ("rule", "values", "message"),
    [
        (Ranges(5), ["1", SECRET, "x"], "takes numbers, but 2 values of the table are none"),
        (Cuts([5]), [SECRET], "takes numbers, but 1 values"),
        (Quantiles(2), ["1", "nan", SECRET], "takes numbers, but 2 values"),
        (
            Dates("year"),
            ["2024-01-01", SECRET, "2024-02-30", "1.2.2024"],
            "3 values of the table are no dates",
        ),
        (Dates("year", "%d.%m.%Y"), ["2024-01-01"], "1 values of the table are no dates"),
        (Merge(), ["a", "b"], "merged by the class, and there is none"),
        (Merge(), ages(*range(2001)), "at most 2,000 values, and the table has 2,001"),
        (Groups({"g": [SECRET], "h": [SECRET]}), [], "1 values are listed with two paths"),
        (Groups({"a": {"x": ["1"]}, "b": {"x": ["2", SECRET]}}), [], "give a value a second parent"),
        (Groups({"a": {"a": ["1", "2"], "b": ["3"]}}), [], "1 groups share their name"),
        (Groups({SECRET: [SECRET, "b"]}), [], "1 groups share their name"),
        (Groups({"0-4": ["5", "6", "3"]}), [], "2 values lie outside the interval"),
    ],
)
def test_a_table_that_does_not_fit(rule: HierarchyRule, values: list[str], message: str) -> None:
    counts = None if message.startswith("merged") else lambda: np.ones((len(values), 2), dtype=np.int64)
    with pytest.raises(PolicyError) as caught:
        rule.build("col", values, counts)
    assert message in caught.value.message
    assert "hierarchy of column 'col'" in caught.value.message
    assert caught.value.hint
    assert SECRET not in str(caught.value)


def test_numbers_of_every_kind() -> None:
    same = [Ranges([0.5, 1]), Ranges((Fraction(1, 2), 1)), Ranges([Decimal("0.5"), 1.0], start=0.0)]
    assert same[0] == same[1] == same[2]


def test_rules_can_be_copied_and_compared() -> None:
    for rule in (
        Ranges([5]),
        Cuts([5]),
        Quantiles(4),
        Dates("year"),
        Prefix(3),
        Merge(),
        Groups({"g": ["a"]}),
    ):
        assert copy.deepcopy(rule) == rule == pickle.loads(pickle.dumps(rule))
    assert Ranges([5]) != Ranges([10])
    assert Groups({"g": ["a"]}) != Groups({"g": ["b"]})


@pytest.mark.parametrize("module", ["groups", "icd10", "ranges"])
def test_examples(module: str) -> None:
    result = doctest.testmod(import_module(f"kanopy.hierarchies.{module}"))
    assert (result.failed, result.attempted > 0) == (0, True)


# --- whatever the values ---------------------------------------------------------------------------------

some_numbers = st.one_of(
    st.integers(-50, 50).map(str),
    st.decimals(-5, 5, places=2).map(str),
    st.sampled_from(["1e3", "-0", "+7", "007", "1.0", "9007199254740993", "1e-5"]),
)
some_texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    st.text("a1*|", max_size=5),
    st.sampled_from(["a", "b", "a | b", "a | b*", "1*", "1 to 4", "0-4", "[1, 2]", "{a}"]),
).map(clean_text).filter(lambda text: text not in ("", "*"))  # fmt: skip
some_dates = st.one_of(st.dates(), st.datetimes()).map(str)


@st.composite
def rules_and_values(draw: st.DrawFn) -> tuple[HierarchyRule, list[str], np.ndarray[Any, Any]]:
    kind = draw(st.sampled_from(["ranges", "cuts", "quantiles", "dates", "prefix", "merge"]))
    values = {"dates": some_dates, "prefix": some_texts, "merge": some_texts}.get(kind, some_numbers)
    labels = draw(st.lists(values, min_size=1, max_size=25, unique=True))
    rule: HierarchyRule
    if kind == "ranges":
        widths = draw(st.sampled_from([[1], [5, 10, 20], [0.5, 5], [3], [1, 100, 1000000]]))
        rule = Ranges(widths, start=draw(st.sampled_from([0, -3, 0.25])))
    elif kind == "cuts":
        cuts = draw(st.lists(st.integers(-20, 20), min_size=2, max_size=6, unique=True).map(sorted))
        rule = Cuts(draw(st.sampled_from([cuts, [cuts, cuts[:1]], [cuts, cuts[1:]]])))
    elif kind == "quantiles":
        rule = Quantiles(draw(st.integers(2, 9)))
    elif kind == "dates":
        units = ["day", "month", "quarter", "year", "decade"]
        rule = Dates([unit for unit in units if draw(st.booleans())] or ["year"])
    elif kind == "prefix":
        rule = Prefix(draw(st.sampled_from([[1], [3, 2, 1], [2], [4, 1]])))
    else:
        rule = Merge(draw(st.integers(1, 4)))
    row = st.lists(st.integers(0, 9), min_size=3, max_size=3)
    counts = np.array(draw(st.lists(row, min_size=len(labels), max_size=len(labels))), dtype=np.int64)
    return rule, labels, counts


@given(rules_and_values())
def test_every_rule_builds_a_tree_over_all_values(
    drawn: tuple[HierarchyRule, list[str], np.ndarray[Any, Any]],
) -> None:
    rule, labels, counts = drawn
    tree = rule.build("c", labels, lambda: counts)
    assert sorted(tree.leaves) == sorted(labels), "every value is covered, once"
    assert len(set(tree.node_label)) == len(tree.node_label), "no two nodes print alike"
    for lower, upper in zip(tree.ancestors, tree.ancestors[1:], strict=False):
        for node in np.unique(lower):
            assert len(np.unique(upper[lower == node])) == 1, "no group is split on a higher level"
        assert (tree.node_low[upper] <= tree.node_low[lower]).all()
        assert (tree.node_high[upper] >= tree.node_high[lower]).all()
    assert not tree.ancestors[-1].any(), "everything ends in the root"
    assert_same(tree, rule.build("c", labels, lambda: counts))
    if not rule.needs_class:  # equal losses are settled by the order of the values
        order = np.argsort(labels)[::-1]
        assert_same(tree, rule.build("c", [labels[place] for place in order], lambda: counts[order]))


def assert_same(one: Hierarchy, other: Hierarchy) -> None:
    assert one.leaves == other.leaves
    assert one.node_label == other.node_label
    assert one.ancestors.tolist() == other.ancestors.tolist()


def as_paths(tree: Hierarchy) -> Sequence[Sequence[str]]:
    return [[tree.node_label[node] for node in column] for column in tree.ancestors.T]


@given(rules_and_values())
def test_what_is_built_can_be_written_and_read(
    drawn: tuple[HierarchyRule, list[str], np.ndarray[Any, Any]],
) -> None:
    """The paths of a built hierarchy pass every check that a file must pass, that of intervals too."""
    rule, labels, counts = drawn
    assume(len(labels) > 1)  # a single value is the root, and printed as such
    tree = rule.build("c", labels, lambda: counts)
    again = Hierarchy.from_paths("c", as_paths(tree), tree.leaves.index)
    assert groups(again) == groups(tree)
