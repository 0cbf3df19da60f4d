"""Columns that are refined from the top: missing values, chains, equal numbers, values that do not occur."""

from __future__ import annotations

import numpy as np
import pytest
from plain_tables import column_of

from kanopy.algorithms.cut_columns import CutColumn, DisclosureColumn, IntervalColumn, TaxonomyColumn
from kanopy.algorithms.refinements import less_distortion
from kanopy.data import CodedColumn, Domain, Hierarchy

PATHS = (
    ("a", "ab", "abc"),
    ("b", "ab", "abc"),
    ("c", "c", "abc"),
    ("d", "de", "de"),
    ("e", "de", "de"),
)


def tree(paths: tuple[tuple[str, ...], ...] = PATHS) -> Hierarchy:
    return Hierarchy.from_paths("q", paths)


def classes(text: str) -> CodedColumn:
    return column_of("class", list(text))


def texts(cut: CutColumn, column: CodedColumn) -> list[str]:
    """What every row prints."""
    return [cut.cells[cut.element[code]].text(cut.domain) for code in column.codes.tolist()]


def parts(cut: CutColumn, candidate: int) -> list[list[str]]:
    """The values of every part of a candidate."""
    labels = (*cut.domain.labels, "")
    return [[labels[code] for code in codes] for codes in cut._parts_of(candidate)]


def candidates(cut: CutColumn) -> list[int]:
    return np.unique(cut.candidate[cut.candidate >= 0]).tolist()


# --- Hierarchies -----------------------------------------------------------------------------------------


def test_a_node_is_replaced_by_its_children() -> None:
    column = column_of("q", list("abcde"), tree())
    cut = TaxonomyColumn(column, classes("YNYNY"))
    assert texts(cut, column) == ["*"] * 5
    assert parts(cut, 0) == [["a", "b", "c"], ["d", "e"]]
    cut.refine(0)
    assert texts(cut, column) == ["abc"] * 3 + ["de"] * 2
    assert [parts(cut, number) for number in candidates(cut)] == [[["a", "b"], ["c"]], [["d"], ["e"]]]
    cut.refine(1)
    assert texts(cut, column) == ["ab", "ab", "c", "de", "de"]
    assert len(set(cut.candidate_of_part[cut.part[cut.candidate >= 0]].tolist())) == 2


def test_missing_is_a_child_of_the_root() -> None:
    column = column_of("q", [*"abde", None], tree())
    cut = TaxonomyColumn(column, classes("YNYNY"))
    assert parts(cut, 0) == [["a", "b"], ["d", "e"], [""]]
    cut.refine(0)
    assert texts(cut, column) == ["abc", "abc", "de", "de", ""]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("aabbc", [["a", "b"], ["c"]]),
        ("aabb", [["a"], ["b"]]),
        ("ddee", [["d"], ["e"]]),
    ],
)
def test_a_chain_of_single_children_is_one_step(values: str, expected: list[list[str]]) -> None:
    """Where only one child occurs, the children of the child are meant."""
    column = column_of("q", list(values), tree())
    cut = TaxonomyColumn(column, classes("YNYNY"[: len(values)]))
    assert parts(cut, 0) == expected
    cut.refine(0)
    assert sorted(set(texts(cut, column))) == [
        part[0] if len(part) == 1 else "".join(part) for part in expected
    ]
    assert (cut.element[column.codes] > 0).all()


def test_a_chain_below_the_root() -> None:
    column = column_of("q", list("abd"), tree())
    cut = TaxonomyColumn(column, classes("YNY"))
    cut.refine(0)
    assert texts(cut, column) == ["abc", "abc", "de"]
    (below,) = candidates(cut)  # of d and e there is only one
    assert parts(cut, below) == [["a"], ["b"]]


@pytest.mark.parametrize("values", ["aaa", "ddd"])
def test_one_value_cannot_be_refined(values: str) -> None:
    cut = TaxonomyColumn(column_of("q", list(values), tree()), classes("YNY"))
    assert candidates(cut) == []
    assert cut.n_open == 0


@pytest.mark.parametrize("one_level", [False, True])
def test_a_tree_of_a_single_value(one_level: bool) -> None:
    """Its root is its leaf; with missing there are still two parts."""
    column = column_of("q", ["a", "a", None], tree((("a", "only"),)))
    cut = TaxonomyColumn(column, classes("YNY"), one_level=one_level)
    assert parts(cut, 0) == [["a"], [""]]
    cut.refine(0)
    assert texts(cut, column) == ["a", "a", ""]


@pytest.mark.parametrize("with_tree", [False, True])
def test_one_level(with_tree: bool) -> None:
    column = column_of("q", [*"abcde", None], tree() if with_tree else None)
    cut = TaxonomyColumn(column, classes("YNYNYN"), one_level=True)
    assert parts(cut, 0) == [["a"], ["b"], ["c"], ["d"], ["e"], [""]]
    cut.refine(0)
    assert texts(cut, column) == [*"abcde", ""]
    assert candidates(cut) == []


def test_a_number_with_a_hierarchy_keeps_its_tree() -> None:
    hierarchy = Hierarchy.from_paths("n", [("1", "low"), ("2", "low"), ("3", "high")])
    domain = Domain("n", hierarchy.leaves, np.array([1.0, 2.0, 3.0]), hierarchy=hierarchy)
    column = CodedColumn(domain, np.array([0, 1, 2], dtype=np.uint8))
    cut = TaxonomyColumn(column, classes("YNY"))
    cut.refine(0)
    assert texts(cut, column) == ["low", "low", "3"]


# --- Intervals -------------------------------------------------------------------------------------------


def numbers(*values: float | None) -> CodedColumn:
    return column_of("n", list(values))


def test_an_interval_is_cut_where_it_tells_most() -> None:
    column = numbers(1, 2, 3, 4, 5)
    cut = IntervalColumn(column, classes("YYNNN"))
    assert parts(cut, 0) == [["1", "2"], ["3", "4", "5"]]
    assert cut.gain[0] == pytest.approx(0.970951, abs=5e-7)
    cut.refine(0)
    assert texts(cut, column) == ["[1, 2]", "[1, 2]", "[3, 5]", "[3, 5]", "[3, 5]"]
    assert not cut.is_beneficial[candidates(cut)].any()


def test_of_equal_cuts_the_first() -> None:
    assert parts(IntervalColumn(numbers(1, 2, 3), classes("YNY")), 0) == [["1"], ["2", "3"]]
    assert parts(IntervalColumn(numbers(1, 2, 3, 4), classes("YYYY")), 0) == [["1"], ["2", "3", "4"]]


def test_missing_is_a_third_part() -> None:
    column = numbers(1, 2, None, 3)
    cut = IntervalColumn(column, classes("YYNN"))
    assert parts(cut, 0) == [["1", "2"], ["3"], [""]]
    cut.refine(0)
    assert texts(cut, column) == ["[1, 2]", "[1, 2]", "", "3"]
    assert [parts(cut, number) for number in candidates(cut)] == [[["1"], ["2"]]]


def test_one_number_and_missing() -> None:
    column = numbers(1, None, 1)
    cut = IntervalColumn(column, classes("YNY"))
    assert parts(cut, 0) == [["1"], [""]]
    cut.refine(0)
    assert texts(cut, column) == ["1", "", "1"]


@pytest.mark.parametrize("codes", [(0, 0), (2, 2)], ids=["one number", "all missing"])
def test_nothing_to_cut(codes: tuple[int, ...]) -> None:
    domain = Domain("n", ("1", "2"), np.array([1.0, 2.0]))
    column = CodedColumn(domain, np.array(codes, dtype=np.uint8))
    assert candidates(IntervalColumn(column, classes("YN"))) == []


def written_twice(*codes: int) -> CodedColumn:
    domain = Domain("n", ("1", "1.0", "2", "2.00"), np.array([1.0, 1.0, 2.0, 2.0]))
    return CodedColumn(domain, np.array(codes, dtype=np.uint8))


def test_equal_numbers_are_not_parted() -> None:
    column = written_twice(0, 1, 2, 3)
    cut = IntervalColumn(column, classes("YNNN"))  # the best cut would be after the first
    assert parts(cut, 0) == [["1", "1.0"], ["2", "2.00"]]
    cut.refine(0)
    assert texts(cut, column) == ["[1, 1.0]"] * 2 + ["[2, 2.00]"] * 2
    assert candidates(cut) == []


def test_equal_numbers_and_missing() -> None:
    column = written_twice(0, 1, 4)
    cut = IntervalColumn(column, classes("YNN"))
    assert parts(cut, 0) == [["1", "1.0"], [""]]


def test_numbers_that_do_not_occur_are_no_ends() -> None:
    domain = Domain("n", tuple("123456"), np.arange(1.0, 7.0))
    column = CodedColumn(domain, np.array([1, 2, 4], dtype=np.uint8))
    cut = IntervalColumn(column, classes("YYN"))
    cut.refine(0)
    assert texts(cut, column) == ["[2, 3]", "[2, 3]", "5"]


# --- Disclosure ------------------------------------------------------------------------------------------


def test_values_are_disclosed_one_by_one() -> None:
    column = column_of("q", [*"aabbc", None])
    cut = DisclosureColumn(column, classes("YYNNYN"))
    assert candidates(cut) == [0, 1, 2, 3]
    assert cut.gain[:3] == pytest.approx([0.459148, 0.459148, 0.190875], abs=5e-7)
    cut.refine(0)
    assert texts(cut, column) == ["a", "a", "*", "*", "*", "*"]
    assert candidates(cut) == [1, 2, 3]
    assert cut.gain[2] == pytest.approx(0.811278, abs=5e-7)  # of the four that are still suppressed
    cut.refine(3)
    assert texts(cut, column) == ["a", "a", "*", "*", "*", ""]
    for code in (1, 2):
        cut.refine(code)
    assert texts(cut, column) == [*"aabbc", ""]
    assert candidates(cut) == []


def test_suppressed_values_of_one_class_have_no_benefit() -> None:
    column = column_of("q", list("aabbcc"))
    cut = DisclosureColumn(column, classes("YNNNNN"))
    assert cut.is_beneficial[candidates(cut)].all()
    cut.refine(0)
    assert not cut.is_beneficial[candidates(cut)].any()
    counting = DisclosureColumn(column, classes("YNNNNN"), measure=less_distortion)
    counting.refine(0)
    assert counting.is_beneficial[candidates(counting)].all()
    assert counting.gain[candidates(counting)].tolist() == [2, 2]


@pytest.mark.parametrize("kind", [DisclosureColumn, TaxonomyColumn])
def test_values_that_do_not_occur_are_no_candidates(kind: type[CutColumn]) -> None:
    column = CodedColumn(Domain("q", tuple("abcd")), np.array([0, 2, 2], dtype=np.uint8))
    cut = kind(column, classes("YNN"))
    assert np.flatnonzero(cut.candidate >= 0).tolist() == [0, 2]


# --- The class -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [DisclosureColumn, TaxonomyColumn])
def test_missing_classes_are_a_class(kind: type[CutColumn]) -> None:
    column = column_of("q", list("aabb"))
    target = column_of("class", ["Y", "Y", None, None])
    cut = kind(column, target)
    assert cut.is_beneficial[candidates(cut)].all()
    assert set(cut.gain[candidates(cut)].tolist()) == {1.0}
    alone = kind(column, column_of("class", ["Y"] * 4))
    assert not alone.is_beneficial.any()


@pytest.mark.parametrize("kind", [DisclosureColumn, TaxonomyColumn])
def test_without_a_class_nothing_is_gained(kind: type[CutColumn]) -> None:
    cut = kind(column_of("q", list("aabb")), None)
    assert not cut.is_beneficial.any()
    assert not cut.gain.any()


def test_no_gain_is_exactly_none() -> None:
    """The same share of classes in every part, in all sizes: nothing is left of the logarithms."""
    for n_yes in range(1, 8):
        for times in range(2, 9):
            values = "a" * 2 * (n_yes + 1) + "b" * times * (n_yes + 1)
            told = "YY" * n_yes + "NN" + "Y" * n_yes * times + "N" * times
            column = column_of("q", list(values))
            for kind in (DisclosureColumn, TaxonomyColumn):
                assert not kind(column, classes(told)).gain.any()
