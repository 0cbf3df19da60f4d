"""The table that the papers measure on: census data (UCI Adult), a likeness of it, and many copies."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from kanopy.errors import PolicyError, near_name

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shares = dict[str, float]

N_COMPLETE_ROWS = 45_222
DATA_FOLDER = "KANOPY_DATA"
N_KEPT_ATTRIBUTES = 3

WORKCLASS: Shares = {
    "Private": 0.737,
    "Self-emp-not-inc": 0.084,
    "Local-gov": 0.069,
    "State-gov": 0.043,
    "Self-emp-inc": 0.036,
    "Federal-gov": 0.031,
    "Without-pay": 0.0005,
}
EDUCATION: Shares = {  # in the order of education-num, from 1
    "Preschool": 0.0016,
    "1st-4th": 0.005,
    "5th-6th": 0.010,
    "7th-8th": 0.018,
    "9th": 0.015,
    "10th": 0.027,
    "11th": 0.036,
    "12th": 0.013,
    "HS-grad": 0.327,
    "Some-college": 0.219,
    "Assoc-voc": 0.043,
    "Assoc-acdm": 0.033,
    "Bachelors": 0.167,
    "Masters": 0.056,
    "Prof-school": 0.017,
    "Doctorate": 0.012,
}
# Log-odds of each state: base, and per ten years over 38.
MARITAL_STATUS: dict[str, tuple[float, float]] = {
    "Married-civ-spouse": (0.0, 0.0),
    "Never-married": (-1.0, -1.6),
    "Divorced": (-1.3, 0.1),
    "Separated": (-2.8, 0.0),
    "Widowed": (-4.1, 1.0),
    "Married-spouse-absent": (-3.7, 0.0),
    "Married-AF-spouse": (-6.5, -0.3),
}
# Log-odds of each occupation: its share, what a year of schooling over 10 adds, and what being a man adds.
OCCUPATION: dict[str, tuple[float, float, float]] = {
    "Prof-specialty": (0.09, 0.55, 0.0),
    "Craft-repair": (0.10, -0.15, 2.3),
    "Exec-managerial": (0.15, 0.25, 0.4),
    "Adm-clerical": (0.13, 0.0, -1.4),
    "Sales": (0.15, 0.05, 0.1),
    "Other-service": (0.11, -0.25, -0.9),
    "Machine-op-inspct": (0.06, -0.3, 0.4),
    "Transport-moving": (0.04, -0.2, 2.1),
    "Handlers-cleaners": (0.045, -0.25, 1.2),
    "Farming-fishing": (0.027, -0.2, 1.9),
    "Tech-support": (0.037, 0.15, -0.2),
    "Protective-serv": (0.021, 0.0, 1.2),
    "Priv-house-serv": (0.002, -0.4, -3.0),
    "Armed-Forces": (0.0003, 0.0, 1.0),
}
RACE: Shares = {
    "White": 0.860,
    "Black": 0.0935,
    "Asian-Pac-Islander": 0.0288,
    "Amer-Indian-Eskimo": 0.0096,
    "Other": 0.0081,
}
HOURS: dict[int, float] = {40: 0.55, 50: 0.105, 45: 0.06, 60: 0.055, 35: 0.04, 20: 0.045, 30: 0.04, 55: 0.025}
CAPITAL_GAIN: tuple[int, ...] = (15024, 7688, 7298, 99999, 5178, 3103, 5013, 4386, 8614, 3325, 2174, 10520)
CAPITAL_LOSS: tuple[int, ...] = (1902, 1977, 1887, 1848, 1485, 2415, 1602, 1740, 1590, 1876, 1672, 2258)
COUNTRIES = (
    "United-States Mexico Philippines Germany Puerto-Rico Canada El-Salvador India Cuba England China "
    "Jamaica South Italy Dominican-Republic Japan Guatemala Vietnam Columbia Poland Haiti Portugal Iran "
    "Taiwan Greece Nicaragua Peru Ecuador Ireland France Thailand Hong Cambodia Trinadad&Tobago "
    "Outlying-US(Guam-USVI-etc) Yugoslavia Laos Scotland Honduras Hungary Holand-Netherlands"
)


def adult_files() -> tuple[Path, Path] | None:
    """The two published files, where the folder named by ``KANOPY_DATA`` holds both."""
    folder = os.environ.get(DATA_FOLDER)
    if not folder:
        return None
    train, test = Path(folder) / "adult_train.csv", Path(folder) / "adult_test.csv"
    return (train, test) if train.is_file() and test.is_file() else None


def load_adult() -> pa.Table:
    """The 45,222 complete rows of Adult where ``adult_files`` finds them, else as many of its likeness."""
    files = adult_files()
    if files is None:
        return adult_like(N_COMPLETE_ROWS)
    convert = csv.ConvertOptions(null_values=[""], strings_can_be_null=True)
    return pa.concat_tables([csv.read_csv(file, convert_options=convert) for file in files]).drop_null()


def adult_like(n_rows: int, seed: int = 0) -> pa.Table:
    """A generated table with the columns, domains and rough distributions of Adult; complete. O(rows)."""
    rng = np.random.default_rng(seed)
    age = np.minimum(17 + rng.gamma(2.7, 8.0, n_rows), 90).astype(np.int64)
    is_male = rng.random(n_rows) < 0.675
    education = _by_share(rng, list(EDUCATION.values()), n_rows)
    # Few have finished their studies at twenty.
    education = np.where((age < 21) & (education > 9), 9, education)
    marital = _marital_status(rng, age, is_male)
    occupation = _occupation(rng, education + 1, is_male)
    hours = _hours(rng, age, is_male)
    is_rich = _is_rich(rng, age, is_male, education + 1, marital, occupation, hours)
    countries = COUNTRIES.split()
    abroad = (1 / np.arange(1, len(countries))) ** 0.9
    country_shares = np.concatenate([[0.913], 0.087 * abroad / abroad.sum()])
    return pa.table(
        {
            "age": age,
            "workclass": _words(WORKCLASS, _by_share(rng, list(WORKCLASS.values()), n_rows)),
            "fnlwgt": _weights(rng, n_rows),
            "education": _words(EDUCATION, education),
            "education-num": education + 1,
            "marital-status": _words(MARITAL_STATUS, marital),
            "occupation": _words(OCCUPATION, occupation),
            "relationship": _relationship(rng, age, is_male, marital),
            "race": _words(RACE, _by_share(rng, list(RACE.values()), n_rows)),
            "sex": _words(("Female", "Male"), is_male.astype(np.int64)),
            "capital-gain": _rare(rng, CAPITAL_GAIN, np.where(is_rich, 0.21, 0.042)),
            "capital-loss": _rare(rng, CAPITAL_LOSS, np.where(is_rich, 0.10, 0.03)),
            "hours-per-week": hours,
            "native-country": _words(countries, _by_share(rng, country_shares, n_rows)),
            "income": _words(("<=50K", ">50K"), is_rich.astype(np.int64)),
        }
    )


def expand(table: pa.Table, quasi: list[str], factor: int, seed: int = 0) -> pa.Table:
    """Every row, and ``factor - 1`` variations of it: the scalability set-up of kACTUS (Kisilevich et al.).

    A variation keeps three quasi-identifiers, chosen at random, and draws the others uniformly from their
    domains; all other columns are inherited. The original rows come first. Texts come back as dictionary
    columns. O(factor * rows * columns).

    Raises
    ------
    PolicyError
        Where a quasi-identifier is no column of the table, or the factor is below 1.
    """
    if factor < 1:
        raise PolicyError(f"cannot make {factor} rows of one", "ask for a factor of 1 or more")
    for name in quasi:
        if name not in table.column_names:
            raise PolicyError(f"the table has no column {name!r}", near_name(name, table.column_names))
    rng = np.random.default_rng(seed)
    n_varied = table.num_rows * (factor - 1)
    kept_sets = list(combinations(quasi, min(N_KEPT_ATTRIBUTES, len(quasi))))
    kept_set = rng.integers(0, len(kept_sets), n_varied)
    columns = {}
    for name in table.column_names:
        domain, codes = _codes(table[name])
        varied = np.tile(codes, factor)
        if name in quasi and n_varied:
            is_kept = np.array([name in kept for kept in kept_sets])[kept_set]
            n_codes = len(domain) + bool(table[name].null_count)
            drawn = rng.integers(0, n_codes, n_varied, dtype=np.int32)
            varied[table.num_rows :] = np.where(is_kept, varied[table.num_rows :], drawn)
        columns[name] = _decoded(domain, varied)
    return pa.table(columns)


def _codes(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int32]]:
    """The values of a column, and the code of each row; missing has the code after the last value."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)  # its dictionary may hold values that do not occur
    encoded = column.combine_chunks().dictionary_encode()
    codes = pc.fill_null(encoded.indices.cast(pa.int32()), len(encoded.dictionary))
    return encoded.dictionary, codes.to_numpy(zero_copy_only=False)


def _decoded(domain: pa.Array, codes: NDArray[np.int32]) -> pa.Array:
    indices = pa.array(codes, pa.int32(), mask=codes == len(domain))
    is_text = pa.types.is_string(domain.type) or pa.types.is_large_string(domain.type)
    return pa.DictionaryArray.from_arrays(indices, domain) if is_text else domain.take(indices)


def _weights(rng: np.random.Generator, n_rows: int) -> Ints:
    # Drawn from fewer weights than there are rows, as people of one stratum share theirs.
    weights = np.clip(rng.lognormal(12.05, 0.5, 38_000), 13_492, 1_490_400).astype(np.int64)
    return rng.choice(weights, n_rows)


def _marital_status(rng: np.random.Generator, age: Ints, is_male: NDArray[np.bool_]) -> Ints:
    weights = np.array(list(MARITAL_STATUS.values()))
    scores = weights[:, 0] + np.outer((np.minimum(age, 65) - 38) / 10, weights[:, 1])
    scores[:, 0] += np.where(is_male, 0.6, -1.55)  # far more husbands than wives were surveyed
    scores[age < 20, 0] -= 2
    return _by_score(rng, scores)


def _occupation(rng: np.random.Generator, schooling: Ints, is_male: NDArray[np.bool_]) -> Ints:
    weights = np.array(list(OCCUPATION.values()))
    return _by_score(
        rng,
        np.log(weights[:, 0])
        + np.outer(schooling - 10, weights[:, 1])
        + np.outer(is_male - 0.67, weights[:, 2]),
    )


def _hours(rng: np.random.Generator, age: Ints, is_male: NDArray[np.bool_]) -> Ints:
    usual = np.array(list(HOURS))[_by_share(rng, list(HOURS.values()), len(age))]
    other = np.clip(rng.normal(np.where(is_male, 44, 37), 13, len(age)), 1, 99).astype(np.int64)
    hours = np.where(rng.random(len(age)) < 0.7, usual, other)
    studies = (age < 22) & (rng.random(len(age)) < 0.6)
    return np.where(studies, rng.integers(8, 36, len(age)), hours)


def _is_rich(
    rng: np.random.Generator,
    age: Ints,
    is_male: NDArray[np.bool_],
    schooling: Ints,
    marital: Ints,
    occupation: Ints,
    hours: Ints,
) -> NDArray[np.bool_]:
    skilled = np.array([name in ("Exec-managerial", "Prof-specialty", "Tech-support") for name in OCCUPATION])
    score = (
        -3.0
        + 2.2 * (marital == 0)
        + 0.33 * (schooling - 10)
        + 0.03 * (np.minimum(age, 55) - 38)
        + 0.032 * (np.minimum(hours, 60) - 40)
        + 0.75 * skilled[occupation]
        + 0.15 * is_male
    )
    is_rich: NDArray[np.bool_] = (rng.random(len(age)) < 1 / (1 + np.exp(-score))) & (age > 18)
    return is_rich


def _relationship(rng: np.random.Generator, age: Ints, is_male: NDArray[np.bool_], marital: Ints) -> pa.Array:
    names = ("Husband", "Wife", "Own-child", "Not-in-family", "Unmarried", "Other-relative")
    scores = np.tile(np.array([-np.inf, -np.inf, -1.2, 0.4, -0.4, -1.9]), (len(age), 1))
    scores[age < 26, 2] += 2.6
    scores[(marital == 1) & (age < 26), 2] += 0.5
    spouse = np.where(is_male, 0, 1)
    is_spouse = (marital == 0) & (rng.random(len(age)) < 0.98)
    return _words(names, np.where(is_spouse, spouse, _by_score(rng, scores)))


def _by_share(rng: np.random.Generator, shares: Any, n_rows: int) -> Ints:
    probabilities = np.asarray(shares, dtype=np.float64)
    return rng.choice(len(probabilities), n_rows, p=probabilities / probabilities.sum())


def _by_score(rng: np.random.Generator, scores: Floats) -> Ints:
    """One choice per row, with odds e to the power of its scores (the Gumbel trick)."""
    chosen: Ints = np.argmax(scores + rng.gumbel(size=scores.shape), axis=1)
    return chosen


def _rare(rng: np.random.Generator, amounts: tuple[int, ...], probability: Floats) -> Ints:
    """Mostly nothing; now and then one of the usual amounts, or a hundred more or less."""
    n_rows = len(probability)
    amount = np.array(amounts)[rng.integers(0, len(amounts), n_rows)]
    other = rng.integers(1, 70, n_rows) * 100 + 14
    amount = np.where(rng.random(n_rows) < 0.7, amount, other)
    return np.where(rng.random(n_rows) < probability, amount, 0)


def _words(words: Any, codes: Ints) -> pa.Array:
    return pa.array(list(words), pa.string()).take(pa.array(codes))
