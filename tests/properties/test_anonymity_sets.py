"""Several sets of quasi-identifiers, each with a k of its own: every method keeps all in the written file."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from effort import n_tables, quick
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_tables import times_for
from oracles_file import read_csv, smallest_group

import kanopy
from kanopy.privacy import AnonymityOf

METHODS = {method.name: method for method in kanopy.methods()}
QUASI = ["age", "sex", "town"]
N_PERSONS = 8

some_row = st.tuples(
    st.integers(20, 26), st.sampled_from(["f", "m", None]), st.sampled_from("uvw"), st.sampled_from("yn")
)
some_set = st.builds(
    AnonymityOf, st.lists(st.sampled_from(QUASI), min_size=1, unique=True), st.integers(2, 6)
)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(2))
@given(
    rows=st.lists(some_row, min_size=N_PERSONS, max_size=40),
    sets=st.tuples(some_set, some_set),
    k=st.sampled_from([None, 2]),
    by_person=st.booleans(),
)
def test_every_method_keeps_every_set(
    method: str, rows: list[tuple[Any, ...]], sets: tuple[AnonymityOf, ...], k: int | None, by_person: bool
) -> None:
    rows = rows * times_for(method, len(rows))
    columns = dict(zip([*QUASI, "class"], map(list, zip(*rows, strict=True)), strict=True))
    numbers = list(range(len(rows)))
    roles: dict[str, Any] = {}
    if not METHODS[method].is_synthetic:  # nobody is behind a row that is made up
        columns["row"], roles["keep"] = numbers, ["row"]
        if by_person:
            columns["who"], roles["person"] = [number % N_PERSONS for number in numbers], "who"
    policy = kanopy.Policy(
        quasi_identifiers=QUASI, target="class", k=k, privacy=sets, **roles
    ).accepting_all()
    options = {"loukides": {"delta": 4.0}, "muargus": {"all_columns": True}}.get(
        method, quick(METHODS[method].options)
    )
    release = kanopy.anonymize(pa.table(columns), policy, method=method, allow_empty=True, **options)
    with tempfile.TemporaryDirectory() as folder:
        written = read_csv(release.write(Path(folder) / "out.csv"))
    members: Sequence[int] = range(len(written.lines))
    if "row" in columns:
        members = [
            int(text) % (N_PERSONS if "who" in columns else len(rows)) for text in written.column("row")
        ]
    reached = [smallest_group(written.project(each.given), members) for each in sets]
    assert all(size >= each.k for size, each in zip(reached, sets, strict=True))
    assert set(reached) <= {result.level for result in release.audit.promises}
    of_all = smallest_group(written.project(QUASI), members)
    assert of_all >= (k or 1)
    assert release.audit.k == of_all
