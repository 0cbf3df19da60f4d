"""Jobs: two at a time, others wait and say so; limits and cancelling end them; nothing is logged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kanopy.web import jobs
from kanopy.web.jobs import Job, JobQueue
from kanopy.web.settings import Settings

SLEEPER = """
import json, os, sys, time
request = json.load(open(sys.argv[-1]))
print("a library says SECRET-4711", flush=True)
print("SECRET-4711", file=sys.stderr, flush=True)
for step in range(request["steps"]):
    print(json.dumps({"stage": "working", "share": step / request["steps"]}), flush=True)
    time.sleep(0.02)
if request.get("error"):
    print(json.dumps({"error": {"message": "no", "hint": "yes"}}), flush=True)
    sys.exit(3)
if request.get("dies"):
    os.kill(os.getpid(), 9)
print(json.dumps({"part": {"answer": os.getpid()}}), flush=True)
"""


@pytest.fixture
def sleeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Job]:
    """Makes jobs whose process does what the request says."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sleeper.py").write_text(SLEEPER, "utf-8")
    monkeypatch.setattr(jobs, "WORKER", "sleeper")
    number = 0

    def made(**request: object) -> Job:
        nonlocal number
        number += 1
        folder = tmp_path / f"job{number}"
        folder.mkdir()
        return Job("read", folder, {"steps": 1, **request})

    return made


async def ended(job: Job) -> Job:
    async for _ in job.changes():
        pass
    return job


def test_two_run_and_the_others_wait_in_their_order(sleeper: Callable[..., Job]) -> None:
    async def run() -> None:
        queue = JobQueue(Settings())
        made = [queue.submit(sleeper(steps=10)) for _ in range(5)]
        while made[0].state == "waiting":
            await asyncio.sleep(0.01)
        assert [job.state for job in made] == ["running", "running", "waiting", "waiting", "waiting"]
        assert [job.n_before for job in made[2:]] == [2, 3, 4]
        for job in made:
            assert (await ended(job)).state == "done"
        assert len({job.result["answer"] for job in made}) == 5

    asyncio.run(run())


def test_a_job_can_be_cancelled_while_it_runs_and_while_it_waits(sleeper: Callable[..., Job]) -> None:
    async def run() -> None:
        queue = JobQueue(Settings(jobs=1))
        first, second = queue.submit(sleeper(steps=1000)), queue.submit(sleeper())
        while first.stage != "working":
            await asyncio.sleep(0.01)
        queue.cancel(second)
        queue.cancel(first)
        assert (await ended(first)).state == (await ended(second)).state == "cancelled"
        assert (await ended(queue.submit(sleeper()))).state == "done"

    asyncio.run(run())


def test_a_job_that_takes_too_long_or_dies_says_so(sleeper: Callable[..., Job]) -> None:
    async def run() -> None:
        slow = await ended(JobQueue(Settings(time_limit=0.3)).submit(sleeper(steps=1000)))
        assert (slow.state, "longer than 0.3 seconds" in slow.error["message"]) == ("failed", True)
        queue = JobQueue(Settings())
        dead = await ended(queue.submit(sleeper(dies=True)))
        assert (dead.state, "want of memory" in dead.error["message"]) == ("failed", True)
        wrong = await ended(queue.submit(sleeper(error=True)))
        assert (wrong.state, wrong.error["message"]) == ("failed", "no")

    asyncio.run(run())


def test_closing_ends_all(sleeper: Callable[..., Job]) -> None:
    async def run() -> None:
        queue = JobQueue(Settings())
        made = [queue.submit(sleeper(steps=1000)) for _ in range(4)]
        await asyncio.sleep(0.2)
        await queue.close()
        assert {job.state for job in made} == {"cancelled"}

    asyncio.run(run())


def test_what_a_library_prints_is_told_to_nobody(
    sleeper: Callable[..., Job], capfd: pytest.CaptureFixture[str]
) -> None:
    async def run() -> Job:
        return await ended(JobQueue(Settings()).submit(sleeper(steps=3)))

    job = asyncio.run(run())
    told = json.dumps([job.told(), job.result, job.error])
    said = capfd.readouterr()
    assert "SECRET" not in told + said.out + said.err


def test_a_job_gets_no_more_memory_than_its_limit(tmp_path: Path) -> None:
    async def run() -> Job:
        rows = "\n".join(f"{n},{'x' * 200}{n}" for n in range(200_000))
        (tmp_path / "large.csv").write_text(f"a,b\n{rows}\n", "utf-8")
        request = {"source": str(tmp_path / "large.csv"), "form": {}}
        return await ended(JobQueue(Settings(memory_limit=200 << 20)).submit(Job("read", tmp_path, request)))

    job = asyncio.run(run())
    assert job.state == "failed"
    assert "memory" in job.error["message"]
