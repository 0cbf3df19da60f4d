"""Entries of a certificate as anyone may have written them: taken only where they are of the right kind."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from kanopy.certificate.limits import MOST_DIGITS

_SHA256 = re.compile(r"[0-9a-f]{64}")
_DATE = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


class MalformedError(Exception):
    """An entry is missing, of the wrong kind, or contradicts another one. Never leaves this package."""


def parsed(raw: bytes) -> dict[str, Any]:
    """The entries of a JSON text; none is given twice, and every number is one; O(bytes)."""
    hooks: dict[str, Any] = {
        "object_pairs_hook": _without_repetition,
        "parse_constant": _number,
        "parse_int": _whole,
        "parse_float": _number,
    }
    try:
        read = json.loads(raw.decode("utf-8-sig"), **hooks)
    except UnicodeDecodeError:
        raise MalformedError("it is not UTF-8") from None
    except RecursionError:
        raise MalformedError("it is nested too deeply") from None
    except ValueError:
        raise MalformedError("it is not JSON") from None
    if not isinstance(read, dict):
        raise MalformedError("it is not JSON with named entries")
    return read


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedError("an entry is given twice")
    return found


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise MalformedError(f"it holds a number of more than {MOST_DIGITS} digits")
    return int(text)


def _number(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise MalformedError("it holds a number that is none")
    return number


def entry(inside: Mapping[str, Any], name: str, kind: type) -> Any:
    """An entry of this kind; true and false are no numbers."""
    value = inside.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise MalformedError(f"its entry {name!r} is missing, or of the wrong kind")
    return value


def texts(inside: Mapping[str, Any], name: str) -> list[str]:
    """A list of texts."""
    values: list[str] = entry(inside, name, list)
    if not all(isinstance(value, str) for value in values):
        raise MalformedError(f"its entry {name!r} holds something else than texts")
    return values


def one_of(inside: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    """One of the texts that are allowed."""
    value = entry(inside, name, str)
    if value not in allowed:
        raise MalformedError(f"its entry {name!r} says something unknown")
    return str(value)


def number_of(inside: Mapping[str, Any], name: str) -> int:
    """How many there are of something."""
    value: int = entry(inside, name, int)
    if value < 0:
        raise MalformedError(f"its entry {name!r} is less than 0")
    return value


def digest(inside: Mapping[str, Any]) -> str:
    """A SHA-256."""
    value = entry(inside, "sha256", str)
    if not _SHA256.fullmatch(value):
        raise MalformedError("a SHA-256 in it is none")
    return str(value)


def check_date(inside: Mapping[str, Any]) -> None:
    """Refuse a time of writing that no clock shows, and one of another form."""
    match = _DATE.fullmatch(entry(inside, "date", str))
    try:
        if match is not None:
            datetime(*map(int, match.groups()))  # type: ignore[arg-type]
            return
    except ValueError:
        pass
    raise MalformedError("its entry 'date' is no date of the form 2026-03-02T09:15:00Z")
