"""A policy that contradicts itself, or a table, is refused before anything happens."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from kanopy.errors import PolicyError
from kanopy.policy import Policy, normal_name
from kanopy.privacy import AlphaBound, AnonymityOf, DistinctDiversity, KAnonymity, Template

ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex"],
    "target": "income",
    "sensitive": ["illness"],
    "identifiers": ["name"],
    "keep": ["hours"],
    "person": "patient",
}
ALL = ["name", "patient", "age", "sex", "illness", "hours", "income"]


def policy(**fields: Any) -> Policy:
    return Policy(**{**ROLES, "k": 2, **fields})


def refusal(**fields: Any) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        policy(**fields)
    return caught.value


def test_roles() -> None:
    made = policy()
    assert made.roles == {
        "age": "quasi_identifiers",
        "sex": "quasi_identifiers",
        "income": "target",
        "illness": "sensitive",
        "name": "identifiers",
        "hours": "keep",
        "patient": "person",
    }
    assert made.published == {"age", "sex", "income", "illness", "hours"}


def test_names_are_normal() -> None:
    made = Policy(quasi_identifiers=[" age\t", "cafe\u0301"], target=" income ", missing=[" ? "], k=2)
    assert made.quasi_identifiers == ("age", "caf\u00e9")
    assert made.target == "income"
    assert made.missing == ("?",)
    assert normal_name(7) == 7


@pytest.mark.parametrize(
    ("fields", "message", "hint"),
    [
        ({"quasi_identifiers": []}, "no quasi-identifiers are declared", "age, sex, zip"),
        ({"keep": ["age"]}, "'age' is declared twice: quasi_identifiers and keep", "one role"),
        ({"quasi_identifiers": ["age", "age "]}, "'age' is declared twice: quasi_identifiers and quasi", ""),
        ({"person": "income"}, "'income' is declared twice: target and person", "one role"),
        ({"numeric": ["agee"]}, "numeric names column 'agee', which has no role", "did you mean 'age'?"),
        ({"categorical": ["zzz"]}, "categorical names column 'zzz', which has no role", "declare its role"),
        ({"hierarchies": {"sexx": "f.csv"}}, "hierarchies names column 'sexx'", "did you mean 'sex'?"),
        ({"numeric": ["age"], "categorical": ["age"]}, "'age' is declared numeric and categorical", "choose"),
        ({"quasi_identifiers": "age"}, "quasi_identifiers takes a list of texts", 'quasi_identifiers = ["'),
        ({"keep": {"hours"}}, "keep takes a list of texts", ""),
        ({"keep": {"hours": 1}}, "keep takes a list of texts", ""),
        ({"keep": 5}, "keep takes a list of texts", ""),
        ({"keep": [5]}, "keep takes a text, the name of a column", ""),
        ({"keep": [" "]}, "keep takes a text, the name of a column", ""),
        ({"target": ["income"]}, "target takes a text", ""),
        ({"person": ""}, "person takes a text", ""),
        ({"missing": [-9]}, "missing takes a list of texts", "quotes"),
        ({"missing": "?"}, "missing takes a list of texts", ""),
    ],
)
def test_conflicts(fields: dict[str, Any], message: str, hint: str) -> None:
    error = refusal(**fields)
    assert message in error.message
    assert hint in error.hint
    assert error.exit_code == 2


@pytest.mark.parametrize("k", [1, 0, -3, 2.5, True, "10", float("nan")])
def test_k_is_a_whole_number_of_at_least_two(k: Any) -> None:
    assert "k must be a whole number" in refusal(k=k).message


def test_a_promise_is_needed() -> None:
    error = refusal(k=None)
    assert (error.message, error.hint) == ("no promise is declared", "set k, for example k = 10")


def test_promise_from_k_and_privacy() -> None:
    diverse, bound = DistinctDiversity("illness", 2), AlphaBound("income", 0.5)
    assert policy(k=5).promise == KAnonymity(5)
    assert policy(k=None, privacy=[diverse]).promise == diverse
    assert policy(k=5, privacy=[diverse, bound]).promise.parts == (KAnonymity(5), diverse, bound)
    assert policy(k=5, privacy=diverse & bound).promise.parts == (KAnonymity(5), diverse, bound)
    assert policy(k=5, privacy=[KAnonymity(5), diverse]).promise.parts == (KAnonymity(5), diverse)


def test_sets_of_quasi_identifiers_with_a_k_of_their_own() -> None:
    sets = (AnonymityOf(["age"], 5), AnonymityOf(["sex", "age"], 3))
    assert policy(k=2, privacy=sets).promise.parts == (KAnonymity(2), *sets)
    alone = policy(k=None, privacy=sets)
    assert alone.promise.parts == sets
    assert alone.k is None, "k is that of all quasi-identifiers, and none was set"


@pytest.mark.parametrize(
    ("privacy", "message", "hint"),
    [
        ([DistinctDiversity("ilness", 2)], "bounds column 'ilness', which is not sensitive", "'illness'?"),
        ([DistinctDiversity("hours", 2)], "bounds column 'hours', which is not sens", "declare it as sens"),
        ([DistinctDiversity("age", 2)], "bounds column 'age', which is not sensitive", "declare it as sens"),
        ([Template(["agee"], "illness", "flu", 0.5)], "a promise is given column 'agee'", "mean 'age'?"),
        ([AnonymityOf(["age", "sexe"], 3)], "a promise is given column 'sexe', which is no q", "mean 'sex'?"),
        ([AnonymityOf(["income"], 3)], "given column 'income'", "takes quasi-identifiers"),
        ([AnonymityOf(["patient"], 3)], "given column 'patient'", "takes quasi-identifiers"),
        ([Template(["income"], "illness", "flu", 0.5)], "given column 'income'", "takes quasi-identifiers"),
        (["k"], "privacy takes promises such as KAnonymity(10)", ""),
    ],
)
def test_promises_speak_about_columns_of_the_right_role(privacy: Any, message: str, hint: str) -> None:
    error = refusal(privacy=privacy)
    assert message in error.message
    assert hint in error.hint


def test_table_has_exactly_the_declared_columns() -> None:
    policy().check_columns(ALL)
    policy().check_columns([name for name in ALL if name not in ("name", "patient")], released=True)
    policy().check_columns(ALL, released=True)


@pytest.mark.parametrize(
    ("columns", "released", "message", "hint"),
    [
        ([*ALL, "phone"], False, "does not say what these columns are: 'phone'", "how people leak"),
        ([*ALL, "phone"], True, "does not say what these columns are: 'phone'", "how people leak"),
        ([*ALL, *(f"c{i}" for i in range(12))], False, "'c0', 'c1', .*'c9' and 2 more", "declare each"),
        ([*ALL, "x" * 99], False, f"'{'x' * 59}…' ", "declare each"),
        ([name for name in ALL if name != "sex"] + ["sexe"], False, "names column 'sex'", "mean 'sexe'"),
        ([name for name in ALL if name != "hours"], True, "keep names column 'hours'", "has 6 columns"),
        ([name for name in ALL if name != "name"], False, "identifiers names column 'name'", ""),
        ([name for name in ALL if name != "patient"], False, "person names column 'patient'", ""),
        ([*ALL, "Age"], False, "what these columns are: 'Age'", ""),
    ],
)
def test_other_columns(columns: list[str], released: bool, message: str, hint: str) -> None:
    with pytest.raises(PolicyError, match=message) as caught:
        policy().check_columns(columns, released=released)
    assert hint in caught.value.hint


def test_an_unknown_field_is_refused_with_a_hint() -> None:
    with pytest.raises(PolicyError, match="no field 'quasi_identifers'") as caught:
        Policy(quasi_identifers=["age"], k=2)  # type: ignore[call-arg]
    assert caught.value.hint == "did you mean 'quasi_identifiers'?"


def test_policies_can_be_copied_and_changed() -> None:
    policy = Policy(quasi_identifiers=["age"], k=2)
    assert copy.deepcopy(policy) == policy
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert dataclasses.replace(policy, k=3).promise.sentence().endswith("at least 3 rows.")


def test_a_table_without_a_header_does_not_show_its_first_row() -> None:
    policy = Policy(quasi_identifiers=["age", "name"], k=2)
    with pytest.raises(PolicyError, match="lack a header line") as caught:
        policy.check_columns(["70", "Nadia Kaya"])
    assert "Nadia" not in str(caught.value)
    Policy(quasi_identifiers=["2019", "2020"], k=2).check_columns(["2019", "2020"])
