"""``python -m kanopy`` is the command."""

import subprocess
import sys


def test_it_tells_the_version() -> None:
    done = subprocess.run(
        (sys.executable, "-m", "kanopy", "--version"), capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("kanopy ")
