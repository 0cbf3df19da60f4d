"""The best full-domain recoding: the anonymous node of the lattice that loses least.

Kohlmayer, Prasser et al., "Flash: efficient, stable and optimal k-anonymity" (PASSAT 2012); El Emam et al.,
"A globally optimal k-anonymity method for the de-identification of health data" (JAMIA 2009).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kanopy.algorithms.fulldomain.explorer import Checked, Explorer
from kanopy.algorithms.fulldomain.local import LocalRecoding, can_be_local
from kanopy.algorithms.fulldomain.losses import LOSSES, SeparableLoss, width
from kanopy.algorithms.fulldomain.recode import explorer_of, full_domain_method, released, searched
from kanopy.algorithms.fulldomain.search import PartsSearch, Search
from kanopy.algorithms.method import Option, Progress, silent
from kanopy.data import EncodedTable, Recoding
from kanopy.privacy import PrivacyModel


def optimal(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    max_suppressed: float | str = 0.0,
    loss: str = "loss",
    local: bool = False,
) -> Recoding:
    """Anonymize at the best node of the lattice; see the options of ``OPTIMAL``. Nothing here is random.

    O(nodes log nodes), and O(entries * columns) for every node that is counted. A lattice of more than
    ``MOST_NODES`` is searched in parts: then what is found may not be the best, and how far it is from that
    at most is told.
    """
    del rng
    explorer = explorer_of(table, promise, max_suppressed, loss)
    search = Search(explorer) if explorer.lattice.is_whole else PartsSearch(explorer)
    search.run(progress)
    if local and can_be_local(explorer.promised, table):
        finer = _finer(explorer, search.best, progress)
        if finer is not None:
            return replace(finer, facts={**searched(explorer, search.best, search.facts()), **finer.facts})
    return released(explorer, search.best, search.facts())


def _finer(explorer: Explorer, best: Checked, progress: Progress) -> Recoding | None:
    """The table with rows on levels of their own, unless that loses more than the best node."""
    loss = (
        explorer.loss if isinstance(explorer.loss, SeparableLoss) else width(explorer.table, explorer.levels)
    )
    found = LocalRecoding(explorer, loss, best.node)
    found.run(progress)
    frequencies = explorer.frequencies(best.node)
    is_out = explorer.promised.broken(frequencies, explorer.promised.requirements)
    if found.loss >= loss.measured(frequencies, is_out)[0]:
        return None
    facts = {"local_nodes": len(found.nodes), "local_loss": found.loss}
    return found.recoding({**facts, "suppressed_rows": found.n_suppressed})


OPTIMAL = full_domain_method(
    name="optimal",
    title="finds the levels of generalization that keep the promise and lose least, and proves it",
    paper="Kohlmayer, Prasser, Eckert, Kemper, Kuhn: Flash: Efficient, Stable and Optimal K-Anonymity "
    "(PASSAT 2012)",
    run=optimal,
    is_anytime=True,
    options={
        "loss": Option(
            "loss",
            "what is least: loss, the mean width of a cell; precision, the mean level; discernibility, "
            "look-alikes; entropy, bits to tell values apart; classification, rows that are not of the most "
            "frequent class of their group",
            LOSSES,
        ),
        "local": Option(
            False,
            "whether rows may have levels of their own: each is published at the node of least loss at which "
            "those that are left keep the promise; not where groups that keep it may break it together",
        ),
    },
)
