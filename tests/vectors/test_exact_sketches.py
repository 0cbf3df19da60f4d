"""Means of numbers that floats cannot tell apart: computed by hand, to the last digit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sketching import SKETCHES, run

import kanopy
from kanopy.data import Cell, Domain, EncodedTable, Partition, RecodedColumn, Recoding, sketched
from kanopy.data.table import CodedColumn
from kanopy.errors import VerificationError

LARGE, HUGE = 2**53 + 1, 2**62
POLICY = kanopy.Policy(quasi_identifiers=["n"], target="cls", k=30)


def column_of(labels: list[str], decimals: int = 0) -> CodedColumn:
    """The labels, ascending, as a column of so many rows."""
    domain = Domain("n", tuple(labels), np.array([float(label) for label in labels]), decimals)
    return CodedColumn(domain, np.arange(len(labels), dtype=np.uint8))


def sketch_of(labels: list[str], decimals: int = 0, k: int = 3) -> str:
    column = column_of(labels, decimals)
    table = EncodedTable(len(labels), (column,))
    (found,) = sketched(Partition(np.zeros(len(labels), dtype=np.int32), 1), table, k).columns
    return found.texts[found.ids[0]]


@pytest.mark.parametrize(
    ("labels", "decimals", "cell"),
    [
        # Of floats, the first would be 9007199254740992: the nearest one that is even.
        ([str(LARGE - 2), str(LARGE), str(LARGE + 2)], 0, "~[9007199254740993]"),
        ([str(HUGE - 1), str(HUGE), str(HUGE + 4)], 0, "~[4611686018427387905]"),
        ([str(-HUGE - 1), str(-HUGE), str(-HUGE + 4)], 0, "~[-4611686018427387903]"),
        ([str(-HUGE), "0", str(HUGE), str(HUGE + 2)], 0, "~[1152921504606846976]"),  # ...976.5, to even
        ([str(-HUGE), "0", str(HUGE), str(HUGE + 6)], 0, "~[1152921504606846978]"),  # ...977.5
        (["90071992547409.91", "90071992547409.93", "90071992547409.95"], 2, "~[90071992547409.93]"),
        (["1", "2", "1e+20"], 0, "~[33333333333333333334]"),
        (["0.10", "0.15", "0.20", "0.25"], 2, "~[0.18]"),  # 0.175: a float would be below
        (["-0.2", "-0.1", "0.2"], 1, "~[0.0]"),  # no negative zero
        (["1e-30", "2e-30", "1"], 20, "~[0.33333333333333333333]"),
    ],
)
def test_means_are_exact(labels: list[str], decimals: int, cell: str) -> None:
    assert sketch_of(labels, decimals) == cell
    off = Fraction(cell[2:-1]) - sum(map(Fraction, labels)) / len(labels)
    assert abs(off) * 2 <= Fraction(10) ** -decimals


FRAME = pa.table(
    {
        "n": [*(LARGE + 2 * row for row in range(45)), *(HUGE + 3 * row for row in range(45))],
        "cls": ["N"] * 45 + ["Y"] * 45,
    }
)


def shifted(by: int) -> Callable[..., Recoding]:
    """Random groups within each class, with the last mean of one of them off by so much."""

    def broken(*arguments: Any, **settings: Any) -> Recoding:
        recoding = run(*arguments, **settings)
        (column,) = recoding.columns
        first: Cell = column.cells[0]
        changed = replace(first, means=(*first.means[:-1], str(int(first.means[-1]) + by)))
        return replace(
            recoding, columns=(RecodedColumn(column.domain, (changed, *column.cells[1:]), column.ids),)
        )

    return broken


@pytest.mark.parametrize("method", [SKETCHES, "sketch"])
def test_exact_means_pass_the_recount(method: Any) -> None:
    if method == "sketch":
        pytest.importorskip("sklearn")
    release = kanopy.anonymize(FRAME, POLICY.accepting_all(), method=method)
    lines = zip(release.frame["cls"].to_pylist(), release.frame["n"].to_pylist(), strict=True)
    told = {(label, tuple(map(int, text[2:-1].split(", ")))) for label, text in lines}
    for numbers, label in ((range(LARGE, LARGE + 90, 2), "N"), (range(HUGE, HUGE + 135, 3), "Y")):
        (line,) = [means for of, means in told if of == label]
        ends = [place * 45 // len(line) for place in range(len(line) + 1)]
        chunks = [[*numbers][begin:end] for begin, end in pairwise(ends)]
        assert line == tuple(round(Fraction(sum(chunk), len(chunk))) for chunk in chunks)


@pytest.mark.parametrize("by", [-1, 1, 512])
def test_the_recount_finds_a_mean_that_is_off_by_one(by: int) -> None:
    """512 is what floats of this size cannot tell."""
    method = replace(SKETCHES, run=shifted(by))
    with pytest.raises(VerificationError, match="do not cover what the source says"):
        kanopy.anonymize(FRAME, POLICY.accepting_all(), method=method)
