"""A release as a frame: texts as they were published, and what cells mean as numbers, dates and members."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.codebook.ends import date_ends, number_ends
from kanopy.codebook.meaning import Cells
from kanopy.data.grammar import ReadCell, read_any_text
from kanopy.errors import PolicyError, ResourceError
from kanopy.frames.distinct import is_text
from kanopy.frames.tables import from_arrow
from kanopy.receiving.received import Column, Received, receive

KINDS = ("pandas", "polars", "pyarrow")


def read_release(
    path: str | os.PathLike[str],
    *,
    kind: str = "pandas",
    certificate: str | os.PathLike[str] | None = None,
    verified: bool = True,
) -> Any:
    """Read a release, for whoever received it; O(rows * columns), twice that where it is verified.

    Every column stays as it was published, as text: ``01067`` and ``NA`` stay as they are, missing is null.
    Columns of numbers that are no quasi-identifiers become numbers. After a quasi-identifier come, of

    - numbers: ``age_low`` and ``age_high``, the lowest and the highest that its cell may stand for, null
      where it does not tell (``*``);
    - dates: ``born_low`` and ``born_high``, the first and the last second;
    - texts: ``job_members``, all that its cell may stand for, None for missing; null if anything (``*``).

    Sketches tell about all rows that read alike. Of numbers and dates, low and high are the least and the
    largest mean, and ``age_means`` has all of them, as texts; of texts, ``job_counts`` has how many of these
    rows have each of the members.

    Parameters
    ----------
    path : path
        The release: ``.csv``, ``.parquet``, or the folder of its parts.
    kind : {"pandas", "polars", "pyarrow"}
        Of the frame. In pandas members are tuples, elsewhere lists.
    certificate : path, optional
        Where it is not beside the release or in its folder.
    verified : bool
        Whether the release is verified with its certificate first; where there is none, this is a warning.

    Raises
    ------
    InputError
        Where the release is not the certified one.
    """
    check_kind(kind)
    named = list(_columns(receive(path, certificate, verified=verified), kind))
    return _pandas_frame(named) if kind == "pandas" else from_arrow(pa.table(dict(named)), kind)


def check_kind(kind: Any) -> None:
    """Refuse kinds of frames that there are not."""
    if kind not in KINDS:
        raise PolicyError("there is no such kind of frame", f"choose one of {', '.join(KINDS)}")


def _pandas_frame(named: list[tuple[str, Any]]) -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise ResourceError("pandas is not installed", 'install it, or choose kind="pyarrow"') from None
    frame = pa.table({name: column for name, column in named if isinstance(column, pa.Array)}).to_pandas()
    columns = {name: frame[name] if isinstance(column, pa.Array) else column for name, column in named}
    return pd.DataFrame(columns, index=frame.index)


def _columns(received: Received, kind: str) -> Iterator[tuple[str, Any]]:
    """The columns of the frame by name; members are objects for pandas, which share one for equal cells."""
    taken = set(received.columns)
    for name, column in received.columns.items():
        cells = received.cells(name)
        yield name, _as_published(column, cells)
        if not cells.is_cells:
            continue
        read = [read_any_text(word) for word in column.words]
        is_sketched = any(cell.is_sketch for cell in read)
        if cells is Cells.TEXTS:
            tuples = [_members(cell) for cell in read]
            yield _free(f"{name}_members", taken), _of_rows(tuples, column.codes, kind, pa.string())
            if is_sketched:
                counts = [_counts(cell) for cell in read]
                yield _free(f"{name}_counts", taken), _of_rows(counts, column.codes, kind, pa.int64())
            continue
        for which, ends in zip(("low", "high"), _ends(read, cells), strict=True):
            yield _free(f"{name}_{which}", taken), ends.take(column.codes)
        if is_sketched:
            means = [cell.means or None for cell in read]
            yield _free(f"{name}_means", taken), _of_rows(means, column.codes, kind, pa.string())


def _as_published(column: Column, cells: Cells) -> pa.Array:
    """The texts, or the values in their own type; texts of numbers alone become numbers."""
    if not is_text(column.values.type):
        return column.values.combine_chunks() if column.values.num_chunks != 1 else column.values.chunk(0)
    texts = pa.array([word or None for word in column.words], pa.string())
    if cells is Cells.PLAIN_NUMBERS:
        for type_ in (pa.int64(), pa.float64()):
            try:
                return pc.cast(texts, type_).take(column.codes)
            except pa.ArrowInvalid:
                continue
    return texts.take(column.codes)


def _ends(read: list[ReadCell], cells: Cells) -> tuple[pa.Array, pa.Array]:
    """The lowest and the highest of each cell; NaN becomes null."""
    if cells is Cells.DATES:
        first, last = zip(*map(date_ends, read), strict=True)
        return pa.array(first, pa.timestamp("s")), pa.array(last, pa.timestamp("s"))
    low, high = zip(*map(number_ends, read), strict=True)
    return pa.array(low, pa.float64(), from_pandas=True), pa.array(high, pa.float64(), from_pandas=True)


def _members(cell: ReadCell) -> tuple[str | None, ...] | None:
    if cell.is_suppressed:
        return None
    missing: tuple[str | None, ...] = (None,) if cell.with_missing else ()
    return missing + cell.texts


def _counts(cell: ReadCell) -> tuple[int, ...] | None:
    """As many as there are members, in their order; missing, the last of the cell's counts, comes first."""
    if not cell.is_sketch or not cell.with_missing:
        return cell.counts or None
    return (cell.counts[-1], *cell.counts[:-1])


def _of_rows(told: Sequence[tuple[Any, ...] | None], codes: pa.Array, kind: str, type_: pa.DataType) -> Any:
    """What the cell of each row tells, several things of one type."""
    if kind != "pandas":
        return pa.array(told, pa.list_(type_)).take(codes)
    made = np.empty(len(told), dtype=object)
    made[:] = told
    return made[np.asarray(codes)]


def _free(name: str, taken: Collection[str]) -> str:
    """A name that no column of the release has."""
    while name in taken:
        name += "_"
    return name
