"""The fuzz targets find planted bugs, and a bug that kills or hangs its process is found as well."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from command import PATIENCE, until
from effort import n_tables

import kanopy
from fuzz import __main__ as command
from fuzz import (
    cases,
    cells_target,
    certificate_target,
    csv_target,
    draft_target,
    parquet_target,
    watch,
    written_target,
)
from fuzz.board import Board
from fuzz.cases import Case, random_case
from fuzz.csv_target import SECRET
from fuzz.guided import is_available
from fuzz.loop import run_loop
from fuzz.recount import Judged, Written
from fuzz.session import Session
from fuzz.target import Target
from fuzz.targets import NAMES, make_target
from fuzz.watch import Plan
from fuzz.written_target import WrittenTarget
from kanopy.certificate import reading
from kanopy.engines import deciding
from kanopy.errors import InputError, PolicyError, VerificationError
from kanopy.policy import Policy

BYTES = ("csv", "draft", "policy", "parquet", "certificate", "cells")
"""Promises on which some methods still end with exit code 5, so a run with them would not be clean."""


def run(target: Target, folder: Path, n_runs: int = 150, seed: int = 0) -> Session:
    session = Session(target, folder, max_runs=n_runs, hang=PATIENCE)  # the first input loads libraries
    run_loop(session, seed, None)
    return session


# --- Planted bugs ----------------------------------------------------------------------------------------


def raising(error: Exception) -> Callable[..., Any]:
    def read(*_arguments: Any, **_named: Any) -> Any:
        raise error

    return read


PLANTED: dict[str, tuple[str, Any, str, Any]] = {
    "csv raises": ("csv", csv_target, "read_source", raising(ValueError("oops"))),
    "csv shows a cell": ("csv", csv_target, "read_source", raising(InputError(f"bad {SECRET}"))),
    "suggest raises": ("draft", draft_target, "suggest", raising(ValueError("oops"))),
    "encode raises": ("csv", csv_target, "encode", raising(KeyError("oops"))),
    "policy raises": ("policy", Policy, "load", raising(TypeError("oops"))),
    "policy is used wrongly": ("policy", kanopy, "anonymize", raising(IndexError("oops"))),
    "the engine disagrees": ("policy", kanopy, "anonymize", raising(VerificationError("oops"))),
    "parquet raises": ("parquet", parquet_target, "read_source", raising(OSError("oops"))),
    "certificates raise": ("certificate", reading, "promise_of", raising(KeyError("oops"))),
    "a wrong code": ("certificate", kanopy, "verify", raising(PolicyError("oops"))),
    "cells are not escaped": ("cells", cells_target, "write_alone", lambda text: text),
    "members are not escaped": ("cells", cells_target, "write_member", lambda text: text),
    "cells are not read": ("cells", cells_target, "read_cell", raising(IndexError("oops"))),
    "columns are not read": ("cells", cells_target, "new_column", raising(IndexError("oops"))),
}


@cache
def is_sound(name: str) -> bool:
    """Whether the same run finds nothing where no bug is planted."""
    with TemporaryDirectory() as folder:
        return not run(make_target(name), Path(folder), 60).failed


@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_is_found_and_can_be_replayed(
    bug: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name, home, attribute, planted = PLANTED[bug]
    target = make_target(name)
    assert is_sound(name)
    monkeypatch.setattr(home, attribute, planted)
    assert run(target, tmp_path, 60).failed
    kept = next(tmp_path.glob(f"{name}-*.input"))
    assert kept.with_suffix(".txt").read_text(encoding="utf-8").strip()
    with pytest.raises(Exception, match=r"."):
        command.main(["--replay", str(kept)])
    monkeypatch.undo()
    assert command.main(["--replay", str(kept)]) == 0


@pytest.mark.parametrize(
    "damage",
    [
        lambda table: table.slice(1),
        lambda table: table.rename_columns([f"{name}." for name in table.column_names]),
        lambda table: table.set_column(0, table.column_names[0], pa.array(["x"] * table.num_rows)),
    ],
)
@pytest.mark.parametrize(("name", "home"), [("csv", csv_target), ("parquet", parquet_target)])
def test_a_reader_that_reads_something_else_is_found(
    name: str,
    home: Any,
    damage: Callable[[pa.Table], pa.Table],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    read = home.read_source
    monkeypatch.setattr(home, "read_source", lambda *given, **named: damage(read(*given, **named)))
    assert run(make_target(name), tmp_path).failed


def test_an_input_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_target, "read_source", lambda *_given, **_named: time.sleep(PATIENCE))
    session = Session(make_target("csv"), tmp_path, hang=0.05, max_runs=1)
    run_loop(session, 0, None)
    assert [kind.partition(" ")[0] for kind in session.failed] == ["HangError"]


def test_an_input_that_takes_too_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = make_target("csv")
    monkeypatch.setattr(target, "memory_limit", 1 << 26)
    earlier = b"x" * (1 << 28)  # what was held before this input is not counted, nor hides what it takes
    del earlier
    monkeypatch.setattr(target, "execute", lambda data: "x"[len(b"x" * (1 << 27)) :])
    session = run(target, tmp_path, 1)
    assert [kind for kind in session.failed if "more than 64 MiB for one input" in kind], session.failed


# --- Written files ---------------------------------------------------------------------------------------


def test_written_files_keep_their_promise(tmp_path: Path) -> None:
    session = run(WrittenTarget(), tmp_path, 150)
    assert not session.failed
    assert sum(number for word, number in session.outcomes.items() if word.endswith("|written")) > 75


def test_a_method_that_keeps_one_less_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "KINDS", ("k",))
    policy = written_target._policy
    monkeypatch.setattr(
        written_target, "_policy", lambda case: policy(replace(case, k=case.k - 1 if case.k > 2 else 2))
    )
    session = run(WrittenTarget(), tmp_path, n_tables(30, 80))
    assert any("members, k is" in kind for kind in session.failed)
    kept = next(tmp_path.glob("written-*.input"))
    assert Case.from_json(kept.read_bytes()).kind == "k"
    with pytest.raises(written_target.CaseError):
        command.main(["--replay", str(kept)])


def test_an_engine_that_disagrees_with_itself_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "judge", raising(VerificationError("the recount disagrees")))
    session = run(WrittenTarget(), tmp_path, 12)
    assert session.failed
    assert all("exit code 5" in kind for kind in session.failed)


def test_a_traceback_of_a_method_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "publish", raising(KeyError("oops")))
    session = run(WrittenTarget(), tmp_path, 12)
    assert session.failed
    assert all("KeyError" in kind for kind in session.failed)
    assert any(word.endswith("|failed") for word in session.outcomes)


@pytest.mark.parametrize("wrong", [{"in": 1}, {"out": 1}, {"dropped": 1}])
def test_rows_that_do_not_add_up_are_found(wrong: dict[str, int]) -> None:
    case = random_case(Random(0), (kanopy.methods()[0],))  # one that never refuses
    release = kanopy.anonymize(
        written_target._source(case), written_target._policy(case), method=case.method, **case.options
    )
    file = written_target.read_csv(release.write(written_target.scratch() / "some.csv", force=True))
    counts = release.manifest["rows"]
    written_target._judge(case, file, counts)
    with pytest.raises(written_target.CaseError):
        written_target._judge(case, file, {name: counts[name] + wrong.get(name, 0) for name in counts})


def test_a_case_is_the_same_after_json() -> None:
    for seed in range(50):
        case = random_case(Random(seed), tuple(kanopy.methods()))
        assert Case.from_json(case.to_json()) == case


# --- The foreign recount ---------------------------------------------------------------------------------


def test_the_recount_knows_nothing_of_kanopy() -> None:
    program = "import sys, fuzz.recount; sys.exit(any(name.startswith('kanopy') for name in sys.modules))"
    root = Path(command.__file__).parent.parent
    assert subprocess.run([sys.executable, "-c", program], cwd=root, check=False).returncode == 0


def judged(groups: list[list[str]], kind: str, persons: list[int] | None = None, **promise: Any) -> list[str]:
    lines = [(str(number), value) for number, group in enumerate(groups) for value in group]
    file = Written(["q", "s"], lines)
    return Judged(file, ["q"], None, {"kind": kind, "column": "s", **promise}, persons).broken()


HALF = [["a", "a", "b"], ["a", "b", "b"]]
FRUIT = [["apple", "apple", "rock"], ["pear", "pear", "rock"]]


@pytest.mark.parametrize(
    ("kind", "groups", "kept", "broken"),
    [
        ("k sets", HALF, {"sets": [[["q"], 3]]}, {"sets": [[["q"], 4]]}),
        ("distinct", HALF, {"l": 2}, {"l": 3}),
        ("entropy", [["a", "b"], ["b", "c"]], {"l": "2"}, {"l": "2.001"}),
        ("recursive", HALF, {"c": "2.001", "l": 2}, {"c": "2", "l": 2}),
        ("closeness equal", HALF, {"t": "1/6"}, {"t": "0.16"}),
        ("closeness ordered", [["2", "10"], ["2", "30"]], {"t": "1/8"}, {"t": "0.12"}),
        ("closeness ordered", [["2", "10"], ["", "30"]], {"t": "1/3"}, {"t": "0.33"}),
        ("closeness hierarchical", FRUIT, {"t": "1/9"}, {"t": "0.11"}),
        ("alpha", HALF, {"alpha": "2/3", "value": None}, {"alpha": "0.66", "value": None}),
        ("alpha", HALF, {"alpha": "2/3", "value": "b"}, {"alpha": "0.66", "value": "b"}),
        (
            "template",
            HALF,
            {"given": ["q"], "value": "a", "at_most": "2/3"},
            {"given": ["q"], "value": "a", "at_most": "0.66"},
        ),
        ("delta", HALF, {"delta": "0.6", "strict_zero": True}, {"delta": "0.58", "strict_zero": True}),
        (
            "delta",
            [["a", "b"], ["a", "b", "a", "b", "c"]],
            {"delta": "1", "strict_zero": False},
            {"delta": "1", "strict_zero": True},
        ),
        ("beta", HALF, {"beta": "1/3", "likeness": "basic"}, {"beta": "0.33", "likeness": "basic"}),
        (
            "beta",
            [["a", "a", "b"], ["a", "a", "a", "a", "a"]],
            {"beta": "9", "likeness": "basic"},
            {"beta": "9", "likeness": "enhanced"},
        ),
    ],
)
def test_a_promise_that_is_just_kept_and_just_broken(
    kind: str, groups: list[list[str]], kept: dict[str, Any], broken: dict[str, Any]
) -> None:
    assert not judged(groups, kind, **kept)
    assert judged(groups, kind, **broken)


def test_k_counts_persons() -> None:
    file = Written(["q", "s"], [("1", "a"), ("1", "b"), ("1", "c")])
    assert not Judged(file, ["q"], 3, {"kind": "k"}).broken()
    assert not Judged(file, ["q"], 2, {"kind": "k"}, [1, 1, 2]).broken()
    assert Judged(file, ["q"], 3, {"kind": "k"}, [1, 1, 2]).broken()


def test_other_promises_count_persons_too() -> None:
    groups, persons = [["a", "a", "a", "b"]], [1, 1, 2, 3]
    assert judged(groups, "alpha", alpha="0.7", value=None)  # 3 of 4 rows
    assert not judged(groups, "alpha", persons, alpha="0.7", value=None)  # 2 of 3 persons
    assert judged([["a", "a", "b"]], "alpha", [1, 1, 1], alpha="0.9", value=None)  # the only person
    assert not judged([["a", "a", "b"]], "entropy", [1, 1, 1], l="2")  # two pairs, equally frequent


# --- The command -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BYTES)
def test_a_smoke_run_finds_nothing(name: str, tmp_path: Path) -> None:
    session = run(make_target(name), tmp_path, n_tables(100, 2000), seed=3)
    assert not session.failed, list(session.failed)
    assert len(session.outcomes) > 5


def test_two_seconds_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--target", "cells", "--seconds", "2", "--engine", "mutation", "--jobs", "2"]
    assert command.main([*given, "--failures", str(tmp_path), "--corpus", str(tmp_path / "corpus")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("cells: ")
    assert "0 failed" in said
    assert list((tmp_path / "corpus" / "cells").iterdir())


def test_runs_are_counted_over_all_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--target", "written", "--runs", "8", "--jobs", "2", "--failures", str(tmp_path)]
    command.main(given)
    said = capsys.readouterr().out
    assert "written: 8 inputs" in said
    assert said.count("\n  ") >= 2


@pytest.mark.parametrize(
    ("name", "kind"), [("Dies", "the process died with -9"), ("Hangs", "hang in foreign code")]
)
def test_a_worker_that_dies_or_hangs(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "HANG", 5.0)
    monkeypatch.setattr(watch, "_PATIENCE", 5.0)
    tally = watch.watch(Plan(f"tests.fuzz_targets:{name}", "mutation", tmp_path, runs=6), 1)
    assert tally.failed[kind] == 2, "each worker gets as far as the third input, and another one goes on"
    assert next(tmp_path.glob(f"{name}-*.input")).read_bytes() == b"deadly"


def test_a_worker_that_hangs_between_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_LONGEST_PAUSE", 4.0)
    tally = watch.watch(Plan("tests.fuzz_targets:Pauses", "mutation", tmp_path, seconds=1), 1)
    assert dict(tally.failed) == {"hang between inputs": 1}


@pytest.mark.parametrize("engine", ["mutation", "atheris"])
def test_a_target_that_cannot_make_its_inputs(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "atheris" and not is_available():
        pytest.skip("Atheris is not installed")
    monkeypatch.setattr(watch, "_LONGEST_PAUSE", PATIENCE)
    tally = watch.watch(Plan("tests.fuzz_targets:MakesNothing", engine, tmp_path, seconds=PATIENCE), 1)
    assert dict(tally.failed) == {"the worker failed": 1}
    assert "nothing to make" in next(tmp_path.glob("*.txt")).read_text(encoding="utf-8")


def test_values_put_into_a_certificate_stay_as_they_are() -> None:
    """Certificates are changed in place: a list that is put into one and then changed must be a copy."""
    before = deepcopy(certificate_target._VALUES)
    target = make_target("certificate")
    for number in range(n_tables(1000, 3000)):
        target.make(Random(number))
    assert before == certificate_target._VALUES


def test_ctrl_c_prints_the_totals(tmp_path: Path) -> None:
    patient = f"import sys, fuzz.watch as watch; watch._LAST_INPUT = watch._LONGEST_PAUSE = {PATIENCE}"
    launch = f"{patient}; from fuzz.__main__ import main; sys.exit(main())"
    given = [sys.executable, "-c", launch, "--target", "cells", "--target", "csv", "--engine", "mutation"]
    given += ["--seconds", str(PATIENCE), "--failures", str(tmp_path / "failures"), "--corpus", str(tmp_path)]
    root = Path(command.__file__).parent.parent
    streams: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(given, cwd=root, **streams, start_new_session=True)
    until(lambda: list(tmp_path.glob("cells/*")))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the watcher and its workers
    said, complaint = (text.decode() for text in process.communicate(timeout=PATIENCE))
    assert process.returncode == command.INTERRUPTED
    assert said.startswith("cells: ")
    assert not said.startswith("cells: 0 inputs")
    assert ", 0 outcomes" not in said
    assert ", 0 failed" in said
    assert "csv" not in said
    assert complaint.startswith("interrupted")
    assert not (tmp_path / "failures").exists()


def test_who_watches_sees_the_input(tmp_path: Path) -> None:
    mine, theirs = (Board(tmp_path / "board") for _ in range(2))
    assert theirs.glance().seconds == 0
    mine.begin(b"input")
    assert theirs.glance().data == b"input"
    assert theirs.glance().begun_at
    mine.end()
    assert not theirs.glance().begun_at
    assert theirs.glance().n_begun == 1


def test_wrong_requests(tmp_path: Path) -> None:
    nameless = tmp_path / "what.input"
    nameless.write_bytes(b"")
    assert command.main(["--replay", str(nameless)]) == 2
    for wrong in (["--jobs", "0"], ["--runs", "0"], ["--target", "nothing"]):
        with pytest.raises(SystemExit):
            command.main(wrong)
    assert set(BYTES) < set(NAMES)
