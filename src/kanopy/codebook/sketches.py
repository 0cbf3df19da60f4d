"""How to read sketched cells, as a codebook tells it: further entries of its table, and read back from it.

Of each quasi-identifier: ``order``, its categories one after the other; ``correlation``, with every other one
by name; and once ``linear``, what linear models learn best from.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kanopy.data import PublishedReading
from kanopy.data.reading import BOTH, DECIMALS, DRAWS, EXPECTED
from kanopy.errors import KanopyError
from kanopy.frames.detected_file import read_detected

ORDER, CORRELATION, LINEAR = "order", "correlation", "linear"
WAYS = {
    DRAWS: "linear models learn best from rows drawn from the sketches",
    EXPECTED: "linear models learn best from means and shares of the sketches",
    BOTH: "linear models learn best from drawn rows, and from means and shares",
}


def entries_of(reading: PublishedReading | None, name: str) -> Iterator[tuple[str, str, str]]:
    """Entry, text and meaning of each line about one column; O(categories + columns)."""
    if reading is None or name not in reading.names:
        return
    for number, text in enumerate(reading.orders.get(name, ()), start=1):
        yield ORDER, text, str(number)
    place = reading.names.index(name)
    for other, number in zip(reading.names, reading.correlation[place].tolist(), strict=True):
        if other != name:
            yield CORRELATION, other, f"{number:.{DECIMALS}f}"
    if not place:
        yield LINEAR, reading.linear, WAYS[reading.linear]


def reading_in(lines: Iterable[Mapping[str, Any]]) -> PublishedReading | None:
    """What the lines of a codebook say; None where they say nothing about sketches. O(lines)."""
    orders: dict[str, list[str]] = {}
    pairs: dict[tuple[str, str], float] = {}
    linear, names = None, list[str]()
    for line in lines:
        name, text = line["column"], line["text"] or ""
        if line["entry"] == ORDER:
            orders.setdefault(name, []).append(text)
        elif line["entry"] == CORRELATION:
            pairs[name, text] = float(line["meaning"])
        elif line["entry"] == LINEAR:
            linear = text
        if line["entry"] in (CORRELATION, LINEAR) and name not in names:
            names.append(name)
    if linear not in WAYS:
        return None
    matrix = np.array([[pairs.get((one, other), 0.0) for other in names] for one in names])
    np.fill_diagonal(matrix, 1.0)
    return PublishedReading(
        tuple(names), {name: tuple(order) for name, order in orders.items()}, matrix, linear
    )


def read_reading(book: Path) -> PublishedReading | None:
    """What the table of a codebook says about sketches; None where there is none, or it cannot be read."""
    try:
        return reading_in(read_detected(book)[0].to_pylist()) if book.is_file() else None
    except (KanopyError, OSError, KeyError, ValueError, TypeError, csv.Error):
        return None
