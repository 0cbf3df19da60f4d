"""A release as an attacker reads it who also uses what its codebook says about the classes.

Where rows of several classes share a group, the codebook may say which way the values of each class lie. Rows
are drawn with it, and the group is read as one group for each class, with the values that its rows drew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from kanopy.data import PublishedReading
from kanopy.data.arrays import Ints
from kanopy.data.grammar import read_any_text, write_counts, write_means, write_member
from kanopy.data.mixed_classes import in_mixed_groups
from kanopy.learners.sketched import drawn_rows

_SEED = 0


def divided(release: pa.Table, reading: PublishedReading | None) -> pa.Table:
    """The release, with cells of their own for classes that share a group; O(rows * columns).

    Where the codebook says nothing about classes, it is the release as it is.
    """
    if reading is None or reading.classes is None:
        return release
    classes = release[reading.classes.name].to_numpy(zero_copy_only=False).astype(str)
    sketched = release.select(list(reading.names))
    rows = drawn_rows(sketched, reading, np.random.default_rng(_SEED), 1, classes)
    if rows is None:
        return release
    names, code = np.unique(classes, return_inverse=True)
    mixed = np.flatnonzero(in_mixed_groups(code, rows.group, int(rows.group.max()) + 1))
    parts = list(_parts(mixed, rows.group[mixed] * len(names) + code[mixed]))
    for name in reading.names:
        place, drawn = release.column_names.index(name), rows.table[name].to_pylist()
        cells = np.array(release[name].to_pylist(), dtype=object)
        for part in parts:
            cells[part] = _sketch([drawn[row] for row in part.tolist()], cells[part[0]] or "")
        release = release.set_column(place, name, pa.array(cells.tolist(), pa.string()))
    return release


def _parts(rows: Ints, key: Ints) -> Iterator[Ints]:
    order = np.argsort(key, kind="stable")
    for part in np.split(rows[order], np.flatnonzero(np.diff(key[order])) + 1):
        if len(part):
            yield part


def _sketch(drawn: list[str | None], cell: str) -> str | None:
    """The cell of some rows, given what they drew and how their group was published."""
    present = [text for text in drawn if text is not None]
    n_missing = len(drawn) - len(present)
    if not present or not read_any_text(cell).is_sketch:
        return cell or None
    if read_any_text(cell).means:
        means = write_means(sorted(present, key=_ascending))
        return write_counts([(means, len(present)), ("", n_missing)]) if n_missing else means
    counts = Counter(write_member(read_any_text(text).texts[0]) for text in present)
    return write_counts([*counts.items(), *[("", n_missing)] * (n_missing > 0)])


def _ascending(text: str) -> tuple[float, str]:
    try:
        return float(text), text
    except ValueError:  # a date, whose text is in order
        return 0.0, text
