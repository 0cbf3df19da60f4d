"""All files of one run: together they get their names, or none of them does."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from kanopy.errors import PolicyError
from kanopy.release.destination import SUFFIXES, Destination
from kanopy.release.inputs import NO_INPUTS, Inputs
from kanopy.release.naming import name_all


class Transaction:
    """The places of all files of one run.

    The place that is reserved first is that of the table: it gets its name last. Whatever fails before that
    leaves nothing, and files that would have been replaced stay. ``before_commit`` is called when nothing but
    the naming is left to do.
    """

    def __init__(
        self,
        *,
        force: bool = False,
        inputs: Inputs = NO_INPUTS,
        before_commit: Callable[[], None] = lambda: None,
    ) -> None:
        self._force = force
        self._inputs = inputs
        self._before_commit = before_commit
        self._places: list[Destination] = []
        self._open = ExitStack()

    def reserve(
        self,
        path: str | os.PathLike[str],
        *,
        suffixes: tuple[str, ...] = SUFFIXES,
        private: bool = False,
    ) -> Destination:
        """A place for one more file; the parameters are those of ``Destination``."""
        place = Destination(path, force=self._force, source=self._inputs, suffixes=suffixes, private=private)
        self._open.enter_context(place)
        for other in self._places:
            if _is_same(place.path, other.path):
                raise PolicyError(
                    f"two outputs are the same file, {place.path.name!r}", "give each output its own name"
                )
        self._places.append(place)
        return place

    def commit(self) -> None:
        """Give all files their names, the table last; where one cannot have it, none has."""
        self._before_commit()
        name_all(self._places[::-1])

    def __enter__(self) -> Transaction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()


def _is_same(path: Path, other: Path) -> bool:
    """Whether two names mean one file; not every file system tells upper from lower case."""
    if path.exists() and other.exists() and path.samefile(other):
        return True
    names = {unicodedata.normalize("NFC", name.casefold()) for name in (path.name, other.name)}
    return len(names) == 1 and path.parent.samefile(other.parent)
