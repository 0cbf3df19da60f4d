"""Inputs that failed, one file for each kind of failure, to be run again."""

from __future__ import annotations

import hashlib
import traceback
from pathlib import Path


def signature(error: BaseException) -> str:
    """What tells one kind of failure from another: its class, and where in kanopy it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/kanopy/" in frame.filename] or frames
    places = [f"{Path(frame.filename).name}:{frame.name}" for frame in ours[-3:]]
    if hasattr(error, "outcome"):
        return str(error)
    said = str(error) if type(error).__module__.startswith("fuzz") else ""
    return " < ".join([type(error).__name__, *reversed(places), *([said] if said else [])])


def save(folder: Path, target: str, kind: str, data: bytes, story: str) -> Path:
    """Keep an input, and beside it the story of how it failed; a kind that is known keeps its first input."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{target}-{hashlib.sha256(kind.encode()).hexdigest()[:12]}.input"
    if not path.exists():
        path.with_suffix(".txt").write_text(f"{kind}\n\n{story}", encoding="utf-8", errors="replace")
        path.write_bytes(data)
    return path


def target_of(path: Path) -> str:
    """The target that a saved input is for."""
    return path.name.partition("-")[0]
