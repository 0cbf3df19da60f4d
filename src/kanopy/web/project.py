"""A project folder: the policy and the choices; the table only where somebody asked for that."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError, ResourceError
from kanopy.web.choices import as_plain, from_plain
from kanopy.web.names import safe_name
from kanopy.web.work import Work

CHOICES, POLICY, DATA = "choices.json", "policy.toml", "data"
_MOST_BYTES = 10_000_000


class Project:
    """The folder of a piece of work; PRIVACY: it holds column names and choices, and no table unless asked
    (tests/unit/web/test_project.py)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            what = f"could not create the project folder: {error.strerror or type(error).__name__}"
            raise ResourceError(what, "name another folder") from None

    def load_into(self, work: Work) -> None:
        """Give a piece of work the choices of the folder, if it has any."""
        work.keeper = self.save
        place = self.folder / CHOICES
        if not place.exists():
            return
        try:
            raw = place.read_bytes()[: _MOST_BYTES + 1]
            plain: Any = json.loads(raw) if len(raw) <= _MOST_BYTES else None
        except (OSError, ValueError):
            plain = None
        if not isinstance(plain, dict):
            raise PolicyError(f"{CHOICES} of the project cannot be read", "remove it, and choose again")
        work.decisions = from_plain(plain.get("decisions", {}))
        work.name = safe_name(str(plain.get("table", "")))
        form = plain.get("form", {})
        if isinstance(form, dict):
            work.form = {name: form[name] for name in work.form if isinstance(form.get(name), str)} | {
                name: None for name in work.form if not isinstance(form.get(name), str)
            }
        kept = self.folder / DATA / work.name
        if work.name and kept.is_file() and not kept.is_symlink():
            work.source = kept

    def save(self, work: Work) -> None:
        """Write choices and policy; O(columns)."""
        said = {"table": work.name, "form": work.form, "decisions": as_plain(work.decisions)}
        with _telling():
            _replace(self.folder / CHOICES, json.dumps(said, indent=1).encode())
            if (text := work.policy_text) is not None:
                _replace(self.folder / POLICY, text.encode())

    def keep_table(self, work: Work) -> None:
        """Copy the table into the folder, because somebody asked for it."""
        if work.source is None:
            return
        folder = self.folder / DATA
        copy = folder / work.name
        new = folder / f".{work.name}.new"
        if copy == work.source:
            return
        with _telling():
            folder.mkdir(mode=0o700, exist_ok=True)
            with work.source.open("rb") as source, _private(new) as target:
                shutil.copyfileobj(source, target, 1 << 20)
            new.replace(copy)

    def has_table(self, work: Work) -> bool:
        """Whether the table lies in the folder."""
        return bool(work.name) and (self.folder / DATA / work.name).is_file()


@contextmanager
def _telling() -> Iterator[None]:
    """Say what is wrong where the folder cannot be written."""
    try:
        yield
    except OSError as error:
        what = f"could not write into the project folder: {error.strerror or type(error).__name__}"
        raise ResourceError(what, "check disk space and permissions") from None


def _private(path: Path) -> Any:
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600)

    return open(path, "wb", opener=opener)


def _replace(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.new")
    with _private(new) as file:
        file.write(content)
    new.replace(path)
