"""A signal at any import with which a command begins: the right exit code, two plain lines, no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE, run_python, spawn

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")

HIT = """
import json, os, sys

class Hit:
    '''At each import, a copy of the process gets the signal, and goes on by itself.'''
    begun = False

    def find_spec(self, name, path=None, target=None):
        self.begun = self.begun or name == "kanopy"
        if not self.begun or name == "kanopy":  # its first line is still to come
            return None
        if name == os.environ["UP_TO"]:
            os._exit(0)
        said = os.environ["SAID"]
        if (copy := os.fork()) == 0:
            sys.meta_path.remove(self)
            os.dup2(os.open(said, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), 2)
            os.kill(os.getpid(), int(os.environ["NUMBER"]))
            return None
        code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        with open(said) as file:
            print(json.dumps([name, code, file.read()]), flush=True)

sys.meta_path.insert(0, Hit())
"""
SCRIPT = "import sys\nfrom kanopy.cli.start import run\nif __name__ == '__main__':\n    sys.exit(run())\n"
"""What installers write as the program ``kanopy``."""


@pytest.mark.parametrize("way", ["kanopy", "python -m kanopy"])
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
    ids=["SIGINT", "SIGTERM"],
)
def test_a_signal_at_any_import(tmp_path: Path, way: str, number: int, code: int, said: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIT, "utf-8")
    (tmp_path / "kanopy").write_text(SCRIPT, "utf-8")
    how = ["-m", "kanopy"] if way.startswith("python") else [str(tmp_path / "kanopy")]
    env = {
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "NUMBER": str(int(number)),
        "SAID": str(tmp_path / "said"),
        "UP_TO": "kanopy.algorithms.method",  # while a command is imported, signals wait until that is done
    }
    done = subprocess.run(
        [sys.executable, *how, "methods"],
        env=os.environ | env, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    hits = [json.loads(line) for line in done.stdout.splitlines()]
    names = [name for name, *_ in hits]
    # From the first import of the package itself to those of a command.
    assert {"typing", "kanopy._lazy", "kanopy.cli.start", "argparse", "kanopy.cli.methods"} < {*names}
    expected = [code, f"error: {said}\n hint: nothing was published\n"]
    assert [hit for hit in hits if hit[1:] != expected] == []


def test_a_signal_while_it_is_told_what_happened() -> None:
    """A second Ctrl-C, say: the first one is still being answered."""
    prelude = (
        "import os, signal, kanopy.cli.main as m, kanopy.cli.methods as c\n"
        "def run(given): raise KeyboardInterrupt\n"
        "def left(given): os.kill(os.getpid(), signal.SIGINT); return 'nothing was published'\n"
        "c.run, m._what_is_left = run, left"
    )
    done = spawn("methods", prelude=prelude)
    assert (done.code, done.err) == (130, "error: interrupted\n hint: nothing was published\n")


def test_a_program_that_imports_kanopy_keeps_its_signals() -> None:
    """Also one that a command has started, which is given the arguments of the command."""
    program = (
        "import signal, sys; sys.argv = ['/x/kanopy', 'methods']; import kanopy; "
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, "
        "signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)"
    )
    assert run_python(program).stdout == "True True\n"
