"""Numbers into bins before anything else, as the papers do it, by the classes of the rows one may look at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.evaluation.halves import Halves, with_column
from kanopy.trees import Discretizer

Ints = NDArray[np.int64]


def binned(halves: Halves, known: Ints) -> Halves:
    """All rows with numeric quasi-identifiers cut into bins by the classes of the ``known`` rows alone.

    With the training rows as known ones this is what a custodian can do. With all rows it is what the papers
    seem to have done: the cuts have then seen the classes that are to be predicted. O(rows * columns).
    """
    target = halves.coded_target
    discretizer = Discretizer.fit([column.take(known) for column in halves.quasi], target.take(known))
    source, inputs, quasi = halves.source, halves.inputs, []
    for column, cut in zip(halves.quasi, discretizer.apply(halves.quasi), strict=True):
        quasi.append(cut)
        if not column.domain.is_numeric or column.domain.hierarchy is not None:
            continue
        words = pa.array([*cut.domain.labels, None], pa.string()).take(pa.array(cut.codes))
        source, inputs = (with_column(table, column.domain.name, words) for table in (source, inputs))
    names = {column.domain.name for column in quasi}
    policy = replace(
        halves.policy,
        numeric=sorted(set(halves.policy.numeric) - names),
        categorical=sorted({*halves.policy.categorical, *names}),
    )
    return replace(halves, source=source, inputs=inputs, quasi=tuple(quasi), policy=policy)
