"""A project folder keeps policy and choices, and the table only where somebody asked for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import run
from web_client import serving

from kanopy.policy import Policy


def table(folder: Path) -> Path:
    rows = "".join(f"{20 + n % 40},{'fm'[n % 2]},{'yn'[n % 3 == 0]},K{n:05}\n" for n in range(300))
    place = folder / "people.csv"
    place.write_text(f"age,sex,ill,key\n{rows}", "utf-8")
    return place


def test_choices_are_found_again_and_the_table_is_not_kept(tmp_path: Path) -> None:
    project, source = tmp_path / "project", table(tmp_path)
    with serving(project) as server:
        client = server.client
        page = client.get("/")
        assert "choose it again" not in page.seen()
        work = client.table(client.upload("people.csv", source.read_bytes(), work=client.work(page)[3:]))
        client.post(f"{work}/columns", {"role-1": "sensitive"})
        client.post(f"{work}/promise", {"k": "7"})
    assert {path.name for path in project.iterdir()} == {"choices.json", "policy.toml"}
    kept = "".join(path.read_text("utf-8") for path in project.iterdir())
    assert "K00123" not in kept
    assert Policy.load(project / "policy.toml").k == 7
    with serving(project) as server:
        client = server.client
        page = client.get("/")
        assert "made with people.csv" in page.seen()
        work = client.table(client.upload("people.csv", source.read_bytes(), work=client.work(page)[3:]))
        toml = client.get(f"{work}/policy.toml").text
        assert "k = 7" in toml
        assert Policy.load(project / "policy.toml").roles["sex"] == "sensitive"
        client.post(f"{work}/table", {"keep": "1"})
    assert (project / "data" / "people.csv").read_bytes() == source.read_bytes()
    assert (project / "data" / "people.csv").stat().st_mode & 0o077 == 0
    done = run("anonymize", source, "-o", tmp_path / "out.csv", "--policy", project / "policy.toml")
    assert done.code == 0, done.err


def test_another_table_in_a_project_has_its_own_advised_bounds(tmp_path: Path) -> None:
    def export(name: str) -> bytes:
        rows = "".join(f"{20 + n % 40},{'abcdefg'[n % 7]},{'yn'[n % 3 == 0]}\n" for n in range(300))
        return f"age,{name},ill\n{rows}".encode()

    with serving(tmp_path / "project") as server:
        client = server.client
        own = client.work(client.get("/"))[3:]
        work = client.table(client.upload("one.csv", export("diagnosis"), work=own))
        advised = 'name="bound-1">.*?value="(l3)" selected'
        page = client.get(f"{work}/promise")
        assert re.search(advised, page.text, re.DOTALL)
        client.post(f"{work}/promise", {"k": "10", "bound-1": "l3", "bound-2": ""})
        page = client.upload("two.csv", export("disease"), work=own)
        page = client.waited(f"{work}/table")
        assert page.seen().count("'diagnosis'") == 1
        assert (
            "What was promised about 'diagnosis' is left out: this table has no such column." in page.seen()
        )
        assert re.search(advised, client.get(f"{work}/promise").text, re.DOTALL)
        assert 'column = "disease"' in client.get(f"{work}/policy.toml").text


def test_a_table_that_is_named_is_read_at_once(tmp_path: Path) -> None:
    with serving(table(tmp_path)) as server:
        client = server.client
        work = client.work(client.get("/"))
        assert "300 rows" in client.waited(f"{work}/table").seen()


@pytest.mark.parametrize("kind", ["table", "project"])
def test_what_was_named_belongs_to_the_browser_that_opens_the_page_first(tmp_path: Path, kind: str) -> None:
    source = table(tmp_path)
    with serving(source if kind == "table" else tmp_path / "project") as server:
        first = server.client
        page = first.get("/")
        if kind == "project":
            page = first.upload("people.csv", source.read_bytes(), work=first.work(page)[3:])
        work = first.table(page)
        other = server.client
        start = other.get("/")
        assert "Choose a table" in start.text
        assert "opened in another browser" in start.seen()
        assert work not in start.text
        assert "people.csv" not in start.text
        for path in ("table", "columns", "release", "policy.toml", "events/read", "files/0"):
            assert other.get(f"{work}/{path}").status == 404, path
        assert other.post(f"{work}/columns", {"role-1": "sensitive"}).status == 404
        # Naming it in the form of an upload leads nowhere either: that is a table of the other browser.
        own = other.work(other.upload("", b"", demo="1", work=work[3:]))
        assert own != work
        assert "people.csv" in first.get(f"{work}/table").seen()
        assert "opened in another browser" not in first.get("/?new=1").seen()
