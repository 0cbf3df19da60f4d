"""How commands load their libraries: the same functions, whatever pyarrow does with its documentation."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from kanopy.cli import libraries
{before}
libraries.load_libraries()
import pyarrow, pyarrow.compute as pc
assert pc.round(pyarrow.array([1.26]), ndigits=1).to_pylist() == [1.3]
print("numpy" in sys.modules, "Parameters" in pc.round.__doc__, "half_to_even" in pc.round.__doc__)
from pyarrow.vendored import docscrape
assert docscrape.NumpyDocString("text")["Parameters"] == []
"""


NEEDS_MORE = """
class Other(libraries.ModuleType):
    def __getattribute__(self, name):
        if name == "NumpyDocString":
            raise AttributeError(name)
        return super().__getattribute__(name)

libraries.ModuleType = Other
"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", "True True False"),
        ("import pyarrow.compute", "True True True"),
        (NEEDS_MORE, "True True True"),
    ],
    ids=["without the parser", "loaded by somebody", "a pyarrow that needs more of the parser"],
)
def test_functions_are_the_same(before: str, said: str) -> None:
    program = PROGRAM.format(before=before)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == said.split()
