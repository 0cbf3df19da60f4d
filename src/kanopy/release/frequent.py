"""Which values of the source are frequent enough to be named beside a release."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data.counts import count_distinct
from kanopy.data.grammar import MISSING_TEXT
from kanopy.frames.encode import Encoded

FrequentValues = dict[str, pa.StringArray]
"""For every published column, the texts that enough rows (or persons) of the source have."""


def frequent_values(encoded: Encoded, floor: int) -> FrequentValues:
    """The values of each published column that at least ``floor`` rows of the source have; O(rows * columns).

    Where k counts persons, so does this. Missing is the empty text.

    PRIVACY: counted in the source, not in the release: swapped and made-up cells may make a rare value look
    frequent there (tests/unit/reporting/test_rare_cells.py).
    """
    persons = encoded.table.persons
    found = {}
    for column in encoded.table.quasi:
        labels = pa.array(column.domain.labels, pa.string())
        found[column.domain.name] = _frequent(labels, column.codes, persons, floor)
    for name, passing in encoded.passing.items():
        found[name] = _frequent(passing.texts, passing.codes, persons, floor)
    return found


def _frequent(
    texts: pa.StringArray, codes: NDArray[np.integer], persons: NDArray[np.int32] | None, floor: int
) -> pa.StringArray:
    n_codes = len(texts) + 1  # missing has the last one
    if persons is None:
        members = np.bincount(codes, minlength=n_codes)
    else:
        members = count_distinct(persons, codes.astype(np.int32, copy=False), n_codes)
    with_missing = pa.concat_arrays([texts, pa.array([MISSING_TEXT], pa.string())])
    return with_missing.filter(pa.array(members >= floor))
