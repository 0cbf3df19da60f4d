"""Telling numbers from texts that consist of digits, without ever changing how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from kanopy.data.arrays import Floats
from kanopy.data.intervals import DECLARED_NUMBER, PLAIN_NUMBER

_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


def is_number(text: str) -> bool:
    """Whether a text is a plain number. Leading zeros make it a code: a zip, a phone number."""
    return PLAIN_NUMBER.fullmatch(text) is not None and abs(float(text)) < float("inf")


def is_declared_number(text: str) -> bool:
    """Whether a text can be read as a finite number, leading zeros and all."""
    return DECLARED_NUMBER.fullmatch(text) is not None and abs(float(text)) < float("inf")


def is_not_finite(text: str) -> bool:
    return _NOT_FINITE.fullmatch(text) is not None


def natural_order(texts: Sequence[str]) -> Callable[[str], Any]:
    """The key that orders texts as numbers where all of them are, as text otherwise."""
    return (lambda text: (Decimal(text), text)) if all(map(is_number, texts)) else (lambda text: text)


def count_alike(texts: Sequence[str], floats: Floats) -> int:
    """How many texts stand for the same number as another one before them; the floats may be inexact."""
    in_order = np.sort(floats)
    if (in_order[1:] != in_order[:-1]).all():
        return 0
    return len(texts) - len({Decimal(text) for text in texts})


def decimals(texts: Sequence[str]) -> int:
    """Digits after the point in the most precise of the numbers."""
    most = 0
    for text in texts:
        if "e" in text or "E" in text:
            exponent = Decimal(text).as_tuple().exponent
            most = max(most, -exponent if isinstance(exponent, int) else 0)
        else:
            most = max(most, len(text.partition(".")[2]))
    return min(most, 20)
