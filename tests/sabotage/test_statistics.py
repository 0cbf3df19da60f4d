"""Value statistics that are wrong, or tell too much, are found by the recount before anything is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from command import run

import kanopy
from kanopy.engines import statistics as engine
from kanopy.errors import PolicyError, VerificationError

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


# --- Afterwards, from the files ----------------------------------------------------------------------------


def files(tmp_path: Path, told: Any) -> list[str]:
    release = kanopy.anonymize(TABLE, POLICY)
    release.write(tmp_path / "release.csv", force=True)
    (tmp_path / "data.csv").write_text("\n".join(["town", *TOWNS, ""]))
    (tmp_path / "told.json").write_text(json.dumps(told))
    named = {"--source": "data.csv", "--manifest": "told.json"}
    flags = [part for flag, file in named.items() for part in (flag, str(tmp_path / file))]
    return ["audit", str(tmp_path / "release.csv"), "--quasi", "town", "--k", str(K), *flags]


def test_audit_recounts_where_ends_are_no_values(tmp_path: Path) -> None:
    ages = [20, 23, 61, 83, 100] * 12
    table = pa.table({"age": ages, "job": ["a", "b", "c"] * 20})
    policy = kanopy.Policy(["age"], keep=["job"], k=5, value_statistics=["age"])
    release = kanopy.anonymize(table, policy, method="mdav", widen=True)
    release.write(tmp_path / "release.csv")
    (tmp_path / "told.json").write_text(json.dumps(release.told()))
    pyarrow.csv.write_csv(table, tmp_path / "data.csv")
    named = ["--source", str(tmp_path / "data.csv"), "--manifest", str(tmp_path / "told.json")]
    roles = ["--quasi", "age", "--keep", "job", "--k", "5"]
    assert run("audit", str(tmp_path / "release.csv"), *roles, *named).code == 0


def test_audit_recounts_what_was_told(tmp_path: Path) -> None:
    told = kanopy.anonymize(TABLE, POLICY).told()
    assert run(*files(tmp_path, told)).code == 0
    for sabotage in (too_many, rare, exact, finer, strange, forgotten, without_others):
        wrong = deepcopy(told)
        sabotage(wrong["manifest"]["value_statistics"])
        outcome = run(*files(tmp_path, wrong))
        assert outcome.code == 1, sabotage.__name__
        assert "value statistics of column 'town'" in outcome.out
        assert not any(town in outcome.out + outcome.err for town in TOWNS)


@pytest.mark.parametrize("told", [[], {"manifest": 3}, {"value_statistics": {"town": 3}}])
def test_what_is_no_manifest(tmp_path: Path, told: Any) -> None:
    outcome = run(*files(tmp_path, told))
    assert (outcome.code, "this is no manifest" in outcome.err) == (3, True)


def test_what_cannot_be_recounted_is_said() -> None:
    told = {"value_statistics": {"town": {"values": {"Ayr": 10}, "other": 20, "rounded_to": K}}}
    release = kanopy.anonymize(TABLE, POLICY).frame
    verdict = kanopy.audit(release.slice(1), POLICY, source=TABLE, manifest=told)
    assert any("cannot be recounted" in finding.message for finding in verdict.findings)
    with pytest.raises(PolicyError, match="a source and a manifest"):
        kanopy.audit(release, POLICY, source=TABLE)
