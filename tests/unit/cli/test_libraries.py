"""How commands load their libraries: the same functions, whatever pyarrow does with its documentation."""

from __future__ import annotations

import os

import pytest
from command import run_python

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
    done = run_python(PROGRAM.format(before=before))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == said.split()


THREADS = """
import sys
sys.argv = ["kanopy", "methods", "--json"]
from kanopy.cli import start
assert start._run() == 0
from threadpoolctl import threadpool_info
import numpy
print([each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"], file=sys.stderr)
"""


@pytest.mark.parametrize("asked", [None, "3"])
def test_threads_for_products_of_matrices_are_started_where_they_are_asked_for(asked: str | None) -> None:
    """They wait busily for work that no command has."""
    pytest.importorskip("threadpoolctl")
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    environment |= {} if asked is None else {"OPENBLAS_NUM_THREADS": asked}
    done = run_python(THREADS, env=environment)
    if done.stderr == "[]\n":
        pytest.skip("this NumPy multiplies matrices with another library")
    n_processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert (done.stderr == "[1]\n") == (asked is None or n_processors == 1), done.stderr
