"""Top-Down Specialization, Refinement and Disclosure: from the most general table down, one node, interval or
value at a time, while every quasi-identifier set keeps its promise.

Fung, Wang, Yu, "Top-Down Specialization for Information and Privacy Preservation" (ICDE 2005) and
"Anonymizing Classification Data for Privacy Preservation" (TKDE 2007); Wang, Fung, Yu, "Handicapping
attacker's confidence: an alternative to k-anonymization" (KAIS 2007).
"""

from dataclasses import replace
from functools import partial

import numpy as np

from kanopy.algorithms.cut_columns import CutColumn, DisclosureColumn, IntervalColumn, TaxonomyColumn
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.algorithms.topdown import TopDown
from kanopy.data import CodedColumn, EncodedTable, Recoding
from kanopy.data.arrays import Floats
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel


def tds(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    trees: str = "given",
    require_positive_gain: bool = False,
) -> Recoding:
    """Anonymize by Top-Down Specialization; see the options of ``TDS``. Nothing here is random.

    Columns without a hierarchy disclose all their values at once. Costs as ``tdd`` does.
    """
    del rng
    check_satisfiable(table, promise)
    state = TopDown.of(table, promise, partial(_specialized, table=table, one_level=trees == "one-level"))
    return state.run(_gain_per_loss, progress, needs_gain=require_positive_gain)


def tdr(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    require_positive_gain: bool = True,
    trees: str = "given",
) -> Recoding:
    """Anonymize by Top-Down Refinement; see the options of ``TDR``. Nothing here is random.

    Columns without a hierarchy are suppressed, and disclosed value by value. Costs as ``tdd`` does.
    """
    del rng
    check_satisfiable(table, promise)
    state = TopDown.of(table, promise, partial(_refined, table=table, one_level=trees == "one-level"))
    return state.run(_gain_per_loss_plus_one, progress, needs_gain=require_positive_gain)


def tdd(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    utility: str = "classification",
) -> Recoding:
    """Anonymize by Top-Down Disclosure; see the options of ``TDD``. Nothing here is random.

    At most as many steps as there are values; each looks at the rows of one element only, once for every
    column of a requirement that it touches.
    """
    del rng
    if utility == "classification" and table.target is None:
        raise PolicyError("utility 'classification' needs a class", "declare the target, or use 'distortion'")
    check_satisfiable(table, promise)
    counts_rows = utility == "distortion"

    def cut_of(column: CodedColumn) -> CutColumn:
        if column.domain.is_numeric and not counts_rows:
            return IntervalColumn(column, table.target, table.weight)
        return DisclosureColumn(column, table.target, table.weight, counts_rows=counts_rows)

    return TopDown.of(table, promise, cut_of).run(_gain_per_privacy_loss, progress, needs_gain=False)


def _specialized(column: CodedColumn, table: EncodedTable, *, one_level: bool) -> CutColumn:
    if column.domain.is_numeric and column.domain.hierarchy is None:
        return IntervalColumn(column, table.target, table.weight)
    return TaxonomyColumn(column, table.target, table.weight, one_level=one_level)


def _refined(column: CodedColumn, table: EncodedTable, *, one_level: bool) -> CutColumn:
    if column.domain.is_numeric or column.domain.hierarchy is not None or one_level:
        return _specialized(column, table, one_level=one_level)
    return DisclosureColumn(column, table.target, table.weight)


def _anonymity_loss(state: TopDown, column: int, cut: CutColumn) -> Floats:
    """How many rows the smallest group loses, on average over the sets that the column is in."""
    losses = [
        view.smallest - np.minimum(view.outlook[column].smallest, view.smallest)
        for view in state.views_of(column)
        if view.requirement.bounds_size
    ]
    return np.asarray(np.mean(losses, axis=0)) if losses else np.zeros(cut.n_candidates)


def _gain_per_loss(state: TopDown, column: int, cut: CutColumn) -> Floats:
    """ICDE 2005: InfoGain / AnonyLoss, and InfoGain itself where nothing is lost."""
    loss = _anonymity_loss(state, column, cut)
    return np.asarray(cut.gain / np.where(loss > 0, loss, 1))


def _gain_per_loss_plus_one(state: TopDown, column: int, cut: CutColumn) -> Floats:
    """TKDE 2007: InfoGain / (AnonyLoss + 1)."""
    return np.asarray(cut.gain / (_anonymity_loss(state, column, cut) + 1))


def _gain_per_privacy_loss(state: TopDown, column: int, cut: CutColumn) -> Floats:
    """InfoGain / (PrivLoss + 1): the mean rise of confidence over the templates that the column touches."""
    views = state.views_of(column)
    rises = [np.maximum(view.outlook[column].confidence - view.confidence[:, None], 0) for view in views]
    every = np.concatenate([np.zeros((0, cut.n_candidates)), *rises])
    loss = every.mean(axis=0) if len(every) else np.zeros(cut.n_candidates)
    return np.asarray(cut.gain / (loss + 1))


_TREES = Option(
    "given",
    "given: the hierarchies of the policy; one-level: none of them, a column is suppressed or disclosed",
    ("given", "one-level"),
)
_NEEDS_GAIN = Option(False, "whether to leave out what tells nothing about the class")

TDS = Method(
    name="tds",
    title="specializes the most general table, node by node, while every quasi-identifier set keeps its k",
    paper="Fung, Wang, Yu: Top-Down Specialization for Information and Privacy Preservation (ICDE 2005)",
    run=tds,
    needs_target=True,
    is_anytime=True,
    takes_weights=always,
    is_global=True,
    options={"trees": _TREES, "require_positive_gain": _NEEDS_GAIN},
)

TDR = Method(
    name="tdr",
    title="as tds, and discloses suppressed values one by one where there is no hierarchy",
    paper="Fung, Wang, Yu: Anonymizing Classification Data for Privacy Preservation (TKDE 2007)",
    run=tdr,
    needs_target=True,
    is_anytime=True,
    takes_weights=always,
    is_global=True,
    options={"trees": _TREES, "require_positive_gain": replace(_NEEDS_GAIN, default=True)},
)

TDD = Method(
    name="tdd",
    title="suppresses everything, then discloses value by value while every template holds",
    paper="Wang, Fung, Yu: Handicapping Attacker's Confidence: An Alternative to k-Anonymization (KAIS 2007)",
    run=tdd,
    is_anytime=True,
    takes_weights=always,
    is_global=True,
    options={
        "utility": Option(
            "classification",
            "classification: what tells most about the class; distortion: what restores most cells",
            ("classification", "distortion"),
        )
    },
)
