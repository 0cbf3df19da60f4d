"""``kanopy.attack`` on tables small enough to be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import kanopy
from kanopy.datasets import patients
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy

POLICY = Policy(quasi_identifiers=["age", "sex"], target="ill", identifiers=["name"], k=2)


def table(text: str) -> pa.Table:
    """Lines of ``age sex ill``; an underscore is a blank, a hyphen a missing value."""
    rows = [
        [word.replace("_", " ") if word != "-" else None for word in line.split()] for line in text.split(";")
    ]
    return pa.table(dict(zip(("age", "sex", "ill"), zip(*rows, strict=True), strict=True)))


SOURCE = table("20 f flu; 22 f flu; 30 m cold; 34 m flu; 40 m cold; 44 f cold")
FIRST = table(
    "[20,_22] f flu; [20,_22] f flu; [30,_34] m cold; [30,_34] m flu; [40,_44] * cold; [40,_44] * cold"
)
SECOND = table(
    "[20,_30] * flu; [20,_30] * cold; [22,_44] f flu; [22,_44] f cold; [34,_40] m flu; [34,_40] m cold"
)


def test_by_hand() -> None:
    found = kanopy.attack(FIRST, SOURCE, POLICY)
    assert (found.rows, found.people, found.groups, found.k, found.notes) == (6, 6, 3, 2, ())
    assert found.linking == kanopy.attacks.Linking(2, 1.0, 0.5, 0.5, 0, 0)
    (ill,) = found.inference
    # The group of 30 and 34 is a tie, decided for the wrong one once.
    assert (ill.column, ill.members, ill.majority, ill.certain) == ("ill", 5 / 6, 0.5, 4 / 6)
    assert (ill.strangers, ill.n_strangers, ill.excess) == (None, 0, None)
    assert found.sizes == kanopy.attacks.Sizes(2, 3, 3, 1.0)
    assert found.downcoding == kanopy.attacks.Downcoding(3, 3, 3, 3)
    assert found.composition is None


def test_overlapping_groups() -> None:
    found = kanopy.attack(SECOND, SOURCE, POLICY)
    # The woman of 22 fits two groups, of four rows.
    assert found.linking.one_group == 5 / 6
    assert found.linking.expected == pytest.approx((5 / 2 + 1 / 4) / 6)
    assert found.inference[0].certain == 0
    # The first group covers three people: who is in it, is not known.
    assert (found.downcoding.told, found.downcoding.checked) == (3, 2)


def test_two_releases_by_hand() -> None:
    both = kanopy.attack(FIRST, SOURCE, POLICY, SECOND).composition
    assert both is not None
    assert both.people == 6
    # The woman of 20 cannot be told from the one of 22 by cells; that one is in another group of the second.
    assert (both.alone, both.below_k) == (5 / 6, 5 / 6)
    assert (both.alone_in_groups, both.below_k_in_groups) == (1.0, 1.0)
    assert both.certain == {"ill": {"first": 4 / 6, "second": 0.0, "both": 4 / 6}}


def test_equal_people_hide_each_other() -> None:
    source = table("20 f flu; 20 f cold; 20 f flu; 30 m flu")
    both = kanopy.attack(source, source, POLICY, source).composition
    assert both is not None
    assert (both.alone, both.alone_in_groups) == (0.25, 0.25)
    source = table("20 f flu; 20 f cold; 30 m flu; 30 m flu")
    both = kanopy.attack(source, source, POLICY, source).composition
    assert both is not None
    assert (both.alone, both.alone_in_groups) == (0.0, 0.0)


def test_two_releases_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    quasi = ["age", "sex", "zip"]
    source = patients(400, seed=1).select([*quasi, "diagnosis"])
    policy = Policy(quasi_identifiers=quasi, target="diagnosis", categorical=["zip"], k=5)
    first, second = (kanopy.anonymize(source, policy, method=name) for name in ("mondrian", "kmember"))
    whole = kanopy.attack(first, source, policy, second)
    monkeypatch.setattr("kanopy.attacks.composition._MOST_BYTES", 1)
    monkeypatch.setattr("kanopy.attacks.composition._FEWEST", 70)
    assert whole.composition is not None
    assert 0 < whole.composition.alone < whole.composition.alone_in_groups < 1
    assert kanopy.attack(first, source, policy, second) == whole


def test_two_releases_leave_one_value() -> None:
    source = table("20 f flu; 30 f cold; 40 f hiv")
    first = table("[20,_30] f flu; [20,_30] f cold; 40 f hiv")
    second = table("[20,_40] f flu; 30 f cold; [20,_40] f hiv")
    both = kanopy.attack(first, source, POLICY, second).composition
    assert both is not None
    # In the second, 30 fits both groups; in the first, 20 and 30 are together.
    assert both.certain["ill"] == {"first": 1 / 3, "second": 0.0, "both": 2 / 3}


def test_strangers() -> None:
    others = table("21 f flu; 21 f cold; 99 m cold; 43 x hiv")
    (ill,) = kanopy.attack(FIRST, SOURCE, POLICY, strangers=others).inference
    assert (ill.strangers, ill.n_strangers) == (0.5, 4)
    assert ill.excess == pytest.approx(5 / 6 - 1 / 2)


def test_dropped_people_are_strangers() -> None:
    source = pa.concat_tables([SOURCE, table("70 m flu; 71 m cold")])
    found = kanopy.attack(FIRST, source, POLICY)
    (ill,) = found.inference
    assert found.linking.uncovered == 2
    # Members are as without them; the nearest group of both is the last, which says cold.
    assert (ill.members, ill.certain, ill.strangers, ill.n_strangers) == (5 / 6, 4 / 6, 0.5, 2)
    assert found.notes == ("The source has 2 rows more than the release.",)


def test_swapped_values_are_not_linked() -> None:
    swapped = table("20 f flu; 20 f flu; 30 m cold; 30 m flu; 40 m cold; 40 m cold")
    found = kanopy.attack(swapped, SOURCE, POLICY)
    assert (found.linking.uncovered, found.linking.smallest) == (3, 2)
    assert found.linking.expected == pytest.approx(3 / 2 / 6)
    assert found.inference[0].n_strangers == 0
    assert "do not always hold what people had" in found.notes[0]


def test_certain_and_wrong_is_not_certain() -> None:
    swapped = table("20 f flu; 20 f flu")
    found = kanopy.attack(swapped, table("20 f cold; 20 f flu"), POLICY)
    assert found.inference[0].certain == 0.5


def test_averages_go_to_the_nearest_group() -> None:
    means = table("21 f flu; 21 f flu; 32 m cold; 32 m flu; 42 * cold; 42 * cold")
    found = kanopy.attack(means, SOURCE, POLICY, FIRST)
    assert found.linking == kanopy.attacks.Linking(0, 0.0, 0.0, 0.0, 0, 6)
    assert found.inference[0].members == 5 / 6
    assert found.composition is not None
    assert (found.composition.people, found.composition.alone) == (0, 0.0)


def test_a_row_below_k_is_counted() -> None:
    found = kanopy.attack(SOURCE, SOURCE, POLICY)
    assert (found.linking.smallest, found.linking.below_k, found.linking.largest) == (1, 6, 1.0)


def test_missing_is_a_value() -> None:
    source = table("20 - flu; 20 f flu; - - cold; - f cold")
    release = table("20 {,_f} flu; 20 {,_f} flu; - {,_f} cold; - {,_f} cold")
    found = kanopy.attack(release, source, POLICY)
    assert found.linking.smallest == 2
    assert found.inference[0].certain == 1.0
    # Missing or f, one each? Both groups have this cell, so it was not chosen for one of them.
    assert found.downcoding == kanopy.attacks.Downcoding(2, 0, 0, 0)


def test_no_k_and_no_confidential_column() -> None:
    given = SOURCE.drop_columns(["ill"])
    policy = Policy(quasi_identifiers=["age", "sex"], privacy=[kanopy.privacy.AnonymityOf(["sex"], 2)])
    found = kanopy.attack(FIRST.drop_columns(["ill"]), given, policy, SECOND.drop_columns(["ill"]))
    assert (found.k, found.sizes, found.linking.below_k, found.inference) == (None, None, None, ())
    assert found.composition is not None
    assert (found.composition.below_k, found.composition.certain) == (None, {})


@pytest.mark.parametrize("kind", ["pandas", "polars", "csv", "parquet", "release"])
def test_tables_in_all_forms(kind: str, tmp_path: Path) -> None:
    release = kanopy.anonymize(SOURCE, Policy(quasi_identifiers=["age", "sex"], target="ill", k=2))
    shown: Any = release.frame
    if kind == "pandas":
        shown = shown.to_pandas()
        assert isinstance(shown, pd.DataFrame)
    elif kind == "polars":
        shown = pl.from_arrow(shown)
    elif kind == "release":
        shown = release
    else:
        shown = release.write(tmp_path / f"release.{kind}")
    assert kanopy.attack(shown, SOURCE, POLICY) == kanopy.attack(release.frame, SOURCE, POLICY)


def test_the_source_may_be_written_in_another_way(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_bytes("age;sex;ill\n20;f;Grippe\n22;f;Grippe\n30;m;Fußpilz\n".encode("latin-1"))
    source = pa.table({"age": ["20", "22", "30"], "sex": list("ffm"), "ill": ["Grippe", "Grippe", "Fußpilz"]})
    release = source.set_column(0, "age", pa.array(["*"] * 3))
    found = kanopy.attack(release, path, POLICY, delimiter=";", encoding="latin-1")
    assert found == kanopy.attack(release, source, POLICY)


def test_figures_are_plain_data() -> None:
    found = kanopy.attack(FIRST, SOURCE, POLICY, SECOND, strangers=SOURCE)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["composition"]["alone"] == found.composition.alone  # type: ignore[union-attr]
    assert plain["inference"][0]["strangers"] == 5 / 6
    for cell in ("flu", "cold", "[20"):
        assert cell not in json.dumps(plain)


def test_another_source_is_refused() -> None:
    with pytest.raises(
        InputError, match="2 cells of column 'sex' name nothing that the source has"
    ) as caught:
        kanopy.attack(table("* woman flu; * woman flu; * m flu"), SOURCE, POLICY)
    assert "woman" not in str(caught.value)
    assert caught.value.exit_code == 3


def test_other_columns_are_refused() -> None:
    with pytest.raises(PolicyError, match="does not say what these columns are: 'town'"):
        kanopy.attack(FIRST.append_column("town", [["x"] * 6]), SOURCE, POLICY)
    with pytest.raises(PolicyError, match="target names column 'ill'"):
        kanopy.attack(FIRST, SOURCE.drop_columns(["ill"]), POLICY)
    with pytest.raises(InputError, match="the other release has no rows"):
        kanopy.attack(FIRST, SOURCE, POLICY, FIRST.slice(0, 0))


def test_persons_are_said_not_to_be_counted() -> None:
    policy = Policy(quasi_identifiers=["age", "sex"], target="ill", person="id", k=2)
    source = SOURCE.append_column("id", [list("aabbcc")])
    assert "All other figures count rows, not persons" in kanopy.attack(FIRST, source, policy).notes[0]
