"""Written files: every method with every kind of promise on random tables, checked by code of its own."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet

import kanopy
from fuzz.cases import SECRET, Case, random_case
from fuzz.failures import signature
from fuzz.recount import PATHS, Judged, Written, as_text, cleaned, read_csv, read_parquet, without_disarming
from fuzz.scratch import scratch
from fuzz.second_opinion import GROUPS, broken, opinion
from fuzz.target import ENGINE_FAULTS, Target, Violation, pattern
from kanopy import privacy
from kanopy.data import Hierarchy
from kanopy.errors import KanopyError


class CaseError(Violation):
    """A case that failed, with the word for it that the summary counts."""

    def __init__(self, case: Case, what: str) -> None:
        super().__init__(f"{case.method} with {case.kind}: {what}")
        self.outcome = f"{case.method}|{case.kind}|failed"


class WrittenTarget(Target):
    """Anonymize, write CSV and Parquet, read both with code that is not kanopy's, recount the promise.

    An input is a number that chance starts from, or a whole case as JSON, which is what is kept of failures.
    """

    name = "written"
    always_makes = True

    def seeds(self) -> list[bytes]:
        return [bytes([number]) for number in range(8)]

    def make(self, rng: Random) -> bytes:
        return b"\0" + rng.randbytes(8)

    def execute(self, data: bytes) -> str:
        case = self.case_of(data)
        try:
            return f"{case.method}|{case.kind}|{_run(case)}"
        except CaseError:
            raise
        except Exception as error:
            raise CaseError(case, signature(error)) from error

    def to_replay(self, data: bytes) -> bytes:
        return self.case_of(data).to_json()

    def case_of(self, data: bytes) -> Case:
        """The case that an input stands for."""
        if data.startswith(b"{"):
            return Case.from_json(data)
        return random_case(Random(int.from_bytes(data)), _methods())


@cache
def _methods() -> tuple[Any, ...]:
    return tuple(kanopy.methods())


def _run(case: Case) -> str:
    try:
        release = kanopy.anonymize(
            _source(case), _policy(case), method=case.method, seed=case.seed, allow_empty=True, **case.options
        )
        path = release.write(scratch() / "out.csv", force=True, spreadsheet_safe=case.is_disarmed)
        in_csv = without_disarming(read_csv(path)) if case.is_disarmed else read_csv(path)
        in_parquet = read_parquet(release.write(scratch() / "out.parquet", force=True))
    except KanopyError as error:
        if error.exit_code in ENGINE_FAULTS:
            raise CaseError(case, f"exit code {error.exit_code}: {pattern(error.message)[:40]}") from error
        if SECRET in str(error) and SECRET not in str(case.promises):
            raise CaseError(case, "a message shows a cell") from error
        return f"refused {error.exit_code}"
    for file in (in_csv, in_parquet):
        _judge(case, file, release.record["rows"])
    if in_csv != in_parquet:
        raise CaseError(case, "the two files differ")
    if case.is_disarmed:  # others take texts as they are
        return "written"
    _check_opinion(case)
    if case.seed % 4 == 0 and not case.has_person:
        _check_audit(case, in_csv)
    return "written"


def _check_audit(case: Case, file: Written) -> None:
    """kanopy's own audit of the file must come to the same result; it is slow, so not every file."""
    audit = kanopy.audit(scratch() / "out.csv", _policy(case))
    if not audit.kept or audit.k != Judged(file, case.quasi, None, {"kind": "k"}).smallest(case.quasi):
        raise CaseError(case, "the audit of the file disagrees")


_SECTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "distinct": ("diversity", {}),
    "entropy": ("diversity", {"kind": "entropy"}),
    "recursive": ("diversity", {"kind": "recursive"}),
    "closeness equal": ("closeness", {}),
    "closeness ordered": ("closeness", {"distance": "ordered"}),
    "closeness hierarchical": ("closeness", {"distance": "hierarchical"}),
    "delta": ("disclosure", {}),
}
"""What the promises of cases are called in a policy; alpha and template have their own names."""


def _check_opinion(case: Case) -> None:
    """The referee must not find the file broken."""
    bounds = {key: value for key, value in case.promise.items() if key != "kind" and value is not None}
    name, more = _SECTIONS.get(case.kind, (case.kind, {}))
    if case.kind == "beta":
        name, bounds["kind"] = "likeness", bounds.pop("likeness")
    privacy: dict[str, Any] = {} if case.k is None else {"k": case.k}
    if case.kind == "k sets":
        privacy["anonymity"] = [{"given": given, "k": k} for given, k in bounds["sets"]]
    elif case.kind != "k":
        privacy[name] = [bounds | more]
    elif case.k is None:
        return
    policy: dict[str, Any] = {"quasi_identifiers": case.quasi, "target": "target", "missing": case.missing}
    policy |= {"sensitive": [case.bounded], "keep": ["row"] if "row" in case.columns else []}
    policy |= {"person": ["person"] if case.has_person else [], "privacy": privacy}
    policy["hierarchies"] = {case.bounded: GROUPS} if _is_tree(case) else {}
    source = {name: _texts(case, values) for name, values in case.columns.items()}
    told = json.loads((scratch() / "out.csv.kanopy.json").read_text())
    if found := broken(opinion(scratch() / "out.csv", source, policy, told)):
        raise CaseError(case, f"the referee disagrees: {pattern('; '.join(found))}")


def _texts(case: Case, values: list[Any]) -> list[str]:
    """A column of the source as text: as it was written, or as Arrow writes it."""
    if case.source == "csv":
        return list(map(as_text, values))
    return [text or "" for text in pa.array(values).cast(pa.string()).to_pylist()]


def _judge(case: Case, file: Written, counts: dict[str, int]) -> None:
    """Everything that must hold of a file, from its text and the source alone."""
    n_rows = len(case.columns["target"])
    if (counts["in"], counts["out"], counts["dropped"]) != (
        n_rows,
        len(file.lines),
        n_rows - len(file.lines),
    ):
        raise CaseError(case, "rows in and out do not add up")
    if set(file.names) != set(case.columns) - {"person"}:
        raise CaseError(case, "other columns than the policy publishes")
    persons = None
    if "row" in file.names:
        rows = [int(text) for text in file.columns["row"]]
        if len(set(rows)) < len(rows):
            raise CaseError(case, "a row is published twice")
        _check_passing(case, file, rows)
        persons = [case.columns["person"][row] for row in rows] if case.has_person else None
    for promise in case.promises:
        if case.has_person and persons is None and promise["kind"] != "k sets":
            promise = {
                "kind": "k"
            }  # nobody can tell from made-up rows whose values they are; rows are no fewer
        broken = Judged(file, case.quasi, case.k, promise, persons).broken()
        if broken:
            raise CaseError(case, f"the promise is broken: {pattern('; '.join(broken))}")


def _check_passing(case: Case, file: Written, rows: list[int]) -> None:
    """Columns that are published as they are, row by row."""
    for name in {"target", case.bounded}:
        originals = [cleaned(case.columns[name][row]) for row in rows]
        expected = ["" if text in case.missing else text for text in originals]
        if file.columns[name] != expected:
            raise CaseError(case, "a column that passes is not as it was")


# --- What kanopy is given --------------------------------------------------------------------------------


def _source(case: Case) -> Any:
    """The table as a frame, or as the path of a file."""
    if case.source == "csv":
        return _csv_file(case)
    table = pa.table({name: pa.array(values) for name, values in case.columns.items()})
    if case.source == "parquet":
        pa.parquet.write_table(table, scratch() / "source.parquet")
        return scratch() / "source.parquet"
    if case.source == "dictionary":
        return pa.table({name: table[name].dictionary_encode() for name in table.column_names})
    return table


def _csv_file(case: Case) -> Path:
    path = scratch() / "source.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(case.columns)
        writer.writerows(map(as_text, line) for line in zip(*case.columns.values(), strict=True))
    return path


def _policy(case: Case) -> kanopy.Policy:
    return kanopy.Policy(
        quasi_identifiers=case.quasi,
        target="target",
        sensitive=[case.bounded] if case.bounded != "target" else [],
        keep=["row"] if "row" in case.columns else [],
        person="person" if case.has_person else None,
        missing=case.missing,
        k=case.k,
        privacy=[part for promise in case.promises for part in _PROMISES[promise["kind"]](promise)],
        hierarchies={case.bounded: Hierarchy.from_paths(case.bounded, PATHS)} if _is_tree(case) else {},
    )


def _is_tree(case: Case) -> bool:
    """Whether the bounded column takes the hierarchy."""
    return set(map(cleaned, case.columns[case.bounded])) <= {"", *(path[0] for path in PATHS)}


def _closeness(distance: str) -> Callable[[dict[str, Any]], list[privacy.PrivacyModel]]:
    return lambda given: [privacy.Closeness(given["column"], given["t"], distance)]


_PROMISES: dict[str, Callable[[dict[str, Any]], list[privacy.PrivacyModel]]] = {
    "k": lambda given: [],
    "k sets": lambda given: [privacy.AnonymityOf(names, k) for names, k in given["sets"]],
    "distinct": lambda given: [privacy.DistinctDiversity(given["column"], given["l"])],
    "entropy": lambda given: [privacy.EntropyDiversity(given["column"], given["l"])],
    "recursive": lambda given: [privacy.RecursiveDiversity(given["column"], given["c"], given["l"])],
    "closeness equal": _closeness("equal"),
    "closeness ordered": _closeness("ordered"),
    "closeness hierarchical": _closeness("hierarchical"),
    "alpha": lambda given: [privacy.AlphaBound(given["column"], given["alpha"], given["value"])],
    "template": lambda given: [
        privacy.Template(given["given"], given["column"], given["value"], given["at_most"])
    ],
    "delta": lambda given: [
        privacy.DeltaDisclosure(given["column"], given["delta"], strict_zero=given["strict_zero"])
    ],
    "beta": lambda given: [privacy.BetaLikeness(given["column"], given["beta"], given["likeness"])],
}
