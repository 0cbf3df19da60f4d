"""``kill -9`` at any time: afterwards the old file or the whole new one, and the next run tidies up."""

import random
import re
import signal
import stat
import subprocess
import time
from pathlib import Path

from command import OLD, run, start
from effort import IS_DEEP

from kanopy import verify

FLAGS = ("--quasi=age,zip", "--target=cls", "--k=5", "--option=cut=median")

# The longest part of a short run is starting Python: this one says when it begins, and writes slowly.
PRELUDE = """
import time
from kanopy.release import written_table
write = written_table.write_csv
def write_in_pieces(stream, *rest, **options):
    class Slow:
        waiting = b""
        def write(self, data):
            self.waiting += bytes(data)
            while len(self.waiting) > 20_000:
                stream.write(self.waiting[:20_000])
                stream.flush()
                time.sleep(0.005)
                self.waiting = self.waiting[20_000:]
    slow = Slow()
    write(slow, *rest, **options)
    stream.write(slow.waiting)
written_table.write_csv = write_in_pieces
print("go", flush=True)
"""


def table(path: Path) -> Path:
    rows = (f"{i * 7919 % 90},{i * 104729 % 1000},{'YN'[i * 31 % 7 % 2]}\n" for i in range(30_000))
    path.write_text("age,zip,cls\n" + "".join(rows))
    return path


def without_date(certificate: bytes) -> bytes:
    return re.sub(rb'"date": "[^"]*"', b"", certificate)


NAMES = {"data.csv", "out.csv", "out.csv.kanopy.json", "out.codebook.csv", "out.codebook.md"}


def started(data: Path, out: Path) -> subprocess.Popen[bytes]:
    running = start("anonymize", data, "-o", out, *FLAGS, "--force", prelude=PRELUDE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"go\n"
    return running


def test_the_old_file_or_the_whole_new_one(tmp_path: Path):
    data, out = table(tmp_path / "data.csv"), tmp_path / "out.csv"
    whole = started(data, out)
    began = time.monotonic()
    whole.communicate(timeout=60)
    usual = time.monotonic() - began
    assert whole.returncode == 0
    new, beside = out.read_bytes(), tmp_path / "out.csv.kanopy.json"
    certified = without_date(beside.read_bytes())
    books = [path.read_bytes() for path in sorted(tmp_path.glob("out.codebook.*"))]

    rng = random.Random(0)
    n_torn, n_killed, n_left = 0, 0, 0
    n_runs = 20 if IS_DEEP else 5
    for number in range(n_runs):
        out.write_bytes(OLD)
        beside.write_bytes(OLD)
        running = started(data, out)
        time.sleep(usual * (number + rng.random()) / (n_runs + 1))
        running.kill()
        running.communicate(timeout=30)
        n_killed += running.returncode == -signal.SIGKILL
        n_torn += out.read_bytes() not in (OLD, new)
        n_torn += beside.read_bytes() != OLD and without_date(beside.read_bytes()) != certified
        # The table comes last: a new one never stands beside an old certificate.
        n_torn += out.read_bytes() == new and beside.read_bytes() == OLD
        left = list(tmp_path.glob(".*tmp"))
        n_left += len(left)
        # Private, or judged: the old file has a second name for as long as it may have to come back.
        assert all(
            stat.S_IMODE(path.stat().st_mode) == 0o600
            or path.read_bytes() in (OLD, new, *books)
            or without_date(path.read_bytes()) == certified
            for path in left
        )
        for path in left:  # one of them is left for the last check
            if number < n_runs - 1:
                path.unlink()
    assert n_torn == 0
    assert n_killed >= n_runs // 2
    assert n_left > 0

    stale = tmp_path / ".out.csv.0123456789abcdef.kanopy-tmp"
    stale.touch(mode=0o600)
    assert run("anonymize", data, "-o", out, *FLAGS, "--force").code == 0
    assert {path.name for path in tmp_path.iterdir()} == NAMES
    assert out.read_bytes() == new
    assert verify(out).kept


def test_the_file_of_a_running_process_is_not_stale(tmp_path: Path):
    data, out = table(tmp_path / "data.csv"), tmp_path / "out.csv"
    running = started(data, out)
    while not list(tmp_path.glob(".*tmp")):
        time.sleep(0.005)
    assert run("anonymize", data, "-o", out, *FLAGS, "--force").code == 0
    quick = out.read_bytes()
    running.communicate(timeout=60)
    assert running.returncode == 0
    assert out.read_bytes() == quick
    assert {path.name for path in tmp_path.iterdir()} == NAMES
    assert verify(out).kept


def test_only_files_of_the_same_output_are_stale(tmp_path: Path):
    data = tmp_path / "data.csv"
    data.write_text("age,zip,cls\n" + "1,2,Y\n" * 5)
    others = [tmp_path / ".other.csv.0123.kanopy-tmp", tmp_path / ".o[u]t.csv.0123.kanopy-tmp"]
    for other in others:
        other.touch()
    stale = tmp_path / ".out.csv.0123.kanopy-tmp"
    stale.symlink_to(data)  # a link is never followed, so what it leads to is safe
    assert run("anonymize", data, "-o", tmp_path / "out.csv", *FLAGS).code == 0
    assert data.read_text().startswith("age,zip,cls\n")
    assert all(other.exists() for other in others)
