"""A path or a frame becomes an Arrow table with clean column names, and Arrow a frame of the same kind."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames.batches import read_files
from kanopy.frames.conversion import converted
from kanopy.frames.csv_text import as_before_disarming
from kanopy.frames.distinct import clean_names, is_text
from kanopy.frames.source import files_of, read_source
from kanopy.policy import Policy
from kanopy.policy.reading import SourceFormat

_AS_TEXT = "convert it to text first"


def read_table(
    table: Any, *, where: str = "the table", delimiter: str | None = None, encoding: str | None = None
) -> tuple[str, pa.Table]:
    """Read a frame, a file (``"-"`` is standard input) or a folder of files; O(rows * columns).

    Returns the kind of frame to give back to the caller, and the table; its column names are clean.
    ``where`` is what messages call a frame; ``delimiter`` and ``encoding`` are those of a CSV file.
    """
    if isinstance(table, str | os.PathLike):
        if (files := files_of(table)) is not None:
            return "pyarrow", read_files(files, SourceFormat(), delimiter=delimiter, encoding=encoding)
        return "pyarrow", read_source(table, delimiter=delimiter, encoding=encoding)
    kind, source = kind_of(table), to_arrow(table)
    return kind, source.rename_columns(clean_names(source.column_names, where=where))


def read_own(
    table: Any,
    policy: Policy,
    *,
    where: str = "the table",
    delimiter: str | None = None,
    encoding: str | None = None,
    is_new: bool = False,
    saw: Callable[[pa.Table], None] = lambda table: None,
) -> tuple[str, pa.Table]:
    """Read a table of the custodian as the policy says it is written; costs what ``converted`` costs.

    What is given here precedes ``[source]``. ``is_new``: rows after a release, which may lack columns.
    ``saw`` is called with the table as it is in the file, before anything is converted.
    """
    if (files := files_of(table)) is not None:
        kind, source = "pyarrow", read_files(files, policy.source, delimiter=delimiter, encoding=encoding)
    elif isinstance(table, str | os.PathLike):
        kind, source = "pyarrow", read_source(table, policy.source, delimiter=delimiter, encoding=encoding)
    else:
        kind, source = read_table(table, where=where)
    saw(source)
    return kind, converted(source, policy, is_new=is_new)


def read_judged(
    table: Any, policy: Policy, *, delimiter: str | None = None, encoding: str | None = None
) -> pa.Table:
    """Read a release, or the custodian's own table; O(rows * columns).

    A table with exactly the published columns, written as releases are, is taken for a release, which is
    never converted. Any other file is read as the policy says that the source is written.
    """
    is_file = isinstance(table, str | os.PathLike) and (os.path.isfile(table) or os.path.isdir(table))  # noqa: PTH112, PTH113
    released: pa.Table | None = None
    fault: KanopyError | None = None
    try:
        released = read_table(table, delimiter=delimiter, encoding=encoding)[1]
        released = released.rename_columns(named_in(policy, released.column_names))
        if not policy.reads or policy.published == set(released.column_names):
            return released
    except (InputError, PolicyError) as error:
        fault = error
    if fault is not None and not (policy.reads and is_file):
        raise fault
    try:
        return read_own(table if is_file else released, policy, delimiter=delimiter, encoding=encoding)[1]
    except KanopyError as error:
        fault = fault or error
    if released is not None and is_wider_release(released, policy):
        return released
    raise fault


def named_in(policy: Policy, names: Sequence[str]) -> list[str]:
    """The names of a header as the policy has them: without the ``'`` in front of formulas; O(names)."""
    before = map(as_before_disarming, names)
    return [
        own if own in policy.roles and name not in policy.roles else name
        for name, own in zip(names, before, strict=True)
    ]


def is_wider_release(table: pa.Table, policy: Policy) -> bool:
    """Whether a table that cannot be read as the policy says is a release with a column that should have been
    dropped: ranges, sets or suppressed cells are where the source has dates or numbers. O(rows).

    A PolicyError where a column is not in the policy: that helps more than that cells are no dates.
    """
    if not policy.published <= set(table.column_names):
        return False
    policy.check_columns(table.column_names, released=True)
    columns = (table[name] for name in policy.columns if name in policy.published)
    texts = (each.cast(pa.string()) for each in columns if is_text(each.type))
    return any(pc.any(pc.match_substring_regex(text, r"^(\*$|\[|\{)")).as_py() for text in texts)


def kind_of(frame: Any) -> str:
    """``pandas``, ``polars`` or ``pyarrow``, or another name that narwhals has for eager frames."""
    import narwhals as nw  # takes as long as a small release: files need none of it

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
    import narwhals as nw

    kind_of(frame)
    wide = nw.from_native(frame, eager_only=True)
    if not all(isinstance(name, str) for name in wide.columns):
        raise InputError("the names of all columns must be texts", "rename the columns")
    return pa.table({name: _column(wide, name) for name in wide.columns})


def _column(wide: Any, name: str) -> Any:
    import narwhals as nw

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
    if kind == "pyarrow":
        return table
    import narwhals as nw

    backend: Any = kind
    return nw.from_arrow(table, backend=backend).to_native()
