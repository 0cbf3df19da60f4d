"""The code of another commit, to be run beside this one."""

from __future__ import annotations

import compileall
import io
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import kanopy
from benchmarks.measure import ROOT


@dataclass(frozen=True, slots=True)
class Code:
    """Where ``kanopy`` is imported from.

    Parameters
    ----------
    name : str
        How it is called in tables; empty for the code that is installed.
    source : Path or None
        The folder that holds the package.
    """

    name: str = ""
    source: Path | None = None

    def start(self, program: str) -> str:
        """A program that imports ``kanopy`` from here."""
        place = "" if self.source is None else f"import sys; sys.path.insert(0, {str(self.source)!r}); "
        return place + program


INSTALLED = Code()


def compile_installed() -> None:
    """Compile the package, as an installation does: no timing may pay for that, nor a commit be ahead."""
    compileall.compile_dir(Path(kanopy.__file__).parent, quiet=2)


def full_name(commit: str, repository: Path = ROOT) -> str:
    """The commit that a name means; ``ValueError`` where there is none."""
    command = ("git", "-C", str(repository), "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        raise ValueError(f"no commit {commit!r} in {repository}")
    return found.stdout.strip()


@contextmanager
def checked_out(commit: str, repository: Path = ROOT) -> Iterator[Code]:
    """The package as it was at a commit, in a temporary folder; the repository stays as it is.

    It is compiled, so that the first timing does not pay for that.
    """
    full = full_name(commit, repository)
    command = ("git", "-C", str(repository), "archive", "--format=zip", full, "src")
    # As zip: in early releases of Python 3.11, tarfile cannot be told to refuse what leads out of the folder.
    packed = subprocess.run(command, capture_output=True, check=True).stdout
    with TemporaryDirectory(prefix="kanopy-commit-") as made:
        zipfile.ZipFile(io.BytesIO(packed)).extractall(made)
        source = Path(made) / "src"
        compileall.compile_dir(source, quiet=2)
        yield Code(full[:7], source)
