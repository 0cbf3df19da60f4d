"""A generated table of hospital patients, with every role that a policy knows. It may be shown to anyone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.errors import PolicyError

if TYPE_CHECKING:
    import pyarrow as pa

WOMEN = (
    "Aisha Amara Ana Astrid Camila Chiara Chloe Elena Emma Fatima Freya Grace Hana Ingrid Isabel Jasmine "
    "Keiko Leila Linh Lucia Maria Mei Naomi Nadia Olga Priya Rosa Sofia Yara Zofia"
)
MEN = (
    "Ahmed Ali Andrei Arjun Carlos Chen Daniel David Diego Emeka Erik Finn Hiroshi Hugo Ivan James Jamal "
    "Juan Kenji Kwame Lars Luca Marek Mateo Minh Noah Omar Rafael Samuel Tomasz"
)
FAMILIES = (
    "Abbas Adeyemi Ali Andersson Bauer Becker Bianchi Brown Carter Castro Chen Cohen Costa Cruz Diallo "
    "Diaz Dubois Eriksen Evans Fernandez Fischer Flores Garcia Gomez Gonzalez Gupta Haddad Hansen Hassan "
    "Hill Hoffmann Horvat Ivanova Jansen Johnson Jones Kaya Khan Kim Kowalska Kumar Larsen Lee Lewis Li "
    "Lopez Martin Mbeki Mendoza Mensah Meyer Moreau Morris Murphy Nakamura Ndiaye Nguyen Novak Okafor "
    "Okoye Olsen Ortiz Park Patel Pereira Petrov Popescu Ramirez Rossi Sato Schmidt Silva Singh Smith "
    "Suzuki Tanaka Tran Walker Wang Wong"
)

TOWNS = ("018", "021", "060", "112", "190", "606")
TOWN_SHARES = (0.10, 0.26, 0.08, 0.22, 0.16, 0.18)
TOWN_SMOKING = (0.5, -0.2, 0.3, 0.0, 0.2, -0.3)
DISTRICTS_PER_TOWN = 10

# How likely a diagnosis is (log-odds: base, per 20 years over 50, child, smoking, per 5 BMI points over 27,
# female), how many days it usually takes, and what it adds to the log-odds of coming back.
DIAGNOSES: dict[str, tuple[float, ...]] = {
    "heart failure": (-0.1, 1.0, -4.0, 0.4, 0.4, -0.1, 6.0, 1.1),
    "coronary disease": (0.2, 0.7, -4.0, 0.9, 0.3, -0.5, 4.0, 0.3),
    "stroke": (-0.3, 0.8, -4.0, 0.5, 0.1, 0.0, 7.0, 0.4),
    "COPD": (-0.8, 0.6, -5.0, 2.0, 0.0, 0.0, 5.0, 1.0),
    "asthma": (-0.4, -0.5, 0.9, 0.2, 0.2, 0.2, 3.0, 0.1),
    "pneumonia": (0.1, 0.3, 0.6, 0.5, -0.1, 0.0, 5.0, 0.3),
    "diabetes": (0.1, 0.3, -0.8, 0.1, 1.0, 0.0, 4.0, 0.6),
    "cancer": (0.1, 0.6, -1.5, 0.7, 0.0, 0.1, 8.0, 0.8),
    "fracture": (0.3, 0.3, 0.7, 0.0, -0.4, 0.2, 4.0, -0.8),
    "appendicitis": (-0.1, -0.7, 0.8, 0.0, 0.0, 0.0, 2.0, -1.3),
    "childbirth": (2.2, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, -1.8),
    "depression": (-0.1, -0.4, -1.0, 0.3, 0.1, 0.3, 9.0, 0.7),
}

_POLICY = """\
# Who may learn what from the table of patients.
quasi_identifiers = ["age", "sex", "zip", "admission_type", "smoker", "bmi"]
sensitive = ["diagnosis"]
target = "readmitted"
identifiers = ["patient_id", "name"]
keep = ["length_of_stay"]
categorical = ["zip"]  # a code, not a quantity

[privacy]
k = 10

[[privacy.diversity]]
column = "diagnosis"
kind = "distinct"
l = 3

[method]
name = "mondrian"
"""


def patients(n_rows: int = 5000, seed: int = 0) -> pa.Table:
    """A table of hospital stays, one row per patient; same size and seed, same table. O(rows).

    Columns are ``patient_id, name, age, sex, zip, admission_type, smoker, bmi, diagnosis, length_of_stay``
    and ``readmitted``. About 3 % of ``smoker`` and 2 % of ``bmi`` are missing. Whether a patient was
    readmitted depends on age, smoking, BMI, diagnosis and kind of admission.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if n_rows < 0:
        raise PolicyError(f"cannot make a table of {n_rows} rows", "ask for 0 rows or more")
    rng = np.random.default_rng(seed)
    sex = (rng.random(n_rows) < 0.48).astype(np.int64)
    age = _ages(rng, n_rows)
    town = rng.choice(len(TOWNS), n_rows, p=TOWN_SHARES)
    smoking = _smoking(rng, age, sex, town)
    bmi = _bmi(rng, age)
    admission = _draw(rng, np.stack([0.4 + 0.1 * _old(age), -0.5 + 0 * age, 0.1 - 0.1 * _old(age)], axis=1))
    diagnosis = _diagnoses(rng, age, sex, smoking, bmi)
    numbers = pa.array(rng.permutation(n_rows) + 1, pa.int64()).cast(pa.string())
    return pa.table(
        {
            "patient_id": pc.binary_join_element_wise("P", pc.utf8_lpad(numbers, 6, "0"), ""),
            "name": _names(rng, sex),
            "age": pa.array(age, pa.int64()),
            "sex": _texts(("female", "male"), sex),
            "zip": _zips(rng, town),
            "admission_type": _texts(("emergency", "urgent", "elective"), admission),
            "smoker": _texts(("never", "former", "current"), smoking, rng.random(n_rows) < 0.03),
            "bmi": pa.array(bmi, pa.float64(), mask=rng.random(n_rows) < 0.02),
            "diagnosis": _texts(list(DIAGNOSES), diagnosis),
            "length_of_stay": pa.array(_days(rng, age, admission, diagnosis), pa.int64()),
            "readmitted": _texts(("no", "yes"), _readmitted(rng, age, smoking, bmi, admission, diagnosis)),
        }
    )


def patients_policy_text() -> str:
    """A policy for the table of ``patients``, as the text of a policy file."""
    return _POLICY


def _ages(rng: np.random.Generator, n_rows: int) -> Ints:
    is_child = rng.random(n_rows) < 0.08
    adult = (18 + 82 * rng.beta(2.2, 1.7, n_rows)).astype(np.int64)
    return np.where(is_child, rng.integers(0, 18, n_rows), adult)


def _old(age: Ints) -> Floats:
    """Twenties of years over 50, no less than for a young adult."""
    return (np.maximum(age, 18) - 50) / 20


def _smoking(rng: np.random.Generator, age: Ints, sex: Ints, town: Ints) -> Ints:
    habit = np.array(TOWN_SMOKING)[town] + 0.25 * sex
    former, current = -1.1 + 0.45 * _old(age) + habit, -0.7 - 0.35 * _old(age) + habit
    return np.where(age < 16, 0, _draw(rng, np.stack([np.zeros(len(age)), former, current], axis=1)))


def _bmi(rng: np.random.Generator, age: Ints) -> Floats:
    adult = 16.5 + rng.gamma(4.6, 2.4, len(age)) + 0.6 * np.minimum(_old(age), 0.5)
    child = 13.5 + 0.4 * age + rng.gamma(3.0, 0.8, len(age))
    return np.minimum(np.where(age < 18, child, adult), 60.0).round(1)


def _diagnoses(rng: np.random.Generator, age: Ints, sex: Ints, smoking: Ints, bmi: Floats) -> Ints:
    weights = np.array(list(DIAGNOSES.values()))[:, :6]
    is_child, is_female = age < 18, sex == 0
    smoked = np.array([0.0, 0.6, 1.0])[smoking]
    heavy = np.where(is_child, 0.0, (bmi - 27) / 5)
    features = np.stack([np.ones(len(age)), _old(age), is_child, smoked, heavy, is_female], axis=1)
    scores = features @ weights.T
    scores[~is_female | is_child | (age >= 45), list(DIAGNOSES).index("childbirth")] = -np.inf
    return _draw(rng, scores)


def _days(rng: np.random.Generator, age: Ints, admission: Ints, diagnosis: Ints) -> Ints:
    usual = np.array([row[6] for row in DIAGNOSES.values()])[diagnosis]
    slower = (1 + 0.15 * _old(age)) * np.array([1.15, 1.0, 0.8])[admission]
    return np.asarray(np.ceil(usual * slower * rng.gamma(2.5, 1 / 2.5, len(age))), dtype=np.int64)


def _readmitted(
    rng: np.random.Generator, age: Ints, smoking: Ints, bmi: Floats, admission: Ints, diagnosis: Ints
) -> Ints:
    log_odds = (
        -2.4
        + 0.55 * _old(age)
        + np.array([0.0, 0.3, 0.8])[smoking]
        + 0.3 * np.where(age < 18, 0.0, (bmi - 27) / 5)
        + np.array([0.7, 0.3, -0.3])[admission]
        + np.array([row[7] for row in DIAGNOSES.values()])[diagnosis]
    )
    return np.asarray(rng.random(len(age)) < 1 / (1 + np.exp(-log_odds)), dtype=np.int64)


def _draw(rng: np.random.Generator, scores: Floats) -> Ints:
    """One choice per row, with odds e to the power of its scores (the Gumbel trick)."""
    return np.asarray(np.argmax(scores + rng.gumbel(size=scores.shape), axis=1), dtype=np.int64)


def _zips(rng: np.random.Generator, town: Ints) -> Any:
    # The centre of a town is crowded, its edge is not.
    district = np.minimum(rng.geometric(0.22, len(town)) - 1, DISTRICTS_PER_TOWN - 1)
    zips = [f"{prefix}{3 * number + 1:02d}" for prefix in TOWNS for number in range(DISTRICTS_PER_TOWN)]
    return _texts(zips, town * DISTRICTS_PER_TOWN + district)


def _names(rng: np.random.Generator, sex: Ints) -> Any:
    women, men, families = WOMEN.split(), MEN.split(), FAMILIES.split()
    woman, man = rng.integers(0, len(women), len(sex)), rng.integers(0, len(men), len(sex))
    first = np.where(sex == 0, woman, len(women) + man)
    names = [f"{given} {family}" for given in (*women, *men) for family in families]
    return _texts(names, first * len(families) + rng.integers(0, len(families), len(sex)))


def _texts(texts: Sequence[str], codes: Ints, is_missing: Bools | None = None) -> Any:
    import pyarrow as pa

    return pa.array(texts, pa.string()).take(pa.array(codes, mask=is_missing))


def write_patients(table: pa.Table, file: str | os.PathLike[str]) -> None:
    """Write patients as a CSV file, as `kanopy demo --save` does; O(rows * columns)."""
    import pyarrow as pa

    from kanopy.frames.csv_text import write_csv

    columns = []
    for name in table.column_names:
        coded = table[name].combine_chunks().cast(pa.string()).fill_null("").dictionary_encode()
        columns.append((name, coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)))
    with Path(file).open("wb") as stream:
        write_csv(stream, columns, table.num_rows)
