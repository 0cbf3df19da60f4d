"""Memory that ends, and users who have seen enough: an exit code, a sentence, and the old file."""

import os
import signal
import sys
from pathlib import Path

import pytest
from cases import FLAGS, HEADER, TABLE
from command import OLD, PATIENCE, UNTIL_A_SIGNAL, Outcome, assert_clean, spawn, start

STOP_WHILE_WRITING = f"""
import time
from kanopy.release import written_table
write = written_table.write_csv
def write_and_wait(stream, *rest, **options):
    write(stream, *rest, **options)
    stream.flush()
    print("writing", flush=True)
    {UNTIL_A_SIGNAL}
written_table.write_csv = write_and_wait
"""

STOP_WHEN_RENAMED = """
import os
from kanopy.release import transaction
sync = transaction.sync_folder
def sync_and_be_told(folder):
    os.kill(os.getpid(), {number})
    sync(folder)
transaction.sync_folder = sync_and_be_told
"""

LIMIT = """
import resource, kanopy.cli.anonymize
def limit(mebibytes):
    n_bytes = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, 2 * (n_bytes + (mebibytes << 20),))
"""

LIMIT_LATER = """
from {module} import {name} as do
import {module} as module
def do_with_a_limit(*given, **named):
    limit(4)
    return do(*given, **named)
module.{name} = do_with_a_limit
"""
"""From this call on, when all threads run: one that cannot have its first bytes ends the process itself."""

PLACES = {
    "no thread can start": ("limit(0)", "not enough memory"),
    "not every thread can start": ("limit(32)", "not enough memory to start"),
    "reading": (
        LIMIT_LATER.format(module="kanopy.frames.source", name="read_csv"),
        "the table does not fit into memory",
    ),
    "working": (LIMIT_LATER.format(module="kanopy.engines.local", name="counted_table"), "not enough memory"),
}


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("big") / "data.csv"
    rows = "".join(f"{i % 99991},{i * 7919 % 99991},{'YN'[i % 3 % 2]}\n" for i in range(100_000))
    path.write_text(HEADER + rows * 4)
    return path


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is set from /proc")
@pytest.mark.parametrize("place", PLACES)
def test_row_61_not_enough_memory(place: str, big: Path, tmp_path: Path):
    out = tmp_path / "out.csv"
    out.write_bytes(OLD)
    limit, says = PLACES[place]
    prelude = f"{LIMIT}\n{limit}"
    outcome = spawn("anonymize", big, "-o", out, *FLAGS, "--force", "--option=cut=median", prelude=prelude)
    assert outcome.code == 6, outcome
    assert says in outcome.err
    assert " hint: " in outcome.err
    assert_clean(outcome)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.csv", OLD)]


@pytest.mark.parametrize(
    ("number", "code", "says"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "terminated"),
        (signal.SIGHUP, 129, "the terminal was closed"),
    ],
)
@pytest.mark.parametrize("place", ["reading", "writing"])
def test_row_59_stopped(number: signal.Signals, code: int, says: str, place: str, tmp_path: Path):
    out = tmp_path / "out.csv"
    out.write_bytes(OLD)
    data = tmp_path / "data.csv"
    if place == "reading":
        os.mkfifo(data)
        run = start("anonymize", data, "-o", out, *FLAGS, "--force")
        writer = data.open("wb")
        writer.write(TABLE.encode())
        writer.flush()
    else:
        data.write_text(TABLE)
        run = start("anonymize", data, "-o", out, *FLAGS, "--force", prelude=STOP_WHILE_WRITING)
        assert run.stdout is not None
        assert run.stdout.readline() == b"writing\n"
        assert [path.stat().st_mode & 0o777 for path in tmp_path.glob(".*tmp")] == [0o600] * 4
    run.send_signal(number)
    said = run.communicate(timeout=PATIENCE)
    if place == "reading":
        writer.close()
    outcome = Outcome(run.returncode, *(text.decode() for text in said))
    assert outcome == Outcome(code, "", f"error: {says}\n hint: nothing was published\n")
    assert out.read_bytes() == OLD
    assert not list(tmp_path.glob(".*tmp"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_row_59_stopped_too_late(number: signal.Signals, tmp_path: Path):
    """Once the file has its name, the run has succeeded, whoever still wants to stop it."""
    (tmp_path / "data.csv").write_text(TABLE)
    out = tmp_path / "out.csv"
    prelude = STOP_WHEN_RENAMED.format(number=int(number))
    outcome = spawn("anonymize", tmp_path / "data.csv", "-o", out, *FLAGS, prelude=prelude)
    assert outcome.code == 0
    assert "written" in outcome.err
    assert out.read_text().startswith(HEADER)


@pytest.mark.parametrize(("flags", "code"), [(("--quasi=cls", "--keep=age,zip", "--k=6"), 0), (FLAGS, 1)])
def test_a_reader_who_has_seen_enough(flags: tuple[str, ...], code: int, tmp_path: Path):
    """The exit code is the verdict, whether or not anybody reads more of it."""
    (tmp_path / "data.csv").write_text(TABLE)
    closed = "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1)"
    outcome = spawn("audit", tmp_path / "data.csv", *flags, "--json", prelude=closed)
    assert outcome == Outcome(code, "", "")


def test_nohup_stays_nohup(tmp_path: Path):
    """Where SIGHUP is ignored from the start, closing the terminal does not stop the run."""
    (tmp_path / "data.csv").write_text(TABLE)
    ignore = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    raised = "from kanopy.release import written_table\nwrite = written_table.write_csv\n" + (
        "def hung_up(*rest, **options):\n    signal.raise_signal(signal.SIGHUP)\n"
        "    write(*rest, **options)\n"
        "written_table.write_csv = hung_up"
    )
    arguments = ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", *FLAGS)
    assert spawn(*arguments, prelude=f"{ignore}\n{raised}").code == 0
    assert spawn(*arguments, "--force", prelude=f"import signal\n{raised}").code == 129


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems set no such limit")
@pytest.mark.parametrize("mebibytes", [40, 80, 150, 200])
def test_row_61_not_enough_memory_to_start(mebibytes: int, tmp_path: Path):
    """What ends with 1 here would be read as a verdict on the table."""
    table = tmp_path / "data.csv"
    table.write_text(HEADER + "1,2,Y\n" * 9)
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, 2 * ({mebibytes} << 20,))"
    outcome = spawn("audit", table, *FLAGS[:2], "--k", "2", prelude=limit)
    assert outcome.code == 6, outcome
    assert " hint: " in outcome.err
    assert_clean(outcome)
