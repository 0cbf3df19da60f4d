"""The order of the rows says nothing: any permutation, any promise, the same verdict and the same levels."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_judge_alone import KINDS

import kanopy
from kanopy.auditing import Audit, TextTable, judge
from kanopy.data import Hierarchy
from kanopy.policy import Policy
from kanopy.privacy import Closeness

PATHS = [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd")]
some_rows = st.lists(
    st.tuples(st.sampled_from("uvw"), st.integers(0, 6), st.sampled_from(["a", "b", "c", "d", None])),
    min_size=1,
    max_size=16,
)


def verdict(rows: list[tuple[str, int, str | None]], policy: Policy) -> Audit:
    groups, persons, values = zip(*rows, strict=True)
    table = TextTable.of_arrow(
        pa.table({"age": groups, "b": groups, "c": groups, "d": pa.array(values, pa.string())})
    )
    known = None if policy.person is None else np.array(persons, dtype=np.int32)
    return judge(table, policy, persons=known)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=settings.default.max_examples * 2 // 5)
@given(rows=some_rows, data=st.data(), person=st.sampled_from([None, "who"]))
def test_a_permutation_changes_nothing(
    kind: str, rows: list[tuple[str, int, str | None]], data: st.DataObject, person: str | None
) -> None:
    policy = Policy(
        quasi_identifiers=["age", "b", "c"],
        sensitive=["d"],
        person=person,
        privacy=[data.draw(KINDS[kind])],
        hierarchies={"d": Hierarchy.from_paths("d", PATHS)} if kind == "hierarchical" else {},
    )
    assert verdict(rows, policy) == verdict(data.draw(st.permutations(rows)), policy)


@pytest.mark.parametrize("first", [0, 7])
def test_ordered_closeness_follows_the_values_and_not_their_first_rows(first: int) -> None:
    groups, values = ["g1"] * 4 + ["g2"] * 4, ["a", "a", "b", "b", "b", "b", "c", "c"]
    order = [first, *(row for row in range(8) if row != first)]
    frame = pa.table({"q": [groups[row] for row in order], "dx": [values[row] for row in order]})
    policy = Policy(
        quasi_identifiers=["q"], sensitive=["dx"], k=2, privacy=[Closeness("dx", "0.25", "ordered")]
    )
    audit = kanopy.audit(frame, policy)
    assert (audit.kept, audit.promises[1].level) == (True, 0.25)
    assert kanopy.anonymize(frame, policy, method="mondrian").audit.groups == 2
