"""The first four steps as a browser without scripts goes them: what is chosen, refused and shown."""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace

import pytest
from web_client import Client, events
from web_steps import as_drafted, place_of

from kanopy.web import steps, views


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
    request = SimpleNamespace(scope={"session": SimpleNamespace(csrf="", base="")})
    assert asyncio.run(steps.shown(site, request, work, "release"))["result"] == "done"


def test_wrong_numbers_are_refused_beside_the_form(client: Client, demo: str) -> None:
    as_drafted(client, demo)
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
    client.post(f"{work}/compare", [("method", "tds"), ("ks", "10, 25")])
    last = events(client, f"{work}/events/compare")[-1]
    assert (last["state"], last["parts"]) == ("done", 2)
    page = client.get(f"{work}/compare")
    assert "On all rows: 5,000 rows" in page.seen()
    assert page.text.count('name="take"') == 2
    assert "<svg" in page.text
    assert "“Certain” are rows whose group has one value only" in page.seen()
    page = client.post(f"{work}/compare", {"take": "tds 25"})
    assert "at least 25 rows" in page.seen()
    assert re.search(r"\[method\].*\nname = \"tds\"", client.get(f"{work}/policy.toml").text)


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
