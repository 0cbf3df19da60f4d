"""``kanopy evaluate``: a table for eyes, JSON for machines, and the exit codes of the house."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pyarrow.csv
import pytest
from command import PATIENCE, held_after, run, start

from kanopy.cli.main import main
from kanopy.datasets import patients
from kanopy.evaluation import Score

FLAGS = [
    "--quasi", "age,sex,zip,smoker,bmi", "--target", "readmitted", "--identifiers", "patient_id,name",
    "--keep", "diagnosis,admission_type,length_of_stay", "--k", "5",
]  # fmt: skip


N_ROWS = 200


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "patients.csv"
    pyarrow.csv.write_csv(patients(N_ROWS, seed=3), path)
    return str(path)


@pytest.mark.usefixtures("few_folds")
def test_a_line_for_every_method_k_and_learner(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--methods", "mondrian,mondrian:cut=median", "--ks", "5,20", "--learners", "nb", "--jobs", "1"]
    assert main(["evaluate", table, *FLAGS[:-2], *given]) == 0, "no k is needed beside these"
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[0].split() == [
        "method", "k", "learner", "reads", "accuracy", "95%", "recoded", "original", "majority", "excess",
        "lost",
    ]  # fmt: skip
    assert [line.split()[:3] for line in lines[1:5]] == [
        ["mondrian", "5", "nb"], ["mondrian", "20", "nb"],
        ["mondrian:cut=median", "5", "nb"], ["mondrian:cut=median", "20", "nb"],
    ]  # fmt: skip
    assert "5x2 cross-validation" in out
    assert "under accuracy against k" in out
    assert out.count("differ   ") == 1
    assert "no method is shown to be better" in out or " above " in out
    assert out.count("verdict  ") == 2
    assert "a learner that reads labels" not in out


def test_methods_that_differ_in_their_last_option_are_told_apart(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["kmeans:variant=3;max_iter=10", "kmeans:variant=3;max_iter=20"]
    learner = "sklearn:DecisionTreeClassifier"
    given = ["--methods", ",".join(names), "--learners", learner, "--jobs", "1"]
    assert main(["evaluate", table, *FLAGS, *given]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == names
    assert all(learner in line for line in lines[1:3])


def test_labels_are_explained(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What a learner of Weka's cannot do, without Weka."""
    scores = [Score("m", 5, "weka:J48", "labels", *[0.5] * 13, 10)]
    nothing = {"areas": [], "ranks": None, "verdicts": [], "disclosures": []}
    found = SimpleNamespace(scores=scores, methods=["m"], protocol="how", **nothing)
    command = import_module("kanopy.cli.evaluate")
    command._say(command.standard_output(), found)
    assert "a learner that reads labels" in capsys.readouterr().out


@pytest.mark.usefixtures("few_folds")
def test_json_for_machines(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", table, *FLAGS, "--learners", "nb", "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [score["method"] for score in found["scores"]] == ["mondrian"]
    assert found["rows"] == N_ROWS


@pytest.mark.parametrize(
    ("given", "exit_code"),
    [
        (["--methods", "nothing"], 2),
        (["--learners", "nothing"], 2),
        (["--ks", "1"], 2),
        (["--jobs", "0"], 2),
        (["--ks", "1000"], 4),
    ],
)
def test_exit_codes(table: str, given: list[str], exit_code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", table, *FLAGS, "--learners", "nb", *given]) == exit_code
    assert "error:" in capsys.readouterr().err


def test_ks_must_be_numbers(table: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["evaluate", table, *FLAGS, "--ks", "five"])
    assert stopped.value.code == 2


@pytest.mark.usefixtures("few_folds")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill here")
def test_killed_without_mercy_it_goes_on_and_leaves_nobody_behind(table: str, tmp_path: Path) -> None:
    journal = tmp_path / "run.jsonl"
    command = [
        "evaluate", table, *FLAGS, "--learners", "nb", "--methods", "mondrian", "--ks", "5", "--json",
    ]  # fmt: skip
    child = start(*command, "--jobs", "2", "--journal", journal, prelude=held_after(2))
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    child.kill()
    child.communicate(timeout=PATIENCE)  # this ends when each of its processes has: they all hold its streams
    assert len(journal.read_text().splitlines()) == 3, "what it is, and two outcomes"
    again, fresh = (run(*command, "--jobs", "1", *more) for more in (("--journal", journal), ()))
    assert (again.code, fresh.code) == (0, 0)
    assert json.loads(again.out) == json.loads(fresh.out)


@pytest.mark.usefixtures("few_folds")
def test_where_every_release_is_refused_there_is_nothing_to_tell(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", table, *FLAGS, "--ks", "120,150", "--learners", "nb", "--jobs", "1"]) == 4
    assert capsys.readouterr().out.count("refused") >= 2


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("evaluate x.csv --quasi a --target b --k 5", "sklearn"),
        ("reproduce", "reproduce"),
        ("reproduce tdd-table3", "reproduce"),
    ],
)
def test_without_scikit_learn_it_says_what_to_install(command: str, extra: str) -> None:
    code = (
        "import sys; sys.modules.update({'sklearn': None, 'scipy': None, 'threadpoolctl': None})\n"
        f"sys.argv = ['kanopy', *{command!r}.split()]\n"
        "from kanopy.cli.start import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 6
    assert f'pip install "kanopy[{extra}]"' in done.stderr
