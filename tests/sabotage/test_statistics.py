"""Value statistics that are wrong, or tell too much, are found by the recount before anything is told."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pyarrow as pa
import pytest

import kanopy
from kanopy.engines import statistics as engine
from kanopy.errors import VerificationError

K = 5
TOWNS = ["Ayr"] * 12 + ["Bath"] * 9 + ["Cork"] * 7 + ["Deal"] * 2 + ["Ely"] * 1
TABLE = pa.table({"town": TOWNS})
POLICY = kanopy.Policy(
    quasi_identifiers=["town"],
    k=K,
    value_statistics=["town"],
    method="tdd",
    options={"utility": "distortion"},
)

Statistics = dict[str, Any]


def too_many(told: Statistics) -> None:
    told["town"]["values"]["Ayr"] += K


def rare(told: Statistics) -> None:
    told["town"]["values"]["Deal"] = 0


def exact(told: Statistics) -> None:
    told["town"]["values"]["Ayr"] = 12


def finer(told: Statistics) -> None:
    told["town"]["rounded_to"] = 1


def strange(told: Statistics) -> None:
    told["town"]["values"]["Rome"] = 5


def forgotten(told: Statistics) -> None:
    del told["town"]["values"]["Ayr"]


def without_others(told: Statistics) -> None:
    told["town"]["other"] = 0


def test_what_is_told_without_sabotage() -> None:
    release = kanopy.anonymize(TABLE, POLICY)
    assert set(release.frame["town"].to_pylist()) == {"Ayr", "Bath", "*"}
    # Deal and Ely are three rows: too few to be told together, so Cork, the rarest other town, joins them.
    told = release.manifest["value_statistics"]
    assert told == {"town": {"values": {"Ayr": 10, "Bath": 10}, "other": 10, "rounded_to": K}}


@pytest.mark.parametrize("sabotage", [too_many, rare, exact, finer, strange, forgotten, without_others])
def test_wrong_statistics_are_refused(
    sabotage: Callable[[Statistics], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    make = engine.value_statistics

    def made(*arguments: Any) -> Statistics:
        told = deepcopy(make(*arguments))
        sabotage(told)
        return told

    monkeypatch.setattr(engine, "value_statistics", made)
    with pytest.raises(VerificationError, match="value statistics of column 'town'") as found:
        kanopy.anonymize(TABLE, POLICY)
    assert found.value.exit_code == 5
    assert not any(town in found.value.message for town in TOWNS)
