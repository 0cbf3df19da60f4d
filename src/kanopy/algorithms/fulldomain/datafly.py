"""Datafly: generalize the column with the most different values, until few enough rows break the promise.

Sweeney, "Datafly: a system for providing anonymity in medical data" (1997); "Achieving k-anonymity privacy
protection using generalization and suppression" (2002).
"""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Promised
from kanopy.algorithms.fulldomain.frequencies import Frequencies
from kanopy.algorithms.fulldomain.levels import levels_of
from kanopy.algorithms.fulldomain.recode import full_domain_method, recoded, suppressed_limit
from kanopy.algorithms.method import Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.data import EncodedTable, Recoding
from kanopy.data.keys import distinct_sorted
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel

_MOST_COLUMNS = 500


def datafly(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    max_suppressed: float | str = 0.0,
    until: str = "limit",
) -> Recoding:
    """Anonymize by Datafly; see the options of ``DATAFLY``. Nothing here is random.

    At most as many steps as there are levels, each O(entries * columns): different combinations of values.
    """
    del rng
    _check_columns(table)
    check_satisfiable(table, promise)
    limit = suppressed_limit(max_suppressed, table.total_weight)
    promised = Promised(promise, table, max(limit, least_members(promise)) if until == "k" else limit)
    levels, others = levels_of(table), promised.counted(table)
    node, heights = (0,) * len(levels), tuple(each.height for each in levels)
    frequencies = Frequencies.finest(table, levels, others)
    n_different = [len(distinct_sorted(number)) for number in frequencies.numbers]
    while not promised.is_anonymous(frequencies):
        most = n_different.index(max(n_different))
        node = (*node[:most], node[most] + 1, *node[most + 1 :])
        frequencies = frequencies.rolled_up(node)
        is_open = node[most] < heights[most]
        n_different[most] = len(distinct_sorted(frequencies.numbers[most])) if is_open else 0
        progress(sum(node), sum(heights))
    names = [column.domain.name for column in table.quasi]
    lattice = {"heights": dict(zip(names, heights, strict=True))}
    facts = {
        "nodes_checked": sum(node) + 1,
        "levels": dict(zip(names, node, strict=True)),
        "lattice": lattice,
    }
    return recoded(table, promised, levels, others, node, facts)


def _check_columns(table: EncodedTable) -> None:
    """Every step looks at all columns, and there are as many steps as levels."""
    if len(table.quasi) > _MOST_COLUMNS:
        raise PolicyError(
            f"{len(table.quasi):,} quasi-identifiers are too many for datafly",
            f"use at most {_MOST_COLUMNS:,}, or mondrian",
        )


DATAFLY = full_domain_method(
    name="datafly",
    title="generalizes the column with the most different values until few rows break the promise",
    paper="Sweeney: Achieving k-Anonymity Privacy Protection Using Generalization and Suppression "
    "(IJUFKS 2002)",
    run=datafly,
    options={
        "until": Option(
            "limit",
            "when to stop: limit, where max_suppressed rows at most break the promise; k, where k rows at "
            "most do, as in the paper, or max_suppressed if that is more",
            ("limit", "k"),
        ),
    },
    presets={"paper": {"until": "k"}},
)
