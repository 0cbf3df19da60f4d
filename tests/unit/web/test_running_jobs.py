"""What is shown while a job runs, also after a reload and in another tab."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import browser, why_not
from web_browser import begin, every, one, opened, press, until
from web_client import Server, serving, told
from web_steps import PEOPLE

WORKER = """
import os, sys, time
from pathlib import Path
from kanopy.web import worker

class Waiting(worker.Teller):
    def __call__(self, stage, share):
        super().__call__(stage, share)
        while share == 0.5 and not Path(os.environ["SEEN"]).exists():
            time.sleep(0.01)

worker._AT_MOST_EVERY = -1.0  # what is quick is told, too
worker.Teller = Waiting
os._exit(worker.main(sys.argv[1]))
"""
"""A job that goes on from the middle only after somebody has seen it there."""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Server]:
    """A page whose comparisons wait in the middle until there is a file called seen."""
    (tmp_path / "waiting_worker.py").write_text(WORKER, "utf-8")
    prelude = "from kanopy.web import jobs; jobs.WORKER = 'waiting_worker'"
    env = {"PYTHONPATH": str(tmp_path), "SEEN": str(tmp_path / "seen")}
    with serving(env=env, prelude=prelude) as server:
        yield server


def test_a_page_is_told_how_far_its_job_is_and_a_reload_finds_it_again(held: Server, tmp_path: Path) -> None:
    client = held.client
    work = client.table(client.upload("people.csv", PEOPLE.encode()))
    client.post(f"{work}/compare", [("method", "mondrian"), ("ks", "5, 10")])
    seen, states = tmp_path / "seen", []
    for each in told(client, f"{work}/events/compare"):
        states.append((each["state"], each["share"], each["parts"]))
        if each["share"] == 0.5 and not seen.exists():
            assert f"{work}/events/compare" in client.get(f"{work}/compare").text
            seen.touch()
    assert ("running", 0.5, 0) in states
    assert states[-1] == ("done", 1.0, 1)


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_two_tabs_a_reload_and_a_cancelled_job(held: Server) -> None:
    with browser() as page:
        opened(page, held)
        work = begin(page)
        page.get(f"{work}/compare")
        press(page, "form[action$='/compare'].card button")
        page.refresh()
        assert every(page, "[data-events]"), "a reload finds the job again"
        page.switch_to.new_window("tab")
        page.get(f"{work}/compare")
        assert every(page, "[data-events]"), "so does another tab"
        press(page, ".progress button")
        until(lambda: "Cancelled" in one(page, "main").text)
        page.close()
        page.switch_to.window(page.window_handles[0])
        until(lambda: "Cancelled" in one(page, "main").text)
        # In one tab the choices change; the other one still shows the old ones, and cannot release them.
        page.get(f"{work}/release")
        page.switch_to.new_window("tab")
        page.get(f"{work}/promise")
        one(page, "#k").clear()
        one(page, "#k").send_keys("12")
        press(page, "button[value=compare]")
        page.close()
        page.switch_to.window(page.window_handles[0])
        press(page, "form[action$='/release'] button")
        assert "maybe in another tab" in one(page, "[role=alert]").text
