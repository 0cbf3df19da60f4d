"""Worked examples of privacy models, each with a near miss that must fail."""

from __future__ import annotations

import pytest
from oracles import Value, counts_of, hierarchy_of

from kanopy.data import GroupCounts
from kanopy.privacy import (
    AlphaBound,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)


def rows(**count_of: int) -> list[Value]:
    return [value for value, count in count_of.items() for _ in range(count)]


def assert_kept_and_missed(kept: PrivacyModel, missed: PrivacyModel, counts: GroupCounts) -> None:
    assert kept.holds(counts).tolist() == [True] * counts.n_groups
    assert missed.holds(counts).tolist() == [False] * counts.n_groups


# --- l-diversity -----------------------------------------------------------------------------------------


def test_ninety_to_ten_is_called_1_4_diverse() -> None:
    counts = counts_of([rows(a=90, b=10)])
    assert EntropyDiversity("d", 2).level(counts) == pytest.approx(1.384145, abs=5e-7)
    assert_kept_and_missed(EntropyDiversity("d", 1.384), EntropyDiversity("d", 1.3842), counts)


def test_entropy_of_five_three_two() -> None:
    counts = counts_of([rows(a=5, b=3, c=2)])
    assert EntropyDiversity("d", 2).level(counts) == pytest.approx(2.800094, abs=5e-7)
    assert_kept_and_missed(EntropyDiversity("d", 2.8), EntropyDiversity("d", 2.8001), counts)


@pytest.mark.parametrize(("l", "needed"), [(2, "1"), (3, "2.5")])
def test_recursive_diversity_of_five_three_two_needs_more_than(l: int, needed: str) -> None:  # noqa: E741
    counts = counts_of([rows(a=5, b=3, c=2)])
    assert_kept_and_missed(
        RecursiveDiversity("d", float(needed) + 0.0001, l),
        RecursiveDiversity("d", needed, l),
        counts,
    )
    assert RecursiveDiversity("d", 1, l).level(counts) == float(needed)


def test_recursive_diversity_fails_below_l_values() -> None:
    counts = counts_of([rows(a=5, b=3, c=2)])
    assert not RecursiveDiversity("d", 10**6, 4).holds(counts).any()
    assert RecursiveDiversity("d", 10**6, 3).holds(counts).all()


def test_distinct_diversity_of_five_three_two() -> None:
    assert_kept_and_missed(
        DistinctDiversity("d", 3), DistinctDiversity("d", 4), counts_of([rows(a=5, b=3, c=2)])
    )


# --- t-closeness -----------------------------------------------------------------------------------------

SALARIES = [str(salary) for salary in range(3, 12)]


def salary_counts(*group: int) -> GroupCounts:
    published = [str(salary) for salary in group]
    return counts_of([published], dropped=[s for s in SALARIES if s not in published], labels=SALARIES)


@pytest.mark.parametrize(
    ("group", "distance", "bound", "missed", "value"),
    [
        ((3, 4, 5), "ordered", "0.375", "0.37499", 0.375),
        ((6, 8, 11), "ordered", "1/6", "0.16666", 0.166667),
        ((3, 4, 5), "equal", "2/3", "0.66666", 0.666667),
    ],
)
def test_closeness_of_salaries(
    group: tuple[int, ...], distance: str, bound: str, missed: str, value: float
) -> None:
    counts = salary_counts(*group)
    assert Closeness("d", 1, distance).level(counts) == pytest.approx(value, abs=5e-7)
    assert_kept_and_missed(Closeness("d", bound, distance), Closeness("d", missed, distance), counts)


DISEASES = (("flu", "pneumonia", "bronchitis"), ("gastric ulcer", "gastritis", "stomach cancer"))


@pytest.mark.parametrize(
    ("group", "bound", "missed", "value"),
    [
        (["flu", "pneumonia", "bronchitis"], "0.5", "0.49999", 0.5),
        (["gastric ulcer", "stomach cancer", "pneumonia"], "1/3", "0.33333", 0.333333),
    ],
)
def test_closeness_of_diseases(group: list[Value], bound: str, missed: str, value: float) -> None:
    others = [disease for system in DISEASES for disease in system if disease not in group]
    counts = counts_of([group], dropped=others, hierarchy=hierarchy_of(DISEASES))
    assert Closeness("d", 1, "hierarchical").level(counts) == pytest.approx(value, abs=5e-7)
    assert_kept_and_missed(
        Closeness("d", bound, "hierarchical"), Closeness("d", missed, "hierarchical"), counts
    )


# --- delta-disclosure and beta-likeness --------------------------------------------------------------------

# p = (.5, .3, .2) in the group, q = (.3, .3, .4) in the table of 20 rows.
SKEWED = counts_of([rows(a=5, b=3, c=2)], dropped=rows(a=1, b=3, c=6))


def test_delta_disclosure_is_one_because_a_value_is_halved() -> None:
    assert DeltaDisclosure("d", 1).level(SKEWED) == pytest.approx(1)
    assert_kept_and_missed(DeltaDisclosure("d", "1.000001"), DeltaDisclosure("d", 1), SKEWED)


def test_delta_disclosure_of_the_value_that_grows() -> None:
    # Without the halved value, (.5, .5) against (.3, .7): log2(5/3) is 0.736966.
    counts = counts_of([rows(a=5, b=5)], dropped=rows(a=1, b=9))
    assert DeltaDisclosure("d", 1).level(counts) == pytest.approx(0.736966, abs=5e-7)
    assert_kept_and_missed(DeltaDisclosure("d", 0.736967), DeltaDisclosure("d", 0.736965), counts)


def test_delta_disclosure_of_equal_shares_is_nothing() -> None:
    counts = counts_of([rows(a=3, b=7), rows(a=6, b=14)])
    assert DeltaDisclosure("d", 1).level(counts) == 0
    assert DeltaDisclosure("d", "0.000000001").holds(counts).all()
    assert not DeltaDisclosure("d", "0.000000001").holds(counts_of([rows(a=3, b=7), rows(a=7, b=13)])).any()


@pytest.mark.parametrize("kind", ["basic", "enhanced"])
def test_beta_likeness_is_two_thirds(kind: str) -> None:
    assert BetaLikeness("d", 1, kind).level(SKEWED) == pytest.approx(0.666667, abs=5e-7)
    assert_kept_and_missed(BetaLikeness("d", "2/3", kind), BetaLikeness("d", 0.66666, kind), SKEWED)


@pytest.mark.parametrize(
    ("overall", "kept", "missed"),
    # -ln .3 is 1.203973, reached at a share of .661192; -ln .4 is 0.916291, reached at .766516.
    [(3000, 661, 662), (4000, 766, 767)],
)
def test_enhanced_beta_of_two_is_cut_to_minus_ln_q(overall: int, kept: int, missed: int) -> None:
    def group_of_1000_in_10000(inside: int) -> GroupCounts:
        dropped = rows(a=overall - inside, b=9000 - overall + inside)
        return counts_of([rows(a=inside, b=1000 - inside)], dropped=dropped)

    within, beyond = group_of_1000_in_10000(kept), group_of_1000_in_10000(missed)
    assert BetaLikeness("d", 2, "enhanced").holds(within).all()
    assert not BetaLikeness("d", 2, "enhanced").holds(beyond).any()
    assert BetaLikeness("d", 2, "basic").holds(beyond).all()
    assert BetaLikeness("d", 2, "enhanced").level(beyond) == float("inf")


# --- confidence --------------------------------------------------------------------------------------------

# Wang, Fung, Yu, Table 1: job, country, child, bankruptcy, records.
CREDIT = [
    ("Cook", "US", "No", "Current", 4),
    ("Artist", "France", "No", "Current", 4),
    ("Doctor", "US", "Yes", "Never", 6),
    ("Trader", "UK", "No", "Discharged", 4),
    ("Trader", "UK", "No", "Never", 1),
    ("Trader", "Canada", "No", "Never", 1),
    ("Clerk", "Canada", "No", "Never", 3),
    ("Clerk", "Canada", "No", "Discharged", 1),
]
COLUMNS = ("Job", "Country", "Child")


def credit_counts(*given: str, suppressed: tuple[str, ...] = ()) -> GroupCounts:
    grouped: dict[tuple[str, ...], list[Value]] = {}
    for *known, bankruptcy, n_records in CREDIT:
        texts = ["*" if text in suppressed else text for text in known]
        key = tuple(texts[COLUMNS.index(name)] for name in given)
        grouped.setdefault(key, []).extend([bankruptcy] * n_records)
    return counts_of(list(grouped.values()), column="Bankruptcy")


def discharged(given: tuple[str, ...], at_most: str) -> Template:
    return Template(given, "Bankruptcy", "Discharged", at_most)


@pytest.mark.parametrize(
    ("given", "confidence", "missed"),
    [
        (("Job", "Country"), "4/5", "0.7999"),
        (("Job",), "2/3", "0.6666"),
        (("Country",), "4/5", "0.7999"),
        (("Job", "Child"), "2/3", "0.6666"),
    ],
)
def test_confidence_in_the_raw_credit_table(given: tuple[str, ...], confidence: str, missed: str) -> None:
    counts = credit_counts(*given)
    assert discharged(given, confidence).holds(counts).all()
    assert discharged(given, missed).holds(counts).sum() == counts.n_groups - 1


def test_confidence_of_the_fully_suppressed_credit_table() -> None:
    assert_kept_and_missed(discharged(("Job",), "5/24"), discharged(("Job",), "0.2083"), credit_counts())


def test_confidence_of_the_suppressed_credit_table() -> None:
    suppressed = ("Clerk", "Trader", "Canada", "UK")
    counts = credit_counts("Job", "Country", suppressed=suppressed)
    assert counts.rows.tolist() == [4, 4, 6, 10]
    assert discharged(("Job", "Country"), "0.5").holds(counts).all()
    assert discharged(("Job", "Country"), "0.4999").holds(counts).tolist() == [True, True, True, False]


def test_alpha_k_of_the_credit_table() -> None:
    counts = credit_counts("Job")
    alpha = AlphaBound("Bankruptcy", "2/3", "Discharged")
    assert (alpha & KAnonymity(4)).holds(counts).all()
    assert not (alpha & KAnonymity(5)).holds(counts).all()
    assert not (AlphaBound("Bankruptcy", "0.66", "Discharged") & KAnonymity(4)).holds(counts).all()


def test_k_counts_the_smallest_group() -> None:
    assert_kept_and_missed(KAnonymity(4), KAnonymity(5), counts_of([rows(a=4), rows(a=3, b=1)]))
