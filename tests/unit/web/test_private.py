"""The private folder: nobody else reads it, it goes with the process, and stale ones go at the next start."""

from __future__ import annotations

import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import pytest
from command import PATIENCE
from web_client import serving

from kanopy.web import private
from kanopy.web.private import PrivateFolder, remove_stale


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_it_is_private_and_removed(temporary: Path) -> None:
    folder = PrivateFolder()
    inner = folder.new("work")
    for path in (folder.path, inner):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    (inner / "table.csv").write_text("x", "utf-8")
    folder.remove()
    assert not list(temporary.iterdir())


def test_a_stale_folder_goes_and_one_in_use_stays(temporary: Path) -> None:
    used = PrivateFolder()
    stale = temporary / "kanopy-serve-stale"
    stale.mkdir()
    (stale / "owner.lock").write_text("", "utf-8")
    (stale / "upload.csv").write_text("x", "utf-8")
    target = temporary / "elsewhere"
    target.mkdir()
    (temporary / "kanopy-serve-link").symlink_to(target)
    remove_stale()
    assert used.path.exists()
    assert not stale.exists()
    assert target.exists()
    used.remove()


def test_nothing_is_left_after_a_stop_and_a_kill_is_tidied_up_at_the_next_start(tmp_path: Path) -> None:
    env = {"TMPDIR": str(tmp_path)}
    with serving(env=env) as server:
        client = server.client
        client.table(client.upload("", b"", demo="1"))
        folder = next(tmp_path.glob("kanopy-serve-*"))
        uploads = [path for path in folder.rglob("*") if path.is_file()]
        assert any(path.name == "patients.csv" for path in uploads)
        assert all(not path.stat().st_mode & 0o077 for path in [folder, *folder.iterdir()])
    assert not list(tmp_path.glob("kanopy-serve-*"))
    # What was said is where the page is and that it was stopped: no request, no name, no cell.
    assert all(re.match(r"serve    (open|nothing|for another|stopped)", said) for said in server.said)
    with serving(env=env) as server:
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(timeout=PATIENCE)
    assert list(tmp_path.glob("kanopy-serve-*"))
    with serving(env=env):
        assert len(list(tmp_path.glob("kanopy-serve-*"))) == 1


def test_a_folder_that_is_being_made_is_not_taken_for_a_stale_one(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server that starts at the same time looks for stale ones before this one holds its lock."""

    def made_while_another_starts(**given: str) -> str:
        made = mkdtemp(**given)
        remove_stale()
        return made

    monkeypatch.setattr(private.tempfile, "mkdtemp", made_while_another_starts)
    folder = PrivateFolder()
    assert [path.name for path in temporary.iterdir()] == [folder.path.name]
    remove_stale()
    assert folder.path.exists()
    folder.remove()


def test_jobs_end_with_the_server() -> None:
    """Also where it is killed: a child process notices that its parent is gone."""
    child = (
        "import kanopy.web.worker as worker, threading, time; "
        "threading.Thread(target=worker._end_with_parent, daemon=True).start(); "
        f"print('started', flush=True); time.sleep({PATIENCE}); print('outlived it', flush=True)"
    )
    code = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], stdin=subprocess.PIPE)\n"
        f"time.sleep({PATIENCE})\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "started\n"
    parent.kill()
    parent.wait()
    with parent.stdout:  # both write into it: it ends when both have ended
        assert parent.stdout.read() == ""
