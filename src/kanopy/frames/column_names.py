"""Column names as every reader gives them: stripped, in one Unicode form, all different."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from kanopy.errors import InputError
from kanopy.policy import normal_name, shown_name

_SHOWN_NAMES = 5
MOST_COLUMNS = 12_000  # more would take minutes, and such a table is nearly always transposed


def clean_names(names: Sequence[str], *, where: str) -> list[str]:
    """Strip and NFC-normalise column names; refuse too many, empty ones and equal ones; O(columns)."""
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"{where} has {len(names):,} columns, and {MOST_COLUMNS:,} are the most that can be read",
            "leave columns out; is the table transposed, or the delimiter a different one?",
        )
    cleaned = [normal_name(name) for name in names]
    unnamed = [number for number, name in enumerate(cleaned, start=1) if not name]
    if unnamed:
        numbers = ", ".join(str(number) for number in unnamed[:_SHOWN_NAMES])
        what = f"column {numbers} has no name" if len(unnamed) == 1 else f"columns {numbers} have no name"
        raise InputError(f"{where}: {what}", "name every column; a delimiter at the line end makes one too")
    twice = [name for name, n_times in Counter(cleaned).items() if n_times > 1]
    if twice:
        raise InputError(f"{where}: column names occur more than once: {_listed(twice)}", "rename them")
    forms = Counter(_folded(name) for name in cleaned)
    alike = [name for name in cleaned if forms[_folded(name)] > 1]
    if alike:
        raise InputError(f"{where}: column names differ only in case: {_listed(alike)}", "rename them")
    return cleaned


def _listed(names: Iterable[str]) -> str:
    listed = [shown_name(name) for name in names]
    more = [f"and {len(listed) - _SHOWN_NAMES} more"] if len(listed) > _SHOWN_NAMES else []
    return ", ".join(listed[:_SHOWN_NAMES] + more)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
