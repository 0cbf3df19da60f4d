"""More rows than Adult has: variations of each, in which some quasi-identifiers are drawn anew."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from kanopy.data import CodedColumn
from kanopy_studies.settings import Sample


def varied(
    sample: Sample, quasi: Sequence[str], n_kept: int, factor: int, rng: np.random.Generator
) -> Sample:
    """Every row, and ``factor - 1`` variations of it; O(rows).

    Each keeps so many of the quasi-identifiers, chosen at random, and draws the others uniformly. All other
    columns and the class are those of the row.
    """
    n_varied = sample.n_rows * (factor - 1)
    kept_sets = list(combinations(quasi, n_kept))
    kept_set = rng.integers(0, len(kept_sets), n_varied)
    columns = {column.domain.name: column for column in sample.columns}
    repeated = {name: np.tile(column.codes, factor) for name, column in columns.items()}
    for name in quasi:
        codes = repeated[name]
        is_kept = np.array([name in kept for kept in kept_sets])[kept_set]
        drawn = rng.integers(0, columns[name].domain.n_values, n_varied).astype(codes.dtype)
        codes[sample.n_rows :] = np.where(is_kept, codes[sample.n_rows :], drawn)
    target = CodedColumn(sample.target.domain, np.tile(sample.target.codes, factor))
    made = (CodedColumn(column.domain, repeated[name]) for name, column in columns.items())
    return Sample(tuple(made), target)
