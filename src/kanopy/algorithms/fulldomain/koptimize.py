"""k-Optimize: the best way to cut ordered columns into intervals, by a search over sets of split values.

Bayardo, Agrawal, "Data Privacy Through Optimal k-Anonymization" (ICDE 2005).
"""

from __future__ import annotations

import numpy as np

from kanopy.algorithms.fulldomain.interval_cells import recoded_intervals
from kanopy.algorithms.fulldomain.recode import MAX_SUPPRESSED, suppressed_limit
from kanopy.algorithms.fulldomain.split_losses import split_loss
from kanopy.algorithms.fulldomain.split_space import Branch, Solution, SplitSpace, StepsLeft
from kanopy.algorithms.fulldomain.split_start import exchanged, good_start
from kanopy.algorithms.fulldomain.suppression import Suppression
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.data import EncodedTable, Recoding
from kanopy.privacy import PrivacyModel

_WORK = 30_000_000
"""Tuples times columns of the nodes that are visited where no number of nodes is given."""
_FEWEST_NODES, _MOST_NODES = 20, 200


def koptimize(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    loss: str = "discernibility",
    max_suppressed: float | str = 0.0,
    max_nodes: int = 0,
) -> Recoding:
    """Anonymize by k-Optimize; see the options of ``KOPTIMIZE``. Nothing here is random.

    Each node of the search costs O(tuples * columns), where equal rows are one tuple. There are at most two
    to the power of the values of all columns, and at most ``max_nodes``.
    """
    del rng
    check_satisfiable(table, promise)
    costs = split_loss(loss, table, least_members(promise))
    limit = suppressed_limit(max_suppressed, table.total_weight)
    n_nodes = _WORK // max(len(costs.table.weight) * len(table.quasi), 1)
    n_nodes = max_nodes or min(max(n_nodes, _FEWEST_NODES), _MOST_NODES)
    steps = StepsLeft.of(costs, progress)
    search = SplitSearch(SplitSpace(costs, Suppression(table, promise, 0), steps))
    is_stopped = search.run(progress, n_nodes)
    if limit:  # what suppresses nothing is a good set to begin with
        search = SplitSearch(SplitSpace(costs, Suppression(table, promise, limit), steps), search.best)
        is_stopped = is_stopped or search.run(progress, n_nodes)
    facts = {**search.facts, "cut_short": True} if is_stopped else search.facts
    return recoded_intervals(table, costs.table, search.best, facts)


class SplitSearch:
    """Sets of splits one after the other: those with the first value of a tail, then those without it.

    ``best`` is a solution at any time, and ``lower_bound`` what no set costs less than.
    """

    def __init__(self, space: SplitSpace, known: Solution | None = None) -> None:
        self._space = space
        self.best: Solution = good_start(space)
        if known is not None and known.cost <= self.best.cost:
            self.best = exchanged(space, known)
        self._branches: list[Branch] = [self._pruned(space.root())]
        self.n_nodes = 0

    def run(self, progress: Progress, max_nodes: int) -> bool:
        """SplitSearch until all sets are tried or bounded; whether the progress asked to stop before."""
        while self._branches and self.n_nodes < max_nodes:
            branch = self._branches[-1]
            if not len(branch.tail):
                self._branches.pop()
                if self._branches:  # where less is left in the tail, and the best may be better
                    self._branches[-1] = self._pruned(self._branches[-1])
                continue
            value, branch.tail = int(branch.tail[0]), branch.tail[1:]
            self._branches.append(self._visited(self._space.child(branch, value)))
            if progress(self.n_nodes, max_nodes):
                return True
        return False

    @property
    def lower_bound(self) -> int:
        """What no set of splits costs less than, as far as the search has come."""
        return min([self.best.cost, *(branch.bound for branch in self._branches if len(branch.tail))])

    @property
    def facts(self) -> dict[str, int | bool]:
        """What the search has found out."""
        return {
            "proven_optimal": self.lower_bound == self.best.cost,
            "nodes_visited": self.n_nodes,
            "loss": self.best.cost,
            "loss_at_least": self.lower_bound,
            "suppressed_rows": self.best.suppressed.n_rows,
        }

    def _visited(self, branch: Branch) -> Branch:
        """Try the head of a branch, and prune its tail."""
        self.n_nodes += 1
        found = self._space.solution(branch)
        if found is not None and found.cost < self.best.cost:
            self.best = exchanged(self._space, found)
        return self._pruned(branch)

    def _pruned(self, branch: Branch) -> Branch:
        """Without values of the tail that lead to nothing better; those that suppress no row and divide most
        groups come first.

        A value leads to nothing where every set that has it costs at least as much as the best one, or
        suppresses too many rows, or where it leaves no part of k rows of any group that it divides. Without
        such values, the groups of all splits together are larger, and bound the costs of others.
        """
        space, limit = self._space, self._space.suppression.limit - self._space.hopeless(branch)
        while True:
            least = space.least(branch)
            branch.bound = space.bound(branch, least)
            if not len(branch.tail) or branch.bound >= self.best.cost:
                branch.tail = branch.tail[:0]
                return branch
            outlook, tail = space.outlook(branch, least), branch.tail
            leads = (branch.bound + outlook.bound[tail] < self.best.cost) & (outlook.useful[tail] > 0)
            leads &= outlook.hopeless[tail] <= limit
            branch.tail = tail[leads]
            if leads.all():
                suppresses = outlook.hopeless[tail] > 0
                branch.tail = tail[np.lexsort((tail, -outlook.touched[tail], suppresses))]
                return branch


KOPTIMIZE = Method(
    name="koptimize",
    title="cuts ordered values into intervals, the best of all such cuts where the search comes to its end",
    paper="Bayardo, Agrawal: Data Privacy Through Optimal k-Anonymization (ICDE 2005)",
    run=koptimize,
    is_anytime=True,
    draws=False,
    drops="any rows",
    takes_weights=always,
    options={
        "loss": Option(
            "discernibility",
            "what is made as small as possible: discernibility: the rows that each row looks like, all rows "
            "for a suppressed one; classification: rows that are suppressed or have not the most frequent "
            "class of their group",
            ("discernibility", "classification"),
        ),
        "max_suppressed": MAX_SUPPRESSED,
        "max_nodes": Option(
            0,
            "sets of splits that are tried after a greedy start; 0: 200, and fewer for tables of more than "
            "150,000 different cells, down to 20",
            at_least=0,
        ),
    },
    # The paper limits neither: rows are suppressed where that costs less, and the search goes on to its end.
    presets={"paper": {"max_suppressed": "100%", "max_nodes": 1_000_000_000}},
)
