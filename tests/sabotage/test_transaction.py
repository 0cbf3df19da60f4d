"""What gets a name is the file that was judged; all files of a run get their names, or none."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import OLD, Outcome, assert_clean, content, run

from kanopy.codebook import codebook_paths
from kanopy.errors import PolicyError, ResourceError, VerificationError
from kanopy.release import Inputs, Transaction, release, written_table
from kanopy.release import transaction as transaction_module
from kanopy.release.destination import Destination
from kanopy.release.transaction import _Naming, _Removal

TABLE = "age,zip,cls\n" + "".join(
    f"{20 + i % 4},{'abc'[i % 3]},{'YNP'[(i % 4 > 1) + (i % 12 == 0)]}\n" for i in range(48)
)
FLAGS = ("--quasi=age,zip", "--target=cls", "--k=4", "--method=kadet")
BOOKS = ["out.codebook.csv", "out.codebook.md"]
FILES = ["out.csv", "out.csv.kanopy.json", *BOOKS, "tree.txt", "report.md"]
FALSE = b"age,zip,cls\n20,a,Y\n"
SUFFIXES = [".csv", ".parquet"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(TABLE)
    return tmp_path


def anonymize(folder: Path, suffix: str, *more: str | Path) -> Outcome:
    files = ("-o", folder / f"out{suffix}", "--tree", folder / "tree.txt", "--report", folder / "report.md")
    outcome = run("anonymize", folder / "data.csv", *files, *FLAGS, *more)
    assert_clean(outcome)
    return outcome


def assert_nothing_happens(folder: Path, suffix: str, code: int) -> None:
    """Neither where the files are new, nor where all of them would be replaced."""
    before = content(folder)
    assert anonymize(folder, suffix).code == code
    assert content(folder) == before
    books = [path.name for path in codebook_paths(folder / f"out{suffix}")]
    for name in (f"out{suffix}", f"out{suffix}.kanopy.json", *books, "tree.txt", "report.md"):
        (folder / name).write_bytes(OLD + name.encode())
    before = content(folder)
    for more in ((), ("--no-certificate",), ("--no-codebook",)):
        assert anonymize(folder, suffix, "--force", *more).code == code
        assert content(folder) == before


# --- The file is another one, or holds something else ------------------------------------------------------


def changed_in_place(place: Destination) -> None:
    with place.temporary.open("r+b") as stream:
        stream.write(FALSE)


def swapped(place: Destination) -> None:
    other = place.temporary.with_name("other")
    other.write_bytes(FALSE)
    other.replace(place.temporary)


def swapped_for_the_same_bytes(place: Destination) -> None:
    """What has the right bytes now, but is open elsewhere, can have others later."""
    other = place.temporary.with_name("other")
    other.write_bytes(place.temporary.read_bytes())
    other.replace(place.temporary)


def swapped_for_a_link(place: Destination) -> None:
    place.temporary.unlink()
    place.temporary.symlink_to(place.path.with_name("data.csv"))


def removed(place: Destination) -> None:
    place.temporary.unlink()


FAULTS = [changed_in_place, swapped, swapped_for_the_same_bytes, swapped_for_a_link, removed]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_after_the_file_was_judged(
    fault: Callable[[Destination], None], suffix: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge_then_fault(destination: Destination, *rest: Any) -> None:
        verify(destination, *rest)
        fault(destination)

    verify = release.verify_table
    monkeypatch.setattr(release, "verify_table", judge_then_fault)
    assert_nothing_happens(folder, suffix, 5)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("fault", FAULTS[:4])
def test_a_fault_between_the_last_check_and_the_name(
    fault: Callable[[Destination], None], suffix: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_then_fault(place: Destination, name: Path) -> None:
        check(place, name)
        if name == place.temporary and place.suffix == suffix:
            fault(place)

    check = Destination.check_unchanged
    monkeypatch.setattr(Destination, "check_unchanged", check_then_fault)
    assert_nothing_happens(folder, suffix, 5)


def test_the_judge_reads_the_file_and_not_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A good file under the name, a false one behind it: what would get the name is judged."""

    def lie(stream: Any, *_: Any, **__: Any) -> None:
        stream.write(FALSE)

    def judge_the_other(destination: Destination, *rest: Any) -> None:
        destination.temporary.unlink()
        destination.temporary.write_bytes(good)
        verify(destination, *rest)

    assert run("anonymize", folder / "data.csv", "-o", folder / "good.csv", *FLAGS).code == 0
    good = (folder / "good.csv").read_bytes()
    verify = release.verify_table
    monkeypatch.setattr(release, "verify_table", judge_the_other)
    monkeypatch.setattr(written_table, "write_csv", lie)
    outcome = anonymize(folder, ".csv")
    assert outcome.code == 5
    assert "the written file" in outcome.err, "found by the judge, not by the name"


def test_a_second_name_by_which_it_could_be_changed_later(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge_then_link(destination: Destination, *rest: Any) -> None:
        verify(destination, *rest)
        os.link(destination.temporary, folder / "second")

    verify = release.verify_table
    monkeypatch.setattr(release, "verify_table", judge_then_link)
    assert anonymize(folder, ".csv").code == 5
    assert sorted(content(folder)) == ["data.csv", "second"]
    assert stat.S_IMODE((folder / "second").stat().st_mode) == 0o600


# --- One of several names cannot be given ------------------------------------------------------------------


@pytest.mark.parametrize("taken", FILES)
def test_a_place_is_taken_during_the_run(taken: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def judge_while_somebody_writes(*arguments: Any) -> None:
        (folder / taken).write_bytes(OLD)
        verify(*arguments)

    verify = release.verify_table
    monkeypatch.setattr(release, "verify_table", judge_while_somebody_writes)
    outcome = anonymize(folder, ".csv")
    assert outcome.code == 2
    assert f"{taken} was created by another program meanwhile" in outcome.err
    assert {name: data for name, data in content(folder).items() if name != "data.csv"} == {taken: OLD}


@pytest.mark.parametrize("taken", FILES)
def test_a_place_is_taken_at_the_last_moment(
    taken: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After all places were looked at once more: what has got its name already gives it back."""

    def take_then_put(naming: _Naming) -> None:
        if naming._place.path.name == taken:
            (folder / taken).write_bytes(OLD)
        put(naming)

    put = _Naming.put
    monkeypatch.setattr(_Naming, "put", take_then_put)
    assert anonymize(folder, ".csv").code == 2
    assert {name: data for name, data in content(folder).items() if name != "data.csv"} == {taken: OLD}


@pytest.mark.parametrize("more", [(), ("--no-certificate",)])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("has_links", [True, False])
def test_what_was_replaced_or_removed_comes_back(
    name: str, has_links: bool, more: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(put: Callable[[_Naming], None]) -> Callable[[_Naming], None]:
        def put_then_fail(naming: _Naming) -> None:
            put(naming)
            if naming._place.path.name == name:
                raise OSError(5, "Input/output error")

        return put_then_fail

    def no_link(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    for each in FILES:
        (folder / each).write_bytes(OLD + each.encode())
        (folder / each).chmod(0o640)
    before = content(folder)
    for kind in (_Naming, _Removal):
        monkeypatch.setattr(kind, "put", refuse(kind.put))
    if not has_links:
        monkeypatch.setattr(os, "link", no_link)
    outcome = anonymize(folder, ".csv", "--force", *more)
    assert outcome.code == 6
    assert content(folder) == before
    assert {stat.S_IMODE((folder / each).stat().st_mode) for each in FILES} == {0o640}


@pytest.mark.parametrize("side", ["--report", "--tree"])
def test_the_folder_of_a_side_file_vanishes(side: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def judge_while_it_vanishes(*arguments: Any) -> None:
        for path in (folder / "side").iterdir():
            path.unlink()
        (folder / "side").rmdir()
        verify(*arguments)

    verify = release.verify_table
    monkeypatch.setattr(release, "verify_table", judge_while_it_vanishes)
    (folder / "side").mkdir()
    name = "side/r.md" if side == "--report" else "side/t.txt"
    outcome = run("anonymize", folder / "data.csv", "-o", folder / "out.csv", *FLAGS, side, folder / name)
    assert_clean(outcome)
    assert outcome.code == 6
    assert list(content(folder)) == ["data.csv"]


def test_the_table_gets_its_name_last(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order = []

    def put_and_tell(naming: _Naming) -> None:
        order.append(naming._place.path.name)
        put(naming)

    put = _Naming.put
    monkeypatch.setattr(_Naming, "put", put_and_tell)
    assert anonymize(folder, ".csv").code == 0
    assert order == ["report.md", "tree.txt", *BOOKS[::-1], "out.csv.kanopy.json", "out.csv"]
    assert sorted(content(folder)) == sorted(["data.csv", *FILES])


def test_a_folder_that_cannot_be_synced_is_no_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        fsync(descriptor)

    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", refuse)
    assert anonymize(folder, ".csv").code == 0


# --- The class itself --------------------------------------------------------------------------------------


def test_any_number_of_side_files(tmp_path: Path) -> None:
    with Transaction() as transaction:
        places = [transaction.reserve(tmp_path / f"{number}.csv", private=number == 3) for number in range(5)]
        for number, place in enumerate(places):
            with place.writing() as stream:
                stream.write(b"%d" % number)
        assert not list(tmp_path.glob("*.csv"))
        transaction.commit()
    assert content(tmp_path) == {f"{number}.csv": b"%d" % number for number in range(5)}
    modes = [stat.S_IMODE((tmp_path / f"{number}.csv").stat().st_mode) for number in range(5)]
    assert modes[3] == 0o600
    assert modes[0] == 0o666 & ~_umask()


def test_without_commit_nothing_stays(tmp_path: Path) -> None:
    with Transaction() as transaction:
        for name in ("a.csv", "b.csv"):
            transaction.reserve(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("second", ["a.csv", "A.csv", "a.CSV", "./a.csv", "link/a.csv"])
def test_two_outputs_with_one_name(second: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with Transaction(force=True) as transaction:
        transaction.reserve(tmp_path / "a.csv")
        with pytest.raises(PolicyError, match="two outputs are the same file"):
            transaction.reserve(f"{tmp_path}/{second}")
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_two_names_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(OLD)
    os.link(tmp_path / "a.csv", tmp_path / "b.csv")
    with Transaction(force=True) as transaction:
        transaction.reserve(tmp_path / "a.csv")
        with pytest.raises(PolicyError, match="two outputs are the same file"):
            transaction.reserve(tmp_path / "b.csv")


def test_a_run_that_is_stopped_while_it_holds_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever for a lock."""
    import fcntl

    monkeypatch.setattr(transaction_module, "PATIENCE", 0.05)
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        with Transaction() as transaction:
            transaction.reserve(tmp_path / "a.csv")
            transaction.commit()
    finally:
        os.close(held)
    assert (tmp_path / "a.csv").exists()


def test_an_old_file_on_its_way_is_not_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run that starts meanwhile must not remove what may have to come back."""

    def confirm_while_another_starts(naming: _Naming) -> None:
        with Destination(tmp_path / "a.csv", force=True):
            pass
        raise ResourceError("no")

    (tmp_path / "a.csv").write_bytes(OLD)
    monkeypatch.setattr(_Naming, "confirm", confirm_while_another_starts)
    with Transaction(force=True) as transaction:
        transaction.reserve(tmp_path / "a.csv")
        with pytest.raises(ResourceError):
            transaction.commit()
    assert content(tmp_path) == {"a.csv": OLD}


def test_an_old_file_that_cannot_be_put_back_is_not_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace_once(source: Path, target: Path) -> Path:
        if done:
            raise OSError(5, "Input/output error")
        done.append(source)
        return replace(source, target)

    def fail(naming: _Naming) -> None:
        raise ResourceError("no")

    done: list[Path] = []
    replace = Path.replace
    (tmp_path / "a.csv").write_bytes(OLD)
    monkeypatch.setattr(Path, "replace", replace_once)
    monkeypatch.setattr(_Naming, "confirm", fail)
    with Transaction(force=True) as transaction:
        transaction.reserve(tmp_path / "a.csv")
        with pytest.raises(ResourceError):
            transaction.commit()
    assert OLD in content(tmp_path).values()


def test_inputs_are_looked_at_again(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(OLD)
    with Transaction(force=True, inputs=Inputs((("input", str(tmp_path / "data.csv")),))) as transaction:
        transaction.reserve(tmp_path / "a.csv")
        os.link(tmp_path / "data.csv", tmp_path / "a.csv")
        with pytest.raises(PolicyError, match="output and input are the same file"):
            transaction.commit()
    assert content(tmp_path) == {"data.csv": OLD, "a.csv": OLD}


def test_in_python_too(tmp_path: Path) -> None:
    with Transaction() as transaction:
        place = transaction.reserve(tmp_path / "a.csv")
        with place.writing() as stream:
            stream.write(b"judged")
        place.temporary.write_bytes(b"other")
        with pytest.raises(VerificationError, match="changed after it was checked"):
            transaction.commit()
    assert not list(tmp_path.iterdir())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
