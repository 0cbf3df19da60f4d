"""Sketched cells are attacked by likelihood; the method measures the same from the inside."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.algorithms.sketch.telling import HeldBack
from kanopy.attacks.excess import guess_rates
from kanopy.data import EncodedTable, Partition, sketched
from kanopy.frames.encode import encode
from kanopy.privacy import KAnonymity
from kanopy.utility.membership import NumberCells

pytest.importorskip("sklearn")


def people(n_rows: int, seed: int, missing: float = 0.0) -> pa.Table:
    rng = np.random.default_rng(seed)
    ill = rng.integers(0, 2, n_rows)
    return pa.table(
        {
            "age": pa.array(
                (rng.integers(20, 60, n_rows) + 10 * ill).tolist(), mask=rng.random(n_rows) < missing
            ),
            "job": np.array(["a", "b", "c"])[(rng.integers(0, 3, n_rows) + ill) % 3],
            "ill": np.array(["no", "yes"])[ill],
        }
    )


def halves(missing: float = 0.0) -> tuple[pa.Table, pa.Table, kanopy.Policy]:
    policy = kanopy.Policy(quasi_identifiers=["age", "job"], target="ill", k=5, numeric=["age"])
    return people(120, 0, missing), people(120, 1, missing), policy


def coded(members: pa.Table, strangers: pa.Table, policy: kanopy.Policy) -> tuple[EncodedTable, EncodedTable]:
    """Both tables over the values of both."""
    table = encode(pa.concat_tables([members, strangers]), policy).table.expanded()
    return table.of_rows(np.arange(120)), table.of_rows(np.arange(120, 240))


def test_members_are_guessed_more_often_than_strangers_and_nobody_more_than_himself() -> None:
    members, strangers, policy = halves()
    release = kanopy.anonymize(members, policy, method="sketch", spread=0.0)
    rates = guess_rates(release.frame, members, strangers, policy)["ill"]
    assert rates.members > rates.strangers
    same = guess_rates(release.frame, members, members, policy)["ill"]
    assert same.members == same.strangers == rates.members


def test_boxes_are_attacked_alike_from_inside_and_outside() -> None:
    members, strangers, policy = halves()
    ours, theirs = coded(members, strangers, policy)
    assert ours.target is not None
    assert theirs.target is not None
    own, others = ours.target.codes.astype(np.int64), theirs.target.codes.astype(np.int64)
    inside = HeldBack(ours, own, theirs, others).by_mondrian(KAnonymity(5)).excess
    release = kanopy.anonymize(members, policy, method="mondrian")
    rates = guess_rates(release.frame, members, strangers, policy)["ill"]
    # Of equally frequent classes and equally near boxes, either side may take another one.
    assert inside == pytest.approx(rates.members - rates.strangers, abs=0.05)


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.95])
def test_sketches_are_attacked_alike_from_inside_and_outside(missing: float) -> None:
    """The same groups, published by hand; where hardly anybody has a number, it is suppressed."""
    members, strangers, policy = halves(missing)
    ours, theirs = coded(members, strangers, policy)
    assert ours.target is not None
    assert theirs.target is not None
    own, others = ours.target.codes.astype(np.int64), theirs.target.codes.astype(np.int64)
    partition = Partition((own * 3 + ours.quasi[1].codes.astype(np.int64)).astype(np.int32), 6)
    inside = HeldBack(ours, own, theirs, others).by_sketch(partition, 10)
    recoding = sketched(partition, ours, 10)
    texts = {
        column.domain.name: [column.texts[cell] for cell in column.ids.tolist()]
        for column in recoding.columns
    }
    labels = np.array(ours.target.domain.labels)[own]
    rates = guess_rates(pa.table({**texts, "ill": labels}), members, strangers, policy)["ill"]
    assert inside == pytest.approx((rates.members, rates.strangers), abs=1e-9)


def test_numbers_near_the_largest_float_are_weighed_without_overflow() -> None:
    cells = NumberCells(np.array([0, 1]), np.array([-1.7e308, 1.7e308]), np.ones(2), np.zeros(2), 1.0)
    with np.errstate(all="raise"):
        near = cells.log_likelihood(np.array([-1.7e308, 1.7e308, np.nan]))
    assert near[0].argmax() == 0
    assert near[1].argmax() == 1
