"""Hierarchies in a policy: files, rules and groups, from TOML or from Python."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st

import kanopy
from kanopy.data import Domain, Hierarchy
from kanopy.errors import KanopyError, PolicyError
from kanopy.frames.encode import encode
from kanopy.frames.numbers import natural_order
from kanopy.hierarchies import Cuts, Dates, Groups, HierarchyRule, Merge, Prefix, Quantiles, Ranges
from kanopy.policy import Policy, load_hierarchy
from kanopy.policy.toml_file import read_policy

BASE = 'quasi_identifiers = ["q"]\ntarget = "t"\nsensitive = ["s"]\n[privacy]\nk = 2\n[hierarchies]\n'


def read(text: str) -> Any:
    return read_policy((BASE + text).encode()).hierarchies["q"]


def refusal(text: str) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        read(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ('q = "q.csv"', Path("q.csv")),
        ("q = { ranges = 5 }", Ranges(5)),
        ("q = { ranges = [0.5, 1.0], from = 0.25 }", Ranges([0.5, 1], start=Fraction(1, 4))),
        ("q = { cuts = [18, 30.5] }", Cuts([18, 30.5])),
        ("q = { cuts = [[18, 30], [30]] }", Cuts([[18, 30], [30]])),
        ("q = { quantiles = 8 }", Quantiles(8)),
        ('q = { dates = ["month", "year"] }', Dates(["month", "year"])),
        ('q = { dates = "year", format = "%d.%m.%Y" }', Dates("year", "%d.%m.%Y")),
        ("q = { prefix = [3, 2, 1] }", Prefix([3, 2, 1])),
        ('q = { merge = "class" }', Merge(3)),
        ('q = { merge = "class", levels = 2 }', Merge(2)),
        ('q = { g = ["a", "b"], h = { i = ["c"] } }', Groups({"g": ["a", "b"], "h": {"i": ["c"]}})),
        ('[hierarchies.q]\n"g h" = ["a"]\ni = ["b"]', Groups({"g h": ["a"], "i": ["b"]})),
        ('[hierarchies.q.g]\nh = ["a"]\ni = ["b"]', Groups({"g": {"h": ["a"], "i": ["b"]}})),
    ],
)
def test_every_kind(text: str, made: Any) -> None:
    assert read(text) == made


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("q = 3", "'q' takes the name of a file, a rule or groups", 'q = "FILE.csv"'),
        ("q = [5]", "'q' takes the name of a file", ""),
        ("q = { rangs = 5 }", "'q': there is no rule 'rangs'", "did you mean 'ranges'?"),
        ("q = { quantile = 8 }", "there is no rule 'quantile'", "'quantiles'?"),
        ('q = { date = ["month"] }', "there is no rule 'date'", "'dates'?"),
        ('q = { prefx = [3], g = ["a"] }', "1 groups are neither", ""),
        ('q = { prefx = 3, g = ["a"] }', "there is no rule 'prefx'", "'prefix'?"),
        (
            "q = {}",
            "neither a rule nor groups",
            "dates, prefix, icd10, merge",
        ),
        ("q = { width = 5 }", "neither a rule nor groups", "rules: ranges"),
        ("q = { ranges = 5, cuts = [3] }", "ranges and cuts are two rules", "keep one"),
        ("q = { ranges = 5, form = 3 }", "the rule ranges has no key 'form'", "'from'?"),
        ("q = { ranges = 5, zzz = 3 }", "the rule ranges has no key 'zzz'", "ranges takes besides: from"),
        ("q = { prefix = 3, levels = 3 }", "the rule prefix has no key 'levels'", "leave it out"),
        ("q = { ranges = 5, start = 3 }", "has no key 'start'", ""),
        ('q = { merge = "class", level = 3 }', "the rule merge has no key 'level'", "'levels'?"),
        ('q = { merge = "t" }', "values are merged by the class", 'merge = "class"'),
        ("q = { ranges = [5, 7] }", "[hierarchies] of policy: 'q': every width", "[5, 10, 20]"),
        ("q = { ranges = nan }", "ranges takes widths", ""),
        ("q = { ranges = 1e-999999999 }", "ranges takes widths", ""),
        ('q = { dates = ["quater"] }', "dates takes some of", "'quarter'?"),
        ("q = { dates = 2020-01-01 }", "dates takes some of", ""),
        ('q = { g = ["a", 5] }', "1 groups are neither a list of texts nor groups", "Secondary"),
        ("q = { g = [] }", "1 groups are empty", ""),
        ('r = { ranges = 5 }\nq = "x"', "hierarchies names column 'r', which has no role", ""),
        ('q = "x"\ns = { quantiles = 4 }', "'s' would follow its rows", "ranges, cuts or a file"),
        ('q = "x"\nt = { merge = "class" }', "'t' would follow its rows", "only quasi-identifiers"),
    ],
)
def test_what_is_not_understood(text: str, message: str, hint: str) -> None:
    error = refusal(text)
    assert message in error.message
    assert hint in error.hint
    assert error.hint


def test_merging_needs_a_target() -> None:
    with pytest.raises(PolicyError, match="'q' follows the class, but no target is declared"):
        Policy(quasi_identifiers=["q"], k=2, hierarchies={"q": Merge()})


def test_rules_and_groups_in_python() -> None:
    fields: dict[str, Any] = {"quasi_identifiers": ["q"], "k": 2}
    assert Policy(**fields, hierarchies={" q ": Ranges(5)}).hierarchies == {"q": Ranges(5)}
    assert Policy(**fields, hierarchies={"q": {"g": ["a"]}}).hierarchies == {"q": Groups({"g": ["a"]})}
    for wrong, message in (
        (5, "neither a file nor a rule nor groups"),
        ({"g": 5}, "'q': 1 groups are neither"),
    ):
        with pytest.raises(PolicyError, match=message):
            Policy(**fields, hierarchies={"q": wrong})


keys = st.sampled_from(
    ["ranges", "cuts", "quantiles", "dates", "prefix", "merge", "from", "format", "levels", "g"]
)
plain = st.sampled_from(
    [
        "5",
        "0",
        "-1",
        "0.5",
        "nan",
        "inf",
        "1e308",
        "true",
        '"class"',
        '"%Y"',
        '"month"',
        '"a"',
        "2020-01-01",
        "[]",
    ]
)
values = st.one_of(
    plain,
    st.lists(plain, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    st.lists(plain, max_size=3).map(lambda items: f"[[{', '.join(items)}]]"),
    plain.map(lambda item: f"{{ g = [{item}] }}"),
)


@settings(max_examples=n_tables(80))
@given(st.dictionaries(keys, values, max_size=3))
def test_any_table(table: dict[str, str]) -> None:
    """A rule, groups, or an error that says what to do; never anything else."""
    made, said = None, None
    try:
        made = read("q = {" + ", ".join(f"{key} = {value}" for key, value in table.items()) + "}")
    except KanopyError as error:
        said = error
    assert said is None or ("'q'" in said.message and said.hint)
    assert isinstance(made, HierarchyRule) == (said is None)


# --- files of groups -------------------------------------------------------------------------------------


def load(folder: Path, text: str) -> Hierarchy:
    (folder / "q.toml").write_text(text, "utf-8")
    return load_hierarchy("q", folder / "q.toml", natural_order)


def test_groups_in_a_file(tmp_path: Path) -> None:
    tree = load(tmp_path, 'young = ["9", "10"]\n[old]\nolder = ["70", "71"]\noldest = ["90"]\n')
    assert tree.leaves == ("9", "10", "70", "71", "90")
    assert {"young", "old", "older"} <= set(tree.node_label)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ('young = ["9"', "not valid TOML at line 1"),
        ('a = ["9"]\na = ["8"]', "a key is given twice at line 2"),
        ("a = 5", "1 groups are neither"),
        ("a." * 20 + 'b = ["9"]', "nested too deeply"),
        ("a = " + "{a = " * 40 + '["9"]' + "}" * 40, "nested deeper than 30 levels"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ('a = ["9"]\nb = ["9"]', "1 values are listed with two paths"),
        ('"10-19" = ["9"]', "1 values lie outside the interval"),
        ('a = {b = ["a", "c"]}', "1 lines put a group above itself"),
        ('a = ["b"]\nb = ["c"]', "1 groups share their name"),
    ],
)
def test_files_that_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=message) as caught:
        load(tmp_path, text)
    assert "hierarchy of column 'q'" in caught.value.message
    assert caught.value.hint


def test_the_documents_show_what_is_understood() -> None:
    text = (Path(__file__).parents[3] / "docs" / "policy.md").read_text("utf-8")
    whole, *others = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (section,) = (block for block in others if block.startswith("[hierarchies]"))
    assert set(read_policy(whole.encode()).hierarchies) == {"age", "zip"}
    names = ["education", "job", "age", "income", "weight", "visit", "zip", "icd", "diagnosis", "country"]
    made = read_policy(f"quasi_identifiers = {names}\ntarget = 't'\nprivacy.k = 2\n{section}".encode())
    assert list(made.hierarchies) == names


# --- at the door -----------------------------------------------------------------------------------------


def domain(values: list[Any], classes: list[Any], rule: Any, **fields: Any) -> Domain:
    policy = Policy(quasi_identifiers=["q"], target="t", k=2, hierarchies={"q": rule}, **fields)
    return encode(pa.table({"q": values, "t": classes}), policy).table.quasi[0].domain


def node_labels(made: Domain) -> set[str]:
    assert made.hierarchy is not None
    return set(made.hierarchy.node_label) - set(made.labels) - {"*"}


def test_numbers_stay_numbers() -> None:
    made = domain([9, 10, 11, 100, None], list("abcab"), Ranges(10))
    assert made.labels == ("9", "10", "11", "100")
    assert made.numbers is not None
    assert node_labels(made) == {"10 to 19"}


def test_the_class_is_counted() -> None:
    classes = ["Y", "N", "Y", "N", None, None]
    made = domain(["a", "b", "c", "d", "e", "f"], classes, Merge(1), missing=["?"])
    assert node_labels(made) == {"a | b | c | d", "e | f"}, "missing is a class too"
    other = domain(["a", "b", "c", "d"], ["Y", "Y", "N", "N"], Merge(1))
    assert node_labels(other) == {"a | b", "c | d"}


def test_rows_are_counted_for_quantiles() -> None:
    values = [1] * 6 + [2, 3, 4, 5, 6, 7]
    assert node_labels(domain(values, ["Y", "N"] * 6, Quantiles(2))) == {">=2"}


def test_an_empty_column_needs_no_hierarchy() -> None:
    for rule in (Ranges(5), Merge(), Quantiles(3), Prefix(1), Dates("year")):
        assert domain([None, None], ["Y", "N"], rule).labels == ()


def test_groups_must_cover_the_table() -> None:
    with pytest.raises(PolicyError, match="hierarchy of column 'q' lacks 2 values that the table has"):
        domain(["a", "b", "c"], list("YNY"), {"g": ["a", "z"]})


def test_a_release_and_its_recoding() -> None:
    rows = [(str(20 + i % 40), f"{10000 + 37 * (i % 300)}", "YN"[i % 3 == 0]) for i in range(400)]
    table = pa.table(dict(zip(("age", "zip", "t"), zip(*rows, strict=True), strict=True)))
    rules = {"age": Ranges([5, 10, 20]), "zip": Prefix([3, 2, 1])}
    policy = kanopy.Policy(quasi_identifiers=["age", "zip"], target="t", k=5, hierarchies=rules)
    release = kanopy.anonymize(table, policy)
    assert release.audit.kept
    published = set(release.frame["age"].to_pylist())
    allowed = {f"{low} to {low + width - 1}" for width in (5, 10, 20) for low in range(20, 60, width)}
    assert published <= allowed | {str(age) for age in range(20, 60)} | {"*"}
    assert published & allowed
    assert release.recode(table.slice(0, 10)).num_rows == 10
