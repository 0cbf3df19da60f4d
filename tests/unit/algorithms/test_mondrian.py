"""Mondrian where it could go wrong: promises out of reach, no class, persons, ties, missing values."""

from __future__ import annotations

import numpy as np
import pytest
from plain_tables import column_of, printed_groups, table_of

from kanopy.algorithms.mondrian import MONDRIAN, mondrian
from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy, Recoding
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import Closeness, DistinctDiversity, KAnonymity, PrivacyModel
from kanopy.trees.class_counts import summed_entropy

Values = list[str | float | None]
BY_GAIN = {"cut": "gain", "max_chance": 1.0}  # as in the paper: any gain will do


def run(table: EncodedTable, promise: PrivacyModel, **options: object) -> Recoding:
    return mondrian(table, promise, np.random.default_rng(0), **options)


def groups_of(recoding: Recoding) -> list[list[int]]:
    return sorted(printed_groups(recoding))


def bounded(numbers: list[float], diagnoses: Values, persons: list[int] | None = None) -> EncodedTable:
    """A table with one numeric quasi-identifier and a confidential column."""
    diagnosis = column_of("d", diagnoses)
    codes = None if persons is None else np.array(persons, dtype=np.int32)
    return EncodedTable(len(numbers), (column_of("n", numbers),), diagnosis, {"d": diagnosis}, codes)


@pytest.mark.parametrize("cut", ["gain", "median"])
@pytest.mark.parametrize(
    ("promise", "part"),
    [
        (KAnonymity(5), "at least 5 rows"),
        (KAnonymity(2) & DistinctDiversity("d", 3), "at least 3 different values"),
        (DistinctDiversity("d", 3) & KAnonymity(9), "at least 3 different values"),
    ],
)
def test_a_promise_that_all_rows_together_break(cut: str, promise: PrivacyModel, part: str) -> None:
    with pytest.raises(UnsatisfiableError) as caught:
        run(bounded([1, 2, 3, 4], ["x", "x", "y", "y"]), promise, cut=cut)
    assert part in caught.value.message
    assert caught.value.exit_code == 4
    assert caught.value.hint


def test_the_hint_says_what_can_be_reached() -> None:
    with pytest.raises(UnsatisfiableError, match="reaches 4;"):
        run(table_of({"n": [1, 2, 3, 4]}), KAnonymity(5))


def test_as_many_rows_as_k_are_one_group() -> None:
    assert groups_of(run(table_of({"n": [1, 2, 3, 4]}), KAnonymity(4))) == [[0, 1, 2, 3]]


@pytest.mark.parametrize("strict", [True, False])
def test_fewer_than_twice_k_rows_are_one_group(strict: bool) -> None:
    table = table_of({"n": [1, 2, 3, 4, 5]})
    assert groups_of(run(table, KAnonymity(3), strict=strict)) == [[0, 1, 2, 3, 4]]


@pytest.mark.parametrize("target", [None, ["x"] * 4], ids=["no target", "a single class"])
def test_gain_without_classes_is_the_median(target: Values | None) -> None:
    table = table_of({"n": [1, 2, 3, 4]}, target=target)
    by_gain, by_median = (groups_of(run(table, KAnonymity(2), cut=cut)) for cut in ("gain", "median"))
    assert by_gain == by_median == [[0, 1], [2, 3]]


def test_k_counts_persons() -> None:
    numbers, diagnoses = [1, 1, 1, 2, 2, 3], ["x", "x", "x", "y", "y", "y"]
    apart = [[0, 1, 2], [3, 4, 5]]
    for cut in ("gain", "median"):
        of_rows = run(bounded(numbers, diagnoses), KAnonymity(2), cut=cut)
        assert groups_of(of_rows) == apart
        of_two = run(bounded(numbers, diagnoses, [0, 0, 1, 2, 2, 3]), KAnonymity(2), cut=cut)
        assert groups_of(of_two) == apart
        # The first three rows are one person now, and must not stand alone.
        of_one = run(bounded(numbers, diagnoses, [0, 0, 0, 2, 2, 3]), KAnonymity(2), cut=cut)
        assert groups_of(of_one) == [[0, 1, 2, 3, 4, 5]]


def test_too_few_persons_in_many_rows() -> None:
    with pytest.raises(UnsatisfiableError):
        run(bounded([1, 2, 3, 4], ["x"] * 4, [7, 7, 7, 7]), KAnonymity(2))


@pytest.mark.parametrize("cut", ["gain", "median"])
def test_cuts_stop_where_the_bound_would_break(cut: str) -> None:
    table = bounded([1, 2, 3, 4], ["x", "x", "y", "y"])
    assert len(groups_of(run(table, KAnonymity(2), cut=cut))) == 2
    assert len(groups_of(run(table, KAnonymity(2) & DistinctDiversity("d", 2), cut=cut))) == 1
    assert len(groups_of(run(table, KAnonymity(2) & Closeness("d", "0.4"), cut=cut))) == 1
    assert len(groups_of(run(table, KAnonymity(2) & Closeness("d", "0.5"), cut=cut))) == 2


def test_missing_is_cut_off_like_a_value() -> None:
    table = table_of({"n": [1, 2, None, None]})
    recoding = run(table, KAnonymity(2), cut="median")
    assert groups_of(recoding) == [[0, 1], [2, 3]]
    assert sorted(recoding.columns[0].texts) == ["", "[1, 2]"]


def test_only_missing() -> None:
    table = table_of({"n": [None] * 4}, target=["x", "x", "y", "y"])
    assert run(table, KAnonymity(2)).columns[0].texts == [""]


def test_a_column_without_width_is_not_cut() -> None:
    table = table_of({"n": [7] * 6}, target=["x", "y"] * 3)
    assert groups_of(run(table, KAnonymity(2), strict=False)) == [[0, 1, 2, 3, 4, 5]]


@pytest.mark.parametrize(
    ("columns", "groups"), [(("aacc", "bdbd"), [[0, 1], [2, 3]]), (("bdbd", "aacc"), [[0, 2], [1, 3]])]
)
def test_equally_wide_columns_are_cut_in_policy_order(
    columns: tuple[str, str], groups: list[list[int]]
) -> None:
    """From a to c is as far as from b to d, though floats see a difference in the last digit."""
    letters = Domain("q", ("a", "b", "c", "d"))
    assert letters.positions[2] - letters.positions[0] < letters.positions[3] - letters.positions[1]
    quasi = tuple(CodedColumn(letters, np.array(["abcd".index(v) for v in values])) for values in columns)
    assert groups_of(run(EncodedTable(4, quasi), KAnonymity(2), cut="median")) == groups


def test_a_cut_that_tells_nothing_gains_nothing() -> None:
    """The classes are 1 : 3 on both sides; only rounding could see a gain in that."""
    table = table_of({"n": [1] * 4 + [2] * 8}, target=["x", "y", "y", "y"] * 3)
    assert groups_of(run(table, KAnonymity(2), **BY_GAIN, try_lower_cut=False)) == [list(range(12))]
    # One row in the other class is a gain.
    table = table_of({"n": [1] * 4 + [2] * 8}, target=["y"] * 4 + ["x", "y", "y", "y"] * 2)
    found = run(table, KAnonymity(2), **BY_GAIN, try_lower_cut=False)
    assert groups_of(found) == [[0, 1, 2, 3], list(range(4, 12))]


def test_only_where_the_class_changes() -> None:
    """k = 4 allows cuts after 4, 5 and 6 rows; the class changes at none of them, so the median is next."""
    classes: Values = ["x", "x", "y", "y", "y", "y", "y", "y", "x", "x"]
    table = table_of({"n": list(range(10))}, target=classes)
    assert groups_of(run(table, KAnonymity(4), **BY_GAIN)) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    changed = table_of({"n": list(range(10))}, target=["x", "x", "x", "x", *classes[4:]])
    assert groups_of(run(changed, KAnonymity(4), **BY_GAIN)) == [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9]]


def test_the_first_of_equal_boundaries() -> None:
    table = table_of({"n": [1, 2, 3, 4, 5, 6]}, target=["x", "x", "y", "y", "x", "x"])
    assert groups_of(run(table, KAnonymity(2), **BY_GAIN)) == [[0, 1], [2, 3], [4, 5]]
    assert groups_of(run(table, KAnonymity(2), cut="median")) == [[0, 1, 2], [3, 4, 5]]
    longer = table_of({"n": [1, 2, 3, 4, 5]}, target=["x", "x", "y", "x", "x"])
    assert groups_of(run(longer, KAnonymity(2), **BY_GAIN)) == [[0, 1], [2, 3, 4]]


@pytest.mark.parametrize(
    ("columns", "alone"), [(("plain", "tree"), list(range(7))), (("tree", "plain"), list(range(6, 13)))]
)
def test_equal_gains_are_cut_in_policy_order(columns: tuple[str, str], alone: list[int]) -> None:
    """One y among six x, and eight x without: the same gain, with a hierarchy and without one."""
    values = {"plain": "a" * 7 + "b" * 8, "tree": "b" * 6 + "a" * 7 + "b" * 2}
    table = table_of(
        {name: list(values[name]) for name in columns},
        target=["x"] * 6 + ["y"] + ["x"] * 8,
        hierarchies={"tree": Hierarchy.from_paths("tree", [("a", "*"), ("b", "*")])},
    )
    assert alone in groups_of(run(table, KAnonymity(7), **BY_GAIN))


def test_equal_gains_that_floats_add_up_differently() -> None:
    """1 + 2 + 4 of three classes against 4 + 1 + 2: equally good, the first column wins."""
    lefts = [[1, 2, 4], [4, 1, 2]]
    one, other = (summed_entropy(np.array([left, [7 - n for n in left]])).sum() for left in lefts)
    assert one < other < one + 1e-12
    columns = {
        f"left {left}": [number for count in left for number in [1] * count + [2] * (7 - count)]
        for left in lefts
    }
    for names in (list(columns), list(columns)[::-1]):
        table = table_of({name: columns[name] for name in names}, target=["x"] * 7 + ["y"] * 7 + ["z"] * 7)
        alone = [row for row, number in enumerate(columns[names[0]]) if number == 1]
        assert alone in groups_of(run(table, KAnonymity(7), **BY_GAIN))


def test_a_hierarchy_with_more_leaves_than_two_bytes_count() -> None:
    """Missing goes to a side of its own, the one after the last leaf."""
    n_leaves = 2**16
    paths = [(f"{leaf:05d}", "low" if leaf < n_leaves // 2 else "high") for leaf in range(n_leaves)]
    hierarchy = Hierarchy.from_paths("q", paths)
    domain = Domain("q", hierarchy.leaves, hierarchy=hierarchy)
    codes = np.repeat([0, n_leaves - 1, n_leaves], 3).astype(np.uint32)
    classes = column_of("class", ["x"] * 3 + ["y"] * 3 + ["z"] * 3)
    table = EncodedTable(9, (CodedColumn(domain, codes),), classes)
    recoding, levels = run_in_levels(table, KAnonymity(3))
    assert groups_of(recoding) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert levels == [9]  # in one cut: groups of fewer than 2 k rows are settled as soon as they are cut


def run_in_levels(table: EncodedTable, promise: PrivacyModel) -> tuple[Recoding, list[int]]:
    """The recoding, and how many rows were settled after each level."""
    levels: list[int] = []
    rng = np.random.default_rng(0)
    recoding = mondrian(table, promise, rng, lambda n_settled, n_rows: levels.append(n_settled), **BY_GAIN)
    return recoding, levels


def test_progress_ends_with_all_rows() -> None:
    table = table_of({"n": [1, 2, 3, 4, 5, 5, 5, 5]}, target=["x", "y"] * 4)
    _, levels = run_in_levels(table, KAnonymity(2))
    assert levels == sorted(levels)
    assert levels[-1] == 8


def test_cuts_that_split_off_little_do_not_go_on_for_ever() -> None:
    """Pairs of classes in turn: what gains most is always to cut off the first pair, two rows a level."""
    n_rows = 2000
    table = table_of({"n": list(range(n_rows))}, target=["x", "x", "y", "y"] * (n_rows // 4))
    recoding, levels = run_in_levels(table, KAnonymity(2))
    assert levels[4] == 2 * 5  # the first pairs are gone, one by one
    assert len(levels) < n_rows // 20
    assert min(map(len, groups_of(recoding))) >= 2


# Gains that chance would give


def share_certain(recoding: Recoding, classes: np.ndarray) -> float:
    """The share of rows in groups of one class."""
    group, n_groups = recoding.groups
    first = np.zeros(n_groups, dtype=np.int64)
    first[group] = classes
    is_mixed = np.bincount(group, classes != first[group], minlength=n_groups) > 0
    return float(np.mean(~is_mixed[group]))


def test_shuffled_classes_are_hardly_more_certain_than_by_the_median() -> None:
    rng = np.random.default_rng(5)
    numbers = {f"n{place}": rng.integers(0, 40, 3000).tolist() for place in range(3)}
    letters = {f"l{place}": rng.choice(list("abcdefgh"), 3000).tolist() for place in range(3)}
    classes = (rng.random(3000) < 0.3).astype(np.int64)
    table = table_of(numbers | letters, target=[str(each) for each in classes])
    certain = {
        name: share_certain(run(table, KAnonymity(10), **options), classes)
        for name, options in {"median": {"cut": "median"}, "any gain": BY_GAIN, "default": {}}.items()
    }
    assert certain["default"] < certain["median"] + 0.02
    assert certain["any gain"] > certain["median"] + 0.1


@pytest.mark.parametrize("cut", ["gain", "median"])
def test_nodes_are_cut_alike_in_blocks_of_any_size(cut: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    numbers, letters = rng.integers(0, 40, 300), rng.integers(0, 6, 300)
    classes = (numbers + 5 * letters + rng.integers(0, 20, 300) > 40).astype(str).tolist()
    columns = {"n": numbers.tolist(), "l": [chr(97 + letter) for letter in letters.tolist()]}
    table = table_of(columns, target=classes)
    found = []
    for n_rows in (1_000_000, 50, 1):
        monkeypatch.setattr("kanopy.algorithms.mondrian._ROWS_AT_A_TIME", n_rows)
        recoding = run(table, KAnonymity(5), cut=cut)
        assert recoding.parts is not None
        found.append((recoding.parts.tolist(), [column.ids.tolist() for column in recoding.columns]))
    assert len(set(found[0][0])) > 10
    assert found[0] == found[1] == found[2]


def test_columns_that_told_about_the_class_are_cut_first() -> None:
    """The class is whether n is above 4. Then nothing is left to gain; m, which is wider, tells nothing."""
    n, m = [1 + row // 5 for row in range(40)], [row % 2 for row in range(40)]
    table = table_of({"m": m, "n": n}, target=["x" if number <= 4 else "y" for number in n])
    by_n = [list(range(first, first + 5)) for first in range(0, 40, 5)]
    assert groups_of(run(table, KAnonymity(5))) == by_n
    assert groups_of(run(table, KAnonymity(5), **BY_GAIN)) != by_n
    assert groups_of(run(table, KAnonymity(5), cut="median")) != by_n


@pytest.mark.parametrize(
    ("max_chance", "groups"), [(0.1, [[0, 1, 2], [3, 4, 5]]), (0.0999, [[0, 2, 4], [1, 3, 5]])]
)
def test_a_chance_that_is_exactly_the_bound_is_low_enough(max_chance: float, groups: list[list[int]]) -> None:
    """Three x, then three y is one of 20 orders; each of the two columns has one cut that leaves three rows.
    By the median, m comes first."""
    table = table_of({"m": [1, 2] * 3, "n": [1, 1, 1, 2, 2, 2]}, target=list("xxxyyy"))
    assert groups_of(run(table, KAnonymity(3), max_chance=max_chance)) == groups


def test_no_chance_at_all_is_the_median() -> None:
    table = table_of({"n": list(range(40))}, target=["x"] * 30 + ["y"] * 10)
    by_median = groups_of(run(table, KAnonymity(5), cut="median"))
    assert groups_of(run(table, KAnonymity(5), max_chance=0)) == by_median
    assert groups_of(run(table, KAnonymity(5))) != by_median


def test_the_defaults_of_the_function_are_those_of_the_options() -> None:
    assert mondrian.__kwdefaults__ == {name: option.default for name, option in MONDRIAN.options.items()}
