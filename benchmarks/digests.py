"""One line per release: what was asked for, and a digest of everything that came out.

Two checkouts behave alike where their lines are equal::

    PYTHONPATH=OLD/src python benchmarks/digests.py > old.txt
    PYTHONPATH=NEW/src python benchmarks/digests.py > new.txt
    diff old.txt new.txt

All methods run on 200 random tables (every kind of promise, hierarchies, missing values, persons) and on the
papers' data sets. A line covers the bytes of the written CSV, the manifest without versions and sentences,
what a C4.5 tree and naive Bayes predict from the release, and the recoding of new rows; or the exit code of
the refusal.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import kanopy
from kanopy.learners import GeneralizedNaiveBayes, GeneralizedTreeClassifier
from kanopy.privacy import (
    AlphaBound,
    BetaLikeness,
    Closeness,
    DistinctDiversity,
    EntropyDiversity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)
from kanopy_studies.datasets import describe, load, names

LARGEST = 3000
"""Rows of a data set that are used: the slowest methods take seconds for so many."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200, help="how many random tables (default: 200)")
    parser.add_argument("--methods", default="", help="only these, separated by commas")
    given = parser.parse_args()
    chosen = set(filter(None, given.methods.split(",")))
    wanted = [method.name for method in kanopy.methods() if not chosen or method.name in chosen]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for title, table, policy in [*random_tables(given.tables, place), *data_sets()]:
            for name in wanted:
                print(title, name, *digest_lines(table, policy, name, place / "out.csv"), flush=True)


def digest_lines(table: pa.Table, policy: kanopy.Policy, method: str, out: Path) -> list[str]:
    """The digests of one release; O(what the method costs)."""
    try:
        release = kanopy.anonymize(table, policy, method=method, seed=7)
        release.write(out, force=True)
    except kanopy.KanopyError as error:
        return [f"exit-{error.exit_code}"]
    manifest = json.loads(json.dumps(dict(release.manifest), default=str))
    for words in ("versions", "kanopy", "promise", "not_promised", "notices"):
        manifest.pop(words, None)
    found = [short(out.read_bytes()), short(json.dumps(manifest, sort_keys=True).encode())]
    if policy.target is not None:
        found += [
            predicted(release, table, learner)
            for learner in (GeneralizedTreeClassifier(), GeneralizedNaiveBayes())
        ]
    return [*found, recoded(release, table)]


def predicted(release: kanopy.Release, table: pa.Table, learner: Any) -> str:
    try:
        learner.fit(release)
        shares = learner.predict_proba(table.drop_columns([release.policy.target]).slice(0, 300))
    except (ValueError, kanopy.KanopyError) as error:
        return type(error).__name__
    return short(np.asarray(shares, dtype=np.float64).tobytes())


def recoded(release: kanopy.Release, table: pa.Table) -> str:
    try:
        return short(str(release.recode(table.slice(0, 200)).to_pydict()).encode())
    except kanopy.KanopyError as error:
        return f"exit-{error.exit_code}"


def short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def random_tables(n_tables: int, folder: Path) -> Iterator[tuple[str, pa.Table, kanopy.Policy]]:
    hierarchy = folder / "town.csv"
    hierarchy.write_text("".join(f"t{i};{'north' if i < 5 else 'south'};*\n" for i in range(9)))
    for number in range(n_tables):
        rng = np.random.default_rng(number)
        n_rows = int(rng.integers(20, 260))
        columns: dict[str, Any] = {
            "age": rng.integers(18, 18 + rng.integers(2, 70), n_rows),
            "town": np.array([f"t{i}" for i in range(9)])[rng.integers(0, 9, n_rows)],
            "sex": np.array(["f", "m", ""])[rng.choice(3, n_rows, p=[0.5, 0.4, 0.1])],
            "wage": np.round(rng.lognormal(8, 1, n_rows), 1),
            "ill": np.array(["flu", "hiv", "cold", "ms"])[rng.choice(4, n_rows, p=[0.4, 0.1, 0.3, 0.2])],
        }
        columns["cls"] = np.where(columns["age"] + 9 * rng.normal(size=n_rows) > 40, "yes", "no")
        columns["who"] = np.array([f"p{i}" for i in range(n_rows)])[rng.integers(0, n_rows, n_rows)]
        policy = kanopy.Policy(**_wishes(number, rng, hierarchy))
        yield f"random-{number}", pa.table({name: pa.array(made) for name, made in columns.items()}), policy


def _wishes(number: int, rng: np.random.Generator, hierarchy: Path) -> dict[str, Any]:
    quasi = ["age", "town", "sex", "wage"][: int(rng.integers(2, 5))]
    wishes: dict[str, Any] = {
        "quasi_identifiers": quasi,
        "target": "cls",
        "sensitive": ["ill"],
        "keep": [] if "wage" in quasi else ["wage"],
        "k": int(rng.choice([2, 3, 5, 10])),
    }
    if "sex" not in quasi:
        wishes["keep"] = [*wishes["keep"], "sex"]
    if number % 3 == 0:
        wishes["hierarchies"] = {"town": str(hierarchy)}
    if number % 5 == 0:
        wishes["person"] = "who"
    else:
        wishes["identifiers"] = ["who"]
    further: tuple[list[PrivacyModel], ...] = (
        [],
        [DistinctDiversity("ill", 2)],
        [EntropyDiversity("ill", 2)],
        [RecursiveDiversity("ill", 3, 2)],
        [Closeness("ill", 0.45)],
        [Template(quasi[:2], "ill", "hiv", 0.4)],
        [AlphaBound("ill", 0.7), BetaLikeness("ill", 3)],
    )
    wishes["privacy"] = further[number % 7]
    if number % 4 == 3:  # apt publishes nothing but quasi-identifiers and the class
        wishes["identifiers"] = [*wishes.get("identifiers", ()), "ill", *wishes["keep"]]
        wishes |= {"sensitive": [], "keep": [], "privacy": []}
    return wishes


def data_sets(most: int = LARGEST) -> Iterator[tuple[str, pa.Table, kanopy.Policy]]:
    """The papers' data sets that can be found on this machine; at most so many rows of each."""
    for name in names():
        try:
            table = load(name)
        except kanopy.KanopyError as error:
            print(name, "skipped:", error.message)
            continue
        known = describe(name)
        quasi = [column for column in table.column_names if column != known.target]
        policy = kanopy.Policy(quasi_identifiers=quasi, target=known.target, k=5)
        yield name, table.slice(0, most), policy


if __name__ == "__main__":
    main()
