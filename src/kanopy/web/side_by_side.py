"""Rows before and after a release, for the custodian: beside each row one of the release that covers it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.errors import KanopyError
from kanopy.frames.published import PublishedTable
from kanopy.release import Release
from kanopy.web.reading import SHOWN_ROWS, preview

N_TRIED = 32
"""Rows of the source for which one of the release is looked for."""


def side_by_side(release: Release, source: pa.Table) -> dict[str, Any]:
    """Some rows of the source, and beside each a published row that covers it; otherwise some of both.

    PRIVACY: which row became which is kept nowhere: rows are recoded as new ones are, and where several of
    the release cover one, any of them stands beside it (tests/unit/web/test_side_by_side.py).
    """
    recoded = _recoded(release, source)
    found = [] if recoded is None else _published_places(release.published, recoded)[:SHOWN_ROWS]
    if recoded is None or not found:
        return {"before": preview(source), "after": preview(_from_all_over(release)), "is_paired": False}
    return {"before": preview(source.take(found)), "after": preview(recoded.take(found)), "is_paired": True}


def _recoded(release: Release, source: pa.Table) -> pa.Table | None:
    """The rows as the release publishes such rows; None where that need not cover them.

    A dropped row would get the cells of the nearest group, and sketches tell about groups alone.
    """
    record = release.record
    is_true = record["truthful"] and not record["facts"].get("untrue_cells")
    if not is_true or record["rows"]["dropped"] or release.reading is not None:
        return None
    try:
        recoded: pa.Table = release.recode(source)
    except KanopyError:  # what was published is not in question here
        return None
    return recoded


def _published_places(published: PublishedTable, recoded: pa.Table) -> list[int]:
    """Which of these rows are in the release, with all their columns; O(lines * columns) each."""
    codes = [
        pc.index_in(recoded[column.name], value_set=column.values).fill_null(-1).to_numpy()
        for column in published.columns
    ]
    found = []
    for row in range(recoded.num_rows):
        is_line = np.ones(published.n_lines, dtype=bool)
        for column, code in zip(published.columns, codes, strict=True):
            is_line &= column.codes == code[row]
        if is_line.any():
            found.append(row)
    return found


def _from_all_over(release: Release) -> pa.Table:
    published = release.published
    lines = np.unique(np.linspace(0, published.n_lines - 1, SHOWN_ROWS).astype(np.int64))
    return pa.table(
        {column.name: column.words.take(pa.array(column.codes[lines])) for column in published.columns}
    )
