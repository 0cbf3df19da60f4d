"""The smallest number of people that anything published beside a table speaks about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from kanopy.data import EncodedTable
from kanopy.data.arrays import Codes, Ints
from kanopy.data.counts import count_distinct
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.keys import counted
from kanopy.frames.encode import Encoded
from kanopy.frames.from_numpy import as_arrow
from kanopy.privacy import PrivacyModel, largest_k, promised_k

_LEAST_FLOOR = 3  # with less, "fewer than" would name the number
_FLOOR_WITHOUT_K = 11  # no count from 1 to 10: what statistical agencies and health services ask for

FrequentValues = dict[str, pa.StringArray]
"""For every published column, the texts that enough rows (or persons) of the source have."""


def floor_of(promise: PrivacyModel, quasi_identifiers: Sequence[str]) -> int:
    """The smallest count of people that is told, and of rows behind a value that is shown.

    It is the k of all quasi-identifiers together; where none is promised, the largest k of any promise.
    """
    k = promised_k(promise, quasi_identifiers) or largest_k(promise) or _FLOOR_WITHOUT_K
    return max(k, _LEAST_FLOOR)


def round_number(number: int) -> int:
    """A number of rows of the source, roughly: exact, it would tell how many a release has dropped.

    Two digits, and below a hundred one.

    >>> [round_number(number) for number in (7, 64, 1234, 48842)]
    [7, 60, 1200, 49000]
    """
    return int(float(f"{number:.2g}" if number >= 100 else f"{number:.1g}"))


def band(number: int, floor: int) -> int | str:
    """A count that speaks about hidden rows or cells: none, or a band that doubles from the floor on.

    >>> [band(number, 10) for number in (0, 3, 10, 39, 40)]
    [0, 'fewer than 10', '10 to 19', '20 to 39', '40 to 79']
    """
    if not number:
        return 0
    if number < floor:
        return f"fewer than {floor:,}"
    low = floor
    while number >= 2 * low:
        low *= 2
    return f"{low:,} to {2 * low - 1:,}"


def frequent_values(encoded: Encoded, floor: int) -> FrequentValues:
    """The values of each published column that at least ``floor`` rows of the source have; O(rows * columns).

    Where k counts persons, so does this. Missing is the empty text.

    PRIVACY: counted in the source, not in the release: swapped and made-up cells may make a rare value look
    frequent there (tests/unit/reporting/test_rare_cells.py).
    """
    table, found = encoded.table, {}
    for column in table.quasi:
        labels = pa.array(column.domain.labels, pa.string())
        n_rows = column.totals if table.weight is None else None
        found[column.domain.name] = _frequent(labels, column.codes, n_rows, table, floor)
    for name, passing in encoded.passing.items():
        found[name] = _frequent(passing.texts, passing.codes, passing.counts, table, floor)
    return found


def _frequent(
    texts: pa.StringArray, codes: Codes, n_rows: Ints | None, table: EncodedTable, floor: int
) -> pa.StringArray:
    n_codes = len(texts) + 1  # missing has the last one
    if table.persons is not None:
        members = count_distinct(table.persons, codes.astype(np.int32, copy=False), n_codes)
    else:
        members = counted(codes, n_codes, table.weight) if n_rows is None else n_rows
    with_missing = pa.concat_arrays([texts, pa.array([MISSING_TEXT], pa.string())])
    return with_missing.filter(as_arrow(members >= floor))
