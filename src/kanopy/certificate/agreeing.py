"""What a certificate says follows from other things that it says: where it does not, somebody changed it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kanopy.auditing import SEVERITIES, colour_of
from kanopy.certificate.entries import MalformedError, entry, number_of, one_of
from kanopy.certificate.limits import MOST_FINDINGS
from kanopy.codebook import Cells
from kanopy.privacy import CombinationAnonymity
from kanopy.privacy.implied import not_promised, promised_k
from kanopy.privacy.model import all_of

if TYPE_CHECKING:
    from kanopy.certificate.reading import Certificate

_COLOURS = ("red", "yellow", "green")


def check_verdict(verdict: Mapping[str, Any], roles: Mapping[str, str]) -> None:
    """Refuse a verdict whose findings are none: whatever version wrote it, these entries are in it."""
    one_of(verdict, "colour", _COLOURS)
    findings = entry(verdict, "findings", list)
    number_of(verdict, "more_findings")
    if len(findings) > MOST_FINDINGS:
        raise MalformedError(f"it has more than {MOST_FINDINGS:,} findings")
    for finding in findings:
        if not isinstance(finding, dict):
            raise MalformedError("a finding in it is none")
        one_of(finding, "severity", SEVERITIES)
        for name in ("message", "code", "advice"):
            entry(finding, name, str)
        if finding.get("column") is not None and entry(finding, "column", str) not in roles:
            raise MalformedError("a finding in it is about a column that it does not name")


def contradictions(known: Certificate) -> Iterator[str]:
    """What does not follow from the rest of a certificate that this version wrote; O(entries)."""
    told = known.contents["promise"]
    if [promise.sentence(known.unit) for promise in known.promises] != told["sentences"]:
        yield "its promise in words is not the promise in its bounds"
    quasi = known.contents["quasi_identifiers"]
    if not_promised(promised_k(all_of(known.promises), quasi)) != told["not_promised"]:
        yield "what it does not promise is not what its bounds leave out"
    is_untrue = any(notice.startswith("this release ") for notice in known.contents["notices"])
    if known.contents["truthful"] == is_untrue:
        yield "whether its cells are true is not what its notices say"
    verdict = known.contents["verdict"]
    severities = [finding["severity"] for finding in verdict["findings"]]
    if severities != sorted(severities, key=SEVERITIES.index) or "broken" in severities:
        yield "its findings are not those of a release, the worst first"
    if verdict["colour"] != colour_of(severities):
        yield "its colour is not the one that follows from its findings"
    if verdict["more_findings"] and len(verdict["findings"]) < MOST_FINDINGS:
        yield f"it leaves findings out, and has fewer than {MOST_FINDINGS:,}"
    holds_cells = {name for name, said in known.cells.items() if Cells(said["cells"]).is_cells}
    if known.cells and holds_cells != set(quasi):
        yield "columns that hold cells are not its quasi-identifiers"
    severity_of = {finding["code"]: finding["severity"] for finding in verdict["findings"]}
    if any(severity_of.get(code) == "serious" for code in verdict["accepted"]):
        yield "a finding is serious that the policy accepts"
    if not verdict["more_findings"] and not _expected(known) <= severity_of.items():
        yield "it lacks a finding that follows from its roles, its promise and what the policy accepts"


def says_other_numbers(known: Certificate) -> bool:
    """Whether the promise in words has a number that its bounds do not have, whatever version wrote it."""
    in_bounds = " ".join(promise.sentence(known.unit) for promise in known.promises)
    told = " ".join(known.contents["promise"]["sentences"])
    return not {*re.findall(r"\d+", told)} <= {*re.findall(r"\d+", in_bounds)}


def _expected(known: Certificate) -> set[tuple[str, str]]:
    """Code and severity of every finding that any table with these roles and promises has."""
    if not known.release.n_rows:
        return set()
    bounded = {column for promise in known.promises for column in promise.columns}
    free = [name for name, role in known.roles.items() if role == "sensitive" and name not in bounded]
    published = set(known.release.columns)
    accepted = [code for code in known.contents["verdict"]["accepted"] if code.split(":", 1)[1] in published]
    expected = {(code, "warning") for code in accepted} | {(f"unbounded:{name}", "note") for name in free}
    quasi = known.contents["quasi_identifiers"]
    if promised_k(all_of(known.promises), quasi) is None:
        expected.add(("no k", "note"))
        if any(isinstance(promise, CombinationAnonymity) for promise in known.promises):
            expected.add(("combinations", "warning"))
    if any(promise.grouped_by is None for promise in known.promises):
        return expected
    about = {name for promise in known.promises for name in promise.grouped_by or ()}
    return expected | {(f"no promise:{name}", "warning") for name in quasi if name not in about}
