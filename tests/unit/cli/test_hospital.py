"""A hospital's messy export, from the first command to a verified release; the draft alone protects it."""

from __future__ import annotations

import csv
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command import Outcome, run
from effort import n_tables

from benchmarks.hospital_files import HOSTILE, Export, english_export, german_export, hostile_export, seen

N_ROWS = n_tables(1000, 2000)
MAKERS: dict[str, Callable[[int], Export]] = {
    "german": german_export,
    "english": english_export,
    "hostile": hostile_export,
}


@dataclass(frozen=True, slots=True)
class Walk:
    """What the commands of the README left behind, with the policy as it was drafted."""

    export: Export
    folder: Path
    policy: dict[str, Any]
    said: str

    @property
    def rows(self) -> list[dict[str, str]]:
        with (self.folder / "release.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @property
    def published(self) -> str:
        """Everything that may leave the hospital, and what was printed on the way."""
        files = sorted(path for path in self.folder.iterdir() if path.name.startswith("release"))
        return "\n".join([*(path.read_text("utf-8") for path in files), self.said])


def next_command(outcome: Outcome) -> list[str]:
    """The arguments of the command that ``suggest`` prints."""
    found = re.search(r"kanopy (anonymize .*)", outcome.out + outcome.err)
    assert found, outcome
    return shlex.split(found.group(1))


@pytest.fixture(scope="module", params=MAKERS)
def walk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    folder = tmp_path_factory.mktemp(request.param)
    export = MAKERS[request.param](N_ROWS)
    export.write(folder / "data.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        drafted = run("suggest", "data.csv", "-o", "policy.toml")
        assert drafted.code == 0, drafted.err
        released = run(*next_command(drafted))
        assert released.code == 0, released.err
        verified = run("verify", "release.csv")
        assert verified.code == 0, verified.err
    policy = tomllib.loads((folder / "policy.toml").read_text("utf-8"))
    said = [outcome.out + outcome.err for outcome in (drafted, released, verified)]
    return Walk(export, folder, policy, "\n".join(said))


def test_the_draft_alone_publishes_no_identifier_no_free_text_and_no_minute(walk: Walk) -> None:
    text = walk.published
    columns = walk.export.columns
    assert {header: seen(columns[header], text) for header in walk.export.secret} == dict.fromkeys(
        walk.export.secret, 0
    )
    cells = {cell for row in walk.rows for cell in row.values()}
    assert not [cell for cell in cells if re.search(r"\d:\d\d", cell)]


def test_every_group_of_the_release_has_k_rows(walk: Walk) -> None:
    rows = walk.rows
    assert len(rows) == N_ROWS
    quasi = walk.policy["quasi_identifiers"]
    groups = Counter(tuple(row[name] for name in quasi) for row in rows)
    assert min(groups.values()) >= walk.policy["privacy"]["k"]
    assert len(groups) > 1


def test_identifiers_are_dropped_and_the_rest_is_published(walk: Walk) -> None:
    published = set(walk.rows[0])
    secret = set(walk.export.secret)
    times = {name for name in secret if re.search(r"\d:\d\d", walk.export.columns[name][0])}
    assert not published & (secret - times)
    assert walk.export.measurement in published


def test_the_class_is_found_where_a_header_tells(walk: Walk) -> None:
    if set(walk.export.columns) == set(HOSTILE):
        assert walk.policy.get("target") not in walk.export.secret
    else:
        assert walk.policy["target"] == walk.export.target
        classes = Counter(row[walk.export.target] for row in walk.rows)
        assert classes == Counter(walk.export.columns[walk.export.target])


def test_a_beginning_of_a_cell_is_seen_in_a_text() -> None:
    assert seen(["P100000", "P100117", "abc"], "{P100000, P200000}") == 1
    assert seen(["Pat. klagt über Husten"], "x Pat. klagt ü") == 1
