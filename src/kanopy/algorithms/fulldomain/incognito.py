"""Incognito: all minimal nodes of the lattice that are anonymous.

LeFevre, DeWitt, Ramakrishnan, "Incognito: efficient full-domain k-anonymity" (SIGMOD 2005).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Checked, Explorer
from kanopy.algorithms.fulldomain.frequencies import Node
from kanopy.algorithms.fulldomain.lattice import check_searchable
from kanopy.algorithms.fulldomain.recode import explorer_of, full_domain_method, released
from kanopy.algorithms.method import Option, Progress, silent
from kanopy.data import EncodedTable, Recoding
from kanopy.data.arrays import Ints
from kanopy.privacy import PrivacyModel

_TOLD_NODES = 1_000
"""So many minimal nodes are listed; their number is told in any case."""


def incognito(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    max_suppressed: float | str = 0.0,
    choose: str = "discernibility",
) -> Recoding:
    """Anonymize by Incognito; see the options of ``INCOGNITO``. Nothing here is random.

    Combinations of one, two, … columns, each from its finest node up: the other columns are suppressed. A
    node that is not anonymous rules out every finer one of more columns. Each node whose answer does not
    follow costs O(entries * columns).
    """
    del rng
    loss = "precision" if choose == "precision" else "discernibility"
    explorer = explorer_of(table, promise, max_suppressed, loss)
    check_searchable(explorer.levels)
    n_columns = len(explorer.levels)
    explorer.check(explorer.lattice.top)
    for size in range(1, n_columns + 1):
        for columns in combinations(range(n_columns), size):
            for node in _nodes_of(explorer, columns).tolist():
                if not explorer.is_exhausted:
                    explorer.is_anonymous(explorer.lattice.node(node))
            progress(int((explorer.lattice.state > 0).sum()), explorer.lattice.n_nodes)
    minimal = explorer.lattice.minimal()
    chosen = min(map(explorer.check, minimal), key=lambda each: _preference(each, choose))
    facts = {"minimal_nodes": len(minimal), "minimal": [list(node) for node in minimal[:_TOLD_NODES]]}
    return released(explorer, chosen, {**facts, **explorer.exhausted})


def _nodes_of(explorer: Explorer, columns: tuple[int, ...]) -> Ints:
    """The places of the nodes whose other columns are suppressed and these are not, from low to high."""
    shape, heights = explorer.lattice.shape, explorer.lattice.heights
    chosen = np.array(heights).reshape(-1, 1)
    sizes = [heights[column] for column in columns]  # without the last level: that is a node of fewer columns
    levels = np.indices(sizes).reshape(len(columns), -1)
    nodes = np.repeat(chosen, levels.shape[1], axis=1)
    nodes[list(columns)] = levels
    nodes = nodes[:, np.argsort(nodes.sum(axis=0), kind="stable")]
    return np.asarray(np.ravel_multi_index(tuple(nodes), shape))


def _preference(checked: Checked, choose: str) -> tuple[float, int, Node]:
    first = -checked.n_groups if choose == "groups" else checked.loss
    return first, checked.n_suppressed, checked.node


INCOGNITO = full_domain_method(
    name="incognito",
    title="finds all minimal levels of generalization that keep the promise, and takes the best of them",
    paper="LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity (SIGMOD 2005)",
    run=incognito,
    options={
        "choose": Option(
            "discernibility",
            "which of the minimal nodes: discernibility, where rows have the fewest look-alikes; groups, the "
            "most groups; precision, the lowest levels",
            ("discernibility", "groups", "precision"),
        ),
    },
)
