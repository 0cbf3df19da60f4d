"""The five steps as a browser without scripts goes them: what is chosen is what is written."""

from __future__ import annotations

import asyncio
import csv
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from command import SECRET, run
from web_client import Answer, Client, events

from benchmarks.hospital_files import german_export
from kanopy.datasets import patients, write_patients
from kanopy.web import steps, views

EPOCH = "1700000000"  # as the fixture that starts the page has it


def released(client: Client, work: str, **more: object) -> Answer:
    """Make the release that the page shows."""
    page = client.get(f"{work}/release")
    seen = re.search(r'name="seen" value="(\w+)"', page.text)
    assert seen
    client.post(f"{work}/release", {"seen": seen.group(1), "output": "release.csv", **more})
    return client.waited(f"{work}/release")


def files(client: Client, work: str) -> dict[str, bytes]:
    """Everything that can be downloaded."""
    page = client.get(f"{work}/release").text
    found = {}
    for place, name in re.findall(r'/files/(\d+)" download>([^<]+)<', page):
        answer = client.get(f"{work}/files/{place}")
        assert answer.headers["content-disposition"].startswith("attachment")
        found[name] = answer.body
    return found


def as_drafted(client: Client, work: str) -> str:
    """A piece of work with nothing decided but the promise."""
    client.get("/?new=1")
    client.post(f"{work}/columns", {"again": "1"})
    client.post(f"{work}/promise", {"k": "10"})
    return work


def place_of(client: Client, work: str, column: str) -> int:
    """The number of a column on the page."""
    text = client.get(f"{work}/columns").text
    lines = re.findall(r"<li class=\"column.*?</li>", text, re.DOTALL)
    return next(
        int(re.search(r'name="role-(\d+)"', line).group(1)) for line in lines if f">{column}<" in line
    )


def test_a_job_that_ends_while_its_page_is_made_is_shown_with_its_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = SimpleNamespace(state="running")

    def view(_site: object, _work: object) -> dict[str, str]:
        facts = {"result": job.state}
        job.state = "done"
        return facts

    monkeypatch.setitem(views.VIEWS, "release", view)
    site = SimpleNamespace(pages=SimpleNamespace(page=lambda *_, **facts: facts))
    work = SimpleNamespace(jobs={"release": job}, notices=[])
    request = SimpleNamespace(scope={"session": SimpleNamespace(csrf="")})
    assert asyncio.run(steps.shown(site, request, work, "release"))["result"] == "done"


@pytest.fixture(scope="module")
def made(client: Client, demo: str) -> dict[str, bytes]:
    """The files of a release of the demo, with some choices."""
    stay = place_of(client, demo, "length_of_stay")
    client.post(f"{demo}/columns", {f"role-{stay}": "keep"})
    diagnosis = place_of(client, demo, "diagnosis")
    sentence = {"column-0": diagnosis, "value-0": "cancer", "most-0": "60"}
    page = client.post(f"{demo}/promise", {"k": "8", f"bound-{diagnosis}": "l2", **sentence})
    assert page.status == 200
    assert "at least 8 rows" in page.seen()
    page = released(client, demo)
    assert "the promise is kept" in page.seen()
    return files(client, demo)


def test_what_is_clicked_can_be_run_as_a_command_and_as_python(
    client: Client, demo: str, made: dict[str, bytes], tmp_path: Path
) -> None:
    page = client.get(f"{demo}/release").text
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
        write_patients(patients(5000), folder / "patients.csv")
        (folder / "policy.toml").write_bytes(made["policy.toml"])
        done = subprocess.run(
            way, cwd=folder, env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH}, capture_output=True,
            timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        for file, content in made.items():
            assert (folder / file).read_bytes() == content, f"{name}: {file}"


def cells_of(page: Answer, caption: str) -> list[dict[str, str]]:
    """The rows of a table of the page."""
    (found,) = re.findall(rf"<caption>{caption}.*?</table>", page.text, re.DOTALL)
    names = re.findall(r"<th scope=\"col\"><bdi>(.*?)</bdi>", found)
    rows = re.findall(r"<tr>(<td>.*?)</tr>", found, re.DOTALL)
    return [dict(zip(names, re.findall(r"<td><(?:bdi|em[^>]*)>(.*?)</", row), strict=True)) for row in rows]


def test_every_row_after_covers_the_row_before_that_stands_beside_it(
    client: Client, demo: str, made: dict[str, bytes]
) -> None:
    page = client.get(f"{demo}/release")
    before, after = cells_of(page, "Before:"), cells_of(page, "After:")
    assert len(before) == len(after) == 8
    lines = list(csv.reader(made["release.csv"].decode().splitlines()))
    for old, new in zip(before, after, strict=True):
        assert all(old[name] == new[name] for name in ("diagnosis", "readmitted", "length_of_stay"))
        low, high = re.fullmatch(r"\[?(\d+)(?:, (\d+)\])?", new["age"]).groups()
        assert int(low) <= int(old["age"]) <= int(high or low)
        assert list(new.values()) in lines
    assert "says the same as the row beside it" in page.seen()


def test_a_release_has_all_its_files_and_can_be_verified(made: dict[str, bytes], tmp_path: Path) -> None:
    assert set(made) == {
        "release.csv", "release.csv.kanopy.json", "release.codebook.csv", "release.codebook.md",
        "report.html", "board.html", "policy.toml",
    }  # fmt: skip
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    checked = run("verify", tmp_path / "release.csv", "--policy", tmp_path / "policy.toml")
    assert checked.code == 0, checked.err
    policy = made["policy.toml"].decode()
    assert "k = 8" in policy
    assert 'value = "cancer"' in policy
    assert "at_most = 0.6" in policy


def test_a_release_that_is_out_of_date_says_so(client: Client, demo: str, made: dict[str, bytes]) -> None:
    assert made
    assert "made with earlier choices" not in client.get(f"{demo}/release").seen()
    client.post(f"{demo}/promise", {"k": "9"})
    assert "made with earlier choices" in client.get(f"{demo}/release").seen()
    # In another tab the page of before is still open: what it shows is not what would be made.
    refused = client.post(f"{demo}/release", {"seen": "0" * 24, "output": "release.csv"})
    assert refused.status == 400
    assert "maybe in another tab" in refused.seen()


def test_a_messy_export_is_read_and_its_doubtful_columns_come_first(client: Client) -> None:
    export = german_export(600)
    lines = [";".join(export.columns)]
    lines += [";".join(f'"{cell}"' for cell in row) for row in zip(*export.columns.values(), strict=True)]
    client.get("/?new=1")
    work = client.table(client.upload("Übersicht 2023.csv", "\n".join(lines).encode("latin-1")))
    table = client.get(f"{work}/table").seen()
    assert "600 rows, 12 columns" in table
    assert "Übersicht 2023.csv" in table
    assert "semicolon" in table
    columns = client.get(f"{work}/columns")
    order = re.findall(r'<li class="column (\w+)', columns.text)
    assert order == sorted(order, key=["doubtful", "likely", "sure"].index)
    page = released(client, work)
    assert "the promise is kept" in page.seen()
    table = files(client, work)["release.csv"].decode()
    header = table.partition("\n")[0].split(",")
    assert not set(header) & set(export.secret) - {"Aufnahmezeitpunkt"}
    for name in ("PatientenNr", "Name", "Bemerkung"):
        assert not [cell for cell in export.columns[name] if len(cell) > 6 and cell in table]


def test_a_column_that_tells_who_somebody_is_stops_the_release_until_it_is_accepted(
    client: Client, demo: str
) -> None:
    work = as_drafted(client, demo)
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


def test_hostile_names_and_cells_are_shown_and_not_interpreted(client: Client) -> None:
    evil = "<script>alert(1)</script>"
    rows = "".join(f"{20 + n % 30},{evil if n % 2 else '=cmd()'},{'yn'[n % 3 == 0]}\n" for n in range(200))
    client.get("/?new=1")
    answer = client.upload("..%2f..\\<img src=x>‮.csv", f'age,"{evil}",ill\n{rows}'.encode())
    work = client.table(answer)
    for step in ("table", "columns", "promise", "compare", "release"):
        text = client.get(f"{work}/{step}").text
        assert evil not in text
        assert "<img" not in text
        assert "\u202e" not in text
    place = place_of(client, work, "&lt;script&gt;alert(1)&lt;/script&gt;")
    client.post(f"{work}/columns", {f"role-{place}": "sensitive"})
    page = released(client, work)
    assert "the promise is kept" in page.seen()
    assert evil not in page.text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty"),
        ("ragged.csv", f"a,b\n{SECRET},2\n{SECRET},2,3\n".encode() * 3, ""),
        ("table.pickle", b"x", "pickle is never read"),
        ("table.xlsx", b"PK\x03\x04" + SECRET.encode(), ""),
    ],
)
def test_tables_that_cannot_be_read_are_refused_in_plain_words(
    client: Client, name: str, content: bytes, said: str
) -> None:
    client.get("/?new=1")
    answer = client.upload(name, content)
    if answer.status == 200:
        answer = client.waited(f"{client.work(answer)}/table")
    assert "verdict bad" in answer.text
    assert said in answer.seen()
    assert SECRET not in answer.text
    assert "should not have happened" not in answer.seen()


def test_wrong_numbers_are_refused_beside_the_form(client: Client, demo: str) -> None:
    for wrong in ("", "1", "-3", "2.5", "ten", "1e3", "9" * 400):
        page = client.post(f"{demo}/promise", {"k": wrong})
        assert page.status == 400, wrong
        assert "k must be a whole number" in page.seen()
    for most in ("0", "100", "x", "-1"):
        diagnosis = place_of(client, demo, "diagnosis")
        sentence = {"column-0": diagnosis, "value-0": "cancer", "most-0": most}
        assert client.post(f"{demo}/promise", {"k": "9", **sentence}).status == 400
    assert client.post(f"{demo}/columns", {"role-0": "root"}).status == 400
    assert client.post(f"{demo}/compare", {"method": "mondrian", "ks": "1"}).status == 400
    assert client.post(f"{demo}/compare", {"method": "../x", "ks": "5"}).status == 400
    assert client.post(f"{demo}/release", {"seen": "x", "output": "../../x.csv"}).status == 400


def test_going_back_keeps_what_was_chosen_and_says_what_no_longer_fits(client: Client, demo: str) -> None:
    work = as_drafted(client, demo)
    diagnosis = place_of(client, work, "diagnosis")
    client.post(f"{work}/promise", {"k": "7", f"bound-{diagnosis}": "l4"})
    page = client.post(f"{work}/columns", {f"role-{diagnosis}": "identifiers"})
    assert "no longer confidential" in page.seen()
    assert (
        'name="k" type="number" min="2" max="5000" step="1" value="7"' in client.get(f"{work}/promise").text
    )
    toml = client.get(f"{work}/policy.toml").text
    assert "k = 7" in toml
    assert "diversity" not in toml


def test_methods_are_compared_and_one_is_taken(client: Client, demo: str) -> None:
    work = as_drafted(client, demo)
    page = client.post(f"{work}/compare", [("method", "mondrian"), ("ks", "10, 25")])
    told = events(client, f"{work}/events/compare")
    assert told[-1]["state"] == "done"
    assert told[-1]["parts"] == 2
    assert any(each["share"] for each in told[:-1])
    page = client.get(f"{work}/compare")
    assert "On all rows: 5,000 rows" in page.seen()
    assert page.text.count('name="take"') == 2
    assert "<svg" in page.text
    assert "“Certain” are rows whose group has one value only" in page.seen()
    page = client.post(f"{work}/compare", {"take": "mondrian 25"})
    assert "at least 25 rows" in page.seen()
    assert re.search(r"\[method\].*\nname = \"mondrian\"", client.get(f"{work}/policy.toml").text)


def test_a_table_under_the_root_is_read_where_it_lies(client: Client, root: Path) -> None:
    page = client.get("/?new=1")
    assert re.findall(r'<option value="([^"]+)">', page.text) == ["deeper/people.csv"]
    work = client.table(client.upload("", b"", path="deeper/people.csv"))
    assert "300 rows, 3 columns" in client.get(f"{work}/table").seen()
    (root / "deeper" / "people.csv").write_text(
        (root / "deeper" / "people.csv").read_text("utf-8") + "99,m,y\n", "utf-8"
    )
    page = released(client, work)
    assert (
        "has changed since it was read"
        in client.post(f"{work}/compare", {"method": "mondrian", "ks": "5"}).seen()
    )
    for path in ("../secret.csv", "link.csv", "/etc/passwd", "deeper/../../secret.csv", "x\0.csv", "deeper"):
        refused = client.upload("", b"", path=path)
        assert refused.status == 400
        assert "no such table lies under" in refused.seen()


def test_a_preview_is_kept_by_no_cache_and_told_to_no_log(client: Client, demo: str) -> None:
    page = client.get(f"{demo}/table")
    assert page.headers["cache-control"] == "no-store"
    assert "Nadia" in page.text or "P00" in page.text


def test_the_risk_follows_the_roles(client: Client, demo: str) -> None:
    work = as_drafted(client, demo)

    def alone() -> str:
        return re.search(r"<strong>([\d.]+%)</strong>", client.get(f"{work}/columns").text).group(1)

    before = alone()
    fields = {
        f"role-{place_of(client, work, name)}": "identifiers" for name in ("zip", "bmi", "length_of_stay")
    }
    client.post(f"{work}/columns", fields)
    assert before == "100%"
    assert alone() != before
    client.post(f"{work}/columns", {"again": "1"})
    assert alone() == before


def test_where_no_rows_can_stand_side_by_side_the_page_says_so(client: Client, demo: str) -> None:
    work = as_drafted(client, demo)
    client.post(f"{work}/compare", {"take": "sketch 10"})
    page = released(client, work)
    assert len(cells_of(page, "After:")) == 8
    assert "not the same rows" in page.seen()
    client.post(f"{work}/compare", {"take": "mondrian 10"})


def test_k_is_at_most_what_the_table_has(client: Client, demo: str) -> None:
    work = as_drafted(client, demo)
    page = client.post(f"{work}/promise", {"k": "5001"})
    assert page.status == 400
    assert "k is 5,001, and the table has 5,000 rows: no group can be so large" in page.seen()
    assert "k = 10 " in client.get(f"{work}/policy.toml").text
    assert client.post(f"{work}/compare", {"method": "mondrian", "ks": "10, 5001"}).status == 400
    assert client.post(f"{work}/compare", {"take": "mondrian 5001"}).status == 400
    zips = place_of(client, work, "zip")
    client.post(f"{work}/columns", {f"role-{zips}": "person"})
    page = client.get(f"{work}/promise")
    n_persons = int(re.search(r'name="k" type="number" min="2" max="(\d+)"', page.text).group(1))
    assert n_persons < 5000
    page = client.post(f"{work}/promise", {"k": str(n_persons + 1)})
    assert f"the table has {n_persons:,} persons" in page.seen()
    client.post(f"{work}/columns", {"again": "1"})


def test_one_row_is_not_several(client: Client) -> None:
    start = client.get("/?new=1")
    assert "1 hour" in start.seen()
    work = client.table(client.upload("one.csv", b"age\n41\n"))
    page = client.get(f"{work}/table")
    assert "1 row, 1 column, " in page.seen()
    assert "1 hour" not in page.seen()
    page = client.get(f"{work}/columns").seen()
    assert "· 1 value " in page
    assert "k is 2, and the table has 1 row" in client.get(f"{work}/promise").seen()
