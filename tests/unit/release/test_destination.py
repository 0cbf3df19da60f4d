"""Where a release is written: nothing half, nothing seen early, nothing overwritten by accident."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE

from kanopy.errors import KanopyError, PolicyError, ResourceError
from kanopy.release import Destination, Inputs, Transaction


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(path: Path, content: bytes = b"new", **options: bool) -> None:
    with Transaction(**options) as transaction:
        with transaction.reserve(path).writing() as stream:
            stream.write(content)
        transaction.commit()


@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o000, 0o666)])
def test_private_while_open_then_as_the_umask_says(mask: int, expected: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        with Transaction() as transaction:
            destination = transaction.reserve(tmp_path / "r.csv")
            assert mode(destination.temporary) == 0o600
            with destination.writing() as stream:
                stream.write(b"secret until judged")
                stream.flush()
                assert mode(destination.temporary) == 0o600
                assert not (tmp_path / "r.csv").exists()
            assert mode(destination.temporary) == 0o600
            transaction.commit()
        assert mode(tmp_path / "r.csv") == expected
        assert os.umask(mask) == mask, "asking for the mask must not change it"
    finally:
        os.umask(before)
    assert names(tmp_path) == ["r.csv"]
    assert (tmp_path / "r.csv").read_bytes() == b"secret until judged"


def test_without_commit_nothing_stays(tmp_path: Path) -> None:
    with Destination(tmp_path / "r.csv") as destination, destination.writing() as stream:
        stream.write(b"x")
    assert names(tmp_path) == []

    def fail() -> None:
        with Destination(tmp_path / "r.csv"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert names(tmp_path) == []


def test_an_old_file_stays_until_the_commit(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"old")
    with Destination(path, force=True) as destination:
        with destination.writing() as stream:
            stream.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"old"
    write(path, force=True)
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["r.csv"]


def test_writing_again_starts_anew(tmp_path: Path) -> None:
    with Transaction() as transaction:
        destination = transaction.reserve(tmp_path / "r.csv")
        for content in (b"a long first attempt", b"short"):
            with destination.writing() as stream:
                stream.write(content)
        transaction.commit()
    assert (tmp_path / "r.csv").read_bytes() == b"short"


def test_what_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    with Transaction() as transaction:
        transaction.reserve(path)
        path.write_bytes(b"of somebody else")
        with pytest.raises(PolicyError, match=r"r\.csv was created by another program meanwhile"):
            transaction.commit()
    assert path.read_bytes() == b"of somebody else"
    assert names(tmp_path) == ["r.csv"]


def test_before_commit_comes_before_the_name(tmp_path: Path) -> None:
    seen = []
    path = tmp_path / "r.csv"
    with Transaction(before_commit=lambda: seen.append(path.exists())) as transaction:
        transaction.reserve(path)
        assert seen == []
        transaction.commit()
    assert seen == [False]
    assert path.exists()


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_bytes(b"old")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "link.csv").symlink_to("old.csv")
    (tmp_path / "dangling.csv").symlink_to("nowhere")
    os.link(tmp_path / "old.csv", tmp_path / "same.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    old = tmp_path / "old.csv"
    cases: list[tuple[str, type[KanopyError], str, Path | None, bool]] = [
        ("r.xlsx", PolicyError, "neither .csv nor .parquet", None, False),
        ("r", PolicyError, "neither .csv nor .parquet", None, False),
        ("r.csv.xz", PolicyError, "neither .csv nor .parquet", None, True),
        ("old.csv", PolicyError, "'old.csv' exists", None, False),
        ("old.csv", PolicyError, "output and input are the same file", old, True),
        ("same.csv", PolicyError, "output and input are the same file", old, True),
        ("link.csv", PolicyError, "output and input are the same file", old, True),
        ("link.csv", PolicyError, "is a symbolic link", None, True),
        ("dangling.csv", PolicyError, "is a symbolic link", None, True),
        ("folder.csv", PolicyError, "is not a regular file", None, True),
        ("pipe.csv", PolicyError, "is not a regular file", None, True),
        ("no/r.csv", ResourceError, "folder of the output does not exist", None, False),
        ("old.csv/r.csv", ResourceError, "", None, False),
    ]
    before = names(tmp_path)
    for name, kind, message, source, force in cases:
        inputs = Inputs() if source is None else Inputs((("input", str(source)),))
        with pytest.raises(kind) as caught:
            Destination(tmp_path / name, force=force, inputs=inputs)
        assert message in caught.value.message, name
        assert caught.value.hint, name
    assert names(tmp_path) == before
    assert old.read_bytes() == b"old"


def test_suffix_ignores_case(tmp_path: Path) -> None:
    with Destination(tmp_path / "R.CSV") as destination:
        assert destination.suffix == ".csv"


def test_stale_files_of_killed_runs_are_removed(tmp_path: Path) -> None:
    stale = tmp_path / ".r.csv.0123456789abcdef.kanopy-tmp"
    others = [".other.csv.0123456789abcdef.kanopy-tmp", ".r.csv.kanopy-tmp.txt", "rXcsv"]
    for name in (stale.name, *others):
        (tmp_path / name).write_bytes(b"cells")
    write(tmp_path / "r.csv")
    assert names(tmp_path) == sorted([*others, "r.csv"])


def test_a_name_is_not_a_pattern(tmp_path: Path) -> None:
    innocent = tmp_path / ".a.csv.0123456789abcdef.kanopy-tmp"
    stale = tmp_path / ".[a].csv.0123456789abcdef.kanopy-tmp"
    for path in (innocent, stale):
        path.write_bytes(b"cells")
    write(tmp_path / "[a].csv")
    assert (innocent.exists(), stale.exists()) == (True, False)


def test_a_stale_link_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / ".r.csv.0123456789abcdef.kanopy-tmp").symlink_to("precious")
    write(tmp_path / "r.csv")
    assert (tmp_path / "precious").read_bytes() == b"precious"


_HOLD = """
import sys
from kanopy.release import Destination
with Destination(sys.argv[1]) as destination:
    print(destination.temporary.name, flush=True)
    sys.stdin.read()
"""


def test_the_file_of_a_living_run_is_kept(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _HOLD, str(tmp_path / "r.csv")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        alive = other.stdout.readline().strip()
        write(tmp_path / "r.csv")
        assert names(tmp_path) == sorted([alive, "r.csv"])
        other.communicate("", timeout=PATIENCE)
    assert other.returncode == 0
    assert names(tmp_path) == ["r.csv"]


def test_a_killed_run_is_tidied_up_after(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _HOLD, str(tmp_path / "r.csv")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        left = other.stdout.readline().strip()
        other.kill()
        other.wait(PATIENCE)
    assert names(tmp_path) == [left]
    write(tmp_path / "r.csv")
    assert names(tmp_path) == ["r.csv"]


def test_a_full_disk(tmp_path: Path) -> None:
    def fill() -> None:
        with Destination(tmp_path / "r.csv") as destination, destination.writing():
            raise OSError(28, "No space left on device")

    with pytest.raises(ResourceError, match="cannot write the output: No space left on device") as caught:
        fill()
    assert caught.value.exit_code == 6
    assert names(tmp_path) == []


def test_a_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    write(tmp_path / "r.csv")
    assert names(tmp_path) == ["r.csv"]
