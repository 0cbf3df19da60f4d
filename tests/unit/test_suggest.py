"""Drafting a policy: a role and a reason for every column, in a file that can be read back."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from command import run

from kanopy.drafting import ColumnSuggestion, Suggestion, suggest
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy
from kanopy.policy.toml_file import read_policy

N = 60
TYPICAL: dict[str, list[Any]] = {
    "full name": [f"Ann {i}" for i in range(N)],
    "patientId": [f"p{i % 40}" for i in range(N)],
    "contact": [f"ann{i % 30}@example.org" for i in range(N)],
    "remark": [f"came in on day {i % 30} of May" for i in range(N)],
    "record": [f"r{i}" for i in range(N)],
    "age": [20 + i % 30 for i in range(N)],
    "zip": [1000 + i % 6 for i in range(N)],
    "sex": ["f", "m", "?"] * (N // 3),
    "birth": [f"1980-01-{i % 25 + 1:02}" for i in range(N)],
    "weight": [50 + i / 7 for i in range(N)],
    "diagnosis": [f"d{i % 5}" for i in range(N)],
    "readmitted": ["yes", "no"] * (N // 2),
    "region": ["north", "south", "west"] * (N // 3),
}


def draft(columns: dict[str, Any], **options: Any) -> Suggestion:
    return suggest(pa.table(columns), **options)


def column(made: Suggestion, name: str) -> ColumnSuggestion:
    return next(column for column in made.columns if column.name == name)


def read_back(made: Suggestion) -> Policy:
    return read_policy(made.to_toml().encode())


@pytest.mark.parametrize(
    ("name", "role", "reason"),
    [
        ("full name", "identifiers", "60 values; the name hints at an identifier"),
        ("patientId", "person", "40 values in 60 rows: several rows per person"),
        ("contact", "identifiers", "looks like email"),
        ("remark", "identifiers", "looks like free text"),
        ("record", "identifiers", "nearly unique: 60 values in 60 rows"),
        ("age", "quasi_identifiers", "30 numbers, 30 of them rare"),
        ("zip", "quasi_identifiers", "6 numbers"),
        ("sex", "quasi_identifiers", "3 values"),
        ("birth", "quasi_identifiers", "a date with 25 values; consider publishing only the year"),
        ("weight", "quasi_identifiers", "60 numbers, 60 of them rare"),
        ("diagnosis", "sensitive", "5 values; the name hints at something confidential"),
        ("readmitted", "target", "2 classes; published as it is"),
        ("region", "quasi_identifiers", "3 values"),
    ],
)
def test_roles_and_reasons(name: str, role: str, reason: str) -> None:
    made = column(draft(TYPICAL), name)
    assert (made.role, made.reason) == (role, reason)
    assert (name == "zip") == made.is_code


def test_the_draft_is_a_policy_that_covers_every_column() -> None:
    made = draft(TYPICAL)
    policy = read_back(made)
    assert policy.roles == {column.name: column.role for column in made.columns}
    policy.check_columns(list(TYPICAL))
    assert (policy.k, policy.missing, policy.categorical) == (3, ("?",), ("zip",))


def test_bounds_to_uncomment() -> None:
    text = draft(TYPICAL).to_toml()
    start = text.index("# [[privacy.diversity]]")
    uncommented = text[:start] + text[start:].replace("\n# ", "\n").removeprefix("# ")
    policy = read_policy(uncommented.encode())
    assert policy.promise.columns == ("diagnosis",)


@pytest.mark.parametrize(
    "name",
    ['a"b', "a\\b", "a'b", "a\tb", "a#b", "]", "a,b", "x = 1", "\u202eabc", "\u009b31m", "Zo\u00eb",
     "北京", "a\x7fb", "\x1b[31m", "\U000e0041x", "a\u2028b"],
)  # fmt: skip
@pytest.mark.parametrize("role", ["quasi_identifiers", "target", "sensitive", "identifiers", "person"])
def test_nasty_names_are_quoted(name: str, role: str) -> None:
    suggestion = Suggestion(
        (ColumnSuggestion(name, role, "why", 3, 0, is_code=role == "quasi_identifiers"),
         ColumnSuggestion("q", "quasi_identifiers", "why", 3, 0)), ("?",), {'"': 3}, 2, 9,
    )  # fmt: skip
    text = suggestion.to_toml()
    assert read_policy(text.encode()).roles == {name: role, "q": "quasi_identifiers"}
    assert all(line.isprintable() for line in text.split("\n")), "a name must not drive the terminal"


def test_question_marks_mean_missing_and_others_may() -> None:
    made = draft({"q": ["?", " ? ", "NA", "a", "-9", "-9"], "t": ["y", "n", "unknown", "y", "n", "y"]})
    assert made.missing == ("?",)
    assert made.maybe_missing == {"NA": 1, "-9": 2, "unknown": 1}
    text = made.to_toml()
    assert 'missing = ["?"]\n' in text
    assert '# "-9" occurs 2 times: if it means missing, add it to missing' in text
    assert draft({"q": ["a", "b"] * 3, "t": ["y", "n"] * 3}).missing == ()


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"a": ["1", "2"] * 5, "outcome": ["y", "n"] * 5, "b": ["1", "2"] * 5}, "outcome"),
        ({"a": ["1", "2"] * 5, "b": ["1", "2"] * 5}, "b"),  # the last one, as such tables have it
        ({"outcome": ["y"] * 10, "b": [f"v{i}" for i in range(10)]}, None),  # one value; all different
        ({"outcome": [f"v{i % 21}" for i in range(42)], "b": ["x"] * 42}, None),
    ],
)
def test_likely_target(columns: dict[str, Any], target: str | None) -> None:
    found = [column.name for column in draft(columns).columns if column.role == "target"]
    assert found == ([] if target is None else [target])


def test_a_target_that_is_given() -> None:
    assert column(draft(TYPICAL, target="region"), "region").role == "target"
    assert column(draft(TYPICAL, target="region"), "readmitted").role == "quasi_identifiers"
    with pytest.raises(PolicyError, match="no column 'regoin'") as caught:
        draft(TYPICAL, target="regoin")
    assert caught.value.hint == "did you mean 'region'?"


def test_one_person_column_only() -> None:
    ids = [f"p{i % 40}" for i in range(N)]
    made = draft({"patient_id": ids, "customer_id": ids, "age": list(range(N))})
    assert [column.role for column in made.columns] == ["person", "identifiers", "identifiers"]


@pytest.mark.parametrize(("n_rows", "k"), [(3, 2), (60, 3), (200, 10), (5000, 10)])
def test_k_grows_with_the_table(n_rows: int, k: int) -> None:
    assert draft({"q": ["a", "b", "c"][: n_rows % 3 or 3] * (n_rows // (n_rows % 3 or 3))}).k == k


def test_no_rows() -> None:
    with pytest.raises(InputError, match="no rows"):
        draft({"q": pa.array([], pa.string())})


def test_no_cell_in_the_draft() -> None:
    secret = {name: [f"SECRET-{value}" for value in values] for name, values in TYPICAL.items()}
    made = draft(secret)
    assert "SECRET" not in made.to_toml() + json.dumps(made.to_dict())


def test_the_command(tmp_path: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,sex\n" + "20,f\n30,m\n" * 5, "utf-8")
    as_toml, as_json = run("suggest", path), run("suggest", path, "--json")
    assert read_policy(as_toml.out.encode()).roles == {"age": "quasi_identifiers", "sex": "target"}
    assert [column["role"] for column in json.loads(as_json.out)["columns"]] == [
        "quasi_identifiers",
        "target",
    ]
    assert "kanopy anonymize" in as_toml.err
    assert run("suggest", path, "--target", "age").out != as_toml.out
