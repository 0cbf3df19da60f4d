"""The benchmarks time what they say they time, and a bar that is missed is seen."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import PATIENCE
from pyarrow import csv

from benchmarks import __main__ as command
from benchmarks import bars, workloads
from benchmarks.bars import Bar, Section
from benchmarks.measure import Measurement, Run, Task, measure, run_once, whole
from benchmarks.sections import FLOOR, RELEASE, Plan, time_growth, time_release

N_ROWS = 2000


def silent(_what: str) -> None:
    pass


def python(program: str) -> Task:
    return whole("task", 0, sys.executable, "-S", "-c", program)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("benchmarks")
    return Plan(folder, folder, silent, n_rows=N_ROWS, growth=(1000, N_ROWS), rounds=1, limit=PATIENCE, k=20)


@pytest.fixture(scope="module")
def released(plan: Plan) -> Section:
    return time_release(plan)


def measured(name: str, n_rows: int, *walls: float) -> Measurement:
    return Measurement.of(Task(name, n_rows, ()), [Run(wall, wall, wall / 2, 100) for wall in walls])


def test_a_workload_has_the_columns_of_the_policy_and_is_made_once(plan: Plan, released: Section) -> None:
    workload = workloads.Workload(N_ROWS)
    path = plan.tables / workload.file_name
    made = path.stat().st_mtime_ns
    assert workload.ready(plan.tables, silent) == path
    assert path.stat().st_mtime_ns == made
    table = csv.read_csv(path)
    assert table.num_rows == N_ROWS
    policy = workloads.policy_of(path, 20)
    policy.check_columns(table.column_names)
    assert len(policy.roles) == table.num_columns == 15
    assert policy.quasi_identifiers == workloads.QUASI


def test_the_floor_reads_groups_and_writes_the_whole_table(plan: Plan, released: Section) -> None:
    found = released.find(FLOOR, N_ROWS)
    assert found.fault == ""
    assert tuple(found.parts) == ("read", "encode", "group", "write", "group codes (aside)")
    assert all(seconds > 0 for seconds in found.parts.values())
    assert found.cpu == pytest.approx(sum(list(found.parts.values())[:4]))
    source = csv.read_csv(plan.tables / workloads.Workload(N_ROWS).file_name)
    keys = np.array([source[name].cast(pa.string()).to_pylist() for name in workloads.QUASI])
    assert found.facts["groups"] == len(np.unique(keys, axis=1).T)
    assert csv.read_csv(plan.scratch / "copy.csv").equals(source)


def test_a_release_is_held_against_the_floor_of_its_run(plan: Plan, released: Section) -> None:
    found = released.find(RELEASE, N_ROWS)
    time_bar, memory_bar = released.bars
    assert time_bar.figure == pytest.approx(found.cpu / released.find(FLOOR, N_ROWS).cpu)
    assert time_bar.bar == bars.RELEASE_BAR
    assert memory_bar.figure == pytest.approx(found.peak_bytes / 1000 / N_ROWS)
    assert csv.read_csv(plan.released(workloads.Workload(N_ROWS))).num_rows == N_ROWS


def test_growth_compares_neighbours_and_scales_its_bar(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    walls = {1000: 1.0, 2000: 2.5, 8000: 7.5}
    monkeypatch.setattr(Plan, "release", lambda _, workload: Task(RELEASE, workload.n_rows, ()))
    monkeypatch.setattr(
        Plan,
        "measure",
        lambda _, tasks: [measured(task.name, task.n_rows, walls[task.n_rows]) for task in tasks],
    )
    grown = Plan(plan.tables, plan.scratch, silent, growth=(8000, 1000, 2000))
    slow, fast = time_growth(grown).bars
    assert (slow.figure, slow.bar, slow.passed) == (2.5, pytest.approx(2.3), False)
    assert (fast.figure, fast.bar, fast.passed) == (3.0, pytest.approx(2.3**2), True)


def test_a_process_is_timed_whole_and_its_memory_is_its_own() -> None:
    small = run_once(python("import time; time.sleep(0.2)"), limit=PATIENCE)
    assert small.wall >= 0.2
    assert small.wall - small.cpu > 0.1, "waiting is no work"
    # This process holds far more than a bare interpreter, which must not show in its child.
    assert small.peak_bytes < 40_000_000
    large = run_once(python("bytes(range(256)) * 400_000"), limit=PATIENCE)
    assert large.peak_bytes > 100_000_000


def test_a_failing_task_is_not_repeated_and_says_why() -> None:
    said: list[str] = []
    task = whole("failing", 5, sys.executable, "-c", "import sys; sys.exit('error: no such thing')")
    (found,) = measure([task], rounds=3, limit=PATIENCE, say=said.append)
    assert found.fault == "exit code 1, error: no such thing"
    assert len(said) == 1
    assert found.ratio_to(1.0) is None
    assert found.walls == ()


@pytest.mark.parametrize(("elapsed", "n_timings"), [(1.0, 5), (11.0, 3), (31.0, 1)])
def test_long_tasks_are_timed_less_often(
    elapsed: float, n_timings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.measure.run_once", lambda _, **limits: Run(elapsed, elapsed, 0.1, 100))
    (found,) = measure([Task("task", 5, ())], rounds=5, limit=PATIENCE, say=silent)
    assert len(found.walls) == n_timings


def test_a_task_is_stopped_at_its_limit() -> None:
    run = run_once(python(f"import time; time.sleep({PATIENCE})"), limit=0.3)
    assert run.fault == "stopped after 0.3 s"
    assert run.elapsed < PATIENCE


def test_the_least_is_taken_and_ratios_need_the_same_rows() -> None:
    section = Section("s", FLOOR, [measured(FLOOR, 10, 1.0, 9.0, 2.0), measured("m", 10, 6.0)])
    assert section.find(FLOOR, 10).wall == 1.0
    assert section.ratio(section.find("m", 10)) == 6.0
    assert section.wall_ratio(section.find("m", 10)) == 6.0
    assert section.ratio(measured("m", 20, 6.0)) is None


@pytest.mark.parametrize(
    ("figure", "bar", "passed"),
    [(1.0, 1.0, True), (1.01, 1.0, False), (None, 1.0, False), (99.0, None, True)],
)
def test_a_bar_without_a_figure_fails(figure: float | None, bar: float | None, passed: bool) -> None:
    assert Bar("b", figure, bar, "x").passed is passed


def run_command(path: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    where = ("--json", str(path / "deep" / "figures.json"), "--cache", str(path / "tables"))
    exit_code = command.main([*where, "--rows", str(N_ROWS), "--rounds", "1", *arguments])
    return exit_code, json.loads((path / "deep" / "figures.json").read_text())


def test_the_command_times_every_method_and_records_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bars, "METHOD_BARS", {"mondrian": 0.0})
    exit_code, recorded = run_command(tmp_path, "--only", "mondrian", "--check")
    assert exit_code == 1
    assert recorded["failed"] == ["mondrian on codes, 2,000 rows"]
    assert set(recorded) == {"schema", "machine", "data", "settings", "sections", "failed"}
    (section,) = recorded["sections"]
    assert [timed["name"] for timed in section["measurements"]] == [FLOOR, "mondrian", "mondrian cut=median"]
    for timed in section["measurements"]:
        assert timed["fault"] == ""
        assert timed["rows"] == N_ROWS
        assert timed["wall_s"] > 0
        assert timed["peak_bytes"] > 1_000_000
    method = section["measurements"][1]
    assert method["ratio"] == pytest.approx(method["cpu_s"] / section["measurements"][0]["cpu_s"])
    assert method["facts"]["options"]["cut"] == "gain"
    assert method["facts"]["kept"] == N_ROWS
    shown = capsys.readouterr().out
    assert "FAIL" in shown
    assert "mondrian cut=median" in shown
    assert [path.suffix for path in (tmp_path / "tables").iterdir()] == [".csv"]


def test_without_check_a_missed_bar_is_only_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missed = Section("audit", FLOOR, [], [Bar("audit", None, 2.0, "x")])
    monkeypatch.setitem(command.SECTIONS, "audit", lambda _: missed)
    exit_code, recorded = run_command(tmp_path, "--only", "audit")
    assert exit_code == 0
    assert recorded["failed"] == ["audit"]


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command.main(["--only", "mondrain"])
    assert caught.value.code == 2
    assert "mondrian" in capsys.readouterr().err
