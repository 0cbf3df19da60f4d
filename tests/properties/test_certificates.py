"""Whoever has a release and its certificate counts what was counted when it was written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_tables import Table, some_tables
from promises import KINDS

import kanopy
from kanopy.errors import UnsatisfiableError, VerificationError
from kanopy.privacy import KAnonymity, PrivacyModel


@settings(max_examples=n_tables(2))
@given(some_tables())
def test_nasty_tables(table: Table) -> None:
    release = kanopy.anonymize(table.frame(), table.policy(), allow_empty=True)
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".csv", ".parquet"):
            found = kanopy.verify(release.write(Path(folder) / f"r{suffix}"), policy=table.policy())
            assert found.kept, found.checks
            if table.person is None:
                assert found.audit is not None
                assert found.audit.promises == release.audit.promises


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "hierarchical"])
@settings(max_examples=n_tables(1))
@given(data=st.data(), values=st.lists(st.sampled_from(["a", "b", "c", "10", "9", "?", ""]), min_size=8))
def test_every_promise(kind: str, data: st.DataObject, values: list[str]) -> None:
    """Texts that mean missing are not in the certificate, and need not be: a release has empty fields."""
    promise: PrivacyModel = data.draw(KINDS[kind])
    ages = [str(20 + number % 3) for number in range(len(values))]
    same = ["x"] * len(values)
    table = pa.table({"age": ages, "b": same, "c": same, "d": values})
    roles = kanopy.Policy(["age", "b", "c"], sensitive=["d"], missing=["?"], privacy=[KAnonymity(2), promise])
    try:
        release = kanopy.anonymize(table, roles, allow_empty=True)
    except (UnsatisfiableError, VerificationError):
        return
    with tempfile.TemporaryDirectory() as folder:
        found = kanopy.verify(release.write(Path(folder) / "r.csv"))
    assert found.kept
    assert found.is_complete
    assert found.audit is not None
    assert found.audit.promises == release.audit.promises
