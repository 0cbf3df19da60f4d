"""Trees for the eye, with labels that nobody would choose."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kanopy.data import Domain
from kanopy.trees import Tree, TreeBuilder, as_graphviz, as_mermaid, as_text

NASTY = ('say "hi"', "[a] {b} <c>", "back\\slash", "two\nlines\r\nor three", "a|b;#1;--> n0", "é €", "\\", "")
AGE = Domain("age", ("20", "30.5", "40"), np.array([20, 30.5, 40]))
SEX = Domain("sex", ("f", "m"))


def family() -> Tree:
    """A split of each kind, and leaves without rows."""
    builder = TreeBuilder((AGE, SEX))
    builder.split(0, column=1)
    builder.split(1, column=0, threshold=1)
    builder.split(2, column=0, threshold=0, missing_branch=0)
    builder.split(8, column=0, branch_of_code=[0, 0, 1, 1])
    counts = np.zeros((11, 2))
    counts[[0, 1, 2, 4, 5]] = [[4, 6.5], [4, 0.5], [0, 6], [1, 0.5], [3, 0]]
    counts[[8, 9]] = [0, 6]
    # 3 and 6, for missing, are empty: nothing is to be seen of them.
    return builder.tree(counts)


def test_text() -> None:
    assert as_text(family(), ["no", "yes"]).splitlines() == [
        "sex = f",
        "|   age <= 30.5: no (1.5/0.5)",
        "|   age > 30.5: no (3)",
        "sex = m",
        "|   age <= 20 or missing: yes (0)",
        "|   age > 20",
        "|   |   age <= 30.5: yes (6)",
        "|   |   age > 30.5 or missing: yes (0)",
    ]


def test_missing_may_go_to_the_upper_branch() -> None:
    builder = TreeBuilder((AGE,))
    builder.split(0, column=0, threshold=1, missing_branch=1)
    assert as_text(builder.tree(), ["a"]) == "age <= 30.5: a (0)\nage > 30.5 or missing: a (0)\n"


def test_text_of_a_leaf() -> None:
    leaf = TreeBuilder((AGE,)).tree(np.array([[2, 5]]))
    assert as_text(leaf, ["no", "yes"]) == ": yes (7/2)\n"


def test_category_called_missing_is_no_missing_value() -> None:
    builder = TreeBuilder((Domain("x", ("missing",)),))
    builder.split(0, column=0)
    tree = builder.tree(np.array([[2], [0], [2]]))
    assert as_text(tree, ["a"]) == "x = missing: a (0)\nx is missing: a (2)\n"
    assert as_text(builder.tree(np.array([[2], [2], [0]])), ["a"]) == "x = missing: a (2)\n"


def test_what_is_below_missing_is_not_left_in_the_air() -> None:
    """A tree that was not grown here may go on where no row went."""
    builder = TreeBuilder((AGE, SEX))
    *_, missing = builder.split(0, column=1)
    builder.split(missing, column=0, threshold=0, missing_branch=1)
    lines = as_text(builder.tree(), ["a"]).splitlines()
    assert lines[2:] == ["sex is missing", "|   age <= 20: a (0)", "|   age > 20 or missing: a (0)"]


def test_graphviz() -> None:
    lines = as_graphviz(family(), ["no", "yes"]).splitlines()
    assert lines[0] == "digraph tree {"
    assert lines[-1] == "}"
    assert '  n0 [label="sex"];' in lines
    assert '  n4 [label="no (1.5/0.5)", style=rounded];' in lines
    assert '  n1 -> n4 [label="<= 30.5"];' in lines
    assert sum(" -> " in line for line in lines) == family().n_nodes - 3


def test_mermaid() -> None:
    lines = as_mermaid(family(), ["no", "yes"]).splitlines()
    assert lines[0] == "flowchart TD"
    assert '  n0["sex"]' in lines
    assert '  n4(["no (1.5/0.5)"])' in lines
    assert '  n1 -->|"#60;= 30.5"| n4' in lines
    assert sum("-->" in line for line in lines) == family().n_nodes - 3


@pytest.fixture
def nasty() -> Tree:
    """Labels, column and classes (rows of each one after the other) that want to get out of their quotes."""
    builder = TreeBuilder((Domain('x\n"y"', NASTY),))
    children = builder.split(0, column=0)
    counts = np.zeros((len(children) + 1, len(NASTY)), dtype=int)
    counts[np.arange(1, len(NASTY) + 1), np.arange(len(NASTY))] = 1
    counts[0] = 1
    return builder.tree(counts)


def test_nasty_labels_stay_in_their_line(nasty: Tree) -> None:
    lines = as_text(nasty, NASTY).splitlines()
    assert len(lines) == len(NASTY)
    assert lines[0] == 'x "y" = say "hi": say "hi" (1)'
    assert lines[3] == 'x "y" = two lines or three: two lines or three (1)'


def test_nasty_labels_stay_in_the_quotes_of_graphviz(nasty: Tree) -> None:
    text = r'"(?:[^"\\\n]|\\.)*"'
    line = re.compile(rf"  n\d+(?: -> n\d+)? \[label=({text})(?:, style=rounded)?\];")
    lines = as_graphviz(nasty, NASTY).splitlines()
    assert all(line.fullmatch(written) for written in lines[2:-1])
    shown = [re.sub(r"\\(.)", r"\1", line.fullmatch(written)[1][1:-1]) for written in lines[2:-1]]
    one_line = [" ".join(label.splitlines()) for label in NASTY]
    assert shown[0] == 'x "y"'
    assert shown[2::2][: len(NASTY)] == [f"= {label}" for label in one_line]
    assert shown[1::2][: len(NASTY)] == [f"{label} (1)" for label in one_line]


def test_nasty_labels_stay_in_the_quotes_of_mermaid(nasty: Tree) -> None:
    text = r'"(?:[\w .=()/-]|#\d+;)*"'
    line = re.compile(rf"  n\d+(?:\[({text})\]|\(\[({text})\]\))|  n\d+ -->\|({text})\| n\d+")
    lines = as_mermaid(nasty, NASTY).splitlines()[1:]
    found = [line.fullmatch(written) for written in lines]
    assert all(found)
    quoted = [match[match.lastindex][1:-1] for match in found]
    shown = [re.sub(r"#(\d+);", lambda code: chr(int(code[1])), written) for written in quoted]
    one_line = [" ".join(label.splitlines()) for label in NASTY]
    assert shown[2::2][: len(NASTY)] == [f"= {label}" for label in one_line]
    assert shown[1::2][: len(NASTY)] == [f"{label} (1)" for label in one_line]
