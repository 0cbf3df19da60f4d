"""``kill -9`` at any time: afterwards the old file or the whole new one, and the next run tidies up."""

import os
import random
import re
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from command import OLD, run, start
from effort import IS_DEEP

from kanopy import verify

FLAGS = ("--quasi=age,zip", "--target=cls", "--k=5", "--option=cut=median")

# Stops at every place where it might be killed, says where it is, and goes on when it is let go: before it
# begins, after each piece of the table, before each step that names, opens or removes a file, and at its end.
PRELUDE = """
import os, sys
from kanopy.release import written_table
released = os.open({gate!r}, os.O_RDONLY)
folder = os.path.dirname(sys.argv[sys.argv.index("-o") + 1])
def stop(place):
    os.write(1, place.encode() + b"\\n")
    os.read(released, 1)
write, leave = written_table.write_csv, os._exit
class Pieces:
    waiting = b""
    def __init__(self, stream):
        self.stream = stream
    def write(self, data):
        self.waiting += bytes(data)
        while len(self.waiting) > 4_000:
            self.stream.write(self.waiting[:4_000])
            self.stream.flush()
            self.waiting = self.waiting[4_000:]
            stop("piece")
def write_in_pieces(stream, *rest, **options):
    pieces = Pieces(stream)
    write(pieces, *rest, **options)
    stream.write(pieces.waiting)
def step(event, given):
    if event in ("os.chmod", "os.link", "os.rename", "os.remove"):
        if isinstance(given[0], int) or os.path.dirname(os.fsdecode(given[0])) == folder:
            stop(event)
written_table.write_csv = write_in_pieces
os._exit = lambda code: (stop("end"), leave(code))
sys.addaudithook(step)
stop("begin")
"""


class Stopping:
    """A run that stops at every place, and waits there until it is let go."""

    def __init__(self, data: Path, out: Path, gate: Path) -> None:
        self.child = start(
            "anonymize", data, "-o", out, *FLAGS, "--force", prelude=PRELUDE.format(gate=str(gate))
        )
        self._gate = os.open(gate, os.O_RDWR)  # with both ends open, nobody waits for the other to open it
        self.place = self._next()

    def _next(self) -> str:
        """Where it stops next; the empty text after its end."""
        assert self.child.stdout is not None
        return self.child.stdout.readline().decode().strip()

    def go(self) -> str:
        """Let it go to the next place."""
        os.write(self._gate, b".")
        self.place = self._next()
        return self.place

    def close(self) -> None:
        self.child.kill()
        self.child.communicate()
        os.close(self._gate)


@contextmanager
def stopping(data: Path, out: Path, folder: Path) -> Iterator[Stopping]:
    gate = folder / "gate"
    if not gate.exists():
        os.mkfifo(gate)
    running = Stopping(data, out, gate)
    try:
        yield running
    finally:
        running.close()


def table(path: Path) -> Path:
    rows = (f"{i * 7919 % 90},{i * 104729 % 1000},{'YN'[i * 31 % 7 % 2]}\n" for i in range(4_000))
    path.write_text("age,zip,cls\n" + "".join(rows))
    return path


def without_date(certificate: bytes) -> bytes:
    return re.sub(rb'"date": "[^"]*"', b"", certificate)


NAMES = {"data.csv", "out.csv", "out.csv.kanopy.json", "out.codebook.csv", "out.codebook.md"}


def places_of(data: Path, out: Path, folder: Path) -> list[str]:
    """Where a run stops that nobody kills."""
    places = []
    with stopping(data, out, folder) as running:
        while running.place:
            places.append(running.place)
            running.go()
        running.child.wait()
    assert running.child.returncode == 0
    assert [places[0], places[-1]] == ["begin", "end"]
    assert min(map(places.count, ("piece", "os.chmod", "os.link", "os.rename", "os.remove"))) > 3
    return places


def kill_points(n_places: int) -> list[int]:
    """The last place, the first one, and one of every part between them, the early ones last."""
    rng, n_parts = random.Random(0), 18 if IS_DEEP else 5
    between = [1 + int((n_places - 2) * (part + rng.random()) / n_parts) for part in range(n_parts)]
    return [n_places - 1, 0, *between[::-1]]


def test_the_old_file_or_the_whole_new_one(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    data, out, beside = table(folder / "data.csv"), folder / "out.csv", folder / "out.csv.kanopy.json"
    assert run("anonymize", data, "-o", out, *FLAGS).code == 0
    new, certified = out.read_bytes(), without_date(beside.read_bytes())
    judged = [OLD, new, certified, *(path.read_bytes() for path in folder.glob("out.codebook.*"))]
    places = places_of(data, out, tmp_path)
    n_left = []
    for point in kill_points(len(places)):
        for path in folder.glob(".*tmp"):  # what the last one leaves is there for the last check
            path.unlink()
        for path in (out, beside):
            path.write_bytes(OLD)
        with stopping(data, out, tmp_path) as killed:
            assert [killed.place, *(killed.go() for _ in range(point))] == places[: point + 1]
        assert killed.child.returncode == -signal.SIGKILL
        assert out.read_bytes() in (OLD, new)
        assert without_date(beside.read_bytes()) in (OLD, certified)
        # The table comes last: a new one never stands beside an old certificate.
        assert out.read_bytes() == OLD or beside.read_bytes() != OLD
        # Private, or judged: the old file has a second name for as long as it may have to come back.
        left = list(folder.glob(".*tmp"))
        assert all(is_private(path) or without_date(path.read_bytes()) in judged for path in left)
        n_left.append(len(left))
    assert n_left[:2] == [0, 0]
    assert n_left[-1] > 0

    stale = folder / ".out.csv.0123456789abcdef.kanopy-tmp"
    stale.touch(mode=0o600)
    assert run("anonymize", data, "-o", out, *FLAGS, "--force").code == 0
    assert {path.name for path in folder.iterdir()} == NAMES
    assert out.read_bytes() == new
    assert verify(out).kept


def is_private(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_of_a_running_process_is_not_stale(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    data, out = table(folder / "data.csv"), folder / "out.csv"
    with stopping(data, out, tmp_path) as running:
        while running.place != "piece":
            running.go()
        assert list(folder.glob(".*tmp"))
        assert run("anonymize", data, "-o", out, *FLAGS, "--force").code == 0
        quick = out.read_bytes()
        while running.place:
            running.go()
        running.child.wait()
    assert running.child.returncode == 0
    assert out.read_bytes() == quick
    assert {path.name for path in folder.iterdir()} == NAMES
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
