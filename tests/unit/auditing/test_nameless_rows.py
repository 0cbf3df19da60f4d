"""Rows whose person is not known: published, and counted for nobody, by methods and by the audit alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from command import run

import kanopy
from kanopy.algorithms.tree_release import released_at_root
from kanopy.auditing.counted import Members
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.data.keys import each_nameless_apart
from kanopy.evaluation.halves import fold
from kanopy.privacy import (
    AlphaBound,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)
from kanopy.release.telling import tell_audit

LOOSE: tuple[PrivacyModel, ...] = (
    AlphaBound("d", "0.99"),
    Template(["q"], "d", ["x", "y"], "0.99"),
    Closeness("d", 1),
    Closeness("d", 1, "ordered"),
    DeltaDisclosure("d", 9),
    BetaLikeness("d", 9),
    BetaLikeness("d", 9, "enhanced"),
    DistinctDiversity("d", 2),
    EntropyDiversity("d", "1.1"),
    RecursiveDiversity("d", 9, 2),
)


def audited(rows: list[tuple[str, str | None, str]], promise: PrivacyModel, **more: Any) -> kanopy.Audit:
    """Rows of q, person and d."""
    frame = pd.DataFrame(rows, columns=["q", "who", "d"])
    policy = kanopy.Policy(quasi_identifiers=["q"], sensitive=["d"], person="who", privacy=promise, **more)
    return kanopy.audit(frame, policy)


def test_they_add_nobody_to_a_group() -> None:
    rows = [("a", "1", "x"), ("a", None, "y"), ("a", "", "z")]
    assert (audited(rows, KAnonymity(2)).k, audited(rows, KAnonymity(2)).kept) == (1, False)
    assert audited([*rows, ("a", "2", "x")], KAnonymity(2)).kept
    group, persons = np.zeros(4, dtype=np.int32), np.array([0, -1, -1, 1], dtype=np.int32)
    assert Members.of(group, 1, persons).number.tolist() == [2]
    assert Members.of(group, 1, persons).n_table == 2


@pytest.mark.parametrize("promise", LOOSE, ids=lambda promise: type(promise).__name__)
def test_a_group_of_them_alone_keeps_no_promise(promise: PrivacyModel) -> None:
    """However loose it is: of whom should it be true?"""
    held = [("a", "1", "x"), ("a", "2", "y"), ("a", "3", "x")]
    assert audited(held, promise).kept
    found = audited([*held, ("b", None, "x"), ("b", None, "y")], promise)
    assert (found.kept, found.promises[0].groups_broken) == (False, 1)


def test_what_they_alone_have_is_nobodys_value() -> None:
    rows = [("a", "1", "x"), ("a", "2", "x"), *[("a", None, "y")] * 9]
    assert not audited(rows, DistinctDiversity("d", 2)).kept
    assert audited(rows, AlphaBound("d", "0.9")).promises[0].level == 1.0
    assert audited(rows, Template(["q"], "d", "y", "0.1")).kept, "no named person has y"


def test_they_do_not_dilute_a_share() -> None:
    """With them, 2 of 22 rows have x; of the persons, both have."""
    domain = Domain("d", ("x", "y"))
    codes, persons = np.array([0, 0] + [1] * 20, dtype=np.uint8), np.array([0, 1] + [-1] * 20, dtype=np.int32)
    table = EncodedTable(22, (), None, {"d": CodedColumn(domain, codes)}, persons)
    counts = GroupCounts.of(table, np.zeros(22, dtype=np.int64), 1)
    assert (counts.rows.tolist(), counts.members.tolist()) == ([22], [2])
    assert counts.histograms["d"].of_value(0).tolist() == [2]
    assert table.totals["d"].tolist() == [2, 0, 0]
    assert AlphaBound("d", "0.5").level(counts) == 1.0


def people(n_blank: int) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, 300),
            "town": rng.choice(list("abcd"), 300),
            "patient_id": [f"P{number:04}" for number in rng.integers(0, 120, 300)],
            "ill": rng.choice(["flu", "cold", "gout"], 300),
        }
    )
    frame.loc[frame.index[:n_blank], "patient_id"] = None
    return frame


POLICY = kanopy.Policy(
    quasi_identifiers=["age", "town"], target="ill", person="patient_id", k=5, method="mondrian"
)


def test_a_release_has_them_and_a_finding_for_the_custodian_says_how_many() -> None:
    made = kanopy.anonymize(people(5), POLICY)
    assert (made.audit.kept, made.record["rows"]["out"]) == (True, 300)
    (found,) = (each for each in made.audit.findings if each.code == "no person:patient_id")
    assert found.message == "5 rows have no 'patient_id': they count for nobody"
    assert (found.advice, found.severity) == ("fill it in to make them count", "warning")
    assert "no person" not in json.dumps(tell_audit(made.audit, POLICY)), "it was counted on the source"
    assert "no person" not in json.dumps(made.manifest)


def test_an_audit_and_a_profile_say_how_many() -> None:
    codes = {each.code: each.message for each in kanopy.audit(people(1), POLICY).findings}
    assert codes["no person:patient_id"] == "1 row has no 'patient_id': it counts for nobody"
    notes = kanopy.profile(people(7), ["age", "town"], person="patient_id").notes
    assert notes[-1].startswith("7 rows have no 'patient_id': they count for nobody; fill it in")


def test_the_command_line(tmp_path: Path) -> None:
    """One blank person ended with exit 3 before; now only a column without any person does."""
    source = tmp_path / "in.csv"
    roles = ["--quasi", "age,town", "--target", "ill", "--person", "patient_id", "--k", "5"]
    people(1).to_csv(source, index=False)
    made = run("anonymize", source, "-o", tmp_path / "out.csv", *roles)
    assert made.code == 0, made.err
    assert "1 row has no 'patient_id': it counts for nobody" in made.err
    people(300).to_csv(source, index=False)
    refused = run("anonymize", source, "-o", tmp_path / "none.csv", *roles)
    assert refused.code == 3
    assert "person column 'patient_id' is empty in every row" in refused.err


def test_no_number_of_them_is_dropped_unseen() -> None:
    """Two persons are fewer than k = 3, and 40 rows of nobody are not: whole groups join them instead."""
    persons = np.array([*range(6), 6, 7, *[-1] * 40], dtype=np.int32)
    table = EncodedTable(48, (), None, {}, persons)
    group = np.array([1] * 3 + [2] * 3 + [-1] * 42)
    few, many = np.array([6, 7]), np.arange(6, 48)
    assert (table.n_lost_with(few), table.n_lost_with(many)) == (2, 42)
    assert (released_at_root(group, few, table, KAnonymity(3)) < 0).sum() == 42
    assert (released_at_root(group, many, table, KAnonymity(3)) >= 0).all()


def test_halves_divide_them_one_by_one() -> None:
    """As one person they would all be in one half."""
    persons = np.array([0, 0, 1, 1, *[-1] * 20], dtype=np.int32)
    assert len(set(each_nameless_apart(persons).tolist())) == 22
    found = fold(np.zeros(24, dtype=np.int64), 1, 0, persons=persons)
    assert min(np.count_nonzero(persons[rows] < 0) for rows in found) > 5
