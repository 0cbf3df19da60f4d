"""Who uses what is told about classes reads a group that several of them share as one group for each."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kanopy.attacks.divided import divided
from kanopy.data import PublishedReading
from kanopy.data.mixed_classes import MixedClasses

SHARED = pa.table({
    "age": ["~[20, 30, 70, 80]"] * 8 + ["~[50, 51]"] * 4,
    "job": ["{a: 4, b: 2, : 2}"] * 8 + ["a"] * 4,
    "cls": ["young"] * 4 + ["old"] * 4 + ["common"] * 4,
})  # fmt: skip
TOLD = PublishedReading(
    ("age", "job"),
    {"job": ("a", "b", "")},
    np.eye(2),
    "draws",
    MixedClasses("cls", ("young", "old"), np.array([9, 9])),
)


def test_a_shared_group_becomes_one_for_each_class() -> None:
    found = divided(SHARED, TOLD).to_pydict()
    assert found["age"][8:] == SHARED["age"].to_pylist()[8:]
    assert found["job"][8:] == ["a"] * 4
    assert set(found["job"]) == {"{a: 4}", "{: 2, b: 2}", "a"}
    young, old, _ = dict.fromkeys(found["age"])
    assert max(map(int, young[2:-1].split(", "))) < min(map(int, old[2:-1].split(", ")))


def test_where_nothing_is_told_the_release_is_read_as_it_is() -> None:
    assert divided(SHARED, None) is SHARED
    alone = PublishedReading(TOLD.names, TOLD.orders, TOLD.correlation)
    assert divided(SHARED, alone) is SHARED
