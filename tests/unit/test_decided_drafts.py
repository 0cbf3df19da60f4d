"""A draft in which somebody decided some things: roles, promise, method, what is accepted."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from kanopy.datasets import patients
from kanopy.drafting import Bound, DraftDecisions, SeenTable
from kanopy.policy.toml_file import read_policy


@pytest.fixture(scope="module")
def seen() -> SeenTable:
    return SeenTable.of(patients(400))


def policy_of(seen: SeenTable, decisions: DraftDecisions):
    return read_policy(seen.draft(decisions).to_toml().encode(), "the policy", Path())


def test_roles_promise_and_method_are_those_that_were_decided(seen: SeenTable) -> None:
    bounds = (
        Bound("diversity", {"column": "diagnosis", "l": 2}),
        Bound(
            "template",
            {"given": ["age"], "column": "diagnosis", "value": 'a"b\\c', "at_most": 0.3},
        ),
    )
    decided = DraftDecisions(
        {"length_of_stay": "keep", "zip": "identifiers"}, 7, bounds, "kactus", {"min_rows": 3},
        ("identifier:name",),
    )  # fmt: skip
    policy = policy_of(seen, decided)
    assert policy.roles["length_of_stay"] == "keep"
    assert policy.roles["zip"] == "identifiers"
    assert policy.roles["age"] == "quasi_identifiers"
    assert (policy.k, policy.method, policy.options) == (7, "kactus", {"min_rows": 3})
    assert policy.accept == ("identifier:name",)
    assert [type(part).__name__ for part in policy.privacy] == ["DistinctDiversity", "Template"]
    assert policy.privacy[1].value == 'a"b\\c'


def test_nothing_decided_is_the_draft(seen: SeenTable) -> None:
    assert seen.draft().to_toml() == SeenTable.of(patients(400), contents=seen.contents).draft().to_toml()
    assert "Every choice is a guess" in seen.draft().to_toml()


def test_a_column_that_the_draft_dropped_is_read_as_it_is_written() -> None:
    births = [f"{1 + day % 28:02}.{1 + day % 12:02}.{1940 + day % 60}" for day in range(300)]
    table = pa.table({"born": births, "note": ["x"] * 300, "kind": ["a", "b"] * 150})
    seen = SeenTable.of(table)
    dropped = policy_of(seen, DraftDecisions({"born": "identifiers", "kind": "quasi_identifiers"}))
    assert "born" not in dropped.columns
    assert policy_of(seen, DraftDecisions({"born": "quasi_identifiers"})).columns["born"].is_date


def test_one_column_is_the_target_and_one_the_person(seen: SeenTable) -> None:
    decided = DraftDecisions().with_role("smoker", "target").with_role("sex", "target")
    assert decided.roles == {"sex": "target"}
    policy = policy_of(seen, decided)
    assert (policy.target, policy.roles["readmitted"]) == ("sex", "quasi_identifiers")
    without = policy_of(seen, DraftDecisions({"readmitted": "sensitive"}))
    assert without.target is None


def test_names_cannot_get_out_of_the_policy_file() -> None:
    hostile = 'x"\n[privacy]\nk = 1 #'
    table = pa.table({hostile: ["a", "b"] * 50, "age": [str(20 + n % 40) for n in range(100)]})
    policy = policy_of(SeenTable.of(table), DraftDecisions({hostile: "keep"}, k=5))
    assert policy.k == 5
    assert len(policy.keep) == 1
