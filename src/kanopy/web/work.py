"""One piece of work: a table, what was decided about it, and its jobs."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanopy.drafting.decisions import AS_DRAFTED, DraftDecisions
from kanopy.errors import KanopyError, PolicyError
from kanopy.web.choices import check_k, fitting
from kanopy.web.jobs import Job, JobQueue
from kanopy.web.settings import Settings

if TYPE_CHECKING:
    from kanopy.drafting import Suggestion
    from kanopy.policy import Policy
    from kanopy.web.open_table import OpenTable

OUTPUTS = {
    "release.csv": "CSV, for every program",
    "release.csv.gz": "CSV, compressed",
    "release.parquet": "Parquet, for data scientists",
}


class Work:
    """What a browser works on; pages read it and forms change it."""

    def __init__(self, folder: Path, queue: JobQueue, settings: Settings) -> None:
        self.id = secrets.token_urlsafe(12)
        self.folder, self._queue, self.settings = folder, queue, settings
        self.name = ""  # of the table
        self.source: Path | None = None
        self.is_own_copy = False  # whether the source lies in the private folder
        self.form: dict[str, str | None] = {"delimiter": None, "encoding": None, "sheet": None}
        self.decisions = AS_DRAFTED
        self.notices: list[str] = []  # to be told once
        self.jobs: dict[str, Job] = {}  # the last one of each kind
        self.keeper: Callable[[Work], None] | None = None
        self._table: OpenTable | None = None
        self._opening = threading.RLock()
        self._seen_source: tuple[int, int] | None = None
        self._n_jobs = 0

    # --- The table ---------------------------------------------------------------------------------------

    def start_reading(self, demo: int = 0) -> Job:
        """Read the table again, as it is written or as somebody said."""
        self._table, self._seen_source = None, None
        for kind in ("compare", "release"):
            if (job := self.jobs.pop(kind, None)) is not None:
                self._queue.cancel(job)
                shutil.rmtree(job.folder, ignore_errors=True)
        return self._start("read", {"source": str(self.source), "form": self.form, "demo": demo})

    @property
    def table(self) -> OpenTable | None:
        """The table, once it is read."""
        with self._opening:  # two pages may ask at a time: what no longer fits is told once
            job = self.jobs.get("read")
            if self._table is None and job is not None and job.state == "done":
                from kanopy.web.open_table import OpenTable

                self._table = OpenTable(job.folder)
                self._seen_source = _stamp(self.source)
                self._forget_unknown_columns()
            return self._table

    @property
    def read_table(self) -> OpenTable:
        """The table; a PolicyError where there is none yet."""
        if (table := self.table) is None:
            raise PolicyError("no table has been read yet", "choose one in the first step")
        return table

    def _forget_unknown_columns(self) -> None:
        """Choices of a project may be about another table: what fits is kept, the rest is told."""
        assert self._table is not None
        known = set(self._table.names)
        gone = [name for name in self.decisions.roles if name not in known]
        if gone:
            are = "column is" if len(gone) == 1 else "columns are"
            self.notices.append(f"{len(gone):,} chosen {are} not in this table: these choices are left out.")
        roles = {name: role for name, role in self.decisions.roles.items() if name in known}
        accept = tuple(code for code in self.decisions.accept if code.partition(":")[2] in known)
        self.decisions = replace(self.decisions, roles=roles, accept=accept)
        self.decide(self.decisions)

    # --- Decisions ----------------------------------------------------------------------------------------

    @property
    def draft(self) -> Suggestion:
        """The policy as it is decided now."""
        return self.read_table.draft(self.decisions)

    def decide(self, decisions: DraftDecisions) -> None:
        """Take decisions; bounds that no longer fit the roles are removed, and that is told."""
        fitted, said = fitting(decisions, self.read_table.draft(decisions))
        self.decisions = fitted
        self.notices += said
        if self.keeper is not None:
            self.keeper(self)

    @property
    def policy_text(self) -> str | None:
        """The policy file, if it can be used as it is."""
        try:
            self.policy()
        except KanopyError:
            return None
        return self.draft.to_toml()

    def policy(self) -> Policy:
        """The policy; a PolicyError says what is missing."""
        check_k(self.draft.k, self.draft)
        return self.draft.policy

    @property
    def digest(self) -> str:
        """A short name for everything that decides about a release."""
        return hashlib.sha256(self.draft.to_toml().encode()).hexdigest()[:24]

    # --- Jobs --------------------------------------------------------------------------------------------

    def start_comparing(self, methods: list[str], ks: list[int]) -> Job:
        """Run a few methods and k on the table."""
        return self._with_policy("compare", {"methods": methods, "ks": ks})

    def start_release(self, output: str, **more: Any) -> Job:
        """Make the release and its files."""
        if output not in OUTPUTS:
            raise PolicyError("there is no such form of a release", "choose one of the list")
        from kanopy.web.reading import TABLE  # loads pyarrow, which the first page does without

        own = str(self.jobs["read"].folder / TABLE)
        return self._with_policy("release", {"output": output, "digest": self.digest, "own": own, **more})

    def _with_policy(self, kind: str, request: dict[str, Any]) -> Job:
        """Start a job that needs table and policy; the table must be the one that was read."""
        self.policy()
        if _stamp(self.source) != self._seen_source:
            raise PolicyError("the file of the table has changed since it was read", "read it again: step 1")
        return self._start(kind, {"source": str(self.source), "policy": self.draft.to_toml(), **request})

    def _start(self, kind: str, request: dict[str, Any]) -> Job:
        before = self.jobs.get(kind)
        if before is not None:
            self._queue.cancel(before)
            shutil.rmtree(before.folder, ignore_errors=True)  # no page leads there any more
        self._n_jobs += 1
        folder = self.folder / f"{kind}-{self._n_jobs}"
        folder.mkdir(mode=0o700)
        self.jobs[kind] = self._queue.submit(Job(kind, folder, request))
        return self.jobs[kind]

    def cancel(self, kind: str) -> None:
        """End the job of a kind."""
        if kind in self.jobs:
            self._queue.cancel(self.jobs[kind])


def _stamp(source: Path | None) -> tuple[int, int] | None:
    """What changes when somebody writes into a file."""
    try:
        found = None if source is None else source.stat()
    except OSError:
        return None
    return None if found is None else (found.st_size, found.st_mtime_ns)
