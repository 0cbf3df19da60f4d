"""Somebody edits a certificate, and not the release: of a file, of persons, and of a folder of parts.

What contradicts the rest, or the recount, fails. What is consistent and weaker is kept by the file as well:
then what is promised stands beside what was counted.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import run
from part_folders import FRAME, POLICY, edit, write_parts

import kanopy
from kanopy.certificate import certificate_path
from kanopy.errors import InputError

BY_PERSON = kanopy.Policy(
    quasi_identifiers=["zip", "age"], sensitive=["ill"], keep=["stay"], person="name", k=4
)
POLICIES = {"release.csv": POLICY, "persons.csv": BY_PERSON, "parts": POLICY}
COUNTED = 12
"""Rows of the smallest group, as mondrian makes it here with k = 4."""

Known = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for name, policy in POLICIES.items():
        if name != "parts":
            kanopy.anonymize(FRAME, policy).write(folder / name)
    write_parts(folder / "parts")
    return folder


@pytest.fixture(params=POLICIES)
def release(request: pytest.FixtureRequest, made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / str(request.param)


def change(release: Path, edited: Callable[[Known], Any]) -> Known:
    path = certificate_path(release)
    known: Known = json.loads(path.read_text())
    edited(known)
    path.write_text(json.dumps(known))
    return known


def failing(release: Path, **more: Any) -> set[str]:
    """The names of the checks that fail; that the certificate is refused is one, too."""
    try:
        found = kanopy.verify(release, **more)
    except InputError:
        return {"refused"}
    code = run("verify", release).code
    assert code == int(not found.kept) or more
    return {check.name for check in found.checks if check.outcome == "fails"}


def with_k(k: int, *, words: bool = True, bounds: bool = True) -> Callable[[Known], None]:
    def edited(known: Known) -> None:
        promise = known["promise"]
        if bounds:
            promise["bounds"][0]["k"] = k
        if words:
            promise["sentences"] = [promise["sentences"][0].replace(" 4 ", f" {k:,} ")]

    return edited


def of_one_column(known: Known) -> None:
    """k over fewer columns than the publisher promised it for."""
    known["roles"]["zip"], known["quasi_identifiers"] = "keep", ["age"]


def of_one_column_with_cells(known: Known) -> None:
    of_one_column(known)
    if known["cells"]:
        known["cells"]["zip"]["cells"] = "plain texts"


def of_another_version(edited: Callable[[Known], None]) -> Callable[[Known], None]:
    def change_both(known: Known) -> None:
        edited(known)
        known["kanopy"] = "9.0.0"

    return change_both


def other_unit(known: Known) -> None:
    promise, units = known["promise"], ("rows", "persons")
    old, new = units if promise["counted"] == "rows" else units[::-1]
    promise["counted"], promise["sentences"] = new, [said.replace(old, new) for said in promise["sentences"]]


EDITS: dict[str, Callable[[Known], Any]] = {
    "k up": with_k(50),
    "k up in words": with_k(50, words=True, bounds=False),
    "k up in bounds": with_k(50, words=False),
    "k down in words": with_k(2, words=True, bounds=False),
    "k down in bounds": with_k(2, words=False),
    "k up in words, another version": of_another_version(with_k(50, bounds=False)),
    "k up, another version": of_another_version(with_k(50)),
    "fewer columns": lambda known: known.update(quasi_identifiers=["age"]),
    "fewer columns, with roles": of_one_column,
    "fewer columns, with roles and cells": of_one_column_with_cells,
    "rows for persons": other_unit,
    "more rows": lambda known: known["release"].update(rows=97),
    "colour": lambda known: known["verdict"].update(colour="red"),
    "accepted": lambda known: known["verdict"].update(accepted=["identifier:stay"]),
    "no findings": lambda known: known["verdict"].update(findings=[], colour="green", more_findings=1),
    "truthful": lambda known: known.update(truthful=False),
    "not promised": lambda known: known["promise"].update(not_promised="Nothing is left out."),
}


def test_as_it_was_written(release: Path) -> None:
    assert not failing(release)
    assert not failing(release, policy=POLICIES[release.name])
    assert f"Promised: 4, counted: {COUNTED}" in run("verify", release).out
    assert "over 'zip', 'age'" in run("verify", release).out


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_that_contradicts_the_rest_fails(name: str, release: Path) -> None:
    change(release, EDITS[name])
    assert failing(release)
    assert failing(release, policy=POLICIES[release.name])


@pytest.mark.parametrize("k", [2, 8, COUNTED])
def test_a_consistent_promise_that_the_file_keeps_is_told_with_what_was_counted(
    k: int, release: Path
) -> None:
    """The codebook gives it away where there is one, and so does the policy."""
    known = change(release, with_k(k))
    assert failing(release) == ({"codebook"} if known["codebook"] else set())
    assert "policy" in failing(release, policy=POLICIES[release.name])
    assert f"Promised: {k}, counted: {COUNTED}" in run("verify", release).out


def test_with_the_policy_what_is_accepted_is_compared(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "parts", tmp_path / "parts")
    known = json.loads((tmp_path / "parts" / "_kanopy.json").read_text())
    warning = {
        "severity": "warning",
        "message": "",
        "column": "stay",
        "code": "identifier:stay",
        "advice": "",
    }
    verdict = {"accepted": ["identifier:stay"], "colour": "yellow"}
    findings = [warning, *known["verdict"]["findings"]]
    edit(tmp_path / "parts", lambda known: known["verdict"].update(verdict, findings=findings))
    assert not failing(tmp_path / "parts")
    assert failing(tmp_path / "parts", policy=POLICY) == {"policy"}
