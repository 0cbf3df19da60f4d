"""What a release says about its suppressed cells: decided by the method, and refused where it is not true."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.algorithms import find_method
from kanopy.data import Recoding
from kanopy.data import cell as cells
from kanopy.engines import local
from kanopy.errors import VerificationError

TABLE = pa.table({"town": [*"aaaabbbbccd", None], "age": [20, 30] * 6, "ill": ["y", "n", "n"] * 4})
POLICY = kanopy.Policy(quasi_identifiers=["town", "age"], target="ill", k=3)


def test_the_manifest_tells_it_by_the_method_alone() -> None:
    for method, meaning in (
        ("tdr", "not shown"),
        ("tdd", "not shown"),
        ("mondrian", "any"),
        ("kactus", "any"),
    ):
        release = kanopy.anonymize(TABLE, POLICY, method=method)
        assert release.manifest["suppressed"] == {"town": meaning, "age": meaning}


def test_every_method_that_says_so_recodes_a_value_alike() -> None:
    names = {method.name for method in kanopy.methods() if method.is_global}
    assert names == {"tds", "tdr", "tdd", "bottomup"}


@pytest.mark.parametrize("change", ["one row", "shown elsewhere"])
def test_a_method_that_says_so_and_does_not_is_refused(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = find_method("tdd")

    def wrong(table: Any, *rest: Any, **options: Any) -> Recoding:
        ids = table.quasi[0].codes.astype(np.int32)
        own = [*(cells.exact(code) for code in range(4)), cells.SUPPRESSED]
        if change == "one row":
            ids[0] = 4
        else:  # a is suppressed in all rows, and the set with it is the cell of b
            own[0], own[1] = cells.SUPPRESSED, cells.members((0, 1))
        recoding = sound.run(table, *rest, **options)
        column = replace(recoding.columns[0], cells=tuple(own), ids=ids)
        return replace(recoding, columns=(column, *recoding.columns[1:]))

    monkeypatch.setattr(local, "find_method", lambda _name: replace(sound, run=wrong))
    with pytest.raises(VerificationError, match="alike in all rows"):
        kanopy.anonymize(TABLE, POLICY, method="tdd")


def test_new_rows_are_recoded_column_by_column() -> None:
    """No row has b and 30, and yet both are published; what is not shown is what the symbol stands for."""
    table = pa.table(
        {"town": list("aaaabbbbcd"), "age": ["old"] * 4 + ["young"] * 6, "ill": list("ynyyynnnny")}
    )
    release = kanopy.anonymize(table, replace(POLICY, k=2), method="tdd")
    assert set(release.frame["town"].to_pylist()) == {"a", "b", "*"}
    rows = pa.table({"town": ["b", "c", "never", None, "a"], "age": ["old", "young", "old", "old", "young"]})
    assert release.recode(rows)["town"].to_pylist() == ["b", "*", "*", "*", "a"]
    assert release.recode(rows)["age"].to_pylist() == rows["age"].to_pylist()
