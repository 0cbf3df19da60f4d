"""Top-Down Disclosure: suppress everything, then disclose value by value while no template is broken.

Wang, Fung, Yu, "Handicapping attacker's confidence: an alternative to k-anonymization" (KAIS 2007).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.cut_columns import CutColumn, DisclosureColumn, IntervalColumn
from kanopy.algorithms.limits import check_satisfiable
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.topdown import TopDown
from kanopy.data import CodedColumn, EncodedTable, Recoding
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel

Floats = NDArray[np.float64]


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
    column of a requirement that it touches. So the cost grows linearly with the rows, and with the values.
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

    state = TopDown.of(table, promise, cut_of)
    return state.run(_gain_per_privacy_loss, progress, needs_gain=False)


def _gain_per_privacy_loss(state: TopDown, column: int, cut: CutColumn) -> Floats:
    """InfoGain / (PrivLoss + 1): the mean rise of confidence over the templates that the column touches."""
    rises = [
        np.maximum(view.outlook[column].confidence - view.confidence[:, None], 0)
        for view in state.views_of(column)
    ]
    every = np.concatenate(rises) if rises else np.zeros((0, cut.n_candidates))
    loss = every.mean(axis=0) if len(every) else np.zeros(cut.n_candidates)
    return np.asarray(cut.gain / (loss + 1))


TDD = Method(
    name="tdd",
    title="suppresses everything, then discloses value by value while every template holds",
    paper="Wang, Fung, Yu: Handicapping Attacker's Confidence: An Alternative to k-Anonymization (KAIS 2007)",
    run=tdd,
    is_anytime=True,
    takes_weights=always,
    options={
        "utility": Option(
            "classification",
            "classification: what tells most about the class; distortion: what restores most cells",
            ("classification", "distortion"),
        ),
    },
)
