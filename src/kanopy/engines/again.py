"""The same method once more, on a table that may differ a little: what it would show in each row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy.algorithms import Method, find_method
from kanopy.data.arrays import Bools, Int32s
from kanopy.engines.request import Request, never, unwatched
from kanopy.frames.encode import encode
from kanopy.frames.published import in_canonical_order
from kanopy.policy import Policy

RowCells = tuple[list[tuple[list[str], Int32s]], Bools]
"""Of each quasi-identifier the different texts and that of each row; and which rows are kept."""


def method_again(
    policy: Policy, method: str | Method | None = None, **options: Any
) -> Callable[[pa.Table, int], RowCells]:
    """A function from a table and a seed to what a release of that table shows, in each row as it is given.

    Nothing is recounted or written: it is for ``kanopy.attack``, which asks for hundreds of releases.
    It costs what the method does, O(rows * columns) besides.

    Raises
    ------
    PolicyError
        A method or options that do not suit the policy.
    """
    chosen = find_method(method or policy.method)
    policy = policy.with_calendar_trees() if chosen.climbs_trees else policy
    request = Request.of(chosen, policy, options, 0, None, allow_empty=True)

    def again(table: pa.Table, seed: int) -> RowCells:
        encoded, source_row = in_canonical_order(encode(table, policy))
        rng = np.random.default_rng(seed) if chosen.draws else None
        progress = request.progress(unwatched, never)
        recoding = chosen.run(encoded.table, policy.promise, rng, progress, **request.options)
        # Without weights a part is a row.
        row = source_row if recoding.split is None else source_row.take(recoding.split.origin)
        place = np.empty(len(row), dtype=np.int64)
        place[row] = np.arange(len(row))
        words = [column.words for column in recoding.columns]
        cells = [
            (texts, word[column.ids.take(place)])
            for (texts, word), column in zip(words, recoding.columns, strict=True)
        ]
        return cells, recoding.is_kept.take(place)

    return again
