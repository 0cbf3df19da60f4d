"""What a run reads: no output may replace it, whatever it is called there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError
from kanopy.policy import Policy

_STANDARD_INPUT = 0


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a run reads, and what messages call them; an int is the descriptor of an open file."""

    files: tuple[tuple[str, str | int], ...] = ()

    @classmethod
    def of(cls, table: Any, policy: Policy, policy_file: str | os.PathLike[str] | None = None) -> Inputs:
        """The file of the table, where it has one, the policy file, and the files of its hierarchies."""
        named: list[tuple[str, Any]] = [("input", table), ("policy file", policy_file)]
        named += [(f"hierarchy of column {column!r}", file) for column, file in policy.hierarchies.items()]
        files: list[tuple[str, str | int]] = []
        for what, file in named:
            if what == "input" and isinstance(file, str) and file == "-":
                files.append((what, _STANDARD_INPUT))
            elif isinstance(file, str | os.PathLike):
                # Absolute: what is written later may be written from another folder.
                files.append((what, os.path.abspath(os.fspath(file))))  # noqa: PTH100
        return cls(tuple(files))

    def refuse(self, output: Path) -> None:
        """Raise a PolicyError where the output is one of these files, by whatever name."""
        try:
            there = output.stat()
        except (OSError, ValueError):
            return
        for what, file in self.files:
            try:
                read = os.stat(file)  # noqa: PTH116
            except (OSError, ValueError):
                continue
            if os.path.samestat(read, there):
                raise PolicyError(f"output and {what} are the same file", "choose another output")


NO_INPUTS = Inputs()
