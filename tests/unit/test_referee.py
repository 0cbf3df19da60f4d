"""The referee: every kind of promise with a near miss, releases that somebody edited, and a broken kanopy."""

from __future__ import annotations

import ast
import csv
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from command import run

import kanopy
from fuzz.second_opinion import FILE, broken, referee
from kanopy.algorithms import find_method
from kanopy.auditing import counted, decide, limits, truth
from kanopy.data.cell import Cell, CellKind, span
from kanopy.data.grammar import ReadCell
from kanopy.engines import local
from kanopy.privacy import KAnonymity

Rows = Sequence[tuple[str, ...]]
Checks = list[tuple[str, str, str]]


def judged(
    rows: Rows, release: Rows, privacy: dict[str, Any], certificate: Any = None, **policy: Any
) -> Checks:
    """What is found about rows of q, s and a person; the release has no person."""
    policy = {"quasi_identifiers": ["q"], "sensitive": ["s"], "privacy": privacy, **policy}
    names = ["q", "s", *([policy["person"]] if "person" in policy else [])]
    case = referee().Case(policy, (["q", "s"], Counter(release)), (names, Counter(rows)), certificate, Path())
    checks: Checks = case.judge()
    return checks


def outcome(checks: Checks, what: str) -> str:
    return next(outcome for name, outcome, _ in checks if name.startswith(what))


# --- Every kind of promise, and its near miss ------------------------------------------------------------

EIGHT = [*zip("aaaabbbb", ["flu", "flu", "cold", "gout", "flu", "cold", "cold", "gout"], strict=True)]
"""In group a flu is 1/2 and in all 3/8; cold is 1/4 and 3/8; gout is as frequent as in all."""
LUNGS = {"hierarchies": {"s": {"lungs": ["flu", "cold"], "joints": ["gout"]}}}
MOSTLY = [*zip("aaaabbbb", ["flu"] * 6 + ["cold"] * 2, strict=True)]
EVEN = [*zip("aaaabbbb", ["flu", "flu", "cold", "cold"] * 2, strict=True)]

KINDS: dict[str, tuple[Rows, str, dict[str, Any], dict[str, Any]]] = {
    "sets": (EIGHT, "anonymity", {"given": ["q"], "k": 4}, {"k": 5}),
    "distinct": (EIGHT, "diversity", {"l": 3}, {"l": 4}),
    "entropy": (EIGHT, "diversity", {"kind": "entropy", "l": "2.828"}, {"l": "2.829"}),
    "entropy of even values": (EVEN, "diversity", {"kind": "entropy", "l": 2}, {"l": "2.0000000001"}),
    "recursive": (EIGHT, "diversity", {"kind": "recursive", "l": 2, "c": "1.001"}, {"c": 1}),
    "equal": (EIGHT, "closeness", {"t": "1/8"}, {"t": "0.1249"}),
    "ordered": (EIGHT, "closeness", {"t": "1/16", "distance": "ordered"}, {"t": "0.0624"}),
    "hierarchical": (EIGHT, "closeness", {"t": "1/16", "distance": "hierarchical"}, {"t": "0.0624"}),
    "alpha": (EIGHT, "alpha", {"alpha": "0.5"}, {"alpha": "0.49"}),
    "alpha of a value": (EIGHT, "alpha", {"alpha": "0.25", "value": "gout"}, {"value": "cold"}),
    "template": (EIGHT, "template", {"given": ["q"], "value": ["x", "gout"], "at_most": 1}, {"at_most": 0.2}),
    "disclosure": (EIGHT, "disclosure", {"delta": "0.585"}, {"delta": "0.584"}),
    "disclosure, no more": (EVEN, "disclosure", {"delta": "0.001"}, {"delta": 0}),
    "disclosure of all": (MOSTLY, "disclosure", {"delta": 9}, {"strict_zero": True}),
    "likeness": (EIGHT, "likeness", {"beta": "1/3"}, {"beta": "0.3333"}),
    "enhanced likeness": (MOSTLY, "likeness", {"beta": 1}, {"kind": "enhanced"}),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_a_promise_and_its_near_miss(name: str) -> None:
    rows, kind, bounds, miss = KINDS[name]
    column = {} if kind == "anonymity" else {"column": "s"}
    more = LUNGS if name == "hierarchical" else {}
    for settings, expected in ((bounds, "holds"), (bounds | miss, "broken")):
        checks = judged(rows, rows, {kind: [{**column, **settings}]}, **more)
        assert outcome(checks, kind) == expected
        assert {each for what, each, _ in checks if not what.startswith(kind)} == {"holds"}


def test_k_and_combinations() -> None:
    rows = [*zip("aabb", "cdcd", "xyxy", strict=True)] * 2

    def of(privacy: dict[str, Any]) -> Checks:
        policy = {"quasi_identifiers": ["q", "r"], "target": "s", "privacy": privacy}
        table = ["q", "r", "s"], Counter(rows)
        return referee().Case(policy, table, table, {}, Path()).judge()

    assert not broken(of({"k": 2}))
    assert broken(of({"k": 3})) == ["k of q, r: 4 of 4 groups break it"]
    assert not broken(of({"k": 4, "combinations": 1}))
    assert len(broken(of({"k": 5, "combinations": 1}))) == 2


# --- Persons ---------------------------------------------------------------------------------------------

PERSONS = [
    ("a", "x", "1"),
    ("a", "x", "2"),
    ("a", "x", "2"),
    ("b", "y", "3"),
    ("b", "y", "4"),
    ("b", "x", "4"),
]
"""Group a has two persons, group b as well; person 4 has two values."""


def test_persons_are_counted_where_their_group_is_certain() -> None:
    release = [row[:2] for row in PERSONS]
    for privacy, expected in (
        ({"k": 2}, "holds"),
        ({"k": 3}, "broken"),
        ({"alpha": [{"column": "s", "alpha": "1/2", "value": "y"}]}, "broken"),  # 2 of 2 persons, 2 of 3 rows
        ({"template": [{"column": "s", "given": ["q"], "value": "x", "at_most": 1}]}, "holds"),
        ({"diversity": [{"column": "s", "kind": "recursive", "l": 1, "c": 2}]}, "holds"),
    ):
        checks = judged(PERSONS, release, privacy, person="p")
        assert outcome(checks, next(iter(privacy))) == expected


def test_a_row_without_a_person_counts_for_nobody() -> None:
    source = [("a", "x", "1"), ("a", "x", "NA"), ("a", "x", "2")]
    release = [row[:2] for row in source]
    assert outcome(judged(source, release, {"k": 2}, person="p", missing=["NA"]), "k") == "holds"
    assert outcome(judged(source, release, {"k": 3}, person="p", missing=["NA"]), "k") == "broken"


def test_persons_that_may_be_elsewhere_are_not_counted() -> None:
    source = [("a", "x", "1"), ("a", "x", "1"), ("a", "x", "2"), ("a", "x", "2")]
    release = [("a", "x"), ("a", "x"), ("*", "x"), ("*", "x")]
    assert outcome(judged(source, release, {"k": 2}, person="p"), "k") == "not counted"
    assert outcome(judged(source, release, {"k": 3}, person="p"), "k") == "broken"
    shares = {"alpha": [{"column": "s", "alpha": 1}]}
    assert outcome(judged(source, release, shares, person="p"), "alpha") == "not counted"


# --- Cells -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "cells", "expected"),
    [
        (["1", "2.5"], ["[1, 3]", "[2, 2.5]"], "holds"),
        (["1", "2.5"], ["[1, 3]", "[2.6, 3]"], "broken"),
        (["a", "b"], ["{a, b}", "a"], "holds"),  # the first cell gets b, although a comes first
        (["b", "b"], ["{a, b}", "a"], "broken"),  # each cell covers something, but not one of its own
        (["a", "b", "c"], ["{a, b}", "{b, c}", "{a, c}"], "holds"),
        (["a", "a", "a"], ["{a, b}", "{b, c}", "{a, c}"], "broken"),
        (["", "7"], ["{, [5, 9]}", "*"], "holds"),
        (["", ""], ["{, [5, 9]}", "[5, 9]"], "broken"),
        (["{a, b}", "a, b"], ["\\{a, b}", "{a\\, b, c}"], "holds"),
        (["{a, b}", "a"], ["{a, b}", "a"], "broken"),
        (["a", "b"], ["{b, a}", "*"], "broken"),  # not sorted: no cell
        (["pear", "beet"], ["fruit", "food"], "holds"),
        (["beet", "beet"], ["fruit", "food"], "broken"),
    ],
)
def test_each_row_needs_a_row_of_its_own(values: list[str], cells: list[str], expected: str) -> None:
    groups = {"q": {"food": {"fruit": ["apple", "pear"], "root": ["beet", "leek"]}}}
    source, release = ([(text, "x") for text in texts] for texts in (values, cells))
    assert outcome(judged(source, release, {"k": 1}, hierarchies=groups), "cells") == expected


def test_a_star_that_is_not_shown_is_none_of_the_others() -> None:
    told = {"cells": {"q": {"suppressed": "not shown"}}}
    release = [("a", "x"), ("*", "x")]
    assert outcome(judged([("a", "x"), ("b", "x")], release, {"k": 1}, told), "cells") == "holds"
    assert outcome(judged([("a", "x"), ("a", "x")], release, {"k": 1}, told), "cells") == "broken"


def test_dropped_rows_and_rows_too_many() -> None:
    source = [("a", "x"), ("b", "x"), ("c", "y")]
    assert not broken(judged(source, source[:2], {"k": 1}))
    assert "rows: the release has none, or too many" in broken(judged(source[:2], source, {"k": 1}))
    assert "rows: the release has none, or too many" in broken(judged(source, [], {"k": 1}))


@pytest.mark.parametrize("privacy", [{}, {"diversity": [{"column": "s", "l": 2, "kind": "new"}]}])
def test_a_policy_without_a_promise_is_refused(privacy: dict[str, Any]) -> None:
    with pytest.raises(referee().RefereeError):
        judged(EIGHT, EIGHT, privacy)


def test_where_whole_rows_take_too_long_each_column_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee(), "MOST_STEPS", 40)
    names = [f"q{number}" for number in range(9)]
    policy = {"quasi_identifiers": names, "sensitive": ["s"], "privacy": {"k": 1}}
    rows = Counter({(*f"{number:09b}", "x"): 1 for number in range(6)})

    def of(release: Counter[tuple[str, ...]]) -> Checks:
        tables = ([*names, "s"], release), ([*names, "s"], rows)
        checks: Checks = referee().Case(policy, *tables, {}, Path()).judge()
        return checks

    assert outcome(of(rows), "cells") == "not counted"
    assert outcome(of(rows), "cells of q8") == "holds"
    assert outcome(of(Counter({(*"000000002", "x"): 1})), "cells of q8") == "broken"


def test_what_is_not_known_is_not_called_kept() -> None:
    for more in (
        {"redact": ["s"]},
        {"source": {"thousands": "."}},
        {"columns": {"q": {"kind": "date"}}},
        {"derived": {"q": {"from": "s", "as": "year"}}},
        {"hierarchies": {"q": {"ranges": [5]}}},
        {"method": {"name": "mondrian", "publish": "mean"}},
    ):
        checks = judged([("1", "x")] * 2, [("1", "x")] * 2, {"k": 2}, **more)
        assert "not counted" in {each for _, each, _ in checks}, more
        assert not broken(checks)
    assert "not counted" in {each for _, each, _ in judged(EIGHT, EIGHT, {"k": 2, "epsilon": 1})}
    sketch = [("{a: 1, b: 1}", "x")] * 2
    assert outcome(judged([("a", "x"), ("b", "x")], sketch, {"k": 2}), "q") == "not counted"


def test_what_the_certificate_takes_back_is_not_promised() -> None:
    told = {"truthful": False, "notices": []}
    assert outcome(judged(EIGHT, EIGHT[::-1], {"k": 2}, told), "cells") == "not promised"


# --- Files -----------------------------------------------------------------------------------------------

N_ROWS = 120
PLACES = {"age": 0, "zip": 1, "hours": 2, "ill": 3}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source, a policy and a release, without certificate."""
    folder = tmp_path_factory.mktemp("made")
    table = pa.table(
        {
            "age": [str(20 + (i * 7) % 40) for i in range(N_ROWS)],
            "zip": ["ABCD"[(i * i) % 4] if i % 9 else "" for i in range(N_ROWS)],
            "hours": [str(30 + i % 3) for i in range(N_ROWS)],
            "ill": [("flu", "cold", "gout")[i % 3] for i in range(N_ROWS)],
        }
    )
    pyarrow.csv.write_csv(table, folder / "data.csv")
    privacy = '[privacy]\nk = 5\n[[privacy.diversity]]\ncolumn = "ill"\nl = 2\n'
    roles = 'quasi_identifiers = ["age", "zip"]\nkeep = ["hours"]\nsensitive = ["ill"]\n'
    (folder / "policy.toml").write_text(roles + privacy)
    policy = kanopy.Policy.load(folder / "policy.toml")
    kanopy.anonymize(table, policy, method="mondrian").write(folder / "out.csv", certificate=False)
    return folder


def of_files(made: Path, release: Path) -> Checks:
    checks: Checks = referee().referee(release, made / "data.csv", made / "policy.toml")
    return checks


def test_the_release_holds(made: Path) -> None:
    assert {each for _, each, _ in of_files(made, made / "out.csv")} == {"holds"}


def out_of_range(lines: list[list[str]]) -> None:
    lines[1][PLACES["age"]] = "[90, 99]"


def doubled(lines: list[list[str]]) -> None:
    lines.insert(1, lines[1].copy())


def another_value(lines: list[list[str]]) -> None:
    lines[1][PLACES["hours"]] = "99"


def too_small(lines: list[list[str]]) -> None:
    """Of the smallest group all but k - 1 rows are left."""
    groups = Counter(tuple(line[:2]) for line in lines[1:])
    group = min(groups, key=lambda cells: groups[cells])
    of_it = [line for line in lines[1:] if tuple(line[:2]) == group]
    for line in of_it[4:]:
        lines.remove(line)


def other_classes(lines: list[list[str]]) -> None:
    for line in lines[1:4]:
        line[PLACES["ill"]] = "flu"


def one_class(lines: list[list[str]]) -> None:
    first = lines[1][:2]
    for line in lines[1:]:
        if line[:2] == first:
            line[PLACES["ill"]] = "flu"


def another_column(lines: list[list[str]]) -> None:
    for number, line in enumerate(lines):
        line.append(str(number))


EDITS = {
    out_of_range: "cells",
    doubled: "rows",
    another_value: "unchanged columns",
    too_small: "k of",
    other_classes: "unchanged columns",
    one_class: "diversity of",
    another_column: "columns",
}


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edited_release_is_found(
    edit: Callable[[list[list[str]]], None], made: Path, tmp_path: Path
) -> None:
    with (made / "out.csv").open(newline="") as file:
        lines = list(csv.reader(file))
    edit(lines)
    with (tmp_path / "out.csv").open("w", newline="") as file:
        csv.writer(file).writerows(lines)
    found = broken(of_files(made, tmp_path / "out.csv"))
    assert any(each.startswith(EDITS[edit]) for each in found), found


def test_a_certificate_of_another_file_is_found(made: Path, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_bytes((made / "out.csv").read_bytes())
    told = {"release": {"sha256": "0" * 64}, "truthful": True}
    (tmp_path / "out.csv.kanopy.json").write_text(json.dumps(told))
    assert broken(of_files(made, tmp_path / "out.csv")) == ["certificate: it is about another file"]


def test_every_kind_of_file(made: Path, tmp_path: Path) -> None:
    as_text = pa.csv.ConvertOptions(column_types=dict.fromkeys(PLACES, pa.string()))
    table = pa.csv.read_csv(made / "out.csv", convert_options=as_text)
    pa.parquet.write_table(table, tmp_path / "out.parquet")
    for suffix, pack in ((".csv.gz", "gzip"), (".csv.zst", "zstd")):
        with pa.CompressedOutputStream(str(tmp_path / f"out{suffix}"), pack) as file:
            file.write((made / "out.csv").read_bytes())
    for path in tmp_path.iterdir():
        assert {each for _, each, _ in of_files(made, path)} == {"holds"}, path


def test_how_a_source_is_written(made: Path, tmp_path: Path) -> None:
    text = (made / "data.csv").read_text().replace('"', "").replace(",", ";").replace("flu", " fl\u00fc ")
    (tmp_path / "data.csv").write_bytes(text.encode("cp1252"))
    release = (made / "out.csv").read_text().replace("flu", "fl\u00fc")
    (tmp_path / "out.csv").write_text(release, encoding="utf-8")
    form = '[source]\ndelimiter = ";"\nencoding = "cp1252"\n'
    (tmp_path / "policy.toml").write_text((made / "policy.toml").read_text() + form)
    assert {each for _, each, _ in of_files(tmp_path, tmp_path / "out.csv")} == {"holds"}


# --- The command -----------------------------------------------------------------------------------------


def test_the_command_says_what_was_found(made: Path, tmp_path: Path) -> None:
    flags = ("--source", made / "data.csv", "--policy", made / "policy.toml")
    kept = run("referee", made / "out.csv", *flags)
    assert (kept.code, kept.err) == (0, "")
    assert kept.out.startswith("verdict  all that is promised holds\n")
    (tmp_path / "out.csv").write_text((made / "out.csv").read_text().replace("30", "99"))
    found = run("referee", tmp_path / "out.csv", *flags, "--json")
    assert found.code == 1
    assert json.loads(found.out)["verdict"] == "broken"
    (tmp_path / "policy.toml").write_text((made / "policy.toml").read_text() + "[new]\nkey = 1\n")
    unknown = run("referee", made / "out.csv", *flags[:3], tmp_path / "policy.toml")
    assert (unknown.code, unknown.out.splitlines()[0]) == (1, "verdict  not all that is promised was counted")
    (tmp_path / "no.toml").write_text("k = ")
    assert run("referee", made / "out.csv", *flags[:3], tmp_path / "no.toml").code == 2
    assert run("referee", made / "out.csv", "--source", tmp_path / "none.csv", *flags[2:]).code == 3
    (tmp_path / "ragged.csv").write_text("age,zip,hours,ill\n1\n")
    assert run("referee", tmp_path / "ragged.csv", *flags).code == 3


def test_it_needs_python_alone(made: Path, tmp_path: Path) -> None:
    """Isolated, without any package, and copied away from kanopy."""
    alone = tmp_path / "referee.py"
    alone.write_bytes(FILE.read_bytes())
    arguments = [made / "out.csv", "--source", made / "data.csv", "--policy", made / "policy.toml"]
    ended = subprocess.run([sys.executable, "-I", "-S", alone, *arguments], check=False, capture_output=True)
    assert ended.returncode == 0, ended.stderr


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        )
    }
    assert imported - sys.stdlib_module_names == {"pyarrow"}
    first = {each.name for node in tree.body if isinstance(node, ast.Import) for each in node.names}
    assert not any(name.startswith("pyarrow") for name in first), "pyarrow is loaded where it is used"


# --- A kanopy whose own checks were made too generous ----------------------------------------------------


def patched(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One kernel that the method or the audit, or both, rely on."""
    monkeypatch.setattr(KAnonymity, "holds", lambda model, counts: counts.members >= model.k - 1)
    plain = limits.smallest_group
    monkeypatch.setattr(limits, "smallest_group", lambda *given: plain(*given) + 1)
    if what == "members":
        honest = counted.Members.of

        def generous(*arguments: Any) -> counted.Members:
            found = honest(*arguments)
            return found._replace(number=found.number + 1)

        monkeypatch.setattr(counted.Members, "of", generous)
    else:
        of_sizes = decide.decide

        def weak(kind: str, bounds: Any, members: Any, column: Any) -> Any:
            return of_sizes(kind, {**bounds, "k": bounds.get("k", 1) - 1}, members, column)

        for module in [module for module in sys.modules.values() if hasattr(module, "requested_promises")]:
            if hasattr(module, "decide"):
                monkeypatch.setattr(module, "decide", weak)


ROLES = 'quasi_identifiers = ["q"]\ntarget = "t"\n[privacy]\nk = '


def publish(folder: Path, q: Sequence[str], t: Sequence[str], k: int) -> Checks:
    """Write a release with whatever kanopy is now, and judge it."""
    table = pa.table({"q": q, "t": t})
    pyarrow.csv.write_csv(table, folder / "data.csv")
    (folder / "policy.toml").write_text(f"{ROLES}{k}\n")
    release = kanopy.anonymize(table, kanopy.Policy.load(folder / "policy.toml"), method="mondrian")
    release.write(folder / "out.csv")
    return of_files(folder, folder / "out.csv")


@pytest.mark.parametrize("what", ["members", "promise"])
def test_k_less_one_is_published_and_found(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patched(what, monkeypatch)
    found = publish(tmp_path, "a" * 9 + "b" * 12, "x" * 9 + "y" * 12, 10)
    assert broken(found) == ["k of q: 1 of 2 groups break it"]


def test_untrue_cells_are_published_and_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = find_method("mondrian")

    def narrower(cell: Cell) -> Cell:
        return span(cell.low, cell.high - 1) if cell.kind is CellKind.RANGE else cell

    def wrong(*arguments: Any, **options: Any) -> Any:
        recoding = sound.run(*arguments, **options)
        first = recoding.columns[0]
        return replace(recoding, columns=(replace(first, cells=tuple(map(narrower, first.cells))),))

    q, t = [str(10 + i // 3) for i in range(48)], "x" * 24 + "y" * 24
    assert {each for _, each, _ in publish(tmp_path, q, t, 10)} == {"holds"}
    monkeypatch.setattr(local, "find_method", lambda _name: replace(sound, run=wrong))
    monkeypatch.setattr(truth, "read_cell", lambda _text: ReadCell(is_suppressed=True))
    (tmp_path / "wrong").mkdir()
    assert outcome(publish(tmp_path / "wrong", q, t, 10), "cells") == "broken"


def test_fractions_are_exact() -> None:
    assert (
        outcome(judged(EIGHT, EIGHT, {"closeness": [{"column": "s", "t": Fraction(1, 8)}]}), "closeness")
        == "holds"
    )
