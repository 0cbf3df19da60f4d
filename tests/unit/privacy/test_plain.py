"""Promises as plain data: nothing is lost, and what is no promise is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from promises import EVERY_KIND

from kanopy.errors import PolicyError
from kanopy.privacy import AlphaBound, Closeness, KAnonymity, PrivacyModel, plain_promise, promise_of


@pytest.mark.parametrize("promise", [*EVERY_KIND, Closeness("d", "1/3", "hierarchical")], ids=repr)
def test_every_kind_comes_back_from_json(promise: PrivacyModel) -> None:
    assert promise_of(json.loads(json.dumps(plain_promise(promise)))) == promise


def test_fractions_stay_exact() -> None:
    assert plain_promise(AlphaBound("d", 0.3))["alpha"] == "3/10"


GOOD = plain_promise(KAnonymity(5))
CLOSE = plain_promise(Closeness("d", "0.2"))


@pytest.mark.parametrize(
    "data",
    [
        None, [], "KAnonymity", {}, {"promise": 5}, {"promise": ["KAnonymity"]}, {"promise": "PrivacyModel"},
        {"promise": "KAnonimity", "k": 5}, {"promise": "KAnonymity"}, {**GOOD, "more": 1}, {**GOOD, "k": 1},
        {**GOOD, "k": True}, {**GOOD, "k": "5"}, {**GOOD, "k": 5.0}, {**GOOD, "k": None},
        {**GOOD, "k": 10**30}, {**CLOSE, "distance": []}, {**CLOSE, "distance": {}}, {**CLOSE, "t": "1/0"},
        {**CLOSE, "t": "1e9999"}, {**CLOSE, "t": "9" * 5000}, {**CLOSE, "t": float("nan")},
        {**CLOSE, "t": [1]}, {**CLOSE, "column": None}, {"promise": "AnonymityOf", "given": "age", "k": 5},
        {"promise": "AnonymityOf", "given": [[]], "k": 5},
    ],
)  # fmt: skip
def test_what_is_no_promise_is_refused(data: Any) -> None:
    with pytest.raises(PolicyError):
        promise_of(data)
