"""The generated patients: repeatable, of the right shape, and worth learning from."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from kanopy.datasets import patients, patients_policy_text
from kanopy.errors import PolicyError

TYPES = {
    "patient_id": pa.string(),
    "name": pa.string(),
    "age": pa.int64(),
    "sex": pa.string(),
    "zip": pa.string(),
    "admission_type": pa.string(),
    "smoker": pa.string(),
    "bmi": pa.float64(),
    "diagnosis": pa.string(),
    "length_of_stay": pa.int64(),
    "readmitted": pa.string(),
}


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return patients()


def rate_of(table: pa.Table, stratum: pc.Expression) -> tuple[float, int]:
    """Share of readmitted patients in a stratum, and how many patients it holds."""
    came_back = pc.equal(table.filter(stratum)["readmitted"], "yes").to_numpy()
    return came_back.mean(), len(came_back)


def standard_errors_between(table: pa.Table, left: pc.Expression, right: pc.Expression) -> float:
    """By how many standard errors the readmission rate of ``left`` exceeds that of ``right``."""
    (high, n_high), (low, n_low) = rate_of(table, left), rate_of(table, right)
    return (high - low) / np.sqrt(high * (1 - high) / n_high + low * (1 - low) / n_low)


def test_shape_and_types(table: pa.Table) -> None:
    assert table.num_rows == 5000
    assert dict(zip(table.schema.names, table.schema.types, strict=True)) == TYPES


def test_same_seed_same_table(table: pa.Table) -> None:
    assert patients(5000, 0).equals(table)


def test_seeds_differ_in_every_column(table: pa.Table) -> None:
    other = patients(seed=1)
    assert [name for name in TYPES if other[name].equals(table[name])] == []


@pytest.mark.parametrize("n_rows", [0, 1])
def test_tiny_tables(n_rows: int) -> None:
    tiny = patients(n_rows)
    assert tiny.num_rows == n_rows
    assert dict(zip(tiny.schema.names, tiny.schema.types, strict=True)) == TYPES


def test_negative_size_is_refused() -> None:
    with pytest.raises(PolicyError):
        patients(-1)


def test_ids_are_unique_and_in_no_order(table: pa.Table) -> None:
    ids = table["patient_id"].to_pylist()
    assert len(set(ids)) == len(ids)
    assert ids != sorted(ids)
    assert pc.all(pc.match_substring_regex(table["patient_id"], r"^P\d{6}$")).as_py()


def test_zips_are_text_with_leading_zeros_in_a_few_towns(table: pa.Table) -> None:
    zips = pc.unique(table["zip"]).to_pylist()
    assert 50 <= len(zips) <= 70
    assert {len(code) for code in zips} == {5}
    assert 0.2 < pc.mean(pc.starts_with(table["zip"], "0").cast(pa.float64())).as_py() < 0.7
    assert len({code[:3] for code in zips}) == 6


def test_values_are_plausible(table: pa.Table) -> None:
    assert 0 <= pc.min(table["age"]).as_py() <= 17
    assert 90 <= pc.max(table["age"]).as_py() <= 99
    assert 50 < pc.mean(table["age"]).as_py() < 65
    assert set(table["sex"].to_pylist()) == {"female", "male"}
    assert set(table["admission_type"].to_pylist()) == {"emergency", "urgent", "elective"}
    assert set(table["smoker"].to_pylist()) == {"never", "former", "current", None}
    assert len(pc.unique(table["diagnosis"])) == 12
    assert pc.min(table["length_of_stay"]).as_py() >= 1
    assert 12 < pc.min(table["bmi"]).as_py() < pc.max(table["bmi"]).as_py() <= 60
    assert pc.all(pc.equal(table["bmi"], pc.round(table["bmi"], 1))).as_py()


def test_only_smoker_and_bmi_are_missing_and_rarely(table: pa.Table) -> None:
    share = {name: table[name].null_count / table.num_rows for name in TYPES}
    assert 0.02 < share.pop("smoker") < 0.04
    assert 0.01 < share.pop("bmi") < 0.03
    assert set(share.values()) == {0}


def test_only_women_of_that_age_give_birth(table: pa.Table) -> None:
    births = table.filter(pc.equal(table["diagnosis"], "childbirth"))
    assert births.num_rows > 50
    assert set(births["sex"].to_pylist()) == {"female"}
    assert 18 <= pc.min(births["age"]).as_py() <= pc.max(births["age"]).as_py() < 45


def test_children_do_not_smoke(table: pa.Table) -> None:
    children = table.filter(pc.less(table["age"], 16))
    assert children.num_rows > 100
    assert set(children["smoker"].to_pylist()) <= {"never", None}


def test_a_quarter_or_so_comes_back(table: pa.Table) -> None:
    assert 0.25 < rate_of(table, pc.field("age") >= 0)[0] < 0.31


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(pc.field("age") >= 75, pc.field("age") < 45, id="age"),
        pytest.param(pc.field("smoker") == "current", pc.field("smoker") == "never", id="smoker"),
        pytest.param(pc.field("bmi") >= 32, pc.field("bmi") < 25, id="bmi"),
        pytest.param(pc.field("diagnosis") == "COPD", pc.field("diagnosis") == "fracture", id="diagnosis"),
        pytest.param(
            pc.field("admission_type") == "emergency",
            pc.field("admission_type") == "elective",
            id="admission",
        ),
    ],
)
def test_readmission_depends_on(table: pa.Table, left: pc.Expression, right: pc.Expression) -> None:
    # Within a band of ages, so that age alone does not explain the others.
    is_middle_aged = (pc.field("age") >= 45) & (pc.field("age") < 75)
    people = table if "age" in str(left) else table.filter(is_middle_aged)
    assert standard_errors_between(people, left, right) > 5


def test_readmission_does_not_depend_on_the_number_of_the_patient(table: pa.Table) -> None:
    is_early = pc.field("patient_id") < "P002500"
    assert abs(standard_errors_between(table, is_early, ~is_early)) < 3


def test_a_table_of_strata_beats_guessing(table: pa.Table) -> None:
    """Rates per diagnosis, age band and admission, learned on one half, rank the other half."""
    keys = np.array(
        [
            f"{diagnosis}/{age // 20}/{kind}"
            for diagnosis, age, kind in zip(
                *(table[name].to_pylist() for name in ("diagnosis", "age", "admission_type")), strict=True
            )
        ]
    )
    came_back = np.array(table["readmitted"].to_pylist()) == "yes"
    half = len(keys) // 2
    strata, place = np.unique(keys, return_inverse=True)
    n_yes = np.bincount(place[:half], weights=came_back[:half], minlength=len(strata))
    n_all = np.bincount(place[:half], minlength=len(strata))
    score = ((n_yes + 1) / (n_all + 4))[place[half:]]
    yes, no = score[came_back[half:]], score[~came_back[half:]]
    wins = (yes[:, None] > no).mean() + 0.5 * (yes[:, None] == no).mean()
    assert 0.70 < wins < 0.85


def test_policy_gives_every_column_one_role(table: pa.Table) -> None:
    policy = tomllib.loads(patients_policy_text())
    roles = policy["quasi_identifiers"] + policy["sensitive"] + policy["identifiers"] + policy["keep"]
    assert sorted([*roles, policy["target"]]) == sorted(TYPES)
    assert policy["privacy"] == {"k": 10, "diversity": [{"column": "diagnosis", "kind": "distinct", "l": 3}]}
    assert policy["method"] == {"name": "mondrian"}


def test_importing_the_room_does_not_import_pyarrow() -> None:
    code = "import sys, kanopy.datasets; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
