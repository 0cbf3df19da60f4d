"""Discretization: cuts by hand and by a naive twin, and bins for numbers that were never seen."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import log2, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import CodedColumn, Domain
from kanopy.errors import InputError
from kanopy.trees.discretize import Discretizer, bin_labels


def numeric(values: list[float | None], name: str = "x") -> CodedColumn:
    numbers = sorted({value for value in values if value is not None})
    domain = Domain(name, tuple(map(str, numbers)), np.array(numbers, dtype=np.float64))
    return CodedColumn(domain, _codes(values, numbers))


def categorical(values: list[str | None], name: str = "class") -> CodedColumn:
    labels = sorted({value for value in values if value is not None})
    return CodedColumn(Domain(name, tuple(labels)), _codes(values, labels))


def _codes(values: list, known: list) -> np.ndarray:
    return np.array(
        [len(known) if value is None else known.index(value) for value in values], dtype=np.uint16
    )


def cuts_of(
    values: list[float | None], classes: list[str | None] | str, weights: list[float] | None = None
) -> tuple[float, ...]:
    column, target = numeric(values), categorical(list(classes))
    (cuts,) = Discretizer.fit([column], target, None if weights is None else np.array(weights)).cuts
    assert cuts is not None
    return cuts


def printed(column: CodedColumn) -> list[str | None]:
    return [(*column.domain.labels, None)[code] for code in column.codes]


# --- where it cuts ---------------------------------------------------------------------------------------


def test_one_cut_by_hand() -> None:
    # N gain = 8 bits > log2 7 + log2 7 - (2 * 1 - 0 - 0) = 3.61
    assert cuts_of([8, 1, 2, 7, 3, 6, 4, 5], "baababab") == (4.5,)


@given(
    rows=st.lists(st.tuples(st.integers(0, 5), st.sampled_from("ab"), st.integers(1, 12)), min_size=1),
)
def test_a_row_that_stands_for_several_is_so_many_rows(rows: list[tuple[int, str, int]]) -> None:
    values, classes, times = map(list, zip(*rows, strict=True))
    every = [(value, label) for value, label, n_times in rows for _ in range(n_times)]
    counted = Discretizer.fit([numeric(values)], categorical(classes), times=np.array(times))
    assert counted.cuts == (cuts_of(*map(list, zip(*every, strict=True))),)


def test_cuts_within_cuts() -> None:
    assert cuts_of(list(range(60)), "a" * 20 + "b" * 20 + "a" * 20) == (19.5, 39.5)


@pytest.mark.parametrize(
    ("minority", "cuts"),
    [
        # E1 = E2 = 0.469: N gain = 10.62 > log2 19 + log2 7 - (2 - 4 * 0.469) = 6.93
        pytest.param(1, (1.5,), id="worth it"),
        # E1 = E2 = 0.722: N gain = 5.56 < log2 19 + log2 7 - (2 - 4 * 0.722) = 7.94, but it would be more
        # than 3.69, were the single place between the two values counted instead of 19 rows
        pytest.param(2, (), id="not worth it, rows being counted"),
    ],
)
def test_the_price_of_a_cut(minority: int, cuts: tuple[float, ...]) -> None:
    many, few = 10 - minority, minority
    assert cuts_of([1.0] * 10 + [2.0] * 10, "a" * many + "b" * few + "a" * few + "b" * many) == cuts


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        pytest.param([1, 2, 3, 4, 5, 6, 7, 8], "abababab", id="nothing to tell apart"),
        pytest.param([1, 2, 3, 4, 5, 6, 7, 8], "aaaaaaaa", id="one class"),
        pytest.param([5, 5, 5, 5, 5, 5, 5, 5], "aaaabbbb", id="one number"),
        pytest.param([None, None, None, None], "aabb", id="no number"),
        pytest.param([7], "a", id="one row"),
        pytest.param([], "", id="no row"),
    ],
)
def test_no_cut(values: list[float | None], classes: str) -> None:
    assert cuts_of(values, classes) == ()


def test_ties_go_to_the_lowest_cut() -> None:
    """Above and below the mixed number a cut gains the same; one made, the other no longer pays."""
    values, classes = [1.0] * 4 + [2.0] * 2 + [3.0] * 4, "a" * 4 + "ab" + "b" * 4
    assert cuts_of(values, classes) == (1.5,)
    assert cuts_of([-value for value in values], classes) == (-2.5,)


def test_ties_are_not_broken_by_rounding() -> None:
    """The first cut and the last gain the same, but floats find the last one better in its last digit."""
    mirrored = {0: (1, 10, 0), 1: (8, 5, 8), 2: (3, 1, 1), 3: (8, 8, 5), 4: (1, 0, 10)}
    rows = [
        (number, "abc"[i]) for number, counts in mirrored.items() for i in range(3) for _ in range(counts[i])
    ]
    assert cuts_of([number for number, _ in rows], [label for _, label in rows]) == (0.5,)


def test_rows_without_a_number_are_left_out() -> None:
    values, classes = [1, 2, 3, 4, 5, 6], "aaabbb"
    assert cuts_of([*values, *[None] * 50], classes + "c" * 50) == cuts_of(values, classes) == (3.5,)


def test_a_missing_class_is_a_class() -> None:
    assert cuts_of([1, 2, 3, 4, 5, 6], ["a", "a", "a", None, None, None]) == (3.5,)


def test_values_and_classes_that_do_not_occur_do_not_count() -> None:
    domain = Domain("x", ("1", "4", "5", "8"), np.array([1.0, 4.0, 5.0, 8.0]))
    column = CodedColumn(domain, np.array([0, 0, 0, 3, 3, 3], dtype=np.uint8))
    target = CodedColumn(Domain("y", ("a", "b", "c", "d")), np.array([1, 1, 1, 3, 3, 3], dtype=np.uint8))
    assert Discretizer.fit([column], target).cuts == ((4.5,),)


def test_a_number_written_in_two_ways_is_not_cut_apart() -> None:
    column = CodedColumn(
        Domain("x", ("1", "1.0"), np.array([1.0, 1.0])), np.array([0] * 9 + [1] * 9, dtype=np.uint8)
    )
    assert Discretizer.fit([column], categorical(list("a" * 9 + "b" * 9))).cuts == ((),)


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        pytest.param(1.0, 2.0, 1.5, id="halfway"),
        pytest.param(1.6e308, 1.7e308, 1.65e308, id="whose sum is no float"),
        pytest.param(-1.7e308, 1.7e308, 0.0, id="whose distance is no float"),
        pytest.param(1 - 2**-53, 1.0, 1 - 2**-53, id="neighbours, halfway rounded up"),
        pytest.param(5e-324, 1e-323, 5e-324, id="the smallest of all"),
    ],
)
def test_where_the_cut_lies(low: float, high: float, cut: float) -> None:
    column, target = numeric([low] * 9 + [high] * 9), categorical(["a"] * 9 + ["b"] * 9)
    fitted = Discretizer.fit([column], target)
    assert fitted.cuts == ((pytest.approx(cut, rel=1e-15, abs=0),),)
    (binned,) = fitted.apply([column])
    assert binned.codes.tolist() == [0] * 9 + [1] * 9


def test_more_classes_than_floats_can_count() -> None:
    """Three to the power of 700 is no float."""
    values = [value for value in range(700) for _ in range(3)]
    assert cuts_of(values, [f"{value:03}" for value in values])


# --- weights ---------------------------------------------------------------------------------------------


def test_a_row_without_weight_is_absent() -> None:
    values, classes = [1.0] * 9 + [2.0] * 9, "a" * 8 + "b" + "a" + "b" * 8
    assert cuts_of(values, classes) == (1.5,)
    absent = [1.5, *range(3, 90)]
    assert cuts_of([*values, *absent], classes + "a" * 88, [1] * 18 + [0] * 88) == (1.5,)


def test_weights_decide() -> None:
    values, classes = [1.0] * 10 + [2.0] * 10, "a" * 8 + "b" * 2 + "a" * 2 + "b" * 8
    assert cuts_of(values, classes) == cuts_of(values, classes, [1.0] * 20) == ()
    assert cuts_of(values, classes, [1.0] * 8 + [0.1] * 4 + [1.0] * 8) == (1.5,)
    assert cuts_of(values, classes, [3.0] * 20) == (1.5,)


@pytest.mark.parametrize("weights", [[1.0, -1.0], [1.0, np.nan], [1.0, np.inf], [1.0], [[1.0, 1.0]]])
def test_weights_that_are_none(weights: list[float]) -> None:
    with pytest.raises(InputError, match="weights"):
        cuts_of([1, 2], "ab", weights)


# --- the naive twin --------------------------------------------------------------------------------------

Row = tuple[int, str, int]
"""Number, class, and weight in some unit."""


def naive_cuts(rows: list[Row], unit: float) -> list[float]:
    """Over and over the rows, as the paper writes it; entropies are compared exactly."""
    numbers = sorted({number for number, _, _ in rows})
    best, least = None, certainty(rows)
    for low, high in pairwise(numbers):
        below, above = parts(rows, (low + high) / 2)
        if certainty(below) * certainty(above) > least:
            best, least = (low + high) / 2, certainty(below) * certainty(above)
    if best is None:
        return []
    below, above = parts(rows, best)
    k, k1, k2 = (len({c for _, c, _ in part}) for part in (rows, below, above))
    n, n1, n2 = (unit * sum(weight for _, _, weight in part) for part in (rows, below, above))
    gain = entropy(rows) - n1 / n * entropy(below) - n2 / n * entropy(above)
    delta = log2(3**k - 2) - (k * entropy(rows) - k1 * entropy(below) - k2 * entropy(above))
    if gain <= (log2(len(rows) - 1) + delta) / n:
        return []
    return [*naive_cuts(below, unit), best, *naive_cuts(above, unit)]


def parts(rows: list[Row], cut: float) -> tuple[list[Row], list[Row]]:
    return [row for row in rows if row[0] <= cut], [row for row in rows if row[0] > cut]


def class_weights(rows: list[Row]) -> Counter[str]:
    weights: Counter[str] = Counter()
    for _, label, weight in rows:
        weights[label] += weight
    return weights


def certainty(rows: list[Row]) -> Fraction:
    """Two to the power of -N E, which is a ratio of whole numbers as the weights are whole."""
    weights = class_weights(rows)
    total = weights.total()
    return Fraction(prod(weight**weight for weight in weights.values()), total**total)


def entropy(rows: list[Row]) -> float:
    weights = class_weights(rows)
    return -sum(weight / weights.total() * log2(weight / weights.total()) for weight in weights.values())


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """Rows whose class mostly follows from the number, so that there is something to cut."""
    n_values = draw(st.integers(2, 8))
    steps = draw(st.lists(st.sampled_from("abc"), min_size=n_values, max_size=n_values))
    rows: list[Row] = []
    for number, usual in enumerate(steps):
        classes = [usual] * draw(st.integers(0, 6)) + draw(st.lists(st.sampled_from("abcd"), max_size=2))
        rows += [(number, label, draw(st.integers(1, 3))) for label in classes]
    return draw(st.permutations(rows))


@given(tables(), st.sampled_from([None, 1.0, 0.5, 0.375, 10.0]))
def test_cuts_are_those_of_the_naive_twin(rows: list[Row], unit: float | None) -> None:
    if unit is None:
        rows = [(number, label, 1) for number, label, _ in rows]
    values, classes = [number for number, _, _ in rows], [label for _, label, _ in rows]
    weights = None if unit is None else [unit * weight for _, _, weight in rows]
    assert list(cuts_of(values, classes, weights)) == naive_cuts(rows, unit or 1.0)


# --- bins ------------------------------------------------------------------------------------------------


def test_bins_of_numbers_that_were_never_seen() -> None:
    fitted = Discretizer(("x",), ((27.5, 61.0),))
    new = numeric([-1e9, 27.5, 27.50001, 61, 61.00001, None, 1e9])
    (binned,) = fitted.apply([new])
    assert printed(binned) == ["<=27.5", "<=27.5", "(27.5, 61]", "(27.5, 61]", ">61", None, ">61"]
    assert binned.domain.labels == ("<=27.5", "(27.5, 61]", ">61")
    assert not binned.domain.is_numeric
    assert np.issubdtype(binned.codes.dtype, np.unsignedinteger)


def test_a_bin_exists_also_where_nothing_falls_into_it() -> None:
    (binned,) = Discretizer(("x",), ((1.0, 2.0, 10.0),)).apply([numeric([5.0])])
    assert binned.domain.labels == ("<=1", "(1, 2]", "(2, 10]", ">10")
    assert binned.codes.tolist() == [2]


def test_a_column_without_cuts_is_one_bin() -> None:
    column = numeric([3, None, 4])
    (binned,) = Discretizer.fit([column], categorical(["a", "a", "a"])).apply([column])
    assert printed(binned) == ["all", None, "all"]
    assert binned.domain.n_values == 1


def test_other_columns_stay_as_they_are() -> None:
    letters, numbers = categorical(list("ppqq"), "letter"), numeric([1, 2, 3, 4])
    target = categorical(list("aabb"))
    fitted = Discretizer.fit([letters, numbers], target)
    assert fitted.names == ("letter", "x")
    assert fitted.cuts == (None, (2.5,))
    binned = fitted.apply([letters, numbers])
    assert binned[0] is letters
    assert printed(binned[1]) == ["<=2.5", "<=2.5", ">2.5", ">2.5"]


def test_all_tables_get_the_same_domains() -> None:
    fitted = Discretizer(("x",), ((1.0,),))
    assert (
        fitted.apply([numeric([0, 5])])[0].domain is fitted.apply([numeric([7])])[0].domain is fitted.bins[0]
    )


def test_a_column_that_is_all_missing_later() -> None:
    """Without a single value, nothing tells that it is numeric."""
    empty = CodedColumn(Domain("x", ()), np.zeros(3, dtype=np.uint8))
    (binned,) = Discretizer(("x",), ((1.0,),)).apply([empty])
    assert printed(binned) == [None, None, None]


def test_a_column_that_is_numeric_no_more() -> None:
    with pytest.raises(InputError, match="'x'") as caught:
        Discretizer(("x",), ((1.0,),)).apply([categorical(["SECRET-4711"], "x")])
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("names", [[], ["y"], ["x", "y"]])
def test_other_columns_than_fitted(names: list[str]) -> None:
    with pytest.raises(InputError, match="columns"):
        Discretizer(("x",), ((1.0,),)).apply([numeric([1], name) for name in names])


@pytest.mark.parametrize(
    ("cuts", "labels"),
    [
        ((), ("all",)),
        ((0.5,), ("<=0.5", ">0.5")),
        ((-2.0, 3.0), ("<=-2", "(-2, 3]", ">3")),
        (((0.1 + 0.2) / 2,), ("<=0.15", ">0.15")),
        ((123456.5, 1e20), ("<=123456.5", "(123456.5, 1e+20]", ">1e+20")),
        ((1.0, 1 + 2**-52), ("<=1.0", "(1.0, 1.0000000000000002]", ">1.0000000000000002")),
    ],
)
def test_labels(cuts: tuple[float, ...], labels: tuple[str, ...]) -> None:
    assert bin_labels(cuts) == labels


def test_fitted_cuts_compare_and_hash() -> None:
    column, target = numeric([1, 2, 3, 4]), categorical(list("aabb"))
    fitted = Discretizer.fit([column], target)
    assert fitted == Discretizer(("x",), ((2.5,),))
    assert len({fitted, Discretizer.fit([column], target)}) == 1
