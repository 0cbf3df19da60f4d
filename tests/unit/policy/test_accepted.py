"""The keys of a policy that decide about warnings: accept, earlier and [warnings]."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from kanopy import Policy
from kanopy.errors import PolicyError

ROLES: dict[str, Any] = {"quasi_identifiers": ["age", "PatientNo"], "keep": ["note"], "k": 5}


def test_accepted_codes() -> None:
    policy = Policy(**ROLES, accept=["identifier:PatientNo", "free text:note"])
    assert policy.accept == ("identifier:PatientNo", "free text:note")
    assert Policy(**{**ROLES, "keep": ["a:b"]}, accept=["identifier:a:b"]).accept == ("identifier:a:b",)


@pytest.mark.parametrize(
    ("accept", "message", "hint"),
    [
        (["identifer:age"], "has no kind 'identifer'", "did you mean 'identifier'?"),
        (["age"], "takes KIND:COLUMN", "kinds: identifier, free text"),
        (["certain:age"], "has no kind 'certain'", "kinds: identifier, free text"),
        (
            ["identifier:PatientNr"],
            "names column 'PatientNr', which has no role",
            "did you mean 'PatientNo'?",
        ),
        (["identifier:"], "names column '', which has no role", "declare its role"),
        ("identifier:age", "accept takes a list of texts", "accept ="),
        ([3], "accept takes a text", ""),
    ],
)
def test_codes_that_would_accept_nothing(accept: Any, message: str, hint: str) -> None:
    with pytest.raises(PolicyError, match=message) as caught:
        Policy(**ROLES, accept=accept)
    assert hint in caught.value.hint


def test_limits_are_exact(tmp_path: Path) -> None:
    assert Policy(**ROLES).limits == {"certain": Fraction(1, 5), "above_majority": Fraction(1, 10)}
    assert Policy(**ROLES, warnings={"certain": 0.3}).warnings["certain"] == Fraction(3, 10)
    assert Policy(**ROLES, warnings={"certain": 0, "above_majority": 1}).warnings["above_majority"] == 1
    text = (
        'quasi_identifiers = ["age"]\nearlier = ["last.csv"]\n[privacy]\nk = 5\n[warnings]\ncertain = 0.07\n'
    )
    (tmp_path / "policy.toml").write_text(text)
    policy = Policy.load(tmp_path / "policy.toml")
    assert policy.limits == {"certain": Fraction(7, 100), "above_majority": Fraction(1, 10)}
    assert policy.earlier == (tmp_path / "last.csv",), "beside the policy"


@pytest.mark.parametrize(
    ("warnings", "message"),
    [
        ({"certain": 1.5}, "certain must be a share from 0 to 1"),
        ({"certain": -0.1}, "certain must be a share from 0 to 1"),
        ({"certain": "many"}, "certain must be a share from 0 to 1"),
        ({"certian": 0.2}, "warnings has no key 'certian'"),
        (0.2, "warnings takes names and shares"),
    ],
)
def test_limits_that_mean_nothing(warnings: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        Policy(**ROLES, warnings=warnings)


@pytest.mark.parametrize("earlier", ["last.csv", [3], [""], [b"last.csv"]])
def test_earlier_is_a_list_of_files(earlier: Any) -> None:
    with pytest.raises(PolicyError, match="earlier takes a list of files"):
        Policy(**ROLES, earlier=earlier)
