"""Drafting hierarchies: files that a person can edit, and that the drafted policy can use."""

from __future__ import annotations

import json
import stat
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import SECRET, assert_clean, run
from hypothesis import given
from hypothesis import strategies as st

from kanopy.drafting import HierarchyDraft, draft_hierarchies, suggest, write_drafts
from kanopy.errors import PolicyError, ResourceError
from kanopy.frames.csv_text import write_csv
from kanopy.frames.numbers import natural_order
from kanopy.policy import Policy, load_hierarchy

N = 240
JOBS = ("chef", "nurse", "judge", "clerk", "pilot", "welder", "brewer", "actor")
PEOPLE: dict[str, list[Any]] = {
    "age": [17 + i % 74 for i in range(N)],
    "zip": [f"{10 + i % 3}{i % 7}{i % 5}1" for i in range(N)],
    "visit": [str(date(2019, 1, 1) + timedelta(days=11 * (i % 200))) for i in range(N)],
    "job": [JOBS[i % 8] for i in range(N)],
    "weight": [50 + (i % 100) / 4 for i in range(N)],
    "sex": ["f", "m", "?"] * (N // 3),
    "outcome": ["Y" if i % 8 < 4 else "N" for i in range(N)],
}


def drafts(columns: dict[str, Any], **options: Any) -> dict[str, HierarchyDraft]:
    table = pa.table(columns)
    return draft_hierarchies(table, suggest(table, **options))


def groups(draft: HierarchyDraft, value: str) -> list[str]:
    return next(line for line in draft.lines() if line[0] == value)


def test_every_kind_of_column() -> None:
    made = drafts(PEOPLE)
    assert list(made) == ["age", "zip", "job", "weight"], "sex has too few values, dates have levels"
    assert groups(made["age"], "43") == ["43", "40 to 44", "40 to 49", "40 to 59", "*"]
    assert made["age"].reason == "ranges of width 5, 10, 20"
    assert groups(made["zip"], "10001")[-2:] == ["10*", "*"]
    assert groups(made["job"], "chef")[-2:] == ["chef | clerk | judge | nurse", "*"]
    assert groups(made["weight"], "55.25") == ["55.25", "54 to <56", "52 to <56", "48 to <56", "*"]


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        ([20 + i % 6 for i in range(N)], ["20 to 21", "20 to 23", "*"]),
        ([f"{i % 28 + 1:02}.{i % 12 + 1:02}.2020" for i in range(N)], None),  # has levels
        ([i % 4 for i in range(N)], None),  # too few values
        ([5e-9 * (i % 90) for i in range(N)], ["0 to <0.00000005"]),
        ([10.0 ** (i % 90) for i in range(N)], None),  # no width is a nice one
        ([f"v{i % 6}" for i in range(N)], None),  # nothing to merge by
    ],
)
def test_what_is_drafted(values: list[Any], levels: list[str] | None) -> None:
    made = drafts({"q": values, "other": [f"o{i % 50}" for i in range(N)]})
    if levels is None:
        assert "q" not in made
    else:
        assert made["q"].lines()[0][1 : 1 + len(levels)] == levels


@pytest.mark.parametrize(
    ("codes", "groups_of_first"),
    [
        (["00001", "00002", "00013", "00014", "00025"], ["0000*", "*"]),
        (["A01.1", "A01.2", "A02", "B01", "B02"], ["A01*", "A*", "*"]),
        (["1", "2", "3", "4", "5"], None),
    ],
)
def test_codes(codes: list[str], groups_of_first: list[str] | None) -> None:
    made = drafts({"code": codes * 10, "t": ["Y", "N"] * 25})
    if groups_of_first is None:
        assert made == {}
    else:
        assert made["code"].lines()[0][1:] == groups_of_first


def test_files_can_be_read_back(tmp_path: Path) -> None:
    made = drafts(PEOPLE)
    written = write_drafts(made, tmp_path / "new" / "drafts")
    assert [draft.name for draft in written] == list(made)
    for draft in written:
        tree, again = made[draft.name].hierarchy, load_hierarchy(draft.name, draft.file, natural_order)
        assert (again.leaves, set(again.node_label)) == (tree.leaves, set(tree.node_label))
        assert stat.S_IMODE(Path(draft.file).stat().st_mode) == 0o600
    assert len(list((tmp_path / "new" / "drafts").iterdir())) == len(made), "nothing is left over"


@given(st.lists(st.text("a;\"\r\n'=,*| é", min_size=1, max_size=6), min_size=5, max_size=12, unique=True))
def test_nasty_values_can_be_read_back(tmp_path_factory: pytest.TempPathFactory, values: list[str]) -> None:
    folder = tmp_path_factory.mktemp("drafts")
    table = pa.table({"q": values * 3, "outcome": (["Y", "N", "N"] * len(values))[: 3 * len(values)]})
    made = draft_hierarchies(table, suggest(table, target="outcome"))
    for draft in write_drafts(made, folder):
        again = load_hierarchy(draft.name, draft.file, natural_order)
        assert again.leaves == made[draft.name].hierarchy.leaves


def test_names_of_files(tmp_path: Path) -> None:
    ages = list(range(20, 60))
    odd = ("age", "a/ge", "a ge", "../x", "é", "///", "~", "n" * 300)
    written = write_drafts(drafts(dict.fromkeys(odd, ages * 3)), tmp_path)
    names = [Path(draft.file).name for draft in written]
    assert names == [
        "age.csv",
        "a_ge.csv",
        "a_ge_2.csv",
        "x.csv",
        "é.csv",
        "column.csv",
        "column_2.csv",
        "n" * 60 + ".csv",
    ]
    assert all(Path(draft.file).parent == tmp_path for draft in written)


def test_existing_drafts(tmp_path: Path) -> None:
    made = drafts(PEOPLE)
    (tmp_path / "job.csv").write_text("mine")
    with pytest.raises(PolicyError, match=r"1 drafts exist already, among them 'job\.csv'"):
        write_drafts(made, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["job.csv"], "none is written"
    write_drafts(made, tmp_path, force=True)
    assert "mine" not in (tmp_path / "job.csv").read_text()
    assert stat.S_IMODE((tmp_path / "job.csv").stat().st_mode) == 0o600


def test_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PolicyError, match="'file' is no folder"):
        write_drafts({}, tmp_path / "file")
    with pytest.raises(ResourceError, match="cannot write the drafts"):
        write_drafts({}, tmp_path / "file" / "inside")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ResourceError, match="No space left"):
        write_drafts(drafts(PEOPLE), tmp_path / "drafts")
    assert list((tmp_path / "drafts").iterdir()) == []


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    columns = []
    for name, values in PEOPLE.items():
        coded = pa.array(values).cast(pa.string()).dictionary_encode()
        columns.append((name, coded.dictionary.to_pylist(), coded.indices.to_numpy()))
    with Path("people.csv").open("wb") as stream:
        write_csv(stream, columns, N)
    return tmp_path


def test_the_command(people: Path) -> None:
    drafted = run("suggest", "people.csv", "--hierarchies", "drafts")
    assert drafted.code == 0
    assert "note  4 hierarchies are drafted in drafts; they list values of the table" in drafted.err
    assert '"age" = "drafts/age.csv"  # ranges of width 5, 10, 20' in drafted.out
    Path("policy.toml").write_text(drafted.out, "utf-8")
    assert Policy.load("policy.toml").hierarchies["job"] == Path("drafts/job.csv")
    released = run("anonymize", "people.csv", "-o", "release.csv", "--policy", "policy.toml")
    assert released.code == 0, released.err
    again = run("suggest", "people.csv", "--hierarchies", "drafts", "--json")
    assert (again.code, json.loads(again.out)["exit_code"]) == (2, 2)
    forced = run("suggest", "people.csv", "--hierarchies", "drafts", "--force", "--json")
    assert [draft["name"] for draft in json.loads(forced.out)["hierarchies"]] == list(drafts(PEOPLE))
    assert run("suggest", "people.csv", "--force").code == 2


def test_values_are_those_that_will_be_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decimal commas are read before values are grouped; a policy in another folder finds the files."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{i % 50},{i % 10};{'<5' if i % 3 else f'{i % 40 + 5},5'};{'YN'[i % 2]}" for i in range(N)]
    Path("t.csv").write_text("\n".join(["weight;crp;outcome", *rows]), "utf-8")
    Path("sub").mkdir()
    made = run("suggest", "t.csv", "--hierarchies", "drafts", "-o", "sub/policy.toml")
    assert made.code == 0, made.err
    assert [path.name for path in Path("drafts").iterdir()] == ["weight.csv"], "crp has values such as <5"
    assert '"weight" = "../drafts/weight.csv"' in Path("sub/policy.toml").read_text("utf-8")
    released = run("anonymize", "t.csv", "-o", "release.csv", "--policy", "sub/policy.toml")
    assert released.code == 0, released.err


def test_without_the_flag_nothing_is_written(people: Path) -> None:
    outcome = run("suggest", "people.csv")
    assert '"zip" = { prefix = [3, 2] }  # by the first 3, 2 characters' in outcome.out, "as a rule"
    assert [path.name for path in people.iterdir()] == ["people.csv"]


def test_no_cell_is_shown(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("q,t\n" + "".join(f"{SECRET} {JOBS[i % 8]},{'YN'[i % 2]}\n" for i in range(90)), "utf-8")
    outcome = run("suggest", table, "--target", "t", "--hierarchies", tmp_path / "drafts")
    assert outcome.code == 0
    assert_clean(outcome)
    assert SECRET in (tmp_path / "drafts" / "q.csv").read_text("utf-8")
