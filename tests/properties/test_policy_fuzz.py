"""Whatever stands in a policy or hierarchy file: a policy, a hierarchy, or an error that says what to do."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from effort import n_tables
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kanopy.errors import KanopyError
from kanopy.frames.numbers import natural_order
from kanopy.policy import Policy, load_hierarchy
from kanopy.policy.toml_file import read_policy

LISTS = ("quasi_identifiers", "sensitive", "identifiers", "keep", "missing", "numeric", "categorical")
KEYS = [*LISTS, "target", "person", "privacy", "method", "hierarchies", "k", "quasi_identifers", ""]
SECTIONS = ["privacy", "method", "hierarchies", "privacy.k", "privacy.diversity", "keep"]
PROMISES = ["anonymity", "diversity", "closeness", "alpha", "disclosure", "likeness", "template", "k"]
PROMISE_KEYS = [
    "column", "l", "kind", "c", "t", "distance", "alpha", "value", "delta", "strict_zero", "beta", "given",
    "at_most", "name", "k",
]  # fmt: skip

names = st.sampled_from(["age", "zip", "sex", "ill", " age ", "Age", "", "é", "e\u0301"])
numbers = st.sampled_from(
    ["0", "1", "2", "5", "-1", "0.3", "1.5", "nan", "inf", "-inf", "1e999999999", "1e-999999999", "9" * 5000,
     "0x10", "1_000", "2020-01-01", "12:30:00", "1e308"]
)  # fmt: skip
texts = st.one_of(
    names,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    st.sampled_from(["distinct", "x.csv"]),
).map(lambda text: json.dumps(text).replace("\x7f", "\\u007f"))
scalars = st.one_of(texts, numbers, st.sampled_from(["true", "false", "NO", "01234", "!!python/object"]))
lists = st.lists(scalars, max_size=4).map(lambda items: f"[{', '.join(items)}]")
tables = st.dictionaries(st.sampled_from(PROMISE_KEYS), scalars, max_size=3).map(
    lambda entries: "{" + ", ".join(f"{key} = {value}" for key, value in entries.items()) + "}"
)
values = st.one_of(scalars, lists, tables)
lines = st.one_of(
    st.tuples(st.sampled_from([*KEYS, *PROMISE_KEYS]), values).map(lambda pair: f"{pair[0]} = {pair[1]}"),
    st.sampled_from(SECTIONS).map(lambda name: f"[{name}]"),
    st.sampled_from(PROMISES).map(lambda name: f"[[privacy.{name}]]"),
)
sound = 'quasi_identifiers = ["age"]\ntarget = "ill"\n[privacy]\nk = 2\n'


def read(raw: bytes) -> None:
    made, said = None, None
    try:
        made = read_policy(raw)
    except KanopyError as error:
        said = error
    assert (made is None) != (said is None)
    assert said is None or (said.exit_code == 2 and said.message)
    assert made is None or made.promise.sentence()


@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
@example(b"\0")
@example(b"a = '''" * 3)
def test_any_bytes_as_a_policy(raw: bytes):
    read(raw)


@settings(max_examples=n_tables(100))
@given(st.booleans(), st.lists(lines, max_size=8))
def test_any_keys_and_values_as_a_policy(starts_sound: bool, content: list[str]):
    read(((sound if starts_sound else "") + "\n".join(content)).encode())


@given(
    st.recursive(scalars, lambda inner: st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]"))
)
def test_any_value_in_any_place(value: str):
    for key in [*LISTS, "target", "person"]:
        read(f"{key} = {value}\n".encode())
    for kind in PROMISES[:-1]:
        for key in PROMISE_KEYS[:-2]:
            promise = f"[[privacy.{kind}]]\ncolumn = 'ill'\nl = 2\nt = 0.2\nalpha = 0.5\n{key} = {value}\n"
            read((sound + promise).encode())
    read(f"{sound}[method]\nname = {value}\n".encode())
    read(f"{sound}[hierarchies]\nage = {value}\n".encode())


@pytest.mark.parametrize("depth", [10, 500, 5000, 100_000])
def test_any_depth(depth: int):
    for opening, closing in ("[]", ("{a=", "}")):
        read(f"a = {opening * depth}1{closing * depth}".encode())
    for key in ("a." * depth + "b", "'a' . " * depth + "b", "[" + "a." * depth + "b]#"):
        read(f"{key} = 1".encode())
        read(f"x = {{y = 1, {key} = 1}}".encode())


labels = st.sampled_from(
    ["20", "21", "022", "a", "*", "", " a ", "é", "e\u0301", "[1, 2]", "{a}", "\\", '"', "a;b"]
)
paths = st.lists(st.lists(labels, min_size=1, max_size=4).map(";".join), max_size=6).map("\n".join)


def load(folder: Path, raw: bytes) -> None:
    (folder / "h.csv").write_bytes(raw)
    made, said = None, None
    try:
        made = load_hierarchy("age", folder / "h.csv", natural_order)
    except KanopyError as error:
        said = error
    assert (made is None) != (said is None)
    assert said is None or (said.exit_code == 2 and "'age'" in said.message)
    assert made is None or len(made.leaves) == len(set(made.leaves))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hierarchies")


@given(
    st.one_of(st.binary(max_size=100), st.text(max_size=50).map(lambda text: text.encode("utf-8", "replace")))
)
@example(b"\0;a")
@example(b'"a;b')
@example(b"a;" * 100_000)
@example(b"x" * 200_000)
def test_any_bytes_as_a_hierarchy(folder: Path, raw: bytes):
    load(folder, raw)


@settings(max_examples=n_tables(100))
@given(paths)
def test_any_paths_as_a_hierarchy(folder: Path, content: str):
    load(folder, content.encode())


anything = st.one_of(
    st.none(),
    st.integers(),
    st.text(max_size=3),
    st.lists(st.one_of(names, st.none(), st.integers()), max_size=3),
    st.dictionaries(names, names, max_size=2),
    st.sets(names, max_size=2),
)


@given(st.dictionaries(st.sampled_from(list(Policy.__dataclass_fields__)), anything, max_size=5))
def test_any_keyword_arguments(arguments: dict[str, Any]):
    with contextlib.suppress(KanopyError):
        Policy(**{"quasi_identifiers": ["age"], "k": 2, **arguments})
