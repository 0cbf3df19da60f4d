"""The Java machine of Weka's classifiers: shared, started again, ended in time, and built from its source."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pytest
from command import PATIENCE, run_python, until
from effort import IS_DEEP
from sklearn.base import clone
from weka_process import requires_weka, the_program

from kanopy.errors import KanopyError, PolicyError, ResourceError
from kanopy_weka import program as program_module
from kanopy_weka.classifier import WekaClassifier
from kanopy_weka.program import find_jar, stop_all

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc to look at programs")
later = pytest.mark.skipif(not IS_DEEP, reason="takes long: KANOPY_DEEP=1 runs it")

STRICT = "import warnings; warnings.simplefilter('error')\n"

SLOW = WekaClassifier("MultilayerPerceptron", ("-N", "9999999"))
"""Hours of training."""


def is_alive(pid: int) -> bool:
    """Whether it runs; what has ended has no words left, even where nobody waited for it."""
    try:
        return b"WekaDriver" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def ends(pid: int) -> bool:
    return bool(until(lambda: not is_alive(pid)))


def work_for(pid: int, seconds: float) -> None:
    """Wait until a process has worked for so long, however long that takes here."""

    def ticks() -> int:
        return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))

    end = ticks() + seconds * os.sysconf("SC_CLK_TCK")
    until(lambda: ticks() >= end)


@requires_weka
def test_two_classifiers_share_one_machine(mixed: pa.Table) -> None:
    first = WekaClassifier().fit(mixed, "class")
    pid = the_program().pid
    second = WekaClassifier("NaiveBayes").fit(mixed, "class")
    first.predict(mixed)
    second.predict(mixed)
    assert pid is not None
    assert the_program().pid == pid
    assert WekaClassifier(jar=find_jar())._program() is the_program()


@later
@requires_weka
def test_more_models_than_the_machine_remembers(mixed: pa.Table) -> None:
    learners = [WekaClassifier(options=("-M", str(number))).fit(mixed, "class") for number in range(1, 13)]
    expected = [clone(learner).fit(mixed, "class").predict_proba(mixed) for learner in learners]
    for _ in range(2):
        for learner, shares in zip(learners, expected, strict=True):
            assert (learner.predict_proba(mixed) == shares).all()
    assert len({shares.tobytes() for shares in expected}) > 3


@requires_weka
def test_threads_wait_for_each_other(mixed: pa.Table) -> None:
    expected = WekaClassifier().fit(mixed, "class").predict(mixed)
    found: list[bool] = []

    def work() -> None:
        for _ in range(3):
            found.append(bool((WekaClassifier().fit(mixed, "class").predict(mixed) == expected).all()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 12


@requires_weka
def test_pickled_models_answer_elsewhere(mixed: pa.Table, tmp_path: Path) -> None:
    learners = [WekaClassifier(scheme).fit(mixed, "class") for scheme in ("J48", "IBk")]
    expected = [learner.predict_proba(mixed) for learner in learners]
    copies = [pickle.loads(pickle.dumps(learner)) for learner in learners]
    stop_all()  # and with it everything that Java knew
    for copy, shares in zip(copies, expected, strict=True):
        assert (copy.predict_proba(mixed) == shares).all()
    (tmp_path / "learner.pickle").write_bytes(pickle.dumps((learners[-1], mixed)))
    program = (
        "import pickle, sys; learner, table = pickle.loads(open(sys.argv[1], 'rb').read()); "
        "print(learner.predict_proba(table).sum(axis=0).tolist())"
    )
    printed = run_python(STRICT + program, tmp_path / "learner.pickle", check=True).stdout
    assert printed.strip() == str(expected[-1].sum(axis=0).tolist())


LEARN = """
import os, sys
from kanopy_weka.classifier import WekaClassifier
learner = WekaClassifier().fit([[1.0], [2.0]] * 5, [0, 1] * 5)
print(learner._program().pid, flush=True)
"""


@later
@requires_weka
@needs_proc
def test_it_ends_with_the_program() -> None:
    done = run_python(STRICT + LEARN, check=True)
    assert done.stderr == ""
    assert not is_alive(int(done.stdout))


TRAIN_FOR_HOURS = """
from kanopy_weka import program
read = program._read
def waiting(stream):
    print("asked", flush=True)
    return read(stream)
program._read = waiting
WekaClassifier("MultilayerPerceptron", ("-N", "9999999")).fit([[1.0], [2.0]] * 5, [0, 1] * 5)
"""


@requires_weka
@needs_proc
@pytest.mark.parametrize(
    "work",
    [pytest.param("sys.stdin.read()", marks=later, id="idle"), pytest.param(TRAIN_FOR_HOURS, id="training")],
)
def test_it_ends_with_a_program_that_was_killed(work: str) -> None:
    """Idle or in the middle of an endless training."""
    command = [sys.executable, "-c", LEARN + work]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with child:
        assert child.stdout is not None
        pid = int(child.stdout.readline())
        assert is_alive(pid)
        if work == TRAIN_FOR_HOURS:
            assert child.stdout.readline() == "asked\n"
            work_for(pid, 0.3)
        child.kill()
    assert ends(pid)


@later
@requires_weka
@needs_proc
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_starts_its_own() -> None:
    program = LEARN + (
        "import threading\n"
        "held, done = threading.Event(), threading.Event()\n"
        "def hold():\n"
        "    with learner._program()._lock:\n"
        "        held.set()\n"
        "        done.wait()\n"
        "thread = threading.Thread(target=hold)\n"
        "thread.start()\n"
        "held.wait()\n"  # somebody asks at this moment: the child must not wait for an answer to that
        "child = os.fork()\n"
        "done.set()\n"
        "if not child:\n"
        "    again = WekaClassifier().fit([[1.0], [2.0]] * 5, [0, 1] * 5)\n"
        "    print(again._program().pid, flush=True)\n"
        "    assert learner.predict([[2.0]]) == [1]\n"
        "    sys.exit()\n"
        "os.waitpid(child, 0)\n"
        "assert learner.predict([[2.0]]) == [1]\n"
        "print(learner._program().pid)\n"
    )
    # From Python 3.12 on, a fork beside threads is warned of; ours sleep.
    done = run_python(program, check=True)
    first, second, third = map(int, done.stdout.split())
    assert first == third != second
    assert ends(first)
    assert ends(second)


@requires_weka
@needs_proc
def test_it_is_started_again_when_somebody_ended_it(mixed: pa.Table) -> None:
    learner = WekaClassifier().fit(mixed, "class")
    expected = learner.predict(mixed)
    pid = the_program().pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(lambda: the_program().pid != pid)  # its threads take a moment to end
    assert (learner.predict(mixed) == expected).all()
    assert the_program().pid not in (None, pid)


@requires_weka
@needs_proc
def test_a_crash_in_the_middle(mixed: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    WekaClassifier().fit(mixed, "class")
    pid = the_program().pid
    assert pid is not None

    def killed(answers: IO[bytes]) -> bytes:
        """The request is on its way, and its answer hours away."""
        os.kill(pid, signal.SIGKILL)
        return read(answers)

    read = program_module._read
    with monkeypatch.context() as patch:
        patch.setattr(program_module, "_read", killed)
        with pytest.raises(ResourceError, match="ended in the middle of its work, with code -9"):
            clone(SLOW).fit(mixed, "class")
    assert WekaClassifier().fit(mixed, "class").predict(mixed).shape == (300,)


@requires_weka
@needs_proc
def test_timeout(mixed: pa.Table) -> None:
    WekaClassifier().fit(mixed, "class")
    pid = the_program().pid
    assert pid is not None
    began = time.monotonic()
    with pytest.raises(ResourceError, match=r"within 0\.5 seconds"):
        clone(SLOW).set_params(timeout=0.5).fit(mixed, "class")
    assert time.monotonic() - began < PATIENCE, "and not when the training ends"
    assert ends(pid)
    assert WekaClassifier().fit(mixed, "class").predict(mixed).shape == (300,)


@requires_weka
@needs_proc
def test_an_interrupt_does_not_mix_up_answers(mixed: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = WekaClassifier().fit(mixed, "class")
    expected = learner.predict(mixed)
    pid = the_program().pid
    assert pid is not None

    def interrupted(stream: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(program_module, "_read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            WekaClassifier("NaiveBayes").fit(mixed, "class")
    assert ends(pid)
    assert (learner.predict(mixed) == expected).all()


@requires_weka
@needs_proc
def test_it_ends_when_nobody_asks(mixed: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = WekaClassifier().fit(mixed, "class")
    program = the_program()
    pid = program.pid
    assert pid is not None
    program._stop_idle()  # as a timer that somebody's request has replaced: too late to end it
    assert program.pid == pid
    monkeypatch.setattr(program_module, "IDLE_SECONDS", 0.01)
    learner.predict(mixed)
    assert ends(pid)
    assert learner.predict(mixed).shape == (300,)


@later
@requires_weka
def test_memory(mixed: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_all()
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xmx24m")
    n_rows = 40_000
    rng = np.random.default_rng(0)
    with pytest.raises(KanopyError, match=r"memory|ended in the middle") as told:
        WekaClassifier("IBk").fit(rng.random((n_rows, 20)), rng.integers(0, 2, n_rows))
    assert "-Xmx4g" in told.value.hint
    monkeypatch.delenv("JAVA_TOOL_OPTIONS")
    stop_all()
    assert WekaClassifier().fit(mixed, "class").predict(mixed).shape == (300,)


# --- the driver -----------------------------------------------------------------------------------------


def test_the_driver_runs_on_any_java_from_8_on() -> None:
    content = (program_module.DRIVER_FOLDER / "WekaDriver.class").read_bytes()
    assert content[:4] == b"\xca\xfe\xba\xbe"
    assert int.from_bytes(content[6:8], "big") == 52
    assert b"weka/" not in content  # nothing of Weka was there when it was compiled


@requires_weka
@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no javac to build the driver with")
def test_the_driver_is_what_its_source_says(
    tmp_path: Path, mixed: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = program_module.DRIVER_FOLDER
    # As its source tells.
    command = ["javac", "-version", "--release", "8", "-Xlint:-options", "-g:none", "-d", str(tmp_path)]
    done = subprocess.run(
        [*command, str(folder / "WekaDriver.java")], capture_output=True, text=True, check=True
    )
    assert [path.name for path in tmp_path.iterdir()] == ["WekaDriver.class"]
    if done.stdout.startswith("javac 17."):  # with which the one beside the source was built
        assert (tmp_path / "WekaDriver.class").read_bytes() == (folder / "WekaDriver.class").read_bytes()
    shipped = WekaClassifier().fit(mixed, "class")
    expected = shipped.predict_proba(mixed)
    stop_all()
    monkeypatch.setattr(program_module, "DRIVER_FOLDER", tmp_path)
    built = WekaClassifier().fit(mixed, "class")
    assert built.description_ == shipped.description_
    assert (built.predict_proba(mixed) == expected).all()
    with pytest.raises(PolicyError, match="-Z"):
        WekaClassifier(options=("-Z",)).fit(mixed, "class")
    stop_all()
