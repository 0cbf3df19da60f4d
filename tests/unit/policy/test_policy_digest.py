"""The digest of a policy: the same for what says the same, another for anything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kanopy import Policy
from kanopy.errors import PolicyError
from kanopy.hierarchies import Prefix, Ranges
from kanopy.policy import policy_digest
from kanopy.privacy import AlphaBound, KAnonymity

TEXT = """
quasi_identifiers = ["age", "zip"]
sensitive = ["ill"]
identifiers = ["name"]
[privacy]
k = 5
[[privacy.alpha]]
column = "ill"
alpha = 0.5
[hierarchies]
zip = "zip.csv"
age = { ranges = [5, 10] }
"""
REORDERED = """
# who is who
identifiers = ["name"]    # dropped
sensitive = ["ill"]
quasi_identifiers = [ "age",
  "zip" ]
keep = []
[hierarchies]
age = { ranges = [5, 10] }
zip = "of_zip.csv"
[privacy]
k = 5
alpha = [{ alpha = 0.50, column = "ill" }]
"""
ZIP = b"12;1;*\n13;1;*\n22;2;*\n"


def digest_of(folder: Path, text: str, **instead: Any) -> str:
    (folder / "policy.toml").write_text(text)
    return policy_digest(Policy.load(folder / "policy.toml", **instead))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "zip.csv").write_bytes(ZIP)
    (tmp_path / "of_zip.csv").write_bytes(b"\xef\xbb\xbf" + ZIP.replace(b"\n", b"\r\n"))
    return tmp_path


def test_order_comments_and_file_names_do_not_matter(folder: Path) -> None:
    assert digest_of(folder, TEXT) == digest_of(folder, REORDERED)


def test_arguments_and_files_say_the_same(folder: Path) -> None:
    policy = Policy(
        quasi_identifiers=["age", "zip"],
        sensitive=["ill"],
        identifiers=["name"],
        privacy=KAnonymity(5) & AlphaBound("ill", "1/2"),
        hierarchies={"age": Ranges([5, 10]), "zip": str(folder / "zip.csv")},
    )
    assert policy_digest(policy) == digest_of(folder, TEXT)


@pytest.mark.parametrize(
    "instead",
    [
        {"quasi_identifiers": ["zip", "age"]}, {"k": 6}, {"missing": ["?"]}, {"numeric": ["age"]},
        {"identifiers": ["Name"]}, {"privacy": ()}, {"privacy": AlphaBound("ill", "501/1000")},
        {"method": "mdav"}, {"options": {"publish": "mean"}}, {"value_statistics": ["age"]},
        {"hierarchies": {}}, {"hierarchies": {"zip": Prefix([1]), "age": Ranges([5, 10])}},
        {"person": "pid"}, {"target": "cls"},
    ],
)  # fmt: skip
def test_anything_else_gives_another_digest(folder: Path, instead: dict[str, Any]) -> None:
    assert digest_of(folder, TEXT, **instead) != digest_of(folder, TEXT)


def test_the_file_of_a_hierarchy_counts_by_what_it_holds(folder: Path) -> None:
    before = digest_of(folder, TEXT)
    (folder / "zip.csv").write_bytes(ZIP.replace(b"22;2", b"22;1"))
    assert digest_of(folder, TEXT) != before
    (folder / "zip.csv").unlink()
    with pytest.raises(PolicyError, match="no such file"):
        digest_of(folder, TEXT)


def test_functions_and_objects_have_a_digest_too() -> None:
    def policy(utility: Any) -> Policy:
        return Policy(quasi_identifiers=["age"], k=5, method="tds", options={"utility": utility})

    assert policy_digest(policy(len)) == policy_digest(policy(len))
    assert policy_digest(policy(len)) != policy_digest(policy(sum))
    assert policy_digest(policy(object())) == policy_digest(policy(object()))


def test_how_the_source_is_written_counts_and_what_is_usual_does_not() -> None:
    roles = {"quasi_identifiers": ["born"], "k": 5}
    dates = {"born": {"kind": "date", "levels": ["year", "decade"]}}
    plain, dated = Policy(**roles), Policy(**roles, columns=dates)
    assert policy_digest(Policy(**roles, source={"delimiter": ";"})) != policy_digest(plain)
    assert policy_digest(Policy(**roles, source={})) == policy_digest(plain)
    assert policy_digest(dated) != policy_digest(plain)
    assert policy_digest(dated.with_calendar_trees()) == policy_digest(dated), "what a run adds"


def test_earlier_releases_count_by_their_names(tmp_path: Path) -> None:
    digests = []
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "zip.csv").write_bytes(ZIP)
        digests.append(digest_of(tmp_path / folder, 'earlier = ["last_year.csv"]\n' + TEXT))
    assert digests[0] == digests[1] != digest_of(tmp_path / "here", TEXT)
    assert digest_of(tmp_path / "here", 'earlier = ["before.csv"]\n' + TEXT) != digests[0]
