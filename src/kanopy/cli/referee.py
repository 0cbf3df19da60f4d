"""``kanopy referee``: runs the file ``kanopy/referee.py`` as a program of its own."""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from importlib.util import find_spec

from kanopy.errors import ResourceError

_STOPPED = 128


def run(given: Namespace) -> int:
    # PRIVACY: another process, isolated from the environment, so that nothing that is changed in this one
    # counts there (tests/unit/test_referee.py).
    found = find_spec("kanopy.referee")  # looked up, and not imported
    assert found is not None
    file = str(found.origin)
    arguments = [given.release, "--source", given.source, "--policy", given.policy]
    try:
        command = [sys.executable, "-I", "-X", "utf8", file, *arguments, *(["--json"] if given.json else [])]
        ended = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    except OSError:
        raise ResourceError("the referee cannot be started", f"start it by hand: python {file}") from None
    sys.stderr.write(ended.stderr)
    sys.stdout.write(ended.stdout)
    return ended.returncode if ended.returncode >= 0 else _STOPPED - ended.returncode
