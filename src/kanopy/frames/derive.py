"""Derived columns: ages from birth dates, days of a stay, the month of a visit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.errors import InputError, PolicyError, near_name
from kanopy.frames.from_numpy import as_arrow
from kanopy.policy import Policy, shown_name
from kanopy.policy.reading import DerivedColumn


class Moments(NamedTuple):
    """The dates of a column: the different ones, None for missing, and which of them each row has."""

    values: list[datetime | None]
    codes: NDArray[np.int32]


Reader = Callable[[str], Moments]


def derived_columns(
    table: pa.Table, policy: Policy, read: Reader, *, is_new: bool = False
) -> dict[str, pa.Array]:
    """The columns of ``[derived]`` in their order; O(rows), and a sort where two columns are compared.

    Where rows come after a release (``is_new``), a column may be there already instead of what it is made
    from.
    """
    names, made = table.column_names, {}
    for name, column in policy.derived.items():
        lacking = [other for other in column.columns if other not in names]
        if is_new and lacking and name in names:
            continue
        if name in names:
            what = f"[derived] names column {shown_name(name)}, which the table has already"
            raise PolicyError(what, "give the derived column another name")
        if lacking:
            hint = near_name(lacking[0], names) or f"the table has {len(names)} columns; check the spelling"
            what = f"[derived] takes column {shown_name(lacking[0])}, which the table does not have"
            raise PolicyError(what, hint)
        made[name] = _derived(name, column, read)
    return made


def _derived(name: str, column: DerivedColumn, read: Reader) -> pa.Array:
    values, codes = read(column.source)
    compared: list[tuple[datetime | None, datetime | None]]
    if isinstance(column.at, str):
        ends, end_codes = read(column.at)
        # The same two dates are compared once, however many rows have them.
        pairs, codes = np.unique(codes.astype(np.int64) * len(ends) + end_codes, return_inverse=True)
        compared = [(values[pair // len(ends)], ends[pair % len(ends)]) for pair in pairs.tolist()]
    elif column.at is None:
        compared = [(value, value) for value in values]
    else:
        at = column.at if isinstance(column.at, datetime) else datetime.combine(column.at, time())
        compared = [(value, at) for value in values]
    count = _UNITS[column.measure]
    numbers = [None if begin is None or end is None else count(begin, end) for begin, end in compared]
    is_negative = np.array([number is not None and number < 0 for number in numbers])
    if n_cells := int(is_negative[codes].sum()):
        rows = "1 row" if n_cells == 1 else f"{n_cells:,} rows"
        raise InputError(
            f"[derived] {name!r}: in {rows} {shown_name(column.source)} is later than at",
            "correct or empty these cells, or choose a later at; years of two digits mean 1969 to 2068",
        )
    return pa.array(numbers, pa.int64()).take(as_arrow(codes))


def _months(begin: datetime, end: datetime) -> int:
    """Full months from one date to another, also where they are none: then they are negative."""
    return 12 * (end.year - begin.year) + end.month - begin.month - (end.day < begin.day)


_UNITS: dict[str, Callable[[datetime, datetime], int]] = {
    "years": lambda begin, end: _months(begin, end) // 12,
    "months": _months,
    "days": lambda begin, end: (end.date() - begin.date()).days,
    "hours": lambda begin, end: int((end - begin).total_seconds() // 3600),
    "year": lambda begin, _: begin.year,
    "quarter": lambda begin, _: (begin.month + 2) // 3,
    "month": lambda begin, _: begin.month,
    "weekday": lambda begin, _: begin.isoweekday(),
    "hour": lambda begin, _: begin.hour,
}
