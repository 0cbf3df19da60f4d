"""Rows that come after a release: checked like a table, but over values that are fixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import Domain
from kanopy.data.arrays import Floats, Ints
from kanopy.data.grammar import write_alone
from kanopy.errors import InputError, PolicyError, near_name
from kanopy.frames.distinct import DistinctColumn, distinct_column
from kanopy.frames.tables import read_own
from kanopy.policy import Policy, shown_name


@dataclass(frozen=True, slots=True, eq=False)
class NewRows:
    """Rows that were not in the table that was released."""

    kind: str
    quasi: dict[str, DistinctColumn]
    passing: dict[str, Any]

    def plain(self, name: str) -> pa.Array:
        """A quasi-identifier as exact cells; O(rows)."""
        column = self.quasi[name]
        words = pa.array([*map(write_alone, column.texts.to_pylist()), None], pa.string())
        return words.take(pa.array(column.codes))


@dataclass(frozen=True, slots=True, eq=False)
class PlacedColumn:
    """New values on the line of a domain, where code ``c`` lies at ``2 * c``.

    What the domain lacks lies at odd places: a number between the codes of its neighbours, a category at -1,
    outside all of them. A number that the domain writes in another way lies on every code that equals it.
    """

    first: Ints  # where each different value begins; missing is the last value
    last: Ints  # where it ends
    numbers: Floats  # NaN where a value is no number
    codes: NDArray[np.int32]  # the value of each row


def read_new_rows(
    table: Any, policy: Policy, *, delimiter: str | None = None, encoding: str | None = None
) -> NewRows:
    """Check new rows against a policy; O(rows * columns), plus a sort of each column's values."""
    kind, source = read_own(
        table, policy, where="the new rows", delimiter=delimiter, encoding=encoding, is_new=True
    )
    names = source.column_names
    policy.check_columns([*names, *policy.roles])
    for name in policy.quasi_identifiers:  # only they must be there: rows to be scored have no class
        if name not in names:
            hint = near_name(name, names) or "every quasi-identifier of the release is needed"
            raise PolicyError(f"the new rows lack the quasi-identifier {shown_name(name)}", hint)
    quasi = {name: distinct_column(name, source[name], policy.missing) for name in policy.quasi_identifiers}
    passing = {}
    for name in names:
        if name in policy.published and name not in quasi:
            # As a release publishes it: clean texts, or a class would not equal the one learned from.
            column = distinct_column(name, source[name], policy.missing)
            codes = pa.array(column.codes, mask=column.codes == len(column.texts))
            passing[name] = column.values.take(codes)
    return NewRows(kind, quasi, passing)


def read_tested_columns(
    table: Any,
    names: Sequence[str],
    policy: Policy,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> tuple[int, dict[str, DistinctColumn]]:
    """How many new rows there are, and the columns that a tree tests in them; O(rows * columns), plus a sort
    of each column's values."""
    _, source = read_own(
        table, policy, where="the new rows", delimiter=delimiter, encoding=encoding, is_new=True
    )
    for name in names:
        if name not in source.column_names:
            hint = near_name(name, source.column_names) or "every column that the tree tests is needed"
            raise PolicyError(f"the new rows lack {shown_name(name)}, which the tree tests", hint)
    return source.num_rows, {name: distinct_column(name, source[name], policy.missing) for name in names}


def place_values(column: DistinctColumn, domain: Domain) -> PlacedColumn:
    """Find the values of new rows in the domain of a release; O(rows + values log codes)."""
    texts = column.texts.to_pylist()
    codes = np.array([domain.code_of.get(text, -1) for text in texts], dtype=np.int64)
    first = np.where(codes < 0, -1, 2 * codes)
    last = first.copy()
    floats = np.full(len(texts) + 1, np.nan)
    if domain.numbers is not None:
        places = [domain.scale.number(text) for text in texts]
        is_other = [code < 0 and number is None for number, code in zip(places, codes, strict=True)]
        n_cells = int(np.array([*is_other, False])[column.codes].sum())
        if n_cells:
            raise InputError(
                f"column {shown_name(column.name)} is numeric in the release, but {n_cells} new cells are no "
                "finite numbers",
                "correct them, leave them empty, or declare in missing what they are",
            )
        floats[:-1] = np.array(places, dtype=np.float64)
        unseen = np.flatnonzero(codes < 0)
        left = np.searchsorted(domain.numbers, floats[unseen], side="left")
        right = np.searchsorted(domain.numbers, floats[unseen], side="right")
        first[unseen] = np.where(left < right, 2 * left, 2 * left - 1)
        last[unseen] = np.where(left < right, 2 * right - 2, 2 * left - 1)
    missing = 2 * domain.missing_code
    return PlacedColumn(np.append(first, missing), np.append(last, missing), floats, column.codes)
