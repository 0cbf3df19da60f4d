"""Top-Down Specialization, Refinement and Disclosure: from the most general table down, one node, interval or
value at a time, while every quasi-identifier set keeps its promise.

Fung, Wang, Yu, "Top-Down Specialization for Information and Privacy Preservation" (ICDE 2005) and
"Anonymizing Classification Data for Privacy Preservation" (TKDE 2007); Wang, Fung, Yu, "Handicapping
attacker's confidence: an alternative to k-anonymization" (KAIS 2007).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kanopy.algorithms.cut_columns import CutColumn, DisclosureColumn, IntervalColumn, TaxonomyColumn
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.refinements import Gain, Refinements, checked, less_distortion
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.algorithms.topdown import TopDown
from kanopy.data import CodedColumn, EncodedTable, Recoding
from kanopy.data.arrays import Floats
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel

Utility = str | Callable[[Refinements], Any]
"""``classification``, ``distortion``, or a function of the user's own."""


def tds(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    trees: str = "given",
    require_positive_gain: bool = False,
    utility: Utility = "classification",
) -> Recoding:
    """Anonymize by Top-Down Specialization; see the options of ``TDS``. Nothing here is random.

    Columns without a hierarchy disclose all their values at once. Costs as ``tdd`` does.
    """
    del rng
    check_satisfiable(table, promise)
    state = TopDown.of(table, promise, _Cuts.of(table, utility, trees).specialized)
    return state.run(_gain_per_loss, progress, needs_gain=require_positive_gain)


def tdr(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    require_positive_gain: bool = False,
    trees: str = "given",
    utility: Utility = "classification",
) -> Recoding:
    """Anonymize by Top-Down Refinement; see the options of ``TDR``. Nothing here is random.

    Columns without a hierarchy are suppressed, and disclosed value by value. As the paper defines it, every
    refinement that is valid and beneficial is done: the promise holds, and more than one class is concerned.
    The authors' program also asks for a gain. Costs as ``tdd`` does.
    """
    del rng
    check_satisfiable(table, promise)
    state = TopDown.of(table, promise, _Cuts.of(table, utility, trees).refined)
    return state.run(_gain_per_loss_plus_one, progress, needs_gain=require_positive_gain)


def tdd(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    utility: Utility = "classification",
) -> Recoding:
    """Anonymize by Top-Down Disclosure; see the options of ``TDD``. Nothing here is random.

    At most as many steps as there are values; each looks at the rows of one element only, once for every
    column of a requirement that it touches.
    """
    del rng
    if utility == "classification" and table.target is None:
        raise PolicyError("utility 'classification' needs a class", "declare the target, or use 'distortion'")
    check_satisfiable(table, promise)
    state = TopDown.of(table, promise, _Cuts.of(table, utility).disclosed)
    return state.run(_gain_per_privacy_loss, progress, needs_gain=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Cuts:
    """How the columns of a table are refined, and by what measure."""

    table: EncodedTable
    measure: Gain | None  # None: by what is told about the class
    one_level: bool

    @classmethod
    def of(cls, table: EncodedTable, utility: Utility, trees: str = "given") -> _Cuts:
        one_level = trees == "one-level"
        if callable(utility):
            return cls(table, checked(utility), one_level)
        if utility == "distortion":  # whatever the class
            return cls(replace(table, target=None), less_distortion, one_level)
        return cls(table, None, one_level)

    def disclosed(self, column: CodedColumn) -> CutColumn:
        """Numbers in intervals, anything else value by value."""
        kind = IntervalColumn if column.domain.is_numeric else DisclosureColumn
        return kind(column, self.table.target, self.table.weight, measure=self.measure)

    def specialized(self, column: CodedColumn) -> CutColumn:
        """Down the hierarchy, numbers without one in intervals."""
        table, measure = self.table, self.measure
        if column.domain.is_numeric and column.domain.hierarchy is None:
            return IntervalColumn(column, table.target, table.weight, measure=measure)
        return TaxonomyColumn(column, table.target, table.weight, one_level=self.one_level, measure=measure)

    def refined(self, column: CodedColumn) -> CutColumn:
        """As ``specialized``, but without a hierarchy value by value."""
        if column.domain.is_numeric or column.domain.hierarchy is not None or self.one_level:
            return self.specialized(column)
        return self.disclosed(column)


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
_UTILITY = Option(
    "classification",
    "classification: what tells most about the class; distortion: what restores most detail; in Python also "
    "a function of your own",
    ("classification", "distortion"),
    accepts=callable,
)
_NEEDS_GAIN = Option(
    False,
    "false: refine whatever is valid and beneficial, as the papers define it; true: only what tells "
    "something about the class, as the authors' program of tdr does",
)

TDS = Method(
    name="tds",
    title="specializes the most general table, node by node, while every quasi-identifier set keeps its k",
    paper="Fung, Wang, Yu: Top-Down Specialization for Information and Privacy Preservation (ICDE 2005)",
    run=tds,
    draws=False,
    needs_target=True,
    is_anytime=True,
    takes_weights=always,
    is_global=True,
    options={"trees": _TREES, "require_positive_gain": _NEEDS_GAIN, "utility": _UTILITY},
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
    options={"trees": _TREES, "require_positive_gain": _NEEDS_GAIN, "utility": _UTILITY},
    # What the authors published was made by their program.
    presets={"paper": {"require_positive_gain": True}},
    draws=False,
)

TDD = Method(
    name="tdd",
    title="suppresses everything, then discloses value by value while every template holds",
    paper="Wang, Fung, Yu: Handicapping Attacker's Confidence: An Alternative to k-Anonymization (KAIS 2007)",
    run=tdd,
    draws=False,
    is_anytime=True,
    takes_weights=always,
    is_global=True,
    options={"utility": _UTILITY},
)
