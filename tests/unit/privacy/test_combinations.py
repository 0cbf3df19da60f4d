"""k for combinations of a few quasi-identifiers: never taken for k-anonymity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kanopy.algorithms.requirements import requirements_of
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.errors import PolicyError
from kanopy.policy import Policy
from kanopy.privacy import AnonymityOf, CombinationAnonymity, KAnonymity, largest_k, promised_k
from kanopy.privacy.implied import implies

QUASI = ["age", "sex", "town", "zip"]


def test_it_says_that_it_is_not_k_anonymity() -> None:
    told = CombinationAnonymity(2, 5).sentence("persons")
    assert told.startswith(
        "Every combination of values in up to 2 of the quasi-identifiers covers at least 5"
    )
    assert told.endswith("are not protected: this is not k-anonymity.")
    alone = CombinationAnonymity(1, 5).sentence()
    assert alone.startswith("Every value of each single quasi-identifier covers at least 5 rows.")


@pytest.mark.parametrize("size", [0, -1, 2.0, "2", True, None])
def test_the_number_of_columns_is_a_whole_number(size: Any) -> None:
    with pytest.raises(PolicyError, match="combinations must be a whole number of at least 1"):
        CombinationAnonymity(size, 5)


def test_it_is_about_every_set_of_so_many_columns() -> None:
    sets = [part.grouped_by for part in CombinationAnonymity(3, 5).over(QUASI)]
    assert sets == [
        ("age", "sex", "town"), ("age", "sex", "zip"), ("age", "town", "zip"), ("sex", "town", "zip"),
    ]  # fmt: skip
    assert CombinationAnonymity(9, 5).over(QUASI) == (AnonymityOf(QUASI, 5),)
    assert KAnonymity(5).over(QUASI) == (KAnonymity(5),)


def test_no_k_is_promised_for_more_columns() -> None:
    promise = CombinationAnonymity(3, 5)
    assert promised_k(promise, QUASI) is None
    assert promised_k(promise, QUASI[:3]) == 5
    assert promised_k(promise, ["sex"]) == 5
    assert promised_k(promise & KAnonymity(2), QUASI) == 2
    assert largest_k(promise) == 5


def test_of_all_columns_it_is_k_anonymity() -> None:
    assert Policy(quasi_identifiers=QUASI, k=5, combinations=4).promise == KAnonymity(5)
    of_three = Policy(quasi_identifiers=QUASI, k=5, combinations=3)
    assert of_three.promise == CombinationAnonymity(3, 5)


@pytest.mark.parametrize(
    ("fields", "size"),
    [
        ({"k": 5, "combinations": 5}, 5),
        ({"k": 5, "combinations": 100}, 100),
        ({"privacy": CombinationAnonymity(4, 5)}, 4),  # its sentence says that this is not k-anonymity
        ({"privacy": [KAnonymity(3), CombinationAnonymity(9, 5)]}, 9),
    ],
)
def test_combinations_of_more_columns_than_there_are_are_refused(fields: Any, size: int) -> None:
    message = (
        f"combinations of {size} quasi-identifiers are promised, and 4 are declared: k of all of them is"
    )
    with pytest.raises(PolicyError, match=message) as error:
        Policy(quasi_identifiers=QUASI, **fields)
    assert "leave combinations out" in error.value.hint


def test_what_follows_from_what() -> None:
    of_three = CombinationAnonymity(3, 5)
    assert implies(KAnonymity(5), of_three)
    assert implies(of_three, CombinationAnonymity(2, 4))
    assert implies(of_three, AnonymityOf(["age", "zip"], 5))
    assert not implies(of_three, AnonymityOf(QUASI, 5))
    assert not implies(of_three, KAnonymity(2))
    assert not implies(CombinationAnonymity(2, 5), of_three)
    assert not implies(KAnonymity(4), of_three)
    assert not implies(AnonymityOf(["age"], 9), of_three)


def test_methods_see_a_requirement_for_every_set() -> None:
    columns = tuple(CodedColumn(Domain(name, ("a",)), np.zeros(2, np.uint8)) for name in QUASI)
    found, n_implied = requirements_of(
        CombinationAnonymity(2, 5) & AnonymityOf(["sex"], 5), EncodedTable(2, columns)
    )
    assert [each.columns for each in found] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert all(each.promise.parts[0].holds(GroupCounts(np.array([4, 5]))).tolist() == [False, True]
               for each in found)  # fmt: skip
    assert n_implied == 1
