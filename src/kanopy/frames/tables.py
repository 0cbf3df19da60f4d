"""A path or a frame becomes an Arrow table with clean column names, and Arrow a frame of the same kind."""

from __future__ import annotations

import os
from typing import Any

import narwhals as nw
import pyarrow as pa

from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames.distinct import clean_names
from kanopy.frames.source import read_source

_AS_TEXT = "convert it to text first"


def read_table(
    table: Any, *, where: str = "the table", delimiter: str | None = None, encoding: str = "utf-8"
) -> tuple[str, pa.Table]:
    """Read a frame or a file (``"-"`` is standard input); O(rows * columns).

    Returns the kind of frame to give back to the caller, and the table; its column names are clean.
    ``where`` is what messages call a frame; ``delimiter`` and ``encoding`` are those of a CSV file.
    """
    if isinstance(table, str | os.PathLike):
        return "pyarrow", read_source(table, delimiter=delimiter, encoding=encoding)
    kind, source = kind_of(table), to_arrow(table)
    return kind, source.rename_columns(clean_names(source.column_names, where=where))


def kind_of(frame: Any) -> str:
    """``pandas``, ``polars`` or ``pyarrow``, or another name that narwhals has for eager frames."""
    try:
        return str(nw.from_native(frame, eager_only=True).implementation.value)
    except TypeError:
        what = f"a table is a pandas, polars or pyarrow table, or a path; this is a {type(frame).__name__}"
        raise PolicyError(what, "collect a lazy frame first") from None
    except ValueError:  # pandas allows it, narwhals does not
        raise InputError("two columns have the same name", "rename one of them") from None


def to_arrow(frame: Any) -> pa.Table:
    """The columns of a frame as an Arrow table: no index, no metadata.

    PRIVACY: pandas would hand over its index, the original row numbers (tests/unit/frames/test_native.py).
    """
    if isinstance(frame, pa.Table):
        return frame.replace_schema_metadata(None)
    kind_of(frame)
    wide = nw.from_native(frame, eager_only=True)
    if not all(isinstance(name, str) for name in wide.columns):
        raise InputError("the names of all columns must be texts", "rename the columns")
    return pa.table({name: _column(wide, name) for name in wide.columns})


def _column(wide: Any, name: str) -> Any:
    column = wide.get_column(name)
    values = column.to_list() if column.dtype == nw.Object else None
    try:
        if values is None or _has_one_kind(name, values):
            try:
                return column.to_arrow()
            except (pa.ArrowException, UnicodeEncodeError, OverflowError):
                pass
        # A pandas object column with values of several kinds: what counts is how they are written.
        return pa.array([None if _is_null(value) else str(value) for value in column.to_list()], pa.string())
    except UnicodeEncodeError:
        raise InputError(f"column {name!r} holds text that is not Unicode", "clean the column") from None
    except (KanopyError, MemoryError):
        raise
    except Exception:  # an object may do anything where it is compared, or asked for its text
        raise InputError(f"column {name!r} holds objects that have no text", _AS_TEXT) from None


def _has_one_kind(name: str, values: list[Any]) -> bool:
    """Whether all values have one type (Arrow takes 1.0 and True for the same); refuse lists and the like."""
    for kind in dict.fromkeys(map(type, values)):
        if any("__len__" in vars(base) for base in kind.__mro__) and not issubclass(kind, str | bytes):
            raise InputError(f"column {name!r} holds {kind.__name__} values", _AS_TEXT)
    return len({type(value) for value in values if not _is_null(value)}) <= 1


def _is_null(value: Any) -> bool:
    """None, a number or time that is none, or the missing value of pandas, which cannot be compared."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def from_arrow(table: pa.Table, kind: str) -> Any:
    """An Arrow table as a frame of the given kind."""
    backend: Any = kind
    return table if kind == "pyarrow" else nw.from_arrow(table, backend=backend).to_native()
