"""What all promises have in common, and promises of several parts."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction

import numpy as np
import pytest
from oracles import counts_of
from promises import EVERY_KIND, ON_COLUMN

from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts, Histogram
from kanopy.errors import PolicyError
from kanopy.privacy import (
    AllOf,
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    CombinationAnonymity,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

WITHIN = "Within every group of look-alikes, "
SENTENCES = [
    "Every combination of the quasi-identifiers covers at least 10 rows.",
    "Every combination of 'age' and 'zip' covers at least 10 rows.",
    "Every combination of values in up to 3 of the quasi-identifiers covers at least 10 rows. Combinations "
    "of more than 3 quasi-identifiers are not protected: this is not k-anonymity.",
    WITHIN + "column 'd' takes at least 2 different values.",
    WITHIN + "the values of column 'd' are at least as mixed as 1.5 equally frequent values.",
    WITHIN + "the most frequent value of column 'd' occurs less than 3 times as often as all values "
    "from rank 2 down together.",
    WITHIN + "the values of column 'd' are spread as in the whole table, up to a distance of 0.2 "
    "(all values equally far apart; 0 is the same, 1 the opposite).",
    WITHIN + "the values of column 'd' are spread as in the whole table, up to a distance of 0.2 "
    "(values apart by their order; 0 is the same, 1 the opposite).",
    WITHIN + "each value of column 'd' makes up at most 0.5 of the rows.",
    WITHIN + "the value 'a' of column 'd' makes up at most 0.5 of the rows.",
    "Whoever knows 'age' and 'zip' of someone can conclude that 'd' is 'a' with a confidence of at most 1/3.",
    "Whoever knows 'age' and 'zip' of someone can conclude that 'd' is 'b', or that it is 'a', each with a "
    "confidence of at most 1/3.",
    WITHIN + "the share of each value found there in column 'd' differs from its share in the whole table "
    "by a factor of less than 2 to the power of 1 (about 2).",
    WITHIN + "the share of each value in column 'd' differs from its share in the whole table "
    "by a factor of less than 2 to the power of 1 (about 2).",
    WITHIN + "no value of column 'd' is more than 3 times as frequent as in the whole table.",
    WITHIN + "no value of column 'd' is more than 3 times as frequent as in the whole table, "
    "and frequent values gain less still.",
]


def scaled(counts: GroupCounts, factor: int) -> GroupCounts:
    """The same distributions in a table that is many times as large."""
    by_name = {
        name: replace(histogram, count=histogram.count * factor, totals=histogram.totals * factor)
        for name, histogram in counts.histograms.items()
    }
    return GroupCounts(counts.rows * factor, None, by_name)


@pytest.mark.parametrize(("model", "sentence"), list(zip(EVERY_KIND, SENTENCES, strict=True)))
def test_sentences(model: PrivacyModel, sentence: str) -> None:
    assert model.sentence() == sentence
    of_persons = model.sentence("persons")
    if isinstance(model, KAnonymity | AnonymityOf | CombinationAnonymity):
        assert of_persons == sentence.replace("at least 10 rows", "at least 10 persons")
    elif isinstance(model, AlphaBound):
        assert of_persons == sentence.replace("makes up", "is found with").replace("rows", "persons")
    elif isinstance(model, DistinctDiversity):
        assert of_persons == sentence, "different values are the same, whoever has them"
    else:
        assert of_persons == f"{sentence.removesuffix('.')}, counted in persons."


@pytest.mark.parametrize("model", EVERY_KIND)
def test_models_are_values(model: PrivacyModel) -> None:
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), replace(model)):
        assert twin == model
        assert hash(twin) == hash(model)
    assert [model == other for other in EVERY_KIND].count(True) == 1
    assert not hasattr(model, "__dict__")
    with pytest.raises(FrozenInstanceError):
        setattr(model, fields(model)[0].name, "other")
    assert model.parts == (model,)


def test_a_bound_is_the_same_however_it_is_written() -> None:
    assert Closeness("d", 0.3) == Closeness("d", "0.3") == Closeness("d", Fraction(3, 10))
    assert EntropyDiversity("d", 2) == EntropyDiversity("d", 2.0)


@pytest.mark.parametrize("model", EVERY_KIND)
def test_a_promise_is_about_all_quasi_identifiers_unless_some_are_given(model: PrivacyModel) -> None:
    assert model.grouped_by == getattr(model, "given", None)
    assert model.grouped_by is None or model.monotone, "methods judge it on parts of its groups"


@pytest.mark.parametrize("model", ON_COLUMN)
def test_column_models_name_their_column(model: PrivacyModel) -> None:
    assert model.columns == ("d",)
    uncounted = counts_of([["a", "b"]], column="disease")
    with pytest.raises(PolicyError, match="column 'd' is promised something but was not counted"):
        model.holds(uncounted)


@pytest.mark.parametrize("model", EVERY_KIND)
def test_no_groups_are_judged_but_have_no_level(model: PrivacyModel) -> None:
    nothing = counts_of([], labels=["a"])
    assert model.holds(nothing).tolist() == []
    assert model.holds(nothing).dtype == bool
    with pytest.raises(ValueError, match="no groups"):
        model.level(nothing)


@pytest.mark.parametrize("model", EVERY_KIND)
def test_an_empty_group_disturbs_no_other(model: PrivacyModel) -> None:
    groups = [["a", "b", "a", "c"], ["b", None], ["a"] * 12]
    with_gap = counts_of([groups[0], [], *groups[1:], []])
    answers = model.holds(with_gap)
    assert len(answers) == 5
    assert answers[[0, 2, 3]].tolist() == model.holds(counts_of(groups)).tolist()


@pytest.mark.parametrize("model", ON_COLUMN)
def test_billions_of_rows_are_judged_like_a_few(model: PrivacyModel) -> None:
    counts = counts_of([["a", "b", "a", "c"], ["b", None], ["a"] * 12, ["a", "b", "c", None, "a", "b"]])
    assert model.holds(scaled(counts, 10**11)).tolist() == model.holds(counts).tolist()
    assert model.level(scaled(counts, 10**11)) == pytest.approx(model.level(counts))


@pytest.mark.parametrize("column", ["", None, 3, b"d", ["d"]])
def test_a_column_is_a_text(column: object) -> None:
    for build in (
        lambda: DistinctDiversity(column, 2),
        lambda: EntropyDiversity(column, 2),
        lambda: RecursiveDiversity(column, 1, 2),
        lambda: Closeness(column, 1),
        lambda: AlphaBound(column, 0.5),
        lambda: Template(["age"], column, "a", 0.5),
        lambda: DeltaDisclosure(column, 1),
        lambda: BetaLikeness(column, 1),
    ):
        with pytest.raises(PolicyError, match="column must be a text"):
            build()


# --- several parts -----------------------------------------------------------------------------------------


def test_and_flattens_keeps_the_order_and_drops_repetitions() -> None:
    k, l, t = KAnonymity(2), DistinctDiversity("d", 2), Closeness("e", 0.5)  # noqa: E741
    promise = (l & k) & (k & t)
    assert promise == AllOf((l, k, t))
    assert promise.parts == (l, k, t)
    assert promise.columns == ("d", "e")
    assert k & KAnonymity(2) == k
    assert AllOf((AllOf((k, l)), AllOf((l, t)))).parts == (k, l, t)
    assert hash(l & k) == hash(AllOf((l, k)))


def test_and_holds_where_all_parts_hold() -> None:
    counts = counts_of([["a", "b"], ["a"], ["a", "a"]])
    assert (KAnonymity(2) & DistinctDiversity("d", 2)).holds(counts).tolist() == [True, False, False]
    assert (KAnonymity(2) & AlphaBound("d", "1/2", "b")).holds(counts).tolist() == [True, False, True]


def test_and_is_monotone_where_all_parts_are() -> None:
    assert (KAnonymity(2) & DistinctDiversity("d", 2)).monotone
    assert not (KAnonymity(2) & DeltaDisclosure("d", 2)).monotone
    assert (KAnonymity(2) & DeltaDisclosure("d", 2, strict_zero=True)).monotone


def test_and_speaks_part_by_part_and_has_no_level() -> None:
    promise = KAnonymity(3) & DistinctDiversity("d", 2)
    assert promise.sentence("persons") == (
        "Every combination of the quasi-identifiers covers at least 3 persons. "
        "Within every group of look-alikes, column 'd' takes at least 2 different values."
    )
    with pytest.raises(ValueError, match="ask its parts"):
        promise.level(counts_of([["a", "b"]]))


def test_a_promise_is_joined_with_promises_only() -> None:
    with pytest.raises(TypeError):
        KAnonymity(2) & 3
    with pytest.raises(PolicyError, match="at least one part"):
        AllOf(())


def test_a_value_the_table_does_not_count_is_judged_as_worst() -> None:
    counts = counts_of([["a", "a", "b"]], labels=["a", "b"])
    histogram = counts.histograms["d"]
    assert isinstance(histogram, Histogram)
    unknown = replace(histogram, totals=np.array([3, 0, 0]))
    wrong = GroupCounts(counts.rows, None, {"d": unknown})
    assert not BetaLikeness("d", 1000).holds(wrong).any()
    assert not BetaLikeness("d", 1000, "enhanced").holds(wrong).any()
    assert not DeltaDisclosure("d", 1000).holds(wrong).any()
    assert not Closeness("d", "0.33").holds(wrong).any()
    assert not Closeness("d", "0.33", "ordered").holds(wrong).any()


@pytest.mark.parametrize("model", EVERY_KIND)
def test_only_counts_of_persons_and_of_values_survive_persons_in_both_groups(model: PrivacyModel) -> None:
    sizes = KAnonymity | AnonymityOf | CombinationAnonymity
    assert model.monotone_over_persons == isinstance(model, sizes | DistinctDiversity)
    assert (KAnonymity(2) & model).monotone_over_persons == model.monotone_over_persons


def test_two_groups_that_share_a_person_can_break_a_share_together() -> None:
    """Half of A and B, half of C and B, and two thirds of all three."""
    column = CodedColumn(Domain("d", ("x", "y")), np.array([0, 1, 0, 1], dtype=np.uint8))
    persons = np.array([0, 1, 2, 1], dtype=np.int32)
    table = EncodedTable(4, (), None, {"d": column}, persons)
    half = AlphaBound("d", "0.5", "x")
    assert half.holds(GroupCounts.of(table, np.array([0, 0, 1, 1]), 2)).all()
    assert not half.holds(GroupCounts.of(table, np.zeros(4, dtype=np.int32), 1)).any()


@pytest.mark.parametrize("model", EVERY_KIND)
def test_what_is_compared_with_the_whole_table(model: PrivacyModel) -> None:
    assert model.compares_with_table == isinstance(model, Closeness | DeltaDisclosure | BetaLikeness)
