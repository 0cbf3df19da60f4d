"""Whole releases of nine columns: the tables they are made of, the bars, and the code of other commits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import PATIENCE

from benchmarks import __main__ as command
from benchmarks import bars, chow_liu, peers, releases, speed_page, workloads
from benchmarks.adult import adult_like
from benchmarks.bars import Section
from benchmarks.commits import Code, checked_out, full_name
from benchmarks.measure import Measurement, Run, Task, inside, run_once, whole
from benchmarks.plan import FLOOR, N_REALISTIC_ROWS, Plan
from benchmarks.same_bytes import CERTIFICATE, ENCODING, EXIT_CODE, RELEASE, TEXT, differences
from benchmarks.tables import record

MONDRIAN = "mondrian, csv to csv"


def test_the_tree_joins_the_columns_that_share_the_most() -> None:
    rng = np.random.default_rng(0)
    root = rng.integers(0, 4, 5000).astype(np.int32)
    child = np.where(rng.random(5000) < 0.8, root, 0).astype(np.int32)
    grandchild = np.where(rng.random(5000) < 0.8, child, 3).astype(np.int32)
    alone = rng.integers(0, 3, 5000).astype(np.int32)
    parents = dict(chow_liu.tree(chow_liu.shared_information([grandchild, alone, root, child])))
    assert (parents[0], parents[3], parents[2]) == (-1, 0, 3)
    assert chow_liu.shared_information([root, root])[0, 1] == pytest.approx(np.log(4), rel=1e-2)


def test_drawn_rows_have_the_pairs_of_the_table_and_no_others() -> None:
    rng = np.random.default_rng(1)
    parent = rng.choice(3, 4000, p=[0.6, 0.3, 0.1]).astype(np.int32)
    child = (parent * 2 + (rng.random(4000) < 0.25)).astype(np.int32)
    first, second = chow_liu.fit([parent, child]).draw(40_000, np.random.default_rng(2))
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == set(
        zip(parent.tolist(), child.tolist(), strict=True)
    )
    expected, drawn = np.bincount(child) / 4000, np.bincount(second) / 40_000
    assert np.abs(expected - drawn).max() < 5 * np.sqrt(0.25 / 40_000)


@pytest.fixture
def small_adult(monkeypatch: pytest.MonkeyPatch) -> None:
    likeness = adult_like(400)
    monkeypatch.setattr(workloads, "load_adult", lambda: likeness)


@pytest.mark.usefixtures("small_adult")
def test_a_longer_realistic_table_starts_with_the_rows_of_a_shorter_one(tmp_path: Path) -> None:
    for n_rows in (250, 700):
        workloads.write_realistic(n_rows, tmp_path / f"{n_rows}.parquet", batch=200)
    shorter, longer = (pq.read_table(tmp_path / f"{n_rows}.parquet") for n_rows in (250, 700))
    assert (shorter.num_rows, longer.num_rows) == (250, 700)
    assert longer.slice(0, 250).equals(shorter)
    assert longer.column_names == [*workloads.QUASI, workloads.TARGET]
    assert not longer.slice(200, 200).equals(longer.slice(0, 200))


@pytest.mark.usefixtures("small_adult")
def test_nine_columns_are_cut_from_the_standard_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workloads, "N_COMPLETE_ROWS", 400)
    for kind in (workloads.STANDARD, workloads.NINE):
        workloads.write_workload(1000, tmp_path / f"{kind}.csv", kind)
    whole_lines = [line.split(",") for line in (tmp_path / ".csv").read_text().splitlines()]
    nine = [line.split(",") for line in (tmp_path / "nine.csv").read_text().splitlines()]
    places = [whole_lines[0].index(name) for name in nine[0]]
    assert len(nine[0]) == 9
    assert nine == [[line[place] for place in places] for line in whole_lines]


def test_the_floor_groups_codes_without_pandas_and_copies_the_release(tmp_path: Path) -> None:
    source, release = tmp_path / "source.csv", tmp_path / "release.csv"
    source.write_text("a,b,c\nx,1,p\nx,1,q\ny,1,p\nx,2,p\n")
    release.write_text("a,b,c\n*,*,p\n")
    arguments = (str(source), str(tmp_path / "copy.csv"), "a,b", "codes", str(release))
    run = run_once(inside(FLOOR, 4, "benchmarks.floor", *arguments), limit=PATIENCE)
    assert run.fault == ""
    assert run.facts == {"groups": 3, "pandas": "without pandas", "imports": "imports not counted"}
    assert tuple(run.parts) == ("read", "encode", "group", "write", "copy the release (aside)")
    assert run.cpu == pytest.approx(sum(list(run.parts.values())[:4]))
    assert run.process_cpu > run.cpu
    assert (tmp_path / "copy.csv").read_text() == release.read_text()


def test_a_task_that_holds_too_much_is_ended() -> None:
    program = f"import time; held = b'x' * 300_000_000; time.sleep({2 * PATIENCE})"
    task = whole("task", 0, sys.executable, "-S", "-c", program)
    run = run_once(task, limit=PATIENCE, most_bytes=100_000_000)
    assert run.fault == "stopped at 0.1 GB"
    assert run.elapsed < PATIENCE


def plan_of(tmp_path: Path, seconds: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> Plan:
    """A plan whose tasks take so many seconds; nothing is run."""

    def measured(_plan: Plan, tasks: Sequence[Task], **_more: object) -> list[Measurement]:
        return [
            Measurement.of(task, [_run(seconds[task.name], "release" if task.name.startswith(FLOOR) else "")])
            for task in tasks
        ]

    monkeypatch.setattr(Plan, "measure", measured)
    monkeypatch.setattr(workloads.Workload, "ready", lambda _, folder, say: folder / _.file_name)
    return Plan(tmp_path, tmp_path, lambda _: None, n_rows=1000)


def _run(seconds: float, copied: str) -> Run:
    parts = {"copy the release (aside)": 0.5} if copied else {}
    return Run(seconds, seconds / 2, seconds, int(seconds * 100_000), parts)


def found_bars(section: Section) -> dict[tuple[str, str], float | None]:
    return {(bar.name, bar.unit): bar.figure for bar in section.bars}


def test_releases_of_nine_columns_are_held_against_both_floors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {"mondrian, csv to parquet": 2.0, "kactus, csv to csv": 1.5, "tds, csv to csv": 1.0}
    others |= {"sketch, csv to csv": 5.0, "sketch, csv to parquet": 4.0, releases.SKETCH_FLOOR: 2.0}
    seconds = {FLOOR: 1.0, MONDRIAN: 3.0, f"{MONDRIAN}, 1234567": 6.0, **others}
    plan = plan_of(tmp_path, seconds, monkeypatch)
    plan = replace(plan, against=Code("1234567", tmp_path))
    figures = found_bars(releases.time_nine(plan))
    assert figures == {
        (f"{MONDRIAN}, 1,000 rows", "x floor"): 3.0,
        (f"{MONDRIAN}, 1,000 rows", "x floor and a copy of the release"): 2.0,
        ("mondrian, csv to parquet, 1,000 rows", "x floor"): 2.0,
        ("kactus, csv to csv, 1,000 rows", "x floor"): 1.5,
        ("tds, csv to csv, 1,000 rows", "x floor"): 1.0,
        ("sketch, csv to parquet, 1,000 rows", "x floor"): 4.0,
        ("sketch, csv to csv, 1,000 rows", "x floor and a copy of the release"): 2.0,
        ("sketch, csv to parquet, 500 rows to 1,000 rows", "x the time"): 1.0,
        ("sketch, csv to parquet, 1,000 rows to 2,000 rows", "x the time"): 1.0,
        (f"{MONDRIAN}, 1,000 rows, peak memory", "kB per row"): pytest.approx(0.3),
        (f"{MONDRIAN}, 1,000 rows, clock", "s per processor second"): 0.5,
        ("hardly a tuple twice, 1,000 rows, time", "x 1234567"): 0.5,
    }


def test_realistic_rows_are_held_against_a_commit_and_against_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = {"mondrian, parquet to parquet": 2.0, "mondrian, parquet to parquet, 1234567": 8.0}
    plan = plan_of(tmp_path, seconds, monkeypatch)
    assert [bar.bar for bar in releases.time_realistic(plan).bars] == [None]
    plan = replace(plan, against=Code("1234567", tmp_path), n_realistic=2000, n_huge=4000)
    time_bar, memory_bar = releases.time_realistic(plan).bars
    assert (time_bar.figure, memory_bar.figure) == (0.25, 0.25)
    assert (time_bar.bar, memory_bar.bar) == bars.REALISTIC_BARS
    memory_bar, time_bar = releases.time_huge(plan).bars
    assert (memory_bar.figure, time_bar.figure) == (pytest.approx(0.0002), 1.0)
    assert time_bar.bar == pytest.approx(2 * bars.HUGE_BARS[1] * N_REALISTIC_ROWS / 100_000_000)


def test_a_small_release_is_held_against_the_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(tmp_path, {releases.IMPORTS: 0.3, MONDRIAN: 0.45}, monkeypatch)
    (bar,) = releases.time_small(plan).bars
    assert bar.figure == pytest.approx(0.15)
    assert not bar.passed


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits of a package that says which one it is."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:  # a hook of git has some
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    folder = tmp_path / "repository"
    package = folder / "src" / "kanopy"
    package.mkdir(parents=True)
    git = ("git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e@example.org")
    subprocess.run((*git, "init", "-q"), check=True)
    for version in ("old", "new"):
        (package / "__init__.py").write_text(f"VERSION = '{version}'\n")
        subprocess.run((*git, "add", "-A"), check=True)
        subprocess.run((*git, "commit", "-q", "-m", version, "--no-gpg-sign"), check=True)
    return folder


def test_the_code_of_a_commit_is_what_runs(repository: Path) -> None:
    with checked_out("HEAD~1", repository) as code:
        program = code.start("import kanopy; print(kanopy.VERSION)")
        said = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True)
        assert said.stdout == "old\n"
        assert code.source is not None
        assert full_name("HEAD~1", repository).startswith(code.name)
    assert not code.source.exists()


def test_an_unknown_commit_is_refused(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="no commit"):
        full_name("no-such-commit", repository)
    with pytest.raises(SystemExit):
        command.main(["--against", "no-such-commit"])
    assert "no commit 'no-such-commit'" in capsys.readouterr().err


def release_into(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def test_whatever_differs_is_listed(tmp_path: Path) -> None:
    certificate = {"date": "today", "kanopy": "1", "rows": 3}
    one = release_into(
        tmp_path / "one",
        same_csv="x", other_csv="x", gone_csv="x",
        a_kanopy_json=json.dumps(certificate), b_kanopy_json=json.dumps(certificate),
        text_said="exit code 0\nx", code_said="exit code 0\nx",
    )  # fmt: skip
    other = release_into(
        tmp_path / "other",
        same_csv="x", other_csv="y",
        a_kanopy_json=json.dumps({**certificate, "date": "then"}),
        b_kanopy_json=json.dumps({**certificate, "rows": 4}),
        text_said="exit code 0\ny", code_said="exit code 1\nx",
    )  # fmt: skip
    expected = {
        (RELEASE, "other.csv"),
        (RELEASE, "gone.csv"),
        (CERTIFICATE, "b.kanopy.json"),
        (TEXT, "text.said"),
        (EXIT_CODE, "code.said"),
    }
    assert set(differences(one, other)) == expected
    assert list(differences(one, one)) == []


def parquet_into(folder: Path, **tables: pa.Table) -> Path:
    folder.mkdir()
    is_coded = folder.name == "one"
    for name, table in tables.items():
        path = folder / f"{name}.parquet"
        pq.write_table(table, path, use_dictionary=is_coded, row_group_size=1 if name == "cut" else 9)
        release = {"sha256": folder.name, "bytes": path.stat().st_size, "rows": table.num_rows}
        path.with_name(f"{path.name}.kanopy.json").write_text(json.dumps({"release": release}))
    return folder


def test_parquet_files_are_compared_by_their_rows(tmp_path: Path) -> None:
    table = pa.table({"x": ["a", "b", None]})
    noted, named = table.replace_schema_metadata({"note": "x"}), table.rename_columns(["y"])
    changed = {"rows": table[::-1], "note": noted, "name": named, "type": pa.table({"x": [1, 2, None]})}
    one = parquet_into(tmp_path / "one", same=table, cut=table, fewer=table, **dict.fromkeys(changed, table))
    other = parquet_into(tmp_path / "other", same=table, fewer=table[:2], **changed)
    pq.write_table(table, other / "cut.parquet", row_group_size=2)
    assert set(differences(one, other)) == {
        (ENCODING, "same.parquet"),
        (CERTIFICATE, "fewer.parquet.kanopy.json"),
        (CERTIFICATE, "cut.parquet.kanopy.json"),
        *((RELEASE, f"{name}.parquet") for name in ("cut", "fewer", *changed)),
    }


def peer(name: str, seconds: float, fault: str = "") -> Measurement:
    return Measurement.of(Task(name, peers.N_ROWS, ()), [Run(seconds, seconds, seconds, 100, fault=fault)])


def test_the_fastest_other_library_is_the_bar() -> None:
    timed = [peer(MONDRIAN, 2.0), peer("slow", 8.0), peer("fast", 4.0), peer("broken", 0.0, "not installed")]
    bar = peers.best_bar(Section("peers", MONDRIAN, timed))
    assert (bar.figure, bar.unit, bar.passed) == (0.5, "x fast", True)
    assert not peers.best_bar(Section("peers", MONDRIAN, [timed[0], timed[3]])).passed


def test_other_programs_get_source_output_and_k(tmp_path: Path) -> None:
    task = peers.program_task("other=run {source} -k {k} 'a b' {output}", tmp_path / "s", tmp_path / "o")
    assert task.name == "other"
    assert task.command == ("run", str(tmp_path / "s"), "-k", "10", "a b", str(tmp_path / "o"))


def test_the_page_shows_what_was_recorded_and_nothing_else(tmp_path: Path) -> None:
    section = Section("peers", MONDRIAN, [peer(MONDRIAN, 2.0), peer("broken", 0.0, "not installed")])
    section.bars.append(peers.best_bar(section))
    recorded = record([section], {"load": [0.0], "processors": 7}, {"versions": {"broken": "1.2"}}, "real")
    recorded["machine"]["load_after"] = [0.0]
    (tmp_path / "peers.json").write_text(json.dumps(recorded))
    assert speed_page.main([str(tmp_path / "peers.json"), "-o", str(tmp_path / "speed.md")]) == 0
    page = (tmp_path / "speed.md").read_text()
    assert f"| {MONDRIAN} | 30,162 | 2.00 | 2.00 | 1.00 | 0 |" in page
    assert "| broken 1.2 | 30,162 | not installed | | | |" in page
    assert "| the fastest other library |  | 1.00 | missed |" in page
    assert "7 processors" in " ".join(page.split())
    assert "## Other libraries" in page
    assert "## Releases" not in page
    assert max(map(len, page.splitlines())) <= 120


def test_every_section_has_a_place_on_the_page() -> None:
    assert set(command.SECTIONS) | {"peers"} == set(speed_page.TITLES)
