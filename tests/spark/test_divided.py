"""Where different rows are too many for the driver, the method divides, and makes the same release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spark_tables import policy, same_release

from kanopy.algorithms import kactus
from kanopy.engines.spark import divided


@pytest.fixture(autouse=True)
def small_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divided, "NODE_ROWS", 500)
    monkeypatch.setattr(kactus, "_DRAWN_ROW_BY_ROW", 0)


@pytest.mark.parametrize(
    ("method", "options"),
    [("mondrian", {}), ("kadet", {}), ("kactus", {"min_rows": 2})],
)
def test_the_same_release(
    spark: Any,
    file: Path,
    tmp_path: Path,
    method: str,
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n_nodes: list[int] = []
    subtrees = divided.SparkDivider.subtrees
    monkeypatch.setattr(
        divided.SparkDivider,
        "subtrees",
        lambda *given: (n_nodes.append(node) or (node, answer) for node, answer in subtrees(*given)),
    )
    rules = policy(keep=["ward"], missing=["3"])
    same_release(spark, file, rules, tmp_path / "out", method=method, **options, tuple_limit=50)
    assert len(set(n_nodes)) > 2


@pytest.mark.parametrize("method", ["mondrian", "kactus"])
def test_bounds_and_hierarchies(spark: Any, file: Path, tmp_path: Path, method: str) -> None:
    from kanopy.hierarchies import Ranges
    from kanopy.privacy import AnonymityOf, Closeness, DistinctDiversity

    bounds = [DistinctDiversity("diagnosis", 2), Closeness("diagnosis", 0.6), AnonymityOf(("sex",), 40)]
    rules = policy(privacy=bounds, hierarchies={"age": Ranges(10)})
    same_release(spark, file, rules, tmp_path / "out", method=method, tuple_limit=50)
