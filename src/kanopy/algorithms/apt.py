"""APT: prune a tree until its paths are anonymous, then make up data that the tree could have come from.

Sharkey, Tian, Zhang, Xu, "Privacy-Preserving Data Mining Through Knowledge Model Sharing" (LNCS 4890, 2008).
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.algorithms.tree_model import TreeModel, publish_paths
from kanopy.data import Cell, CellKind, Domain, EncodedTable, GroupCounts, Recoding
from kanopy.data.arrays import Bools, Groups, Ints
from kanopy.data.grammar import plain_number
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import PrivacyModel
from kanopy.trees import Tree, c45
from kanopy.trees.class_counts import SparseCounts, as_array_where_it_fits, count_classes


def apt(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    min_rows: int = 2,
    publish: str = "range",
    small_branches: str = "merge",
) -> Recoding:
    """Publish pseudo-data by APT; see the options of ``APT``. O(rows * columns) per level of the pruned tree.

    Every leaf has as many rows as before. Columns on its path say what the path says, the others nothing. The
    majority class is as frequent as it was, the other classes share the rest equally; for two that is the
    truth.
    """
    assert table.weight is None, "equal rows may be released apart: expand the table"
    check_satisfiable(table, promise)
    tree = c45(table, min_rows=min_rows)
    until_kept = _merged_until_kept if small_branches == "merge" else _pruned_until_kept
    tree, leaf = until_kept(tree, table, promise, progress)
    if _breaks(tree, leaf, table, promise).any():
        raise UnsatisfiableError(
            "the made-up classes break the promise", "relax the bound, or use kactus, which makes none up"
        )
    estimated = _estimated(table, leaf, tree.n_nodes)
    target = _made_up_classes(table, leaf, estimated)
    recoding = publish_paths(table, tree, leaf)
    if publish == "draw":
        recoding = _with_drawn_numbers(recoding, rng)
    assert table.target is not None
    known = replace(tree, counts=tree.summed_up(as_array_where_it_fits(estimated, table.n_rows)))
    model = TreeModel(known, (*table.target.domain.labels, "missing"))
    return replace(recoding, target=target, model=model, facts={"synthetic": True})


def _pruned_until_kept(
    tree: Tree, table: EncodedTable, promise: PrivacyModel, progress: Progress
) -> tuple[Tree, Groups]:
    """As the paper: from the deepest level up, the parent of a leaf that breaks the promise becomes one."""
    columns = [column.codes for column in table.quasi]
    leaf = tree.route(columns, table.n_rows)
    for depth in range(len(tree.levels) - 1, 0, -1):
        breaks = _breaks(tree, leaf, table, promise) & (tree.depth == depth)
        if breaks.any():
            becomes_leaf = np.zeros(tree.n_nodes, dtype=bool)
            becomes_leaf[tree.parent[breaks]] = True
            tree = tree.pruned(becomes_leaf)
            leaf = tree.route(columns, table.n_rows)
        progress(int(np.count_nonzero(tree.depth[leaf] >= depth)), table.n_rows)
    return tree, leaf


def _merged_until_kept(
    tree: Tree, table: EncodedTable, promise: PrivacyModel, progress: Progress
) -> tuple[Tree, Groups]:
    """From the deepest level up, merge branches that break the promise; all others stay as they are.

    O(rows * depth) for every round, each of which takes branches away.
    """
    columns = [column.codes for column in table.quasi]
    while True:
        leaf = tree.route(columns, table.n_rows)
        breaks = _breaks(tree, leaf, table, promise)
        progress(int(np.count_nonzero(~breaks[leaf])), table.n_rows)
        if not breaks.any() or tree.is_leaf[0]:
            return tree, leaf
        n_rows = tree.summed_up(np.bincount(leaf, minlength=tree.n_nodes)[:, None])[:, 0]
        deepest = np.flatnonzero(breaks & (tree.depth == tree.depth[breaks].max()))
        parents = np.unique(tree.parent[deepest]).tolist()
        tree = tree.with_merged_branches({node: _joined(tree, node, breaks, n_rows) for node in parents})


def _joined(tree: Tree, node: int, breaks: Bools, n_rows: Ints) -> Ints:
    """The branch that each branch of a node joins.

    Those that break the promise join each other; one alone joins the branch with the fewest rows, so that as
    few rows as possible lose detail. Branches without rows stay, unless a single one with rows is left.
    """
    children = tree.children(np.array([node]))
    joined = np.arange(len(children))
    broken, others = np.flatnonzero(breaks[children]), np.flatnonzero(n_rows[children] * ~breaks[children])
    taker = broken[0] if len(broken) > 1 else others[n_rows[children[others]].argmin()]
    joined[broken] = taker
    has_rows = np.flatnonzero(n_rows[children])
    return joined if len(np.unique(joined[has_rows])) > 1 else np.full_like(joined, taker)


def _breaks(tree: Tree, leaf: Groups, table: EncodedTable, promise: PrivacyModel) -> Bools:
    """Which leaves break the promise, with their own classes or with the made-up ones."""
    classes = _made_up_classes(table, leaf, _estimated(table, leaf, tree.n_nodes))
    nodes, group = np.unique(leaf, return_inverse=True)
    holds = promise.holds(GroupCounts.of(table, group, len(nodes)))
    if table.confidential:
        made_up = {name: replace(column, codes=classes) for name, column in table.confidential.items()}
        holds &= promise.holds(GroupCounts.of(replace(table, confidential=made_up), group, len(nodes)))
    breaks = np.zeros(tree.n_nodes, dtype=bool)
    breaks[nodes[~holds]] = True
    return breaks


def _estimated(table: EncodedTable, leaf: Groups, n_nodes: int) -> SparseCounts:
    """The class counts of each node as far as its majority class and its mistakes tell them: mistakes are
    spread evenly over the other classes of the table, the first ones get what is left over. O(rows log
    rows)."""
    assert table.target is not None
    n_classes = table.target.domain.n_codes
    counts = count_classes(leaf.astype(np.int64) * n_classes + table.target.codes, None, n_nodes, n_classes)
    in_table = np.flatnonzero(counts.sum(axis=0))
    majority = np.searchsorted(in_table, counts.argmax(axis=1))
    is_right = counts.max(axis=1)
    mistakes = counts.sum(axis=1) - is_right
    n_others = max(len(in_table) - 1, 1)
    n_given = np.minimum(mistakes, n_others)
    node = np.repeat(np.arange(len(counts)), n_given)
    turn = np.arange(len(node)) - np.repeat(np.cumsum(n_given) - n_given, n_given)
    share = mistakes[node] // n_others + (turn < mistakes[node] % n_others)
    right = np.flatnonzero(is_right)
    node, amount = np.append(node, right), np.append(share, is_right[right])
    code = in_table[np.append(turn + (turn >= majority[node[: len(turn)]]), majority[right])]
    order = np.lexsort((code, node))
    return SparseCounts(node[order], code[order], amount[order], counts.shape)


def _made_up_classes(
    table: EncodedTable, leaf: Groups, estimated: SparseCounts
) -> NDArray[np.unsignedinteger[Any]]:
    """A class for every row, so that each leaf has its estimated counts; which row has which says nothing."""
    assert table.target is not None
    order = np.argsort(leaf, kind="stable")
    made_up = np.empty_like(table.target.codes)
    made_up[order] = np.repeat(estimated.code, estimated.amount)
    return made_up


def _with_drawn_numbers(recoding: Recoding, rng: np.random.Generator) -> Recoding:
    """Ranges of numbers replaced by one number from each, drawn once for all rows that print it.

    PRIVACY: a number for every row would make each of them unique (tests/unit/algorithms/test_apt.py).
    """
    columns = []
    for column in recoding.columns:
        cells = [
            _drawn(made, column.domain, rng)
            if made.kind is CellKind.RANGE and column.domain.is_numeric and column.domain.scale.has_means
            else made
            for made in column.cells
        ]
        columns.append(replace(column, cells=tuple(cells)))
    return replace(recoding, columns=tuple(columns))


def _drawn(made: Cell, domain: Domain, rng: np.random.Generator) -> Cell:
    assert domain.numbers is not None
    share = rng.random()
    # Weighted, not stretched: the distance of two large floats may not fit into a float.
    number = float(domain.numbers[made.low] * (1 - share) + domain.numbers[made.high] * share)
    return replace(made, kind=CellKind.MEAN, printed=plain_number(number, domain.decimals))


APT = Method(
    name="apt",
    title="prunes a decision tree until its paths keep the promise; publishes it and made-up data",
    paper="Sharkey, Tian, Zhang, Xu: Privacy-Preserving Data Mining Through Knowledge Model Sharing "
    "(LNCS 4890, 2008)",
    run=apt,
    needs_target=True,
    is_synthetic=True,
    publishes_tree=True,
    options={
        "min_rows": Option(2, "rows that at least two branches of a split need", at_least=1),
        "publish": Option(
            "range",
            "numbers on a path: the range that it leaves, or a number drawn from it, one for each leaf",
            ("range", "draw"),
        ),
        "small_branches": Option(
            "merge",
            "branches that break the promise: merge them with each other or with the next smallest, or prune "
            "the whole split",
            ("merge", "prune"),
        ),
    },
    presets={"paper": {"small_branches": "prune"}},
)
