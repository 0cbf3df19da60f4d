"""k-anonymity, over all quasi-identifiers and over some."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kanopy.data import GroupCounts
from kanopy.errors import PolicyError
from kanopy.privacy import AnonymityOf, DistinctDiversity, KAnonymity, PrivacyModel, Template, largest_k

EITHER: list[Any] = [KAnonymity, lambda k: AnonymityOf(["age"], k)]


@pytest.mark.parametrize("make", EITHER)
def test_rows_count_where_no_persons_are_known(make: Any) -> None:
    counts = GroupCounts(np.array([3, 2, 4]))
    assert make(3).holds(counts).tolist() == [True, False, True]
    assert make(3).level(counts) == 2.0


@pytest.mark.parametrize("make", EITHER)
def test_persons_count_where_they_are_known(make: Any) -> None:
    counts = GroupCounts(np.array([30, 2]), np.array([1, 2]))
    assert make(2).holds(counts).tolist() == [False, True]
    assert make(2).level(counts) == 1.0


@pytest.mark.parametrize("make", EITHER)
@pytest.mark.parametrize("k", [0, -1, 1, 2.5, 5.0, "5", True, float("inf"), float("nan"), 10**30, None, [5]])
def test_k_is_a_whole_number_of_at_least_2(make: Any, k: object) -> None:
    with pytest.raises(PolicyError, match="k must be a whole number of at least 2") as caught:
        make(k)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("make", EITHER)
def test_it_needs_no_column_and_is_monotone(make: Any) -> None:
    assert make(2).columns == ()
    assert make(2).monotone


@pytest.mark.parametrize("make", EITHER)
def test_the_largest_k_judges_without_overflow(make: Any) -> None:
    assert not make(2**63 - 1).holds(GroupCounts(np.array([10]))).any()


# --- over some quasi-identifiers ---------------------------------------------------------------------------


@pytest.mark.parametrize("given", [[], (), "age", None, 3, ["age", ""], ["age", 3], ["age", "age"]])
def test_given_is_a_list_of_columns(given: Any) -> None:
    with pytest.raises(PolicyError, match="given must"):
        AnonymityOf(given, 2)


def test_it_says_which_columns_it_is_about() -> None:
    model = AnonymityOf(["age", "sex", "zip"], 4)
    assert model.grouped_by == model.given == ("age", "sex", "zip")
    assert (
        model.sentence("persons") == "Every combination of 'age', 'sex' and 'zip' covers at least 4 persons."
    )
    assert AnonymityOf(["age"], 4).sentence() == "Every value of 'age' covers at least 4 rows."


def test_it_is_not_the_k_of_all_quasi_identifiers() -> None:
    assert AnonymityOf(["age"], 4) != KAnonymity(4)
    assert AnonymityOf(["age"], 4) != AnonymityOf(["sex"], 4)
    assert KAnonymity(4).grouped_by is None
    assert (AnonymityOf(["age"], 4) & AnonymityOf(["age"], 4)).parts == (AnonymityOf(["age"], 4),)


@pytest.mark.parametrize(
    ("promise", "k"),
    [
        (KAnonymity(3), 3),
        (AnonymityOf(["age"], 7), 7),
        (KAnonymity(3) & AnonymityOf(["age"], 7) & AnonymityOf(["sex"], 5), 7),
        (AnonymityOf(["age"], 4) & KAnonymity(9), 9),
        (DistinctDiversity("d", 20), None),
        (DistinctDiversity("d", 20) & AnonymityOf(["sex"], 2) & Template(["age"], "d", "a", 0.5), 2),
    ],
)
def test_the_largest_k_of_a_promise(promise: PrivacyModel, k: int | None) -> None:
    assert largest_k(promise) == k
