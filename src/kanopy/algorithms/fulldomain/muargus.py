"""mu-Argus: recode whole columns and blank single cells until no combination of a few columns is rare.

Hundepool, Willenborg, "mu- and tau-Argus: software for statistical disclosure control" (1996).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanopy.algorithms.fulldomain.combinations import RecodedEntries, combination_checks
from kanopy.algorithms.fulldomain.explorer import Promised
from kanopy.algorithms.fulldomain.frequencies import Frequencies
from kanopy.algorithms.fulldomain.levels import levels_of
from kanopy.algorithms.fulldomain.recode import told_of_drafts
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.requirements import Requirement, check_satisfiable
from kanopy.data import EncodedTable, RecodedColumn, Recoding, cell
from kanopy.data.arrays import Int32s
from kanopy.privacy import CombinationAnonymity, PrivacyModel

_USUAL = 3


def muargus(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    combinations: int = 0,
    max_unsafe: float = 0.05,
    all_columns: bool = False,
) -> Recoding:
    """Anonymize by mu-Argus; see the options of ``MUARGUS``. Nothing here is random.

    With c columns checked together out of q, each of at most as many steps as there are levels looks at the
    sets of columns that changed, and each round of suppression at all: O(entries * q^c), an entry being what
    is different among the rows.
    """
    del rng
    check_satisfiable(table, promise)
    promised = Promised(promise, table, 0)
    size = combinations or _promised_size(promise)
    checks = combination_checks(promised.requirements, size, all_columns=all_columns)
    levels = levels_of(table)
    entries, entry = Frequencies.of(table, levels, promised.counted(table), (0,) * len(levels))
    cells = RecodedEntries(entries)
    n_unsafe = _recode(cells, checks, max_unsafe)
    while cells.blank_worst(checks):
        progress(int(cells.is_blank.sum()), cells.is_blank.size)
    if cells.is_dropped.all():  # the table that tells nothing keeps the promise
        cells = RecodedEntries(entries)
        cells.is_blank[:] = True
    return _published(table, cells, entry, {"unsafe_rows": n_unsafe})


def _recode(cells: RecodedEntries, checks: Sequence[Requirement], max_unsafe: float) -> int:
    """Generalize the column that is in most unsafe combinations, until few rows have any; how many do."""
    weight, most = cells.entries.weight, max_unsafe * int(cells.entries.weight.sum())
    found = [cells.unsafe(check) for check in checks]
    while True:
        is_unsafe = np.logical_or.reduce([each.is_unsafe for each in found])
        n_rows = int(weight[is_unsafe].sum())
        if n_rows <= most:
            return n_rows
        n_unsafe = np.zeros(len(cells.node), dtype=np.int64)
        for check, each in zip(checks, found, strict=True):
            n_unsafe[list(check.columns)] += each.n_combinations
        n_unsafe[cells.is_top] = 0
        if not n_unsafe.any():
            return n_rows
        column = int(n_unsafe.argmax())
        cells.generalize(column)
        found = [
            cells.unsafe(check) if column in check.columns else each
            for check, each in zip(checks, found, strict=True)
        ]


def _published(table: EncodedTable, cells: RecodedEntries, entry: Int32s, facts: dict[str, int]) -> Recoding:
    """Every row as its entry is printed; O(rows * columns)."""
    columns, weight = [], cells.entries.weight
    for number, (column, level) in enumerate(zip(table.quasi, cells.node, strict=True)):
        made = cells.entries.levels[number].cells[level]
        ids = cells.printed(number)[0].astype(np.int32).take(entry)
        columns.append(RecodedColumn(column.domain, (*made, cell.SUPPRESSED), ids))
    names = [column.domain.name for column in table.quasi]
    told = {
        "levels": dict(zip(names, cells.node, strict=True)),
        "suppressed_cells": int((cells.is_blank.sum(axis=1) * weight)[~cells.is_dropped].sum()),
        "suppressed_rows": int(weight[cells.is_dropped].sum()),
        **facts,
    }
    is_kept = ~cells.is_dropped.take(entry)
    told |= told_of_drafts(cells.entries.levels, columns, is_kept)
    return Recoding(tuple(columns), is_kept, facts=told)


def _promised_size(promise: PrivacyModel) -> int:
    """How many columns the promise is about together, where it says so."""
    sizes = [part.size for part in promise.parts if isinstance(part, CombinationAnonymity)]
    return max(sizes, default=_USUAL)


MUARGUS = Method(
    name="muargus",
    title="recodes columns and blanks cells until no combination of two or three columns is rare",
    paper="Hundepool, Willenborg: mu- and tau-Argus: Software for Statistical Disclosure Control (1996)",
    run=muargus,
    draws=False,
    drops="any rows",
    takes_weights=always,
    climbs_trees=True,
    checks_only="mu-Argus checks combinations of a few columns and none of more",
    options={
        "combinations": Option(
            0,
            "how many columns are checked together at most, 2 to 4; 0: as many as the promise is about where "
            "it is one of combinations, and else 3",
            at_least=0,
            at_most=4,
        ),
        "max_unsafe": Option(
            0.05,
            "columns are recoded until at most this share of the rows has a rare combination; in these rows, "
            "cells are blanked",
            at_least=0,
            at_most=1,
        ),
        "all_columns": Option(
            False,
            "whether all columns of a promise are checked together, too: goes beyond mu-Argus, and keeps any "
            "promise",
        ),
    },
)
