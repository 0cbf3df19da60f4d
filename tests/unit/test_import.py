"""What importing costs, and that every public name is there however it is reached."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import pytest
from command import run_python
from effort import one_in

import kanopy

HEAVY = ("numpy", "pyarrow", "narwhals", "pandas", "polars", "shtab", "sklearn", "imblearn")


def loaded(program: str) -> list[str]:
    """The heavy modules that a fresh interpreter has after the program."""
    ask = f"import sys\n{program}\nprint('LOADED', [name for name in {HEAVY} if name in sys.modules])"
    done = run_python(ask)
    assert done.returncode == 0, done.stderr
    return eval(done.stdout.rpartition("LOADED ")[2])  # our own list, printed above


HELP = """
from kanopy.cli.main import main
try:
    main({})
except SystemExit:
    pass
"""


@pytest.mark.parametrize(
    "program",
    [
        "import kanopy",
        "import kanopy; kanopy.__version__, dir(kanopy), kanopy.KanopyError",
        HELP.format("[]"),
        HELP.format("['--help']"),
        HELP.format("['anonymize', '--help']"),
        HELP.format("['--version']"),
        HELP.format("['nosuch']"),
    ],
)
def test_light(program: str) -> None:
    assert loaded(program) == []


def test_the_measurement_can_fail() -> None:
    assert loaded("import kanopy; kanopy.methods()") == ["numpy"]
    assert "pyarrow" in loaded("import kanopy; kanopy.audit")
    assert "sklearn" in loaded("import kanopy; kanopy.MondrianAnonymizer")
    assert "sklearn" not in loaded("import kanopy; kanopy.attack")


COMMANDS = """
from pathlib import Path
from kanopy.cli.main import main
rows = "".join(f"{20 + row % 9},j{row % 3},{'yn'[row % 2]}\\n" for row in range(90))
Path("data.csv").write_text("age,job,ill\\n" + rows)
Path("policy.toml").write_text('quasi_identifiers = ["age", "job"]\\ntarget = "ill"\\n[privacy]\\nk = 3\\n')
main(["anonymize", "data.csv", "-o", "out.csv", "--policy", "policy.toml"])
main(["audit", "out.csv", "--policy", "policy.toml"])
main(["verify", "out.csv"])
main(["profile", "data.csv", "--quasi", "age,job", "--sensitive", "ill"])
main(["suggest", "data.csv", "-o", "draft.toml"])
print("LOADED", sorted(name for name in sys.modules if name.startswith(UNUSED)))
import pandas, pyarrow
assert pyarrow.Table.from_pandas(pandas.DataFrame({"a": [1]})).to_pandas()["a"].tolist() == [1]
"""
UNUSED = (
    "pandas", "polars", "narwhals", "sklearn", "scipy", "shtab", "importlib.metadata", "pyarrow.parquet",
    "pyarrow.dataset", "kanopy.reporting", "kanopy.evaluation", "kanopy.algorithms.kactus",
    "kanopy.algorithms.tds", "kanopy.algorithms.clustering",
)  # fmt: skip


def test_commands_on_files_load_what_they_need(tmp_path: Path) -> None:
    """pyarrow would import pandas for its first array: that alone takes longer than a small release."""
    ask = f"import sys\nUNUSED = {UNUSED}\n{COMMANDS}"
    done = run_python(ask, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {"draft.toml", "out.csv"} <= {path.name for path in tmp_path.iterdir()}
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_no_dataframe_library_is_needed() -> None:
    """pandas and polars are for those who have them."""
    program = """
class Nobody:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "polars"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Nobody())
import kanopy, pyarrow
table = pyarrow.table({"q": ["a", "a"]})
policy = kanopy.Policy(quasi_identifiers=["q"], k=2)
assert kanopy.audit(kanopy.anonymize(table, policy).frame, policy).kept
"""
    assert set(loaded(program)) == {"numpy", "pyarrow", "narwhals"}


def test_every_public_name_resolves() -> None:
    assert set(kanopy.__all__) == set(dir(kanopy))
    for name in kanopy.__all__:
        assert getattr(kanopy, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'"):
        kanopy.nosuch


ROOMS = """
import pyarrow
import kanopy
table = pyarrow.table({"q": ["a", "a"]})
policy = kanopy.Policy(quasi_identifiers=["q"], k=2)
def check():
    assert kanopy.audit(table, policy).kept
    assert kanopy.methods()[0].name == "mondrian"
    assert kanopy.auditing.judge and kanopy.algorithms.find_method
"""
USES = {
    "first": "check()",
    "after anonymize": "kanopy.anonymize(table, policy); check()",
    "after importing the room": "import kanopy.auditing, kanopy.algorithms.mondrian; check()",
    "after importing from the room": "from kanopy.auditing import audit\n"
    "from kanopy.algorithms import methods; check(); assert audit(table, policy).kept and methods()",
    "twice": "check(); kanopy.anonymize(table, policy); check()",
    "from kanopy": "from kanopy import audit, methods; check(); assert audit(table, policy).kept; methods()",
}


@pytest.mark.parametrize("use", [use for (use,) in one_in(2, USES)])
def test_functions_and_their_rooms(use: str) -> None:
    done = run_python(ROOMS + USES[use])
    assert (done.returncode, done.stderr) == (0, "")


def test_functions_are_functions() -> None:
    for function in (kanopy.audit, kanopy.methods, kanopy.report):
        assert inspect.isfunction(function)
        assert pickle.loads(pickle.dumps(function)) is function
    assert list(inspect.signature(kanopy.audit).parameters)[:2] == ["table", "policy"]
