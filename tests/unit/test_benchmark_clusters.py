"""The benchmark of clustering methods compares what it says: pairs, blocks and losses of the same table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from command import PATIENCE

from benchmarks import bars, clusters
from benchmarks.bars import Section
from benchmarks.clusters import (
    ALL_PAIRS,
    ONE_ITERATION,
    SAMPLED,
    UNBLOCKED,
    clustering_methods,
    time_clusters,
)
from benchmarks.clusters_on_codes import LOSS
from benchmarks.measure import Measurement, Run, Task
from benchmarks.plan import Plan
from kanopy.algorithms import methods

N_ROWS = 1500


def silent(_what: str) -> None:
    pass


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(tmp_path, tmp_path, silent, n_rows=N_ROWS, rounds=1, limit=PATIENCE, methods=("kmember",))


def test_a_small_run_times_pairs_and_both_ways_to_cluster(plan: Plan) -> None:
    pytest.importorskip("scipy")
    section = time_clusters(plan)
    assert [(found.task.name, found.fault) for found in section.measurements] == [
        (ALL_PAIRS, ""),
        ("kmember", ""),
        ("kmember, default blocks", ""),
    ]
    assert section.find(ALL_PAIRS, N_ROWS).facts["pairs"] == N_ROWS**2
    beside, blocks = section.bars
    assert beside.figure == section.ratio(section.find("kmember", N_ROWS))
    assert beside.bar == bars.CLUSTER_BARS["kmember"]
    # So few rows are one block either way.
    assert (blocks.figure, blocks.bar, blocks.passed) == (1.0, bars.BLOCK_LOSS_BAR, True)
    assert section.find("kmember", N_ROWS).facts[LOSS] > 0


def test_all_methods_that_work_in_blocks_are_timed_unless_one_is_named(plan: Plan) -> None:
    every = [method.name for method in clustering_methods(Plan(plan.tables, plan.scratch, silent))]
    assert {"kmember", "kmeans", "oka"} <= set(every)
    assert "mondrian" not in every
    assert set(every) <= {method.name for method in methods()}
    assert [method.name for method in clustering_methods(plan)] == ["kmember"]


def test_bars_fail_where_blocks_lose_too_much_or_memory_is_short(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made-up timings of a large table, on which one block loses 100, and blocks 104."""
    asked: list[tuple[str, int, str]] = []

    def timed(_plan: Plan, tasks: Sequence[Task], rounds: int | None = None) -> list[Measurement]:
        asked.extend((task.name, task.n_rows, task.command[-1]) for task in tasks)
        found = []
        for task in tasks:
            cpu = 10.0 if task.name == ALL_PAIRS else 1.5
            facts = {LOSS: 104 if task.name.endswith("blocks") else 100}
            found.append(Measurement.of(task, [Run(cpu, cpu, cpu, 2000 * task.n_rows, facts=facts)]))
        return found

    monkeypatch.setattr(Plan, "measure", timed)
    monkeypatch.setattr(clusters.Workload, "ready", lambda *_: Path("table.csv"))
    monkeypatch.setattr(clusters, "N_COMPLETE_ROWS", 1000)
    every = ("kmember", "kmeans", "oka", "loukides")
    chosen = Plan(plan.tables, plan.scratch, silent, n_rows=2800, methods=every)
    section = time_clusters(chosen)
    judged = {bar.name: (bar.figure, bar.passed) for bar in section.bars}
    for name in every:
        assert judged[f"{name}, blocks, 1,000 rows"] == (1.04, False)
        assert judged[f"{name}, 2,800 rows"] == (1.5 / 60, True)
        assert judged[f"{name}, 2,800 rows, peak memory"] == (2.0, False)
    assert judged["kmember, 1,000 rows"] == (0.15, True)
    assert judged["oka, 1,000 rows"] == (0.15, False)
    assert judged[f"{ONE_ITERATION}, 1,000 rows"] == (0.15, False)
    options = {(name, n_rows): text for name, n_rows, text in asked}
    assert options["kmember", 1000] == f'{{"block_size": {UNBLOCKED}}}'
    assert options["kmember, default blocks", 1000] == options["kmember", 2800] == "{}"
    assert '"max_iter": 1,' in options[ONE_ITERATION, 1000]
    assert judged["kmeans, default blocks, 1,000 rows"] == (1.0, True)
    samples = [(n_rows, last) for name, n_rows, last in asked if name == SAMPLED]
    assert samples == [(100, "100"), (200, "200"), (400, "400")], "of the large table, by a last argument"
    assert judged[f"{SAMPLED}, 200 rows to 400 rows"] == (1.0, True)


def test_a_method_that_does_not_finish_fails() -> None:
    gone = Measurement(Task("kmember", 10, ()), 0.0, 0.0, 100, (), {}, {}, "stopped after 1 s")
    section = Section("clusters", ALL_PAIRS, [gone])
    assert [bar.passed for bar in clusters._finishes(section.find("kmember", 10))] == [False, False]
