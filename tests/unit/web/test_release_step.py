"""The last step: what is clicked is what is written; what stops a release, and what stands side by side."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from command import PATIENCE, run
from web_client import Answer, Client
from web_steps import EPOCH, cells_of, files, place_of, released

from kanopy.datasets import patients, write_patients


@dataclass(frozen=True, slots=True)
class Made:
    """A release of a table of its own: where it was made, and its files."""

    work: str
    files: dict[str, bytes]


def promised(client: Client, work: str) -> Answer:
    """The promise of that release."""
    diagnosis = place_of(client, work, "diagnosis")
    sentence = {"column-0": diagnosis, "value-0": "cancer", "most-0": "60"}
    return client.post(f"{work}/promise", {"k": "8", f"bound-{diagnosis}": "l2", **sentence})


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of patients."""
    place = tmp_path_factory.mktemp("table") / "patients.csv"
    write_patients(patients(600), place)
    return place.read_bytes()


def begun(client: Client, table: bytes) -> str:
    """A piece of work on the patients, of which nobody else knows."""
    client.get("/?new=1")
    return client.table(client.upload("patients.csv", table))


@pytest.fixture(scope="module")
def made(client: Client, table: bytes) -> Made:
    """The files of a release, with some choices."""
    work = begun(client, table)
    stay = place_of(client, work, "length_of_stay")
    client.post(f"{work}/columns", {f"role-{stay}": "keep"})
    page = promised(client, work)
    assert page.status == 200
    assert "at least 8 rows" in page.seen()
    page = released(client, work)
    assert "the promise is kept" in page.seen()
    return Made(work, files(client, work))


def test_what_is_clicked_can_be_run_as_a_command_and_as_python(
    client: Client, made: Made, table: bytes, tmp_path: Path
) -> None:
    page = client.get(f"{made.work}/release").text
    command, python = (
        re.sub(r"&#34;|&quot;", '"', code).replace("&#39;", "'")
        for code in re.findall(r"<pre tabindex=\"0\"><code>(.*?)</code></pre>", page, re.DOTALL)[:2]
    )
    assert command.startswith("kanopy anonymize patients.csv ")
    launch = "from kanopy.cli.start import run; run()"
    ways = {
        "command": [sys.executable, "-c", launch, *command.split()[1:]],
        "python": [sys.executable, "-c", python],
    }
    for name, way in ways.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "patients.csv").write_bytes(table)
        (folder / "policy.toml").write_bytes(made.files["policy.toml"])
        done = subprocess.run(
            way, cwd=folder, env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH}, capture_output=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        for file, content in made.files.items():
            assert (folder / file).read_bytes() == content, f"{name}: {file}"


def test_every_row_after_covers_the_row_before_that_stands_beside_it(client: Client, made: Made) -> None:
    page = client.get(f"{made.work}/release")
    before, after = cells_of(page, "Before:"), cells_of(page, "After:")
    assert len(before) == len(after) == 8
    lines = list(csv.reader(made.files["release.csv"].decode().splitlines()))
    for old, new in zip(before, after, strict=True):
        assert all(old[name] == new[name] for name in ("diagnosis", "readmitted", "length_of_stay"))
        low, high = re.fullmatch(r"\[?(\d+)(?:, (\d+)\])?", new["age"]).groups()
        assert int(low) <= int(old["age"]) <= int(high or low)
        assert list(new.values()) in lines
    assert "says the same as the row beside it" in page.seen()


def test_a_release_has_all_its_files_and_can_be_verified(made: Made, tmp_path: Path) -> None:
    assert set(made.files) == {
        "release.csv", "release.csv.kanopy.json", "release.codebook.csv", "release.codebook.md",
        "report.html", "board.html", "policy.toml",
    }  # fmt: skip
    for name, content in made.files.items():
        (tmp_path / name).write_bytes(content)
    checked = run("verify", tmp_path / "release.csv", "--policy", tmp_path / "policy.toml")
    assert checked.code == 0, checked.err
    policy = made.files["policy.toml"].decode()
    assert "k = 8" in policy
    assert 'value = "cancer"' in policy
    assert "at_most = 0.6" in policy


def test_a_release_that_is_out_of_date_says_so(client: Client, made: Made) -> None:
    work = made.work
    promised(client, work)
    assert "made with earlier choices" not in client.get(f"{work}/release").seen()
    client.post(f"{work}/promise", {"k": "9"})
    assert "made with earlier choices" in client.get(f"{work}/release").seen()
    # In another tab the page of before is still open: what it shows is not what would be made.
    refused = client.post(f"{work}/release", {"seen": "0" * 24, "output": "release.csv"})
    assert refused.status == 400
    assert "maybe in another tab" in refused.seen()


def test_a_column_that_tells_who_somebody_is_stops_the_release_until_it_is_accepted(
    client: Client, table: bytes
) -> None:
    work = begun(client, table)
    name = place_of(client, work, "name")
    page = client.post(f"{work}/columns", {f"role-{name}": "keep"})
    assert "This tells who somebody is" in page.seen()
    assert "the draft was “drop it”: " in page.seen()
    stopped = released(client, work)
    assert "would tell who people are" in stopped.seen()
    assert "tick the box below, if a reviewer agrees" in stopped.seen()
    assert "Take it with you" not in stopped.seen()
    assert client.get(f"{work}/files/0").status == 404
    page = client.post(f"{work}/release", {"accept": "identifier:name", "output": "release.csv"})
    page = client.waited(f"{work}/release")
    assert "the policy accepts this" in page.seen()
    assert b'accept = ["identifier:name"]' in files(client, work)["policy.toml"]
    # What was accepted is accepted for as long as it is ticked.
    client.post(f"{work}/release", {"output": "release.csv"})
    assert "would tell who people are" in client.waited(f"{work}/release").seen()


def test_where_no_rows_can_stand_side_by_side_the_page_says_so(client: Client) -> None:
    rows = "".join(f"{20 + n % 40},{'fm'[n % 2]},{'yn'[n % 40 // 4 % 2]}\n" for n in range(400))
    client.get("/?new=1")
    work = client.table(client.upload("people.csv", f"age,sex,ill\n{rows}".encode()))
    client.post(f"{work}/compare", {"take": "sketch 10"})
    page = released(client, work)
    assert len(cells_of(page, "After:")) == 8
    assert "not the same rows" in page.seen()
