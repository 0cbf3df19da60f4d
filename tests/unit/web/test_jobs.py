"""Jobs: two at a time, others wait and say so; limits and cancelling end them; nothing is logged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kanopy.web import jobs
from kanopy.web.jobs import Job, JobQueue
from kanopy.web.settings import Settings
from kanopy.web.site import events

HELD = """
import json, os, pathlib, sys, time
request = json.load(open(sys.argv[-1]))
print("a library says SECRET-4711", flush=True)
print("SECRET-4711", file=sys.stderr, flush=True)
for share in request["shares"]:
    print(json.dumps({"stage": "working", "share": share}), flush=True)
    while not pathlib.Path(request["folder"], f"seen {share}").exists():
        time.sleep(0.01)
if request.get("error"):
    print(json.dumps({"error": {"message": "no", "hint": "yes"}}), flush=True)
    sys.exit(3)
if request.get("dies"):
    os.kill(os.getpid(), 9)
print(json.dumps({"part": {"answer": os.getpid()}}), flush=True)
"""
"""A job that goes on from each share only after somebody has seen it."""


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Job]:
    """Makes jobs whose process does what the request says."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "held.py").write_text(HELD, "utf-8")
    monkeypatch.setattr(jobs, "WORKER", "held")
    number = 0

    def made(*shares: float, **request: object) -> Job:
        nonlocal number
        number += 1
        folder = tmp_path / f"job{number}"
        folder.mkdir()
        return Job("read", folder, {"shares": shares, **request})

    return made


def go_on(job: Job, share: float) -> None:
    (job.folder / f"seen {share}").touch()


async def reached(job: Job, share: float) -> None:
    async for told in job.changes():
        if told is not None and told["share"] == share:
            return
    raise AssertionError(job.told())


async def ended(job: Job) -> Job:
    async for _ in job.changes():
        pass
    return job


def test_two_run_and_the_others_wait_in_their_order(held: Callable[..., Job]) -> None:
    async def run() -> None:
        queue = JobQueue(Settings())
        made = [queue.submit(held(0.5)) for _ in range(5)]
        for job in made[:2]:
            await reached(job, 0.5)
        assert [job.state for job in made] == ["running", "running", "waiting", "waiting", "waiting"]
        assert [job.n_before for job in made[2:]] == [2, 3, 4]
        for job in made:
            go_on(job, 0.5)
            assert (await ended(job)).state == "done"
        assert len({job.result["answer"] for job in made}) == 5

    asyncio.run(run())


def test_who_listens_is_told_every_share_that_a_job_waits_at(held: Callable[..., Job]) -> None:
    async def run() -> None:
        job = JobQueue(Settings()).submit(held(0.25, 0.5))
        site: Any = SimpleNamespace(work_of=lambda _: SimpleNamespace(jobs={"read": job}))
        request: Any = SimpleNamespace(path_params={"kind": "read"})
        stream: Any = await events(site)(request)
        lines = [line async for line in seen(stream.body_iterator, job)]
        assert [share for share, _ in groupby(line["share"] for line in lines)] == [None, 0.25, 0.5, 1.0]
        assert (lines[-1]["state"], lines[-1]["parts"]) == ("done", 1)

    async def seen(lines: Any, job: Job) -> Any:
        async for line in lines:
            if line.startswith("data: "):
                told = json.loads(line.removeprefix("data: "))
                go_on(job, told["share"])
                yield told

    asyncio.run(run())


def test_a_job_can_be_cancelled_while_it_runs_and_while_it_waits(held: Callable[..., Job]) -> None:
    async def run() -> None:
        queue = JobQueue(Settings(jobs=1))
        first, second = queue.submit(held(0.5)), queue.submit(held())
        await reached(first, 0.5)
        queue.cancel(second)
        queue.cancel(first)
        assert (await ended(first)).state == (await ended(second)).state == "cancelled"
        assert (await ended(queue.submit(held()))).state == "done"

    asyncio.run(run())


def test_a_job_that_takes_too_long_or_dies_says_so(held: Callable[..., Job]) -> None:
    async def run() -> None:
        slow = await ended(JobQueue(Settings(time_limit=0.3)).submit(held(0.5)))
        assert (slow.state, "longer than 0.3 seconds" in slow.error["message"]) == ("failed", True)
        queue = JobQueue(Settings())
        dead = await ended(queue.submit(held(dies=True)))
        assert (dead.state, "want of memory" in dead.error["message"]) == ("failed", True)
        wrong = await ended(queue.submit(held(error=True)))
        assert (wrong.state, wrong.error["message"]) == ("failed", "no")

    asyncio.run(run())


def test_closing_ends_all(held: Callable[..., Job]) -> None:
    async def run() -> None:
        queue = JobQueue(Settings())
        made = [queue.submit(held(0.5)) for _ in range(4)]
        await reached(made[0], 0.5)
        await queue.close()
        assert {job.state for job in made} == {"cancelled"}

    asyncio.run(run())


def test_what_a_library_prints_is_told_to_nobody(
    held: Callable[..., Job], capfd: pytest.CaptureFixture[str]
) -> None:
    async def run() -> Job:
        return await ended(JobQueue(Settings()).submit(held()))

    job = asyncio.run(run())
    told = json.dumps([job.told(), job.result, job.error])
    said = capfd.readouterr()
    assert job.state == "done"
    assert "SECRET" not in told + said.out + said.err


def test_a_job_gets_no_more_memory_than_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # one thread per processor may take all of it beforehand

    async def run() -> Job:
        rows = "\n".join(f"{n},{'x' * 200}{n}" for n in range(200_000))
        (tmp_path / "large.csv").write_text(f"a,b\n{rows}\n", "utf-8")
        request = {"source": str(tmp_path / "large.csv"), "form": {}}
        return await ended(JobQueue(Settings(memory_limit=200 << 20)).submit(Job("read", tmp_path, request)))

    job = asyncio.run(run())
    assert job.state == "failed"
    assert "memory" in job.error["message"]
