"""``-o -``: the release goes to standard output once it is verified, and nothing else does."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import _LAUNCH, PATIENCE, run, spawn

import kanopy
from kanopy.errors import VerificationError

FLAGS = ("--quasi", "age,sex", "--target", "class", "--k", "3")
ROWS = "age,sex,class\n" + "".join(f"{20 + n % 9},{'mf'[n % 2]},{'yn'[n % 3 == 0]}\n" for n in range(90))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(ROWS)
    return tmp_path / "data.csv"


ALONE = ("--no-certificate", "--no-codebook")


def test_the_same_bytes_as_a_file(data: Path) -> None:
    assert run("anonymize", data, "-o", "release.csv", *ALONE, *FLAGS).code == 0
    piped = run("anonymize", data, "-o", "-", *FLAGS)
    assert (piped.code, piped.out) == (0, Path("release.csv").read_text())
    assert "to standard output, after it was recounted" in piped.err
    assert "there is no certificate" in piped.err
    assert sorted(path.name for path in data.parent.iterdir()) == ["data.csv", "release.csv"]


def test_from_a_pipe_into_a_pipe(data: Path) -> None:
    done = spawn("anonymize", "-", "-o", "-", *FLAGS, stdin=ROWS.encode())
    assert done.code == 0
    assert done.out.startswith("age,sex,class\n")


def test_a_certificate_that_verifies_what_was_saved(data: Path) -> None:
    piped = run("anonymize", data, "-o", "-", "--certificate", "c.json", *FLAGS)
    Path("saved.csv").write_text(piped.out)
    assert run("verify", "saved.csv", "--certificate", "c.json").code == 0
    written = json.loads(Path("c.json").read_text())
    assert written["release"]["sha256"] == hashlib.sha256(piped.out.encode()).hexdigest()
    assert str(data.parent) not in Path("c.json").read_text()


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        ((*FLAGS, "--k", "91"), 4, "k = 91"),
        ((*FLAGS, "--json"), 2, "--json prints to standard output"),
        ((*FLAGS, "--report", "nowhere/r.html"), 6, "folder of the output does not exist"),
        (("--quasi", "age", "--k", "3"), 2, "does not say what these columns are"),
    ],
)
def test_refused_means_that_nothing_is_written(
    data: Path, flags: tuple[str, ...], code: int, said: str
) -> None:
    outcome = run("anonymize", data, "-o", "-", "--certificate", "c.json", *flags)
    assert (outcome.code, outcome.out, said in outcome.err) == (code, "", True), outcome.err
    assert [path.name for path in data.parent.iterdir()] == ["data.csv"]


def test_a_failed_recount_sends_nothing(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise VerificationError("the written file breaks the promise")

    monkeypatch.setattr("kanopy.release.release.verify_table", fail)
    outcome = run("anonymize", data, "-o", "-", *FLAGS)
    assert (outcome.code, outcome.out) == (5, "")


def test_what_reads_the_pipe_may_stop(data: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", _LAUNCH, "anonymize", data, "-o", "-", "--certificate", "c.json", *FLAGS]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
    os.close(write)
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr
    assert not Path("c.json").exists(), "what was not sent has no certificate"


def test_a_stream_without_a_buffer_that_takes_only_a_part(data: Path) -> None:
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))\n"
    late = "import kanopy.release.pipe as pipe\nsend = pipe.PipedDestination.send\n"
    late += f"def limited(self):\n    {limit}    return send(self)\npipe.PipedDestination.send = limited\n"
    flags = ("anonymize", data, "-o", "-", "--certificate", "c.json", *FLAGS)
    with Path("saved.csv").open("wb") as saved:
        done = subprocess.run(
            [sys.executable, "-u", "-c", late + _LAUNCH, *flags],
            stdout=saved,
            stderr=subprocess.PIPE,
            check=False,
            timeout=PATIENCE,
        )
    assert Path("saved.csv").stat().st_size == 400
    assert (done.returncode, Path("c.json").exists()) == (6, False), done.stderr


def test_a_file_has_its_certificate_beside_it(data: Path) -> None:
    outcome = run("anonymize", data, "-o", "release.csv", "--certificate", "c.json", *FLAGS)
    assert (outcome.code, "beside it" in outcome.err) == (2, True)


def test_python_writes_files(data: Path) -> None:
    release = kanopy.anonymize(data, kanopy.Policy(quasi_identifiers=["age", "sex"], target="class", k=3))
    with pytest.raises(kanopy.KanopyError, match="neither"):
        release.write("-")
