"""Methods of other people: as objects, as plug-ins, broken ones, and those that break the promise."""

from __future__ import annotations

import contextlib
import importlib
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import Outcome, run
from hypothesis import given
from hypothesis import strategies as st

import kanopy
from kanopy.algorithms import Method, find_method, methods
from kanopy.data import EncodedTable, Partition, Recoding
from kanopy.errors import KanopyWarning, PolicyError, UnsatisfiableError, VerificationError
from kanopy.estimators.anonymizer import estimator_for
from kanopy.publishing import Outputs, anonymize_to_files

DOCUMENT = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"## Your own method.*?```python\n(.*?)```", DOCUMENT, re.DOTALL)
FRAME = pa.table({"age": [str(20 + number % 7) for number in range(60)], "sex": ["m", "f"] * 30})
POLICY = kanopy.Policy(quasi_identifiers=["age", "sex"], k=5)
Write = Callable[..., None]


def example() -> Method:
    assert EXAMPLE is not None
    names: dict[str, Any] = {}
    exec(compile(EXAMPLE.group(1), "docs/methods.md", "exec"), names)
    method: Method = names["BLOCKS"]
    return method


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a module and announce names in it, as an installed package does."""

    def write(module: str, text: str, *announced: str) -> None:
        (tmp_path / f"{module}.py").write_text(text)
        folder = tmp_path / f"{module}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        lines = "\n".join(f"{name} = {module}:{name.upper()}" for name in announced)
        (folder / "entry_points.txt").write_text(f"[kanopy.methods]\n{lines}\n")
        importlib.invalidate_caches()  # a folder that was just looked at may have the same time still

    monkeypatch.syspath_prepend(tmp_path)
    return write


def test_the_example_of_the_documents() -> None:
    assert EXAMPLE is not None
    assert len([line for line in EXAMPLE.group(1).splitlines() if line.strip()]) <= 25
    release = kanopy.anonymize(FRAME, POLICY, method=example(), size=7)
    assert release.audit.kept
    assert (release.manifest["method"], release.manifest["options"]) == ("blocks", {"size": 7})
    of_policy = kanopy.Policy(quasi_identifiers=["age", "sex"], k=5, method=example(), options={"size": 7})
    assert kanopy.anonymize(FRAME, of_policy).frame == release.frame
    with pytest.raises(PolicyError, match="no option 'sizes'"):
        kanopy.anonymize(FRAME, POLICY, method=example(), sizes=7)
    everywhere = kanopy.Policy(quasi_identifiers=["age", "sex"], k=60, method=example())
    assert kanopy.anonymize(FRAME, everywhere).audit.groups == 1


def test_files_of_a_method_that_is_an_object(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path / "r.csv", report=tmp_path / "r.html", record=tmp_path / "r.json")
    publication = anonymize_to_files(FRAME, POLICY, outputs, method=example())
    names = ("r.csv", "r.csv.kanopy.json", "r.codebook.csv", "r.codebook.md", "r.html", "r.json")
    assert publication.files == tuple(tmp_path / name for name in names)
    assert all(path.stat().st_size for path in publication.files)
    assert "sorts the rows and cuts them into blocks" in (tmp_path / "r.html").read_text()
    with pytest.raises(PolicyError, match="publishes no tree") as caught:
        anonymize_to_files(FRAME, POLICY, Outputs(tmp_path / "s.csv", tree="t.txt"), method=example())
    assert caught.value.hint == "leave tree out, or use kadet"


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
def test_methods_can_be_pickled(method: Method) -> None:
    assert pickle.loads(pickle.dumps(method)) is method
    policy = kanopy.Policy(quasi_identifiers=["q"], k=2, method=method)
    assert pickle.loads(pickle.dumps(policy)) == policy
    other = Method("other", "title", "paper", len, method.options)
    assert pickle.loads(pickle.dumps(other)) == other


def test_an_estimator_of_a_method_that_is_an_object() -> None:
    release = estimator_for(example())(k=5, size=7).fit_release(FRAME)
    assert (release.audit.kept, release.manifest["options"]) == (True, {"size": 7})


def anonymized_by_blocks(folder: Path, *, k: int, size: int) -> Outcome:
    flags = ("--quasi", "age,sex", "--k", str(k), "--method", "blocks", "--option", f"size={size}")
    return run("anonymize", folder / "data.csv", "-o", folder / "r.csv", *flags)


def test_a_plug_in_is_a_method_like_any_other(install: Write, tmp_path: Path) -> None:
    assert EXAMPLE is not None
    before = methods()
    install("fine_plugin", EXAMPLE.group(1), "blocks")
    assert [method.name for method in methods()] == [*(method.name for method in before), "blocks"]
    assert kanopy.anonymize(FRAME, POLICY, method="blocks").audit.kept
    assert "blocks" in run("methods").out
    (tmp_path / "data.csv").write_text("age,sex\n" + "20,m\n21,f\n" * 10)
    assert anonymized_by_blocks(tmp_path, k=5, size=6).code == 0


def test_broken_plug_ins_leave_the_others_alone(install: Write) -> None:
    assert EXAMPLE is not None
    before = methods()
    install("broken_plugin", "raise OSError('a cell value')", "broken")
    install("other_plugin", "OTHER = 5\nTWICE = 6", "other", "twice")
    install("second_plugin", "TWICE = 7", "twice")
    install(
        "greedy_plugin",
        EXAMPLE.group(1).replace("blocks", "mondrian").replace("BLOCKS", "MONDRIAN"),
        "mondrian",
    )
    install("good_plugin", EXAMPLE.group(1), "blocks")
    with pytest.warns(KanopyWarning) as caught:
        found = methods()
    assert [method.name for method in found] == [*(method.name for method in before), "blocks"]
    assert find_method("mondrian") is before[0], "a built-in method cannot be replaced"
    said = "\n".join(sorted(str(warning.message) for warning in caught))
    assert (
        "'broken' (broken_plugin:BROKEN of broken_plugin) cannot be loaded: OSError; it is left out" in said
    )
    assert "'other' (other_plugin:OTHER of other_plugin) is no kanopy Method of that name" in said
    assert "two plug-ins announce a method 'twice'" in said
    assert "'mondrian' is ignored" in said
    assert "a cell value" not in said
    with pytest.raises(PolicyError, match="cannot be loaded: OSError"):
        find_method("broken")
    with pytest.raises(PolicyError) as unknown:
        find_method("block")
    assert unknown.value.hint == "did you mean 'blocks'?"
    outcome = run("methods")
    assert outcome.code == 0
    assert "warning  the plug-in of method 'broken'" in outcome.err


def breaking(groups: list[int], style: str = "range") -> Method:
    def wrong(table: EncodedTable, *_arguments: Any) -> Recoding:
        numbers, group = np.unique(np.resize(groups, table.n_rows), return_inverse=True)
        return Partition(group.astype(np.int32), len(numbers)).publish(table, style)

    return Method("wrong", "title", "paper", wrong)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.sampled_from(["range", "members", "mean"]))
def test_no_plug_in_can_break_the_promise(groups: list[int], style: str) -> None:
    with contextlib.suppress(UnsatisfiableError, VerificationError):
        release = kanopy.anonymize(FRAME, POLICY, method=breaking(groups, style))
        assert release.audit.kept
        assert kanopy.audit(release.frame, POLICY).kept


def test_a_plug_in_that_breaks_the_promise_ends_with_5(install: Write, tmp_path: Path) -> None:
    assert EXAMPLE is not None
    install("lying_plugin", EXAMPLE.group(1).replace("if promise", "if True or promise"), "blocks")
    (tmp_path / "data.csv").write_text("age,sex\n" + "".join(f"{20 + row // 2},m\n" for row in range(40)))
    outcome = anonymized_by_blocks(tmp_path, k=10, size=3)
    assert outcome.code == VerificationError.exit_code
    assert not (tmp_path / "r.csv").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda _made: None,
        lambda made: Recoding(made.columns[:1], made.is_kept),
        lambda made: Recoding(made.columns[::-1], made.is_kept),
        lambda made: Recoding(made.columns, made.is_kept[1:]),
        lambda made: Recoding(made.columns, np.ones(len(made.is_kept), dtype=np.int64)),
        lambda made: Recoding((*made.columns[:1], replaced(made, made.columns[1].ids[1:])), made.is_kept),
        lambda made: Recoding((*made.columns[:1], replaced(made, made.columns[1].ids + 9)), made.is_kept),
        lambda made: Recoding((*made.columns[:1], replaced(made, made.columns[1].ids - 9)), made.is_kept),
    ],
)
def test_what_is_no_recoding_of_the_table(wrong: Callable[[Recoding], Any]) -> None:
    sound = find_method("mondrian")

    def run_wrong(*arguments: Any) -> Any:
        return wrong(sound.run(*arguments))

    with pytest.raises(VerificationError, match=r"'wrong' (did not return a|returned a) Recoding"):
        kanopy.anonymize(FRAME, POLICY, method=Method("wrong", "title", "paper", run_wrong))


def replaced(made: Recoding, ids: Any) -> Any:
    kind = type(made.columns[1])
    return kind(made.columns[1].domain, made.columns[1].cells, ids)
