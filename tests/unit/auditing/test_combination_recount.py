"""The audit of a promise about combinations of a few columns, and what everything beside a release says."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest
from command import run
from hypothesis import given
from hypothesis import strategies as st

import kanopy
from kanopy.errors import PolicyError
from kanopy.policy import policy_digest
from kanopy.privacy import CombinationAnonymity, KAnonymity

QUASI = ["a", "b", "c"]
CUBE = list(product((0, 1), repeat=3))
"""Every combination of two columns occurs twice, and of all three once."""

some_rows = st.lists(st.tuples(*[st.sampled_from(["x", "y", "*"])] * 3), min_size=1, max_size=14)


def table_of(rows: list[tuple[Any, ...]], times: int = 1) -> pa.Table:
    columns = [[str(cell) for cell in column] * times for column in zip(*rows, strict=True)]
    return pa.table(dict(zip(QUASI, columns, strict=True)))


def policy_of(size: int, k: int = 3, **fields: Any) -> kanopy.Policy:
    return kanopy.Policy(quasi_identifiers=QUASI, k=k, combinations=size, categorical=QUASI, **fields)


def smallest(rows: list[tuple[Any, ...]], size: int) -> int:
    """The definition, over all combinations of up to so many columns."""
    found = []
    for n_columns in range(1, size + 1):
        for columns in combinations(range(3), n_columns):
            shown = [tuple(row[column] for column in columns) for row in rows]
            found += [shown.count(combination) for combination in shown]
    return min(found)


@given(rows=some_rows, size=st.integers(1, 3), k=st.integers(2, 4))
def test_the_recount_is_the_definition(rows: list[tuple[str, ...]], size: int, k: int) -> None:
    verdict = kanopy.audit(table_of(rows), policy_of(size, k))
    assert verdict.promises[0].level == smallest(rows, size)
    assert verdict.promises[0].kept == (smallest(rows, size) >= k)


def test_pairs_may_be_frequent_where_persons_are_unique() -> None:
    verdict = kanopy.audit(table_of(CUBE, 3), policy_of(2, 6))
    assert verdict.kept
    assert verdict.k == 3
    assert not kanopy.audit(table_of(CUBE, 3), policy_of(3, 6)).kept


def test_suppressed_cells_count_as_a_value() -> None:
    rows = [("x", "y", "y")] * 3 + [("*", "y", "y")]
    assert not kanopy.audit(table_of(rows), policy_of(1, 2)).kept
    assert kanopy.audit(table_of(rows), policy_of(1, 2), reading="optimistic").kept
    assert not kanopy.audit(table_of(rows), policy_of(2, 2), reading="optimistic").kept


def test_the_verdict_is_never_green() -> None:
    verdict = kanopy.audit(table_of(CUBE, 9), policy_of(2))
    assert verdict.kept
    assert verdict.colour == "yellow"
    assert verdict.findings[0].code == "combinations"
    assert "this is not k-anonymity" in verdict.findings[0].message


def test_where_all_columns_are_meant_it_is_k_anonymity() -> None:
    verdict = kanopy.audit(table_of(CUBE, 9), policy_of(3))
    assert verdict.colour == "green"
    assert verdict.risks.above_promise == 0


def test_beside_k_it_is_no_news() -> None:
    promise = [CombinationAnonymity(2, 6), KAnonymity(3)]
    policy = kanopy.Policy(quasi_identifiers=QUASI, privacy=promise, categorical=QUASI)
    assert kanopy.audit(table_of(CUBE, 3), policy).colour == "green"


def test_a_release_says_it_everywhere(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(table_of(CUBE, 12), tmp_path / "data.csv")
    policy = 'quasi_identifiers = ["a", "b", "c"]\ncategorical = ["a", "b", "c"]\n'
    (tmp_path / "policy.toml").write_text(f"{policy}[privacy]\nk = 20\ncombinations = 2\n")
    made = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", "--report",
               tmp_path / "report.md", "--policy", tmp_path / "policy.toml", "--method", "bottomup",
               "--json")  # fmt: skip
    assert made.code == 0, made.err
    manifest = json.loads(made.out)["manifest"]
    assert "this is not k-anonymity" in manifest["promise"][0]
    assert manifest["not_promised"].startswith("No k is promised for all quasi-identifiers together.")
    certificate = json.loads((tmp_path / "out.csv.kanopy.json").read_text())
    assert certificate["promise"]["bounds"][0] == {
        "promise": "CombinationAnonymity", "k": 20, "size": 2, "recount": "from the file",
    }  # fmt: skip
    assert certificate["verdict"]["colour"] == "yellow"
    verified = run("verify", tmp_path / "out.csv", "--policy", tmp_path / "policy.toml")
    assert verified.code == 0
    for told in ((tmp_path / "report.md").read_text(), verified.out, made.err):
        assert "this is not k-anonymity" in told.lower()
        assert "green" not in told.lower()


def test_the_command_line_takes_it(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(table_of(CUBE, 3), tmp_path / "data.csv")
    flags = ("--quasi", "a,b,c", "--categorical", "a,b,c", "--k", "6")
    assert run("audit", tmp_path / "data.csv", *flags, "--combinations", "2").code == 0
    assert run("audit", tmp_path / "data.csv", *flags).code == 1
    wrong = run("audit", tmp_path / "data.csv", *flags, "--combinations", "two")
    assert wrong.code == 2
    assert "combinations must be a whole number of at least 1" in wrong.err
    for size, code in (("3", 1), ("4", 2)):
        outcome = run("audit", tmp_path / "data.csv", *flags, "--combinations", size)
        assert outcome.code == code
    assert "leave combinations out and keep k" in outcome.err
    (tmp_path / "policy.toml").write_text('quasi_identifiers = ["a"]\n[privacy]\nk = 6\ncombinations = 2\n')
    assert run("audit", tmp_path / "data.csv", "--policy", tmp_path / "policy.toml").code == 2


def test_combinations_without_k_are_refused() -> None:
    with pytest.raises(PolicyError, match="no k for them"):
        kanopy.Policy(quasi_identifiers=QUASI, combinations=2, privacy=[KAnonymity(3)])


def test_more_sets_than_can_be_counted_are_refused() -> None:
    names = [f"q{number}" for number in range(200)]
    with pytest.raises(PolicyError, match="1,313,400 sets of columns"):
        kanopy.Policy(quasi_identifiers=names, k=5, combinations=3)


def test_the_digest_tells_it_from_k() -> None:
    plain = kanopy.Policy(quasi_identifiers=QUASI, k=3, categorical=QUASI)
    written = kanopy.Policy(quasi_identifiers=QUASI, privacy=CombinationAnonymity(2, 3), categorical=QUASI)
    assert policy_digest(policy_of(2)) != policy_digest(plain)
    assert policy_digest(policy_of(2)) == policy_digest(written)
