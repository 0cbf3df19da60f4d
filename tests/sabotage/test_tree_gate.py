"""A published tree that does not say what the table says is refused, and so is its table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import OLD, assert_clean, run

from kanopy import Policy, anonymize
from kanopy.algorithms.apt import APT
from kanopy.algorithms.kadet import KADET
from kanopy.algorithms.method import Method
from kanopy.data import Recoding
from kanopy.data import cell as cells
from kanopy.engines import local
from kanopy.errors import VerificationError
from kanopy.trees import Tree

TABLE = "age,zip,cls\n" + "".join(
    f"{20 + i % 4},{'abc'[i % 3]},{'YNP'[(i % 4 > 1) + (i % 12 == 0)]}\n" for i in range(48)
)
FLAGS = ("--quasi=age,zip", "--target=cls", "--k=4")
METHODS = {"kadet": KADET, "apt": APT}


def with_counts(recoding: Recoding, change: Callable[[np.ndarray, Tree], None]) -> Recoding:
    tree = recoding.model.tree
    counts = tree.counts.copy()
    change(counts, tree)
    return replace(recoding, model=replace(recoding.model, tree=replace(tree, counts=counts)))


def first_leaf(counts: np.ndarray, tree: Tree) -> int:
    return int(np.flatnonzero(tree.is_leaf & (counts.sum(axis=1) > 1))[0])


def one_row_more(recoding: Recoding) -> Recoding:
    def change(counts: np.ndarray, tree: Tree) -> None:
        counts[first_leaf(counts, tree), 0] += 1

    return with_counts(recoding, change)


def one_row_of_another_class(recoding: Recoding) -> Recoding:
    def change(counts: np.ndarray, tree: Tree) -> None:
        line = counts[first_leaf(counts, tree)]
        most = int(line.argmax())
        line[most] -= 1
        line[most - 1] += 1

    return with_counts(recoding, change)


def a_leaf_of_one_row(recoding: Recoding) -> Recoding:
    """Somebody who stands alone in the tree, though not in the table."""

    def change(counts: np.ndarray, tree: Tree) -> None:
        line = counts[first_leaf(counts, tree)]
        alone = np.zeros_like(line)
        alone[int(line.argmax())] = 1
        line -= alone
        empty = int(np.flatnonzero(tree.is_leaf & (counts.sum(axis=1) == 0))[0])
        counts[empty] = alone

    return with_counts(recoding, change)


def two_leaves_exchanged(recoding: Recoding) -> Recoding:
    """The classes of all leaves are moved on by one class: as many rows, other classes."""

    def change(counts: np.ndarray, tree: Tree) -> None:
        counts[:] = np.roll(counts, 1, axis=1)

    return with_counts(recoding, change)


def true_classes(recoding: Recoding) -> Recoding:
    """The tree counts other classes than the rows have, by their text."""
    first, second, *others = recoding.model.classes
    return replace(recoding, model=replace(recoding.model, classes=(second, first, *others)))


def the_whole_tree(recoding: Recoding) -> Recoding:
    """The table is coarser than the tree: every cell is suppressed, the promise is kept."""
    columns = tuple(
        replace(column, cells=(cells.SUPPRESSED,), ids=np.zeros_like(column.ids))
        for column in recoding.columns
    )
    return replace(recoding, columns=columns, parts=None)


SABOTAGE = [
    one_row_more,
    one_row_of_another_class,
    a_leaf_of_one_row,
    two_leaves_exchanged,
    true_classes,
    the_whole_tree,
]


def sabotaged(method: Method, break_it: Callable[[Recoding], Recoding]) -> Method:
    def wrong(*arguments: Any, **options: Any) -> Recoding:
        return break_it(method.run(*arguments, **options))

    return replace(method, run=wrong)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("break_it", SABOTAGE)
def test_a_tree_that_disagrees_with_its_table(
    method: str,
    break_it: Callable[[Recoding], Recoding],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "data.csv").write_text(TABLE)
    monkeypatch.setattr(local, "find_method", lambda _name: sabotaged(METHODS[method], break_it))
    arguments = ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", *FLAGS, "--method", method)
    for more in ((), ("--tree", tmp_path / "tree.txt")):
        outcome = run(*arguments, *more)
        assert outcome.code == 5, outcome
        assert "the tree and the table do not say the same" in outcome.err
        assert_clean(outcome)
        assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
    for name in ("out.csv", "tree.txt"):
        (tmp_path / name).write_bytes(OLD)
    assert run(*arguments, "--tree", tmp_path / "tree.txt", "--force").code == 5
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "tree.txt").read_bytes() == OLD
    assert not list(tmp_path.glob(".*tmp"))


@pytest.mark.parametrize("method", METHODS)
def test_without_sabotage_both_are_published(method: str, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(TABLE)
    files = ("-o", tmp_path / "out.csv", "--tree", tmp_path / "tree.txt")
    assert run("anonymize", tmp_path / "data.csv", *files, *FLAGS, "--method", method).code == 0
    written = {"out.csv", "out.csv.kanopy.json", "out.codebook.csv", "out.codebook.md", "tree.txt"}
    assert {path.name for path in tmp_path.iterdir()} == {"data.csv", *written}


@pytest.mark.parametrize("method", METHODS)
def test_in_python_it_is_a_verification_error(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data.csv").write_text(TABLE)
    policy = Policy(quasi_identifiers=["age", "zip"], target="cls", k=4)
    anonymize(tmp_path / "data.csv", policy, method=method)
    monkeypatch.setattr(local, "find_method", lambda _name: sabotaged(METHODS[method], one_row_more))
    with pytest.raises(VerificationError):
        anonymize(tmp_path / "data.csv", policy, method=method)


def test_a_table_that_breaks_the_promise_takes_its_tree_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file fails its recount after the tree has been written: the tree is not published either."""
    from kanopy.release import written_table

    def lie(stream: Any, columns: Any, n_rows: int, **_: Any) -> None:
        stream.write(b"age,zip,cls\n20,a,Y\n")

    (tmp_path / "data.csv").write_text(TABLE)
    monkeypatch.setattr(written_table, "write_csv", lie)
    files = ("-o", tmp_path / "out.csv", "--tree", tmp_path / "tree.txt")
    assert run("anonymize", tmp_path / "data.csv", *files, *FLAGS, "--method=kadet").code == 5
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


# --- Private tests ---------------------------------------------------------------------------------------

PRIVATE = pa.table(
    {
        "age": [20 + i % 4 for i in range(48)],
        "dose": [i // 4 % 6 for i in range(48)],
        "ward": ["abc"[i % 3] if i % 5 else None for i in range(48)],
        "cls": ["YNP"[(i % 4 > 1) + (i // 4 % 6 > 2) * (i % 3 > 0)] for i in range(48)],
    }
)
ROLES = Policy(quasi_identifiers=["age"], target="cls", sensitive=["ward"], keep=["dose"], k=6)


def private_siblings(tree: Tree) -> np.ndarray:
    """Two leaves of one group of the table whose class counts differ."""
    for node in np.flatnonzero(tree.splits.column > 0):
        children = tree.children(np.array([node]))
        leaves = children[tree.is_leaf[children] & (tree.rows_of_node[children] > 0)]
        if len(leaves) > 1 and (tree.counts[leaves[0]] != tree.counts[leaves[1]]).any():
            return leaves[:2]
    raise AssertionError("no two leaves to exchange")


def two_private_leaves_exchanged(recoding: Recoding) -> Recoding:
    """Of one group of the table, which has as many rows of each class as before."""

    def change(counts: np.ndarray, tree: Tree) -> None:
        siblings = private_siblings(tree)
        counts[siblings] = counts[siblings[::-1]]

    return with_counts(recoding, change)


def rows_at_the_wrong_leaves(recoding: Recoding) -> Recoding:
    """They say of themselves to be in each other's leaf, and so do the counts."""
    one, other = private_siblings(recoding.model.tree)
    assert recoding.parts is not None
    parts = np.where(recoding.parts == one, other, np.where(recoding.parts == other, one, recoding.parts))
    return replace(two_private_leaves_exchanged(recoding), parts=parts.astype(np.int32))


def rows_at_no_leaves(recoding: Recoding) -> Recoding:
    return replace(recoding, parts=None)


def a_quasi_identifier_that_passes_for_private(recoding: Recoding) -> Recoding:
    """Everything is suppressed, and the tree says what it did: nothing is public to it."""
    model = replace(recoding.model, n_public=0)
    return replace(the_whole_tree(recoding), model=model, parts=recoding.parts)


@pytest.mark.parametrize(
    "break_it",
    [
        one_row_more,
        two_private_leaves_exchanged,
        rows_at_the_wrong_leaves,
        rows_at_no_leaves,
        a_quasi_identifier_that_passes_for_private,
    ],
)
def test_private_tests_say_nothing_that_the_rows_do_not(
    break_it: Callable[[Recoding], Recoding], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = anonymize(PRIVATE, ROLES, method="kadet", private=True, min_rows=2)
    assert "ward" in str(sound.model)
    assert "dose" in str(sound.model)
    assert sound.audit.groups > 1
    monkeypatch.setattr(local, "find_method", lambda _name: sabotaged(KADET, break_it))
    with pytest.raises(VerificationError, match="the tree and the table do not say the same"):
        anonymize(PRIVATE, ROLES, method="kadet", private=True, min_rows=2)
