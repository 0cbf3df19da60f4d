"""A table or figure of a paper that can be made again, and what one may ask of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kanopy.engines.request import Watch, unwatched
from kanopy.errors import PolicyError

Files = dict[str, bytes | Callable[[], bytes]]
"""What an experiment makes, by file name: a Markdown document, its numbers as JSON, pictures as SVG, which
are drawn when they are written: only then the library that draws is needed."""


@dataclass(frozen=True, slots=True)
class Request:
    """How an experiment is to be run.

    Parameters
    ----------
    learners, data, ks, methods : sequence
        Instead of those of the experiment; None where they stay.
    as_published : bool
        Whether the protocol is the papers' own where that leaks.
    jobs : int
        Processes.
    journal : Path, optional
        A folder for what is done, so that a run can go on after a kill.
    watch : callable
        Told about the progress.
    """

    learners: Sequence[str] | None = None
    data: Sequence[str] | None = None
    ks: Sequence[int] | None = None
    methods: Sequence[str] | None = None
    as_published: bool = False
    jobs: int = 1
    journal: Path | None = None
    watch: Watch = unwatched

    def ks_or(self, usual: Sequence[int]) -> tuple[int, ...]:
        """The ks to measure, each once, ascending: areas are under them."""
        return tuple(sorted(set(self.ks or usual)))


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table or figure of a paper.

    Parameters
    ----------
    name : str
    title : str
        What is made again, in a few words.
    run : callable
        From a request to the files.
    takes : frozenset of str
        Which parts of a request it heeds; others are refused.
    """

    name: str
    title: str
    run: Callable[[Request], Files]
    takes: frozenset[str]

    def check(self, request: Request) -> None:
        """Refuse what would be silently ignored, and a k that promises nothing."""
        for part in ("learners", "data", "ks", "methods", "as_published", "journal"):
            if getattr(request, part) and part not in self.takes:
                flag = part.replace("_", "-")
                raise PolicyError(f"{self.name} takes no --{flag}", f"leave --{flag} out")
        if any(k < 2 for k in request.ks or ()):
            raise PolicyError("ks are whole numbers of at least 2", "for example --ks 5,10,50")


def stem(name: str, *, as_published: bool) -> str:
    """How the files of an experiment begin: what leaks is never written over what does not."""
    return f"{name}-as-published" if as_published else name


def command(name: str, request: Request) -> str:
    """What makes the same numbers again; how many processes and where to does not matter."""
    words = ["kanopy", "reproduce", name]
    for flag, values in (
        ("data", request.data),
        ("methods", request.methods),
        ("learners", request.learners),
    ):
        words += [f"--{flag}", ",".join(values)] if values else []
    words += ["--ks", ",".join(map(str, request.ks))] if request.ks else []
    words += ["--as-published"] if request.as_published else []
    return shlex.join(words)
