"""Samarati's search: the lowest height of the lattice at which a node is anonymous, by bisection.

Samarati, "Protecting respondents' identities in microdata release" (TKDE 2001).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Explorer
from kanopy.algorithms.fulldomain.frequencies import Node
from kanopy.algorithms.fulldomain.lattice import check_searchable
from kanopy.algorithms.fulldomain.recode import explorer_of, full_domain_method, released
from kanopy.algorithms.method import Progress, silent
from kanopy.data import EncodedTable, Recoding
from kanopy.privacy import PrivacyModel


def samarati(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    max_suppressed: float | str = 0.0,
) -> Recoding:
    """Anonymize by Samarati's search; see the options of ``SAMARATI``. Nothing here is random.

    Of the anonymous nodes of the lowest height, the one that suppresses the fewest rows is taken, then the
    most precise, then the first. O(log height) heights, of which each untagged node costs O(entries *
    columns).
    """
    del rng
    explorer = explorer_of(table, promise, max_suppressed, "precision")
    check_searchable(explorer.levels)
    lowest = _lowest_height(explorer, progress)
    known = explorer.checked if explorer.is_exhausted else lowest
    found = [explorer.check(node) for node in lowest if node in known and explorer.is_anonymous(node)]
    chosen = min(found, key=lambda each: (each.n_suppressed, each.loss, each.node))
    facts = {"height": sum(chosen.node), "nodes_of_height": len(found)}
    return released(explorer, chosen, {**facts, **explorer.exhausted})


def _lowest_height(explorer: Explorer, progress: Progress) -> list[Node]:
    """The nodes of the lowest height at which one is anonymous.

    Where an anonymous node may have one above it that is not, heights are asked one by one. Where too much
    would have to be counted, it is the lowest height that is known.
    """
    nodes_of = nodes_by_height(explorer)
    low, high = 0, sum(explorer.lattice.heights)
    explorer.check(explorer.lattice.top)
    while low < high and not explorer.is_exhausted:
        middle = (low + high) // 2 if explorer.promised.is_monotone else low
        if any(explorer.is_anonymous(node) for node in nodes_of(middle) if not explorer.is_exhausted):
            high = middle
        else:
            low = middle + 1
        progress(len(explorer.checked), explorer.lattice.n_nodes)
    return nodes_of(high)


def nodes_by_height(explorer: Explorer) -> Callable[[int], list[Node]]:
    """A function from a height to its nodes, in their order."""
    heights = explorer.lattice.height_of_nodes()
    order = np.argsort(heights, kind="stable")
    first = np.searchsorted(heights[order], np.arange(heights.max() + 2))
    return lambda height: [
        explorer.lattice.node(number) for number in order[first[height] : first[height + 1]].tolist()
    ]


SAMARATI = full_domain_method(
    name="samarati",
    title="bisects the heights of the generalization lattice for the lowest one that keeps the promise",
    paper="Samarati: Protecting Respondents' Identities in Microdata Release (IEEE TKDE 2001)",
    run=samarati,
)
