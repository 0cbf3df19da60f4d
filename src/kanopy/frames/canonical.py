"""Rows in an order that follows from what they say, whatever order they came in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.keys import pack
from kanopy.frames.encode import Encoded


def in_canonical_order(encoded: Encoded) -> tuple[Encoded, NDArray[np.int64]]:
    """Sort the rows by their quasi-identifiers, then by all they publish, then by person.

    Rows that tie are equal in everything that a method sees, so the same rows and seed give the same release.
    Also returns which row of the source each sorted row is. O(rows * columns) plus a sort.
    """
    table, passing = encoded.table, encoded.passing
    codes: list[NDArray[Any]] = [column.codes for column in table.quasi]
    sizes = [column.domain.n_codes for column in table.quasi]
    codes += [column.codes for column in passing.values()]
    sizes += [len(column.texts) + 1 for column in passing.values()]
    if table.persons is not None:
        codes, sizes = [*codes, table.persons], [*sizes, int(table.persons.max()) + 1]
    # PRIVACY: the order of the source reaches no method (tests/properties/test_row_order.py).
    order = np.argsort(pack(codes, sizes, table.n_rows)[0])
    sorted_table = replace(
        table,
        quasi=tuple(column.take(order) for column in table.quasi),
        target=None if table.target is None else table.target.take(order),
        confidential={name: column.take(order) for name, column in table.confidential.items()},
        persons=None if table.persons is None else table.persons[order],
        others=lambda: tuple(column.take(order) for column in table.others()),
    )
    sorted_passing = {name: replace(column, codes=column.codes[order]) for name, column in passing.items()}
    return replace(encoded, table=sorted_table, passing=sorted_passing), order
