"""The outcomes of an evaluation, line by line in a file: after a kill it goes on from there."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from kanopy._version import __version__
from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy.evaluation.halves import Halves
from kanopy.evaluation.trial import Design, Key, Outcome
from kanopy.frames.encode import encode
from kanopy.learners.registry import Learner

PRIVATE = (
    "This journal is private and not for publication: its exact figures can give hidden values back. "
    "A report on the evaluation is what may be told."
)


_FORMAT = 2
"""Part of the fingerprint: outcomes of another format lack figures, or mean others by them."""


class Journal:
    """The outcomes of trials, in memory and, where there is a path, on the disk.

    ``fingerprint`` is that of everything that outcomes depend on; a journal of anything else is refused. The
    file holds exact figures and the digest of the table, from which a table of very few possible values could
    be guessed. So its first line says that it is private, and nobody but its owner may read it (mode 0600).
    """

    def __init__(self, path: str | os.PathLike[str] | None, fingerprint: str) -> None:
        self.outcomes: dict[Key, Outcome] = {}
        self._path = None if path is None else Path(path)
        if self._path is None:
            return
        header = json.dumps({"private": PRIVATE, "kanopy": __version__, "evaluation": fingerprint})
        with _environment("read"):
            text = self._path.read_text("utf-8", "replace") if self._path.exists() else ""
        if header.startswith(text):  # a new file, or one that was killed in its very first line
            self._shorten("")
            self._append(header)
        else:
            self._take_up(text, fingerprint)

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome; it is on the disk before this returns."""
        self.outcomes[outcome.key] = outcome
        if self._path is not None:
            self._append(json.dumps(asdict(outcome)))

    def _append(self, line: str) -> None:
        assert self._path is not None
        with _environment("written"), open(self._path, "a", encoding="utf-8", opener=_privately) as stream:
            stream.write(line + "\n")
            stream.flush()
            os.fsync(stream.fileno())

    def _shorten(self, text: str) -> None:
        """Keep no more than this beginning of the file, if there is a file."""
        with _environment("written"):
            if self._path is not None and self._path.exists():
                os.truncate(self._path, len(text.encode("utf-8")))

    def _take_up(self, text: str, fingerprint: str) -> None:
        """Read what was done before; a last line that was cut off by a kill does not count."""
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        try:
            first = json.loads(lines[0]) if lines else {}
            done = [_outcome(json.loads(line)) for line in lines[1:]]
        except (ValueError, TypeError, KeyError, AttributeError):
            reason = "the file is not the journal of an evaluation"
            raise InputError(reason, "name a file that does not exist") from None
        if not isinstance(first, dict) or first.get("evaluation") != fingerprint:
            hint = "repeat the request that it belongs to, or name a file that does not exist"
            raise PolicyError("the journal is of another table, policy, version or request", hint)
        if len(whole) < len(text):
            self._shorten(whole)
        self.outcomes = {outcome.key: outcome for outcome in done}


def _privately(path: str, flags: int) -> int:
    """Open a file that nobody but its owner may read, also where it was there before."""
    # PRIVACY: exact losses give hidden values back (tests/unit/evaluation/test_journal.py).
    descriptor = os.open(path, flags, 0o600)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_mode & 0o077 and hasattr(os, "fchmod"):
        os.fchmod(descriptor, 0o600)
    return descriptor


def _outcome(line: dict[str, Any]) -> Outcome:
    repetition, half, label, k = line.pop("key")
    found = Outcome((int(repetition), int(half), str(label), int(k)), **line)
    shares = [found.majority, found.gcp, found.dropped, found.suppressed]
    shares += [*found.accuracy.values(), *found.accuracy_recoded.values()]
    shares += [rate for rates in found.guessed.values() for rate in rates]
    every = (found.majority_figures, *found.figures.values(), *found.figures_recoded.values())
    figures = [figure for each in every for figure in each.values() if figure is not None]
    if not all(0 <= share <= 1 for share in shares) or not all(0 <= figure < 100 for figure in figures):
        raise ValueError
    return found


@contextmanager
def _environment(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = f"the journal cannot be {what}: {error.strerror or type(error).__name__}"
        raise ResourceError(reason, "check the folder, disk space and permissions") from None


def fingerprint(halves: Halves, design: Design) -> str:
    """A digest of the table, its hierarchies and everything that was asked for; O(rows * columns)."""
    digest = hashlib.sha256()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, halves.source.schema) as stream:
        stream.write_table(halves.source.combine_chunks())
    digest.update(sink.getvalue())
    for column in encode(halves.source, halves.policy).table.quasi:
        if column.domain.hierarchy is not None:
            digest.update(repr((column.domain.name, column.domain.hierarchy.node_label)).encode())
            digest.update(column.domain.hierarchy.ancestors.tobytes())
    policy = repr(replace(halves.policy, hierarchies={}))
    methods = [(one.label, one.method, sorted(map(repr, one.options.items()))) for one in design.contenders]
    compared = (methods, list(design.ks), list(map(_described, design.learners)))
    how = (design.seed, design.discretize, design.in_full)
    digest.update(repr((_FORMAT, __version__, policy, *compared, *how)).encode())
    return digest.hexdigest()


def _described(learner: Learner) -> tuple[str, ...]:
    """A learner with all its settings: the same name may have others next time."""
    made = learner.make
    given = made.args if isinstance(made, partial) else ()
    settings = (sorted(one.get_params().items()) if hasattr(one, "get_params") else one for one in given)
    # Addresses in memory differ from run to run.
    return learner.name, learner.encoding, *(re.sub(r" at 0x\w+", "", repr(one)) for one in settings)
