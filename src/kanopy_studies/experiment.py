"""An experiment makes a table or figure of a paper again: request, cells, page, files.

Every experiment plans its cells (what is to be measured), has them run by ``Request.each`` or
``Request.evaluate`` (both in the worker processes of ``kanopy.evaluation.runner``), and returns a ``Page``.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kanopy.engines.request import Watch, unwatched
from kanopy.errors import PolicyError
from kanopy.evaluation import Evaluation
from kanopy.evaluation.evaluate import evaluate_halves
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.runner import run_all
from kanopy.evaluation.trial import Design
from kanopy_studies.page import Files, Page

Cell = TypeVar("Cell")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Request:
    """How an experiment is to be run; what is None stays as in the paper."""

    learners: Sequence[str] | None = None
    data: Sequence[str] | None = None
    ks: Sequence[int] | None = None
    methods: Sequence[str] | None = None
    as_published: bool = False
    """Whether to use the papers' own protocol where that leaks."""
    jobs: int = 1
    journal: Path | None = None
    """A folder for what is done, so that a run can go on after a kill."""
    watch: Watch = unwatched

    def ks_or(self, usual: Sequence[int]) -> tuple[int, ...]:
        """The ks to measure, each once, ascending: areas are under them."""
        return tuple(sorted(set(self.ks or usual)))

    def each(
        self, work: Callable[[Cell], Found], cells: Sequence[Cell], stage: str, jobs: int | None = None
    ) -> list[Found]:
        """The result of every cell, in their order, however many processes there are."""
        found: dict[int, Found] = {}
        with closing(run_all(cells, work, {}, jobs=jobs or self.jobs)) as results:
            for place, result in results:
                found[place] = result
                self.watch(stage, len(found) / len(cells))
        return [found[place] for place in range(len(cells))]

    def evaluate(self, halves: Halves, design: Design, stage: str = "", journal: str = "") -> Evaluation:
        """An evaluation of the product; ``journal`` names its file in the folder of journals."""
        path = None if self.journal is None or not journal else self.journal / f"{journal}.jsonl"

        def watch(told: str, share: float | None) -> None:
            self.watch(stage + told, share)

        return evaluate_halves(halves, design, jobs=self.jobs, journal=path, watch=watch)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table or figure of a paper; ``takes`` names the parts of a request that it uses."""

    name: str
    title: str
    page: Callable[[Request], Page]
    takes: frozenset[str]

    def check(self, request: Request) -> None:
        """Refuse what would be silently ignored, and a k that promises nothing."""
        for part in ("learners", "data", "ks", "methods", "as_published", "journal"):
            if getattr(request, part) and part not in self.takes:
                flag = part.replace("_", "-")
                raise PolicyError(f"{self.name} takes no --{flag}", f"leave --{flag} out")
        if any(k < 2 for k in request.ks or ()):
            raise PolicyError("ks are whole numbers of at least 2", "for example --ks 5,10,50")

    def run(self, request: Request) -> Files:
        """Measure, and show what was found."""
        self.check(request)
        return self.page(request).files()


def stem(name: str, *, as_published: bool) -> str:
    """How the files of an experiment begin: numbers that leak never replace those that do not."""
    return f"{name}-as-published" if as_published else name


def command(name: str, request: Request) -> str:
    """The command that makes the same numbers; the number of processes and the folder do not matter."""
    words = ["kanopy", "reproduce", name]
    for flag in ("data", "methods", "learners", "ks"):
        values = getattr(request, flag)
        words += [f"--{flag}", ",".join(map(str, values))] if values else []
    words += ["--as-published"] if request.as_published else []
    return shlex.join(words)
