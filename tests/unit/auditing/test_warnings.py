"""Warnings about groups and cells, in any table: each with a near miss that is none."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from command import run

import kanopy
from kanopy.privacy import DistinctDiversity


def codes(columns: dict[str, list[Any]], **fields: Any) -> list[str]:
    policy = kanopy.Policy(**{"quasi_identifiers": ["q"], "k": 2, **fields})
    return [finding.code for finding in kanopy.audit(pd.DataFrame(columns), policy).findings]


def test_a_class_that_is_certain_for_more_than_a_share_of_the_rows() -> None:
    """Two of ten rows are in a group with one class: a fifth is not more than a fifth."""
    q = ["a"] * 2 + ["b"] * 4 + ["c"] * 4
    told = {"q": q, "s": list("yy" + "yynn" * 2)}
    fields: dict[str, Any] = {"sensitive": ["s"], "warnings": {"above_majority": 1}}
    assert codes(told, **fields) == ["unbounded:s"]
    lower = {"warnings": {"certain": "0.19", "above_majority": 1}}
    assert codes(told, **fields | lower) == ["certain:s", "unbounded:s"]
    one_more = {"q": ["a", *q[:-1]], "s": ["y", *told["s"][:-1]]}
    assert codes(one_more, **fields) == ["certain:s", "unbounded:s"]


def test_a_value_that_groups_tell_better_than_the_majority() -> None:
    """Five of ten rows have the most frequent value of the table, six that of their group: ten points."""
    q = ["a"] * 5 + ["b"] * 5
    told = {"q": q, "s": list("xxxyy" + "xxyyy")}
    assert codes(told, sensitive=["s"]) == ["unbounded:s"]
    assert (
        codes({**told, "s": list("xxxxy" + "xxyyy")}, sensitive=["s"]) == ["guessable:s", "unbounded:s"][1:]
    )
    assert codes({**told, "s": list("xxxxy" + "xyyyy")}, sensitive=["s"]) == ["guessable:s", "unbounded:s"]
    bounded = kanopy.Policy(quasi_identifiers=["q"], k=2, sensitive=["s"], privacy=DistinctDiversity("s", 2))
    audit = kanopy.audit(pd.DataFrame({**told, "s": list("xxxxy" + "xyyyy")}), bounded)
    assert [(each.severity, each.code) for each in audit.findings] == [("note", "guessable:s")]
    strict = {"above_majority": 0.05}
    assert codes(told, sensitive=["s"], warnings=strict) == ["guessable:s", "unbounded:s"]


def test_nothing_left_to_learn() -> None:
    q = ["a"] * 4 + ["b"] * 4
    assert codes({"q": q, "t": list("yyyn" * 2)}, target="t") == ["nothing:t"]
    assert codes({"q": q, "t": ["y"] * 8}, target="t") == ["nothing:t"]
    assert codes({"q": q, "t": list("yyynyynn")}, target="t", warnings={"certain": 1}) == ["nothing:t"]
    assert (
        codes({"q": q, "t": list("yyyynnny")}, target="t", warnings={"certain": 1, "above_majority": 1}) == []
    )
    assert codes({"q": ["*"] * 8, "t": list("yyynyynn")}, target="t") == ["nothing"]


def test_kept_columns_that_make_rows_unique() -> None:
    q = ["a"] * 10 + ["b"] * 10
    hours = [1, 2] + [3] * 18
    assert codes({"q": q, "hours": hours}, keep=["hours"]) == [], "a tenth is not more than a tenth"
    more = {"q": q, "hours": [1, 2, 4, *hours[3:]], "day": [7] * 20}
    assert codes(more, keep=["day", "hours"]) == ["unique:hours"]


def test_sets_that_list_more_values_than_k() -> None:
    fields: dict[str, Any] = {"k": 3}
    long = "{a, b, c, d}"
    assert codes({"q": [long] * 3 + ["{a, b, c}"] * 27}, **fields) == []
    assert codes({"q": [long] * 4 + ["{a, b, c}"] * 26}, **fields) == ["sets:q"]
    assert codes({"q": ["[1, 99]"] * 30}, **fields) == [], "a range lists nothing"


@pytest.mark.parametrize("escaped", [False, True])
def test_keys_in_sets_of_somebody_elses_release(escaped: bool) -> None:
    """Ten groups of six rows, each with a set of six keys: no key is alone in a cell."""
    keys = [f"P{100000 + 117 * i}{chr(92) + ',' if escaped else ''}" for i in range(60)]
    cells = ["{" + ", ".join(keys[start : start + 6]) + "}" for start in range(0, 60, 6) for _ in range(6)]
    columns: dict[str, list[Any]] = {"q": cells, "sex": ["f", "m"] * 30}
    found = codes(columns, quasi_identifiers=["q", "sex"], k=3)
    assert found[0] == "identifier:q"
    wards = ["{" + ", ".join(f"ward {i % 5}" for i in range(3)) + "}"] * 60
    assert codes({"q": wards, "sex": ["f", "m"] * 30}, quasi_identifiers=["q", "sex"], k=3) == []


def test_a_serious_finding_is_red_and_breaks_nothing() -> None:
    notes = [f"Came in at night number {i}, was seen by nobody and left again." for i in range(40)]
    table = pd.DataFrame({"q": ["a"] * 40, "note": notes})
    verdict = kanopy.audit(table, kanopy.Policy(quasi_identifiers=["q"], keep=["note"], k=2))
    assert (verdict.kept, verdict.colour) == (True, "red")
    worst = verdict.findings[0]
    assert (worst.severity, worst.code) == ("serious", "free text:note")
    assert 'accept = ["free text:note"]' in worst.advice


def test_the_worst_ten_are_listed(tmp_path: Any) -> None:
    names = [f"s{number:02}" for number in range(14)]
    columns = {"q": list("aabb"), "t": list("yynn"), **{name: list("xyxy") for name in names}}
    pd.DataFrame(columns).to_csv(tmp_path / "t.csv", index=False)
    flags = ("--quasi=q", "--k=2", "--target=t", f"--sensitive={','.join(names)}")
    outcome = run("audit", tmp_path / "t.csv", *flags)
    lines = outcome.out.splitlines()
    assert lines[0] == "verdict  yellow: the promise is kept, but there is 1 warning"
    assert lines[1].startswith("warning  column 't' is certain for 100.0% of the rows")
    assert sum(line.startswith(("warning", "note     column")) for line in lines) == 10
    assert lines[-1] == "note     and 5 more; --json lists all"
