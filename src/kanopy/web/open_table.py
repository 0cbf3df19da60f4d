"""A table that was read, as the page knows it: mapped into memory, with drafts and figures for its roles."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from kanopy.auditing.text import TextTable
from kanopy.content import Content
from kanopy.drafting import DraftDecisions, SeenTable, Suggestion
from kanopy.errors import KanopyError
from kanopy.frames.dialect import Dialect
from kanopy.profiling import Profile, asked_policy
from kanopy.profiling.measuring import measured_texts
from kanopy.web.reading import TABLE, facts_of

_TUPLES = ("formats", "marks")
_MOST_KEPT = 64  # drafts and figures of earlier choices: going back costs nothing


class OpenTable:
    """What a job has read; drafts and figures are made when they are asked for, and kept."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._facts = folder, facts_of(folder)
        self._drafts: dict[str, Suggestion] = {}
        self._figures: dict[tuple[Any, ...], Profile | KanopyError] = {}

    @property
    def facts(self) -> Any:
        """Rows, bytes, dialect, preview, and a summary of every column."""
        return self._facts

    @property
    def names(self) -> list[str]:
        """The columns, as policies name them."""
        return list(self._facts["columns"])

    @cached_property
    def _seen(self) -> SeenTable:
        """The table, mapped and not copied; O(rows * columns) once."""
        with pa.memory_map(str(self._folder / TABLE)) as source:
            table = pa.ipc.open_file(source).read_all()
        found = {name: _content(plain) for name, plain in self._facts["contents"].items()}
        return SeenTable.of(table, self.dialect, found)

    @property
    def dialect(self) -> Dialect | None:
        """How the file is written."""
        plain = self._facts["dialect"]
        return None if plain is None else Dialect(**{**plain, "doubts": tuple(plain["doubts"])})

    def content(self, name: str) -> Content:
        """What a column holds."""
        return self._seen.contents[name]

    def draft(self, decisions: DraftDecisions) -> Suggestion:
        """The policy with these decisions."""
        key = json.dumps(asdict(decisions), sort_keys=True, default=str)
        if key not in self._drafts:
            _make_room(self._drafts)
            self._drafts[key] = self._seen.draft(decisions)
        return self._drafts[key]

    def risk(self, draft: Suggestion) -> Profile | KanopyError:
        """The table as it stands, for the roles of a draft: how many rows are alone; O(rows * columns)."""
        quasi = tuple(column.name for column in draft.columns if column.role == "quasi_identifiers")
        person = next((column.name for column in draft.columns if column.role == "person"), None)
        key = (quasi, person, draft.missing)
        if key not in self._figures:
            _make_room(self._figures)
            texts = {name: column.text for name, column in self._seen.columns.items()}
            try:
                asked = asked_policy(quasi, (), person, draft.missing)
                found: Profile | KanopyError = measured_texts(TextTable(texts, self._seen.n_rows), asked)
            except KanopyError as error:
                found = error
            self._figures[key] = found
        return self._figures[key]


def _content(plain: dict[str, Any]) -> Content:
    return Content(**{**plain, **{name: tuple(plain[name]) for name in _TUPLES}})


def _make_room(kept: dict[Any, Any]) -> None:
    while len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
