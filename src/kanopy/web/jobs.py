"""Jobs: each in a child process with limits, two at a time; others wait, and say so."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from kanopy._time_left import TimeLeft
from kanopy.web.settings import Settings

WORKER = "kanopy.web.worker"
_LONGEST_LINE = 1 << 20
_ENDED = ("done", "failed", "cancelled")
_KEEP_ALIVE = 10.0  # seconds between signs of life on a stream of events


class Job:
    """One piece of work of a child process: what was asked, how far it is, and what came out."""

    def __init__(self, kind: str, folder: Path, request: Mapping[str, Any]) -> None:
        self.id = secrets.token_urlsafe(12)
        self.kind, self.folder, self.request = kind, folder, dict(request)
        self.state, self.stage, self.share, self.left = "waiting", "", None, ""
        self.n_before = 0  # jobs that run or wait before this one
        self.error: dict[str, Any] = {}
        self.result: dict[str, Any] = {}
        self.n_parts = 0  # of the result, which are there before the whole is
        self._left_of = TimeLeft()
        self._changed = asyncio.Event()

    @property
    def is_ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in _ENDED

    def told(self) -> dict[str, Any]:
        """What a page shows while it runs."""
        share = None if self.share is None else round(self.share, 3)
        shown = {"stage": self.stage, "share": share, "left": self.left, "before": self.n_before}
        return {"id": self.id, "state": self.state, "parts": self.n_parts, **shown}

    def update(self, **fields: Any) -> None:
        """Change something and wake who waits for it."""
        for name, value in fields.items():
            setattr(self, name, value)
        self._changed.set()
        self._changed = asyncio.Event()

    def hear(self, line: bytes) -> None:
        """A line that the child process has written."""
        try:
            said = json.loads(line)
        except ValueError:  # whatever a library prints is not for us
            return
        if "stage" in said:
            left = self._left_of(said["stage"], said["share"])
            self.update(stage=said["stage"], share=said["share"], left=left)
        elif "part" in said:
            self.update(n_parts=self.n_parts + 1, result={**self.result, **said["part"]})
        elif "error" in said:
            self.error = said["error"]

    async def changes(self) -> AsyncIterator[dict[str, Any] | None]:
        """What is told, whenever it changes, until the end; None now and then, where nothing changed."""
        while True:
            changed = self._changed
            yield self.told()
            if self.is_ended:
                return
            while True:
                try:
                    await asyncio.wait_for(changed.wait(), _KEEP_ALIVE)
                    break
                except TimeoutError:
                    yield None


class JobQueue:
    """Runs jobs in the order in which they came."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turns = asyncio.Semaphore(settings.jobs)
        self._open: dict[Job, asyncio.Task[None]] = {}

    def submit(self, job: Job) -> Job:
        """Run a job as soon as it is its turn."""
        task = asyncio.create_task(self._run(job))
        self._open[job] = task
        task.add_done_callback(lambda _: self._left(job))
        self._count()
        return job

    def cancel(self, job: Job) -> None:
        """End a job, whether it waits or runs; its process is killed."""
        if not job.is_ended and job in self._open:
            self._open[job].cancel()

    async def close(self) -> None:
        """End all jobs."""
        for task in list(self._open.values()):
            task.cancel()
        await asyncio.gather(*self._open.values(), return_exceptions=True)

    def _left(self, job: Job) -> None:
        self._open.pop(job, None)
        if not job.is_ended:  # cancelled before it began
            job.update(state="cancelled")
        self._count()

    def _count(self) -> None:
        for place, job in enumerate(self._open):
            if job.state == "waiting" and job.n_before != place:
                job.update(n_before=place)

    async def _run(self, job: Job) -> None:
        async with self._turns:
            job.update(state="running", n_before=0, stage="starting")
            try:
                await asyncio.wait_for(self._work(job), self._settings.time_limit)
            except asyncio.CancelledError:
                job.update(state="cancelled")
            except TimeoutError:
                limit = f"{self._settings.time_limit:g}"
                hint = "choose a faster method or fewer columns, or start kanopy serve with --time-limit"
                job.error = {"message": f"the job took longer than {limit} seconds", "hint": hint}
                job.update(state="failed")

    async def _work(self, job: Job) -> None:
        limits = {"memory": self._settings.job_memory}
        asked = {**job.request, "kind": job.kind, "folder": str(job.folder), "limits": limits}
        (job.folder / "request.json").write_text(json.dumps(asked), "utf-8")
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", WORKER, str(job.folder / "request.json")),
            # The child ends when this pipe is closed, also where this process is killed.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # PRIVACY: see tests/unit/web/test_jobs.py (no log of cells).
            start_new_session=True,
            limit=_LONGEST_LINE,
        )
        try:
            assert child.stdout is not None
            async for line in child.stdout:
                job.hear(line)
            await child.wait()
        finally:
            _kill(child)
            code = await child.wait()
        if code == 0 and not job.error:
            job.update(state="done", share=1.0, left="")
        else:
            job.error = job.error or _ended_by_itself(code)
            job.update(state="failed")


def _ended_by_itself(code: int) -> dict[str, Any]:
    """What to say where the process did not say anything."""
    if code < 0:
        hint = "the table may be too large for this machine: close other programs, or raise --memory-limit"
        return {"message": "the job was ended, maybe for want of memory", "hint": hint}
    return {"message": "the job ended without a result", "hint": "try again"}


def _kill(child: asyncio.subprocess.Process) -> None:
    """End the process and all that it has started, unless it has ended."""
    if child.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
