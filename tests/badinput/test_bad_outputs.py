"""Outputs that cannot or must not be written: said before the work starts, and nothing is touched."""

import os
import re
from pathlib import Path

import pytest
from cases import FLAGS, HEADER, RELEASE, TABLE
from command import OLD, PATIENCE, assert_clean, content, run, spawn, start


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    path.write_text(TABLE)
    (tmp_path / "old.csv").write_bytes(OLD)
    (tmp_path / "hard.csv").hardlink_to(path)
    (tmp_path / "to_input.csv").symlink_to(path)
    (tmp_path / "to_null.csv").symlink_to("/dev/null")
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "nowhere.csv")
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    return path


REFUSED = [
    ("54 the input", "data.csv", 2, r"output and input are the same file\n hint: choose another output"),
    (
        "54 the input by another way",
        "folder.csv/../data.csv",
        2,
        r"output and input are the same file\n hint",
    ),
    ("54 the input by another name", "hard.csv", 2, r"output and input are the same file\n hint"),
    ("55 exists", "old.csv", 2, r"'old\.csv' exists\n hint: use --force"),
    ("56 folder missing", "nowhere/out.csv", 6, r"folder of the output does not exist\n hint: create it"),
    ("56 folder is a file", "old.csv/out.csv", 6, r"cannot write.*: Not a directory\n hint: check"),
    ("56 read-only place", "/proc/out.csv", 6, r"cannot write to the folder of the output: .*\n hint: check"),
    ("56 name too long", "x" * 300 + ".csv", 6, r"cannot write.*: File name too long\n hint: check"),
    ("56 is a folder", "folder.csv", 2, r"'folder\.csv' is not a regular file\n hint: choose"),
    ("56 is a pipe", "pipe.csv", 2, r"'pipe\.csv' is not a regular file\n hint: choose"),
    ("57 link to the input", "to_input.csv", 2, r"output and input are the same file\n hint"),
    ("57 link to a device", "to_null.csv", 2, r"'to_null\.csv' is a symbolic link\n hint: name the file"),
    ("57 dangling link", "dangling.csv", 2, r"'dangling\.csv' is a symbolic link\n hint: name the file"),
    ("58 a device", "/dev/full", 2, r"'full' is neither \.csv nor \.parquet nor .*\n hint: choose"),
    ("another format", "out.xlsx", 2, r"'out\.xlsx' is neither \.csv nor \.parquet nor .*\n hint: choose"),
]


@pytest.mark.parametrize(
    ("output", "code", "says"), [case[1:] for case in REFUSED], ids=[c[0] for c in REFUSED]
)
def test_refused_before_the_work_starts(output: str, code: int, says: str, data: Path, tmp_path: Path):
    before = content(tmp_path)
    force = () if output == "old.csv" else ("--force",)
    outcome = run("anonymize", data, "-o", tmp_path / output, *FLAGS, *force)
    assert (outcome.code, bool(re.search(says, outcome.err))) == (code, True), outcome.err
    assert_clean(outcome)
    assert content(tmp_path) == before

    if output not in ("data.csv", "folder.csv/../data.csv", "hard.csv", "to_input.csv"):
        # The input does not exist either; but nobody has looked for it yet.
        early = run("anonymize", tmp_path / "nowhere.csv", "-o", tmp_path / output, *FLAGS, *force)
        assert early.err == outcome.err


def test_row_55_force_replaces_the_whole_file(data: Path, tmp_path: Path):
    assert run("anonymize", data, "-o", tmp_path / "old.csv", *FLAGS, "--force").code == 0
    assert (tmp_path / "old.csv").read_text() == RELEASE


def test_row_55_a_file_that_appears_while_working(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from kanopy.release import release

    verify = release.verify_table

    def verify_while_somebody_writes(*arguments: object) -> object:
        (tmp_path / "out.csv").write_bytes(OLD)
        return verify(*arguments)

    monkeypatch.setattr(release, "verify_table", verify_while_somebody_writes)
    outcome = run("anonymize", data, "-o", tmp_path / "out.csv", *FLAGS)
    assert (
        outcome.code,
        "out.csv was created by another program meanwhile\n hint: use --force" in outcome.err,
    ) == (
        2,
        True,
    )
    assert (tmp_path / "out.csv").read_bytes() == OLD
    assert not list(tmp_path.glob(".*tmp"))


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_row_58_the_disk_is_full(name: str, data: Path, tmp_path: Path):
    (tmp_path / name).write_bytes(OLD)
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))"
    limit += "; sys.dont_write_bytecode = True"  # or half of a module is kept for the runs after this
    outcome = spawn("anonymize", data, "-o", tmp_path / name, *FLAGS, "--force", prelude=limit)
    assert (outcome.code, outcome.err) == (
        6,
        "error: cannot write the output: File too large\n hint: check disk space and permissions\n",
    )
    assert_clean(outcome)
    assert (tmp_path / name).read_bytes() == OLD
    assert not list(tmp_path.glob(".*tmp"))


@pytest.mark.parametrize(("flags", "code"), [(("--quasi=cls", "--keep=age,zip", "--k=6"), 0), (FLAGS, 1)])
def test_row_58_nowhere_to_print(flags: tuple[str, ...], code: int, data: Path):
    """The exit code is the verdict, whether or not more of it can be read."""
    full = "import os, sys; os.dup2(os.open('/dev/full', os.O_WRONLY), 1)"
    outcome = spawn("audit", data, *flags, prelude=full)
    assert outcome == type(outcome)(
        code, "", "warning  the verdict could not be printed: No space left on device\n"
    )


def test_row_62_two_runs_to_the_same_output(data: Path, tmp_path: Path):
    out = tmp_path / "out.csv"
    runs = [start("anonymize", data, "-o", out, *FLAGS, "--force", f"--k={k}") for k in (2, 12)]
    assert [(run.communicate(timeout=PATIENCE), run.returncode)[1] for run in runs] == [0, 0]
    single_group = HEADER + '"[20, 23]",*,N\n' * 6 + '"[20, 23]",*,Y\n' * 6
    assert out.read_text() in (RELEASE, single_group)
    assert not list(tmp_path.glob(".*tmp"))
