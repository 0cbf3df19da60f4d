"""The judge on tables small enough to count by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.auditing import Audit, TextTable, judge
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
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

Columns = dict[str, list[Any]]


def verdict(
    columns: Columns, *, persons: list[int] | None = None, reading: str = "pessimistic", **policy: Any
) -> Audit:
    chosen = Policy(**{"quasi_identifiers": ["q"], "k": 2, **policy})
    codes = None if persons is None else np.array(persons, dtype=np.int32)
    return judge(TextTable.of_arrow(pa.table(columns)), chosen, persons=codes, reading=reading)


def severities(audit: Audit) -> list[tuple[str, str | None]]:
    return [(finding.severity, finding.column) for finding in audit.findings]


# --- k ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "k", "groups"),
    [
        (["a", "a", "b", "b", "b"], 2, 2),
        (["a", "a", "b"], 1, 2),
        (["a"] * 7, 7, 1),
        (["1", "1.0", "1", "1.0"], 2, 2),
        (["a", "a ", "a", "a "], 2, 2),
        ([None, None, "a", "a"], 2, 2),
        ([None, "", "a", "a", "a"], 2, 2),  # both are an empty field in the file
        ([None, "a", "a"], 1, 2),  # a missing cell is seen, not skipped
        (["*", "*", "a", "a"], 2, 2),
        (["*", "a", "a"], 1, 2),  # a suppressed row does not hide among the others
        (["[1, 2]", "[1, 2]", "[1, 3]"], 1, 2),
    ],
)
def test_k_is_counted_from_texts(values: list[Any], k: int, groups: int) -> None:
    audit = verdict({"q": values})
    assert (audit.k, audit.groups, audit.rows, audit.unit) == (k, groups, len(values), "rows")
    assert audit.kept == (k >= 2)
    assert audit.promises[0].level == k


def test_combinations_of_columns() -> None:
    columns = {"q": ["a", "a", "b", "b"], "r": [1, 2, 1, 2]}
    audit = verdict(columns, quasi_identifiers=["q", "r"])
    assert (audit.k, audit.groups, audit.promises[0].groups_broken) == (1, 4, 4)
    assert audit.findings[0].message.startswith("4 groups break the promise: Every combination")
    assert "reaches 1." in audit.findings[0].message


def test_smallest_groups() -> None:
    sizes = [2, 9, *range(3, 20)]
    values = [f"v{i}" for i, size in enumerate(sizes) for _ in range(size)]
    assert verdict({"q": values}).smallest_groups == tuple(sorted(sizes)[:10])


def test_nothing_to_judge() -> None:
    with pytest.raises(InputError, match="no rows"):
        verdict({"q": pa.array([], pa.string())})
    with pytest.raises(PolicyError, match="does not say what"):
        verdict({"q": ["a", "a"], "x": ["a", "a"]})
    with pytest.raises(PolicyError, match="no reading is called 'rosy'"):
        verdict({"q": ["a", "a"]}, reading="rosy")


# --- Persons ---------------------------------------------------------------------------------------------


def test_persons_from_the_column() -> None:
    audit = verdict({"q": ["a"] * 3 + ["b"] * 2, "p": [1, 1, 1, 2, 3]}, person="p")
    assert (audit.unit, audit.k, audit.kept) == ("persons", 1, False)
    assert "at least 2 persons" in audit.promises[0].promise
    assert ("warning", "p") in severities(audit)


@pytest.mark.parametrize("is_file", [False, True])
def test_persons_whose_rows_repeat(is_file: bool, tmp_path: Path) -> None:
    rows = "a,x,n\n" * 20 + "a,x,y\n" * 20 + "b,x,n\n" * 20
    (tmp_path / "t.csv").write_text(f"p,q,c\n{rows}")
    table = pa.table(
        dict(zip("pqc", zip(*(row.split(",") for row in rows.split()), strict=True), strict=True))
    )
    policy = Policy(quasi_identifiers=["q"], target="c", person="p", k=2)
    audit = kanopy.audit(tmp_path / "t.csv" if is_file else table, policy)
    assert (audit.kept, audit.unit, audit.k, audit.rows) == (True, "persons", 2, 60)


def test_persons_from_beside_the_table() -> None:
    audit = verdict({"q": ["a"] * 3 + ["b"] * 2}, person="p", persons=[7, 7, 8, 7, 9])
    assert (audit.unit, audit.k, audit.kept, audit.findings) == ("persons", 2, True, ())
    assert verdict({"q": ["a"] * 3}, person="p", persons=[7, 7, 7]).k == 1


def test_persons_that_are_gone() -> None:
    audit = verdict({"q": ["a", "a"]}, person="p")
    assert (audit.unit, audit.kept, severities(audit)) == ("rows", True, [("warning", "p")])
    assert "rows were counted, not persons" in audit.findings[0].message


# --- Every promise ---------------------------------------------------------------------------------------

TWO_GROUPS: Columns = {"q": ["a"] * 4 + ["b"] * 4, "s": ["x", "x", "x", "y", "x", "y", "z", "z"]}
"""Group a: x 3, y 1. Group b: x 1, y 1, z 2. Whole: x 4, y 2, z 2 of 8."""


@pytest.mark.parametrize(
    ("kept", "broken", "level"),
    [
        (DistinctDiversity("s", 2), DistinctDiversity("s", 3), 2),
        (EntropyDiversity("s", "1.7"), EntropyDiversity("s", "1.8"), 4 / 27**0.25),
        # Group a: 3 < c * 1. Group b: 2 < c * (1 + 1).
        (RecursiveDiversity("s", "3.1", 2), RecursiveDiversity("s", 3, 2), 3),
        # Group a: |3/4 - 4/8| + |1/4 - 2/8| + |0 - 2/8|, halved. Group b alike.
        (Closeness("s", "0.25"), Closeness("s", "0.24"), 0.25),
        (AlphaBound("s", "0.75"), AlphaBound("s", "0.74"), 0.75),
        (AlphaBound("s", "0.5", "z"), AlphaBound("s", "0.49", "z"), 0.5),
        # The share of z doubles in b, that of x halves: one binary digit, and less is asked for.
        (DeltaDisclosure("s", "1.01"), DeltaDisclosure("s", 1), 1),
        # z: (1/2 - 1/4) / (1/4).
        (BetaLikeness("s", 1), BetaLikeness("s", "0.99"), 1),
        (Template(["q"], "s", "x", "0.75"), Template(["q"], "s", "x", "0.74"), 0.75),
    ],
)
def test_every_promise(kept: PrivacyModel, broken: PrivacyModel, level: float) -> None:
    for promise, is_kept in ((kept, True), (broken, False)):
        audit = verdict(TWO_GROUPS, sensitive=["s"], privacy=[promise])
        assert audit.kept is is_kept
        (_, result) = audit.promises
        assert (result.kept, result.level) == (is_kept, pytest.approx(level))
        assert result.promise == promise.sentence("rows")
        assert (result.groups_broken > 0) is not is_kept
        broken_ones = [found for found in severities(audit) if found[0] == "broken"]
        assert broken_ones == ([] if is_kept else [("broken", None)])


def test_missing_is_a_value_of_confidential_columns() -> None:
    columns = {"q": ["a"] * 4, "s": ["x", None, "?", "x"]}
    audit = verdict(columns, sensitive=["s"], privacy=[DistinctDiversity("s", 2)], missing=["?"])
    assert (audit.kept, audit.promises[1].level) == (True, 2)
    with_token = verdict(columns, sensitive=["s"], privacy=[DistinctDiversity("s", 3)])
    assert with_token.kept, "where ? was not declared, it is a value of its own"


def test_template_on_its_own_columns() -> None:
    """Over both columns every group has one row and is sure; over ``q`` alone half of each group is."""
    columns = {"q": ["a", "a", "b", "b"], "r": [1, 2, 1, 2], "s": ["x", "y", "x", "y"]}

    def of(*given: str) -> Audit:
        template = Template(given, "s", "x", "0.5")
        return verdict(columns, quasi_identifiers=["q", "r"], sensitive=["s"], k=None, privacy=[template])

    assert (of("q").kept, of("q").promises[0].level) == (True, 0.5)
    assert (of("r").kept, of("r").promises[0].groups_broken) == (False, 1)
    assert (of("q", "r").kept, of("q", "r").promises[0].groups_broken) == (False, 2)


# --- Promises about some quasi-identifiers -----------------------------------------------------------------

CROSSED: Columns = {"q": ["a", "a", "b", "b"], "r": [1, 2, 1, 2], "s": ["x", "y", "y", "x"]}
"""Two rows for every value of q, and of r; one for every combination."""


def crossed(*sets: AnonymityOf, columns: Columns = CROSSED, **policy: Any) -> Audit:
    fields = {"quasi_identifiers": ["q", "r"], "sensitive": ["s"], "k": None, "privacy": sets}
    return verdict(columns, **fields | policy)


def test_each_set_is_kept_though_all_together_are_not() -> None:
    audit = crossed(AnonymityOf(["q"], 2), AnonymityOf(["r"], 2))
    assert audit.kept
    assert [(result.kept, result.level, result.groups_broken) for result in audit.promises] == [
        (True, 2, 0)
    ] * 2
    assert [result.promise for result in audit.promises] == [
        "Every value of 'q' covers at least 2 rows.",
        "Every value of 'r' covers at least 2 rows.",
    ]
    assert (audit.k, audit.groups, audit.smallest_groups) == (1, 4, (1, 1, 1, 1)), "of all quasi-identifiers"
    assert not crossed(AnonymityOf(["q"], 2), AnonymityOf(["r"], 2), k=2).kept
    assert not crossed(AnonymityOf(["q"], 2), AnonymityOf(["r", "q"], 2)).kept


def test_near_misses_of_sets() -> None:
    audit = crossed(AnonymityOf(["q"], 2), AnonymityOf(["r"], 3))
    assert [(result.kept, result.groups_broken) for result in audit.promises] == [(True, 0), (False, 2)]
    assert audit.findings[0].message == (
        "2 groups break the promise: Every value of 'r' covers at least 3 rows. The worst group reaches 2."
    )
    one_more = {**CROSSED, "r": [1, 2, 1, 3]}
    audit = crossed(AnonymityOf(["q"], 2), AnonymityOf(["r"], 2), columns=one_more)
    assert [(result.kept, result.level) for result in audit.promises] == [(True, 2), (False, 1)]
    assert not audit.kept


def test_sets_beside_templates_on_the_same_and_on_other_columns() -> None:
    of_q, of_r = Template(["q"], "s", "x", "0.5"), Template(["r"], "s", "x", "0.5")
    both = Template(["r", "q"], "s", "x", "0.5")
    audit = crossed(of_q, AnonymityOf(["q"], 2), of_r, both)
    assert [result.level for result in audit.promises] == [0.5, 2, 0.5, 1]
    assert [result.kept for result in audit.promises] == [True, True, True, False]


def test_sets_count_persons_where_they_are_known() -> None:
    sets = (AnonymityOf(["q"], 2), AnonymityOf(["r"], 2))
    audit = crossed(*sets, persons=[0, 1, 2, 3], person="p")
    assert (audit.kept, audit.promises[0].promise) == (True, "Every value of 'q' covers at least 2 persons.")
    audit = crossed(*sets, persons=[0, 0, 2, 3], person="p")
    assert [(result.kept, result.level) for result in audit.promises] == [(False, 1), (True, 2)]
    policy = Policy(quasi_identifiers=["q", "r"], sensitive=["s"], person="p", privacy=sets)
    table = TextTable.of_arrow(pa.table(CROSSED))
    assert judge(table, policy, persons=np.array([0, 1, 2, 3], dtype=np.int32)).broken == ()
    (found,) = judge(table, policy, persons=np.array([0, 0, 2, 3], dtype=np.int32)).broken
    assert "Every value of 'q'" in found.message


def test_nothing_is_called_anonymous_that_was_not_promised_to_be() -> None:
    def notes(**policy: Any) -> list[str]:
        found = crossed(**policy).findings
        return [finding.message for finding in found if "no k is promised" in finding.message]

    said = (
        "no k is promised for all quasi-identifiers together; rows in the smallest group that agrees on all "
    )
    assert notes(privacy=[AnonymityOf(["q"], 2), AnonymityOf(["r"], 2)]) == [f"{said}of them: 1"]
    assert notes(privacy=Template(["q"], "s", "x", 0.5)) == [f"{said}of them: 1"]
    assert notes(privacy=AnonymityOf(["q"], 2), k=2) == []
    assert notes(privacy=AnonymityOf(["r", "q"], 2)) == [], "these are all of them"


def test_a_quasi_identifier_that_no_promise_is_about() -> None:
    assert ("warning", "r") in severities(crossed(AnonymityOf(["q"], 2)))
    assert ("warning", "r") not in severities(crossed(AnonymityOf(["q"], 2), AnonymityOf(["r"], 2)))
    assert ("warning", "r") not in severities(crossed(AnonymityOf(["q"], 2), k=2))


def test_recount_names_what_is_broken_and_nothing_else() -> None:
    policy = Policy(quasi_identifiers=["q"], identifiers=["n"], keep=["e"], k=2)
    emails = {"q": ["a", "a"], "e": ["a@b.cd", "c@d.ef"]}
    assert judge(TextTable.of_arrow(pa.table(emails)), policy).broken == ()
    columns = {**emails, "q": ["a", "b"], "n": ["x", "y"]}
    found = judge(TextTable.of_arrow(pa.table(columns)), policy).broken
    assert [(finding.severity, finding.column) for finding in found] == [("broken", None), ("broken", "n")]
    persons = np.array([0, 0], dtype=np.int32)
    assert len(judge(TextTable.of_arrow(pa.table(emails)), policy, persons=persons).broken) == 1


# --- The optimistic reading ------------------------------------------------------------------------------


def test_optimistic_reading_exempts_rows_that_say_nothing() -> None:
    columns = {"q": ["*", "a", "a"], "r": ["*", "b", "b"], "t": ["y", "y", "n"]}
    fields = {"quasi_identifiers": ["q", "r"], "target": "t"}
    assert verdict(columns, **fields).k == 1
    audit = verdict(columns, **fields, reading="optimistic")
    assert (audit.kept, audit.k, audit.groups, audit.rows) == (True, 2, 1, 3)
    half = {**columns, "r": ["b", "b", "b"]}
    assert not verdict(half, **fields, reading="optimistic").kept, "one column still tells something"


def test_optimistic_reading_exempts_rows_from_promises_whose_columns_they_suppress() -> None:
    columns = {"q": ["*", "a", "a", "*"], "r": ["b", "b", "b", "*"], "s": ["x", "y", "y", "y"]}
    of_q = {"privacy": [AnonymityOf(["q"], 3), AnonymityOf(["r"], 2), Template(["r"], "s", "x", "0.4")]}
    levels = [result.level for result in crossed(columns=columns, **of_q).promises]
    assert levels == [2, 1, pytest.approx(1 / 3)]
    audit = crossed(columns=columns, **of_q, reading="optimistic")
    assert [result.level for result in audit.promises] == [2, 3, pytest.approx(1 / 3)]
    assert [result.kept for result in audit.promises] == [False, True, True]
    alone = {**columns, "q": ["*", "a", "a", "a"], "r": ["b", "b", "b", "*"]}
    assert not crossed(AnonymityOf(["q"], 2), columns=alone).kept
    assert crossed(AnonymityOf(["q"], 2), columns=alone, reading="optimistic").kept


def test_optimistic_reading_where_nothing_is_left() -> None:
    audit = verdict({"q": ["*"] * 3, "t": ["y"] * 3}, target="t", reading="optimistic")
    assert (audit.kept, audit.groups, audit.k_with_target) == (True, 0, None)
    assert audit.to_dict()["promises"][0]["level"] is None
    json.dumps(audit.to_dict(), allow_nan=False)


def test_optimistic_reading_counts_persons_of_the_others() -> None:
    columns = {"q": ["*", "a", "a", "a"]}
    assert verdict(columns, person="p", persons=[0, 1, 2, 2], reading="optimistic").k == 2
    assert verdict(columns, person="p", persons=[0, 1, 1, 1], reading="optimistic").k == 1


# --- What else there is to know --------------------------------------------------------------------------


def test_identifiers_left_in_break_the_promise() -> None:
    audit = verdict({"q": ["a", "a"], "n": ["Ann", "Bob"]}, identifiers=["n"])
    assert (audit.kept, audit.promises[0].kept) == (False, True)
    assert severities(audit) == [("broken", "n")]
    assert "Ann" not in json.dumps(audit.to_dict())


def test_unique_rows() -> None:
    columns = {"q": ["a"] * 4, "t": ["y", "y", "n", "n"], "h": [1, 1, 2, 3], "p": [1, 2, 3, 4]}
    audit = verdict(columns, target="t", keep=["h"], person="p")
    assert audit.unique_rows == 0.5, "the person column does not count: it is not published"
    assert verdict({"q": ["a", "b", "c"]}).unique_rows == 1
    assert verdict({"q": ["a", "a", "a"]}).unique_rows == 0


def test_certain_and_k_with_target() -> None:
    columns = {"q": ["a"] * 3 + ["b"] * 3, "t": ["y"] * 3 + ["y", "y", "n"], "s": ["1", "2", "3"] * 2}
    audit = verdict(columns, target="t", sensitive=["s"])
    assert audit.certain == {"t": 0.5, "s": 0.0}
    assert audit.k_with_target == 1
    assert verdict({"q": ["a"] * 3, "t": ["y"] * 3}, target="t").k_with_target == 3
    assert verdict({"q": ["a"] * 3}).k_with_target is None


def test_sensitive_without_a_bound_is_noted() -> None:
    columns = {"q": ["a", "a"], "s": ["x", "y"]}
    assert severities(verdict(columns, sensitive=["s"])) == [("note", "s")]
    assert severities(verdict(columns, sensitive=["s"], privacy=[DistinctDiversity("s", 2)])) == []


HELD = {
    "identifier": ("serious", "e-mail addresses", [f"ann{i}@example.org" for i in range(20)]),
    "date": ("warning", "dates", [f"2024-05-{i + 1:02}" for i in range(20)]),
    "free text": ("serious", "free text", [f"came in late on day {i}" for i in range(20)]),
}


@pytest.mark.parametrize("role", ["keep", "sensitive", "target"])
@pytest.mark.parametrize("kind", HELD)
def test_columns_that_should_not_be_published_as_they_are(kind: str, role: str) -> None:
    severity, told, values = HELD[kind]
    fields = {role: "x" if role == "target" else ["x"]}
    audit = verdict({"q": ["a"] * 20, "x": values}, **fields)
    (found,) = [finding for finding in audit.findings if finding.code == f"{kind}:x"]
    assert (found.severity, found.column) == (severity, "x")
    assert f"holds {told} (" in found.message
    assert audit.kept, "it breaks no promise"
    assert audit.colour == ("red" if severity == "serious" else "yellow")
    assert not any(value in json.dumps(audit.to_dict()) for value in values)


def test_quasi_identifiers_are_not_suspected() -> None:
    assert verdict({"q": [f"2024-05-{i % 9 + 1:02}" for i in range(20)]}).findings == ()


# --- The door --------------------------------------------------------------------------------------------


def test_audit_takes_frames_and_paths(tmp_path: Path) -> None:
    policy = Policy(quasi_identifiers=["q"], k=2)
    path = tmp_path / "t.csv"
    path.write_text("q\na\na\nb\n", "utf-8")
    frame = pa.table({"q": ["a", "a", "b"]})
    for table in (path, str(path), frame, frame.to_pandas()):
        assert (kanopy.audit(table, policy).k, kanopy.audit(table, policy).groups) == (1, 2)
    path.write_text("q;r\n\u00e9;1\n\u00e9;1\n", "latin-1")
    wide = Policy(quasi_identifiers=["q", "r"], k=2)
    assert kanopy.audit(path, wide, delimiter=";", encoding="latin-1").kept
    assert kanopy.audit(pa.table({"q": ["*", "a", "a"]}), policy, reading="optimistic").kept


# --- bounds that say less than they seem to ----------------------------------------------------------------


@pytest.mark.parametrize("value", ["flu", " flu\u200b", "flue"])
@pytest.mark.parametrize(
    "make", [lambda value: AlphaBound("s", 0.9, value), lambda value: Template(["q"], "s", value, 0.9)]
)
def test_a_bound_on_a_value_that_nobody_has(make: Any, value: str) -> None:
    audit = verdict({"q": ["a", "a"], "s": ["flu", "cold"]}, sensitive=["s"], privacy=make(value))
    warned = [finding.message for finding in audit.findings if finding.severity == "warning"]
    assert len(warned) == (value == "flue")
    assert not any("flue" in message for message in warned)


def test_every_value_of_a_template_that_nobody_has_is_noticed() -> None:
    bound = Template(["q"], "s", ["flu", "flue", "colt"], 0.9)
    audit = verdict({"q": ["a", "a"], "s": ["flu", "cold"]}, sensitive=["s"], privacy=bound)
    assert [finding.severity for finding in audit.findings].count("warning") == 2
    assert len(audit.promises) == 2  # k, and one template


def test_bounds_count_persons_where_they_are_known() -> None:
    """Three of four rows say cold, but one person says so three times."""
    columns = {"q": ["a"] * 4, "s": ["flu", "cold", "cold", "cold"]}
    bound = {"sensitive": ["s"], "privacy": AlphaBound("s", "0.5")}
    assert not verdict(columns, **bound).kept
    audit = verdict(columns, persons=[0, 1, 1, 1], person="p", **bound)
    assert audit.kept
    assert audit.promises[1].level == 0.5
    assert audit.promises[1].promise.endswith("is found with at most 0.5 of the persons.")
    assert not audit.findings


def test_one_person_with_two_values_counts_for_both() -> None:
    columns = {"q": ["a"] * 4, "s": ["flu", "cold", "cold", "flu"]}
    bound = {"sensitive": ["s"], "privacy": AlphaBound("s", "0.9")}
    assert verdict(columns, persons=[0, 0, 1, 2], person="p", **bound).promises[1].level == 2 / 3


def test_a_promise_that_cannot_be_recounted_is_refused() -> None:
    @dataclass(frozen=True)
    class Homemade(KAnonymity):
        """Kept by everything."""

        def holds(self, counts: Any) -> Any:
            return counts.members > 0

    with pytest.raises(PolicyError, match="cannot recount a promise of the kind 'Homemade'"):
        verdict({"q": ["a"]}, k=None, privacy=[Homemade(2)])
