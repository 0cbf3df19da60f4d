"""Sketch: groups of rows that are alike in what tells the classes apart, as sketches of their values.

A method of kanopy's own. Condensation (Aggarwal and Yu, EDBT 2004), microaggregation with swapping
(Soria-Comas and Domingo-Ferrer, 2012) and slicing (Li and others, TKDE 2012) each have a part of it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.requirements import least_members
from kanopy.algorithms.sketch.choosing import Choice, Dials, Pooled, chosen
from kanopy.algorithms.sketch.pools import LEAST_ROWS, Asked
from kanopy.algorithms.sketch.reading import reading_of
from kanopy.algorithms.sketch.space import space_of
from kanopy.algorithms.sketch.teachers import check_teachers
from kanopy.data import EncodedTable, Recoding, sketched, tally_of_chunks
from kanopy.data.arrays import Ints
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel

AUTO = "auto"
_TIMES, _MOST_ROWS = (1, 2, 4, 8), 240
"""So many times the fewest rows are tried, up to 240 unless the promise asks for more: larger groups tell
less, and often teach as much."""
_LEAST_TOLD = 11
"""Rows, or persons, that anything beside the table is told about."""


def sketch(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    pure: bool = True,
    spread: float | str = AUTO,
    rows: int = 0,
    classes: bool = False,
) -> Recoding:
    """Anonymize by sketches; see the options of ``SKETCH``.

    O(rows * (columns + log(rows / k))), and what teachers and measurements cost on at most 20,000 rows.
    """
    assert table.weight is None, "equal rows may be in several groups: expand the table"
    share = _read_spread(spread)
    _check_rows(rows)
    Asked(table, promise)  # refuses what no group can keep, before anything is learned
    check_teachers()
    is_bounded = table.target is not None and table.target.domain.name in table.confidential
    of_rows = _classes(table)
    space = space_of(table, of_rows, rng)
    progress(1, 4)
    is_pure = pure and not is_bounded
    part = of_rows if is_pure else np.zeros_like(of_rows)
    pooled = Pooled(table, promise, of_rows, part, space.points)
    choice = _choice(pooled, rows, share, rng)
    progress(2, 4)
    partition = pooled.grouped(choice.dials, rng)
    recoding = sketched(partition, table, choice.dials.rows_with_chunks)
    progress(3, 4)
    # PRIVACY: of very few rows no correlation is told (tests/unit/algorithms/test_sketch_method.py).
    is_told = table.n_persons >= max(least_members(promise), _LEAST_TOLD)
    # PRIVACY: where groups mix classes on purpose, nothing is told about these
    # (tests/sabotage/test_mixed_classes.py).
    with_classes = classes and is_pure
    reading = reading_of(table, of_rows, recoding, space, rng, with_classes=with_classes) if is_told else None
    facts = {"pure": bool(is_pure), **choice.facts, **_tallied(recoding, table)}
    return replace(recoding, reading=reading, facts=facts)


def _tallied(recoding: Recoding, table: EncodedTable) -> dict[str, int]:
    tally = tally_of_chunks(recoding, table)
    return {"chunk_means": tally.chunks, "chunk_means_of_equal_values": tally.of_equal_values}


def _classes(table: EncodedTable) -> Ints:
    """The class of each row; one for all where there is none."""
    return np.zeros(table.n_rows, np.int64) if table.target is None else table.target.codes.astype(np.int64)


def _choice(pooled: Pooled, rows: int, spread: float | None, rng: np.random.Generator) -> Choice:
    """The dials, given or measured."""
    fewest = max(LEAST_ROWS, least_members(pooled.promise))
    usual = max(rows, fewest)
    if spread is not None:
        return Choice.of(Dials(usual, spread), "by whoever asked for the release")
    if len(np.unique(pooled.classes)) < 2:
        return Choice.of(Dials(usual, 0.0), "groups of rows that are alike, as there is no class to tell")
    sizes = [size for size in (fewest * times for times in _TIMES) if size <= max(_MOST_ROWS, fewest)]
    return chosen(pooled, [usual] if rows else sizes, rng)


def _check_rows(rows: int) -> None:
    if 0 < rows < LEAST_ROWS:
        raise PolicyError(
            f"option 'rows' of method 'sketch' takes {LEAST_ROWS} or more, or 0",
            "smaller groups tell about single rows; 0, which is the default, measures how many are best",
        )


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _read_spread(spread: float | str) -> float | None:
    """A share; None where it is to be measured."""
    if spread == AUTO:
        return None
    with suppress(ValueError):
        if _is_share(share := float(spread)):
            return share
    raise PolicyError(
        f"option 'spread' of method 'sketch' takes {AUTO}, or a number from 0 to 1", "for example spread=0.5"
    )


SKETCH = Method(
    name="sketch",
    title="groups rows that are alike in what tells the classes apart, and prints sketches of their values",
    paper="kanopy's own; after Aggarwal, Yu: A Condensation Approach to Privacy Preserving Data Mining "
    "(EDBT 2004); Soria-Comas, Domingo-Ferrer: Probabilistic k-Anonymity through Microaggregation and Data "
    "Swapping (2012)",
    run=sketch,
    options={
        "pure": Option(
            True,
            "whether a group has rows of one class, where that has enough and the promise does not bound it",
        ),
        "spread": Option(
            AUTO,
            "from 0, groups of rows that are alike, to 1, random groups; auto: measured, so that groups tell "
            "no more about their members than those of mondrian, and strangers are guessed best",
            accepts=_is_share,
        ),
        "rows": Option(
            0,
            "rows of a group at least, 30 or more, where the promise asks for fewer; 0: measured as well, up "
            "to 240, or with a spread that is given 30",
            at_least=0,
        ),
        "classes": Option(
            False,
            "whether rare classes that share groups are told apart beside the table: learners learn these, "
            "and the groups tell more about their members",
        ),
    },
)
