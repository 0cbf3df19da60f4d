"""How to read sketched cells, as a codebook tells it: further entries of its table, and read back from it.

Of each quasi-identifier: ``order``, its categories one after the other; ``correlation``, with every other one
by name; and once ``linear``, what linear models learn best from. Where groups have several classes: ``order``
of these, and of each quasi-identifier ``class``, its correlation with the column of that name.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kanopy.data import PublishedReading
from kanopy.data.mixed_classes import MixedClasses
from kanopy.data.reading import DECIMALS, DRAWS, NORMAL
from kanopy.errors import KanopyError
from kanopy.frames.detected_file import read_detected

ORDER, CORRELATION, LINEAR, CLASS = "order", "correlation", "linear", "class"
WITH_NAMES = (CORRELATION, CLASS)
"""Entries whose text is the name of another column."""
WAYS = {
    DRAWS: "linear models learn best from rows drawn from the sketches",
    NORMAL: "linear models learn best from means and shares, with normal numbers around them",
}


def entries_of(reading: PublishedReading | None, name: str) -> Iterator[tuple[str, str, str]]:
    """Entry, text and meaning of each line about one column; O(categories + columns)."""
    classes = None if reading is None else reading.classes
    if classes is not None and name == classes.name:
        yield from _order(classes.order)
    if reading is None or name not in reading.names:
        return
    yield from _order(reading.orders.get(name, ()))
    place = reading.names.index(name)
    for other, number in zip(reading.names, reading.correlation[place].tolist(), strict=True):
        if other != name:
            yield CORRELATION, other, f"{number:.{DECIMALS}f}"
    if classes is not None:
        yield CLASS, classes.name, f"{classes.correlation[place]:.{DECIMALS}f}"
    if not place:
        yield LINEAR, reading.linear, WAYS[reading.linear]


def _order(texts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for number, text in enumerate(texts, start=1):
        yield ORDER, text, str(number)


def reading_in(lines: Iterable[Mapping[str, Any]]) -> PublishedReading | None:
    """What the lines of a codebook say; None where they say nothing about sketches. O(lines)."""
    orders: dict[str, list[str]] = {}
    pairs: dict[tuple[str, str], float] = {}
    of_class: dict[str, float] = {}
    target, linear, names = "", None, list[str]()
    for line in lines:
        name, text = line["column"], line["text"] or ""
        if line["entry"] == ORDER:
            orders.setdefault(name, []).append(text)
        elif line["entry"] == CORRELATION:
            pairs[name, text] = float(line["meaning"])
        elif line["entry"] == CLASS:
            target, of_class[name] = text, float(line["meaning"])
        elif line["entry"] == LINEAR:
            linear = text
        if line["entry"] in (CORRELATION, LINEAR) and name not in names:
            names.append(name)
    if linear not in WAYS:
        return None
    matrix = np.array([[pairs.get((one, other), 0.0) for other in names] for one in names])
    np.fill_diagonal(matrix, 1.0)
    classes = None
    if of_class:
        with_class = np.array([of_class.get(name, 0.0) for name in names])
        classes = MixedClasses(target, tuple(orders.pop(target, ())), with_class)
    in_order = {name: tuple(order) for name, order in orders.items()}
    return PublishedReading(tuple(names), in_order, matrix, linear, classes)


def read_reading(book: Path) -> PublishedReading | None:
    """What the table of a codebook says about sketches; None where there is none, or it cannot be read."""
    try:
        return reading_in(read_detected(book)[0].to_pylist()) if book.is_file() else None
    except (KanopyError, OSError, KeyError, ValueError, TypeError, csv.Error):
        return None
