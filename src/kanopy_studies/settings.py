"""The data sets as the papers on kACTUS used them: which rows, which quasi-identifiers, which k."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.errors import PolicyError, near_name
from kanopy.evaluation.bins import binned
from kanopy.evaluation.halves import Halves
from kanopy.policy import Policy
from kanopy_studies.datasets import describe, load

KS = (5, 10, 15, 20, 30)


@dataclass(frozen=True, slots=True)
class Setting:
    """A data set, and how a paper used it.

    Parameters
    ----------
    name : str
    data : str
        Its name in ``kanopy_studies.datasets``.
    quasi : str
        The set of quasi-identifiers, by the paper that chose it; empty for all columns but the class.
    complete_rows : bool
        Whether rows with a missing value are left out.
    note : str
        What a reader who compares with the papers must know.
    """

    name: str
    data: str
    quasi: str = ""
    complete_rows: bool = False
    note: str = ""


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(
            "adult",
            "adult",
            complete_rows=True,
            note="Both parts, complete rows. kACTUS counts 48,842 rows, kACTUS-2 these 45,222.",
        ),
        Setting("german", "german"),
        Setting(
            "german9",
            "german",
            quasi="kACTUS-2",
            note="The nine quasi-identifiers of kACTUS-2; the learner also sees the other columns.",
        ),
        Setting(
            "glass",
            "glass",
            note="Without the Id, which gives the class away; kACTUS counts 10 inputs and 7 classes.",
        ),
        Setting("ionosphere", "ionosphere"),
        Setting(
            "crx",
            "crx",
            note='"Japanese credit": kACTUS counts 125 rows, but its 15 columns and its accuracy are these.',
        ),
        Setting("nursery", "nursery"),
        Setting("pima", "pima"),
        Setting("tic_tac_toe", "tic_tac_toe"),
        Setting("vehicle", "vehicle", note="kACTUS counts 946 rows, of which 846 are public."),
        Setting("waveform40", "waveform40"),
    )
}


def find_setting(name: str) -> Setting:
    """The setting of that name."""
    if name not in SETTINGS:
        hint = near_name(name, SETTINGS) or f"data sets: {', '.join(SETTINGS)}"
        raise PolicyError(f"no data set is called {name!r}", hint)
    return SETTINGS[name]


@lru_cache(maxsize=1)
def halves_of(name: str, k: int) -> Halves:
    """The rows of a setting, ready to be divided; O(rows * columns)."""
    setting = find_setting(name)
    known = describe(setting.data)
    table = complete_rows(setting.data) if setting.complete_rows else load(setting.data)
    inputs = known.columns[:-1]
    quasi = known.quasi_identifiers[setting.quasi] if setting.quasi else inputs
    policy = Policy(
        quasi_identifiers=quasi,
        keep=[column for column in inputs if column not in quasi],
        target=known.target,
        numeric=known.numeric,
        k=k,
    )
    return Halves.of(table, policy)


def with_leaking_bins(halves: Halves) -> Halves:
    """Numbers cut into bins by the classes of all rows, as the papers seem to have done it.

    The cuts have then seen the classes of the test rows: what comes out is only to be compared with what was
    published.
    """
    return binned(halves, np.arange(halves.n_rows))


def complete_rows(data: str) -> Any:
    """The rows of a data set that lack nothing."""
    return complete(load(data))


def complete(table: pa.Table) -> Any:
    """The rows without a missing value."""
    return table.filter(reduce(pc.and_, [pc.not_equal(column, "") for column in table.columns]))
