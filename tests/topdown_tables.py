"""Small tables with missing values, trees, numbers and several promises at once, for the top-down methods."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from oracles import Tree as Taxonomy
from oracles import hierarchy_of
from oracles_topdown import Plain, leaves_of
from oracles_tree_methods import Quasi

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.privacy import AnonymityOf, DistinctDiversity, KAnonymity, PrivacyModel, Template

TAXONOMIES: tuple[Taxonomy, ...] = (
    *(("a", "b", "c", "d"), (("a", "b"), ("c", "d")), ((("a", "b"), "c"), "d")),
    ((("a", "b"), ("c", "d")), ("e", ("f", "g"))),
)
NUMBERS = ("-5", "0", "1", "1.0", "4", "10", "11")
KINDS = ("text", "number", "tree")


def column_of_chance(rng: np.random.Generator, n_rows: int, kind: str) -> Quasi:
    taxonomy = TAXONOMIES[rng.integers(len(TAXONOMIES))] if kind == "tree" else None
    n_values = len(NUMBERS) if kind == "number" else int(rng.integers(1, 6))
    if taxonomy is not None:
        n_values = len(leaves_of(taxonomy))
    with_missing = rng.random() < 0.5  # which is the last code
    shares = rng.dirichlet(
        [rng.choice([0.5, 2.0])] * (n_values + with_missing)
    )  # some are frequent, some do not occur
    codes = rng.choice(n_values + with_missing, n_rows, p=shares).tolist()
    return Quasi(codes, n_values, tuple(map(float, NUMBERS)) if kind == "number" else None, taxonomy)


def encoded(plain: Plain) -> EncodedTable:
    quasi = []
    for place, column in enumerate(plain.columns):
        codes = np.array(column.codes, dtype=np.uint8)
        hierarchy = None if column.taxonomy is None else hierarchy_of(column.taxonomy, f"q{place}")
        numbers = None if column.numbers is None else np.array(column.numbers)
        labels = NUMBERS if numbers is not None else tuple("abcdefg"[: column.n_values])
        quasi.append(CodedColumn(Domain(f"q{place}", labels, numbers, hierarchy=hierarchy), codes))
    secret = labelled("secret", plain.secrets)
    persons = None if plain.persons is None else np.array(plain.persons, dtype=np.int32)
    needed = {name for part in plain.parts for name in part.columns}
    confidential = {"secret": secret} if needed else {}
    return EncodedTable(plain.n_rows, tuple(quasi), labelled("class", plain.classes), confidential, persons)


def labelled(name: str, values: Sequence[str | None]) -> CodedColumn:
    labels = tuple(sorted({value for value in values if value is not None}))
    codes = [len(labels) if value is None else labels.index(value) for value in values]
    return CodedColumn(Domain(name, labels), np.array(codes, dtype=np.uint8))


def part_of_chance(rng: np.random.Generator, n_columns: int) -> PrivacyModel:
    kind = rng.integers(0, 8)
    k = int(rng.choice([2, 2, 2, 3, 3, 4, 6]))
    some = rng.permutation(n_columns)[: rng.integers(1, n_columns + 1)]
    given_ = [f"q{place}" for place in some.tolist()]
    if kind < 2:
        return KAnonymity(k)
    if kind < 4:
        return AnonymityOf(given_, k)
    if kind < 7:
        bound = str(rng.choice(["1/3", "1/2", "0.6", "2/3", "3/4", "0.8", "0.9"]))
        return Template(given_, "secret", str(rng.choice(["x", "x", "y", "never"])), bound)
    return DistinctDiversity("secret", int(rng.choice([2, 2, 3])))


@st.composite
def tables(draw: st.DrawFn) -> Plain:
    """The shape is drawn, the rows are of chance: drawn one by one, too many of them would be alike."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = int(rng.integers(2, 60))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3))
    columns = [column_of_chance(rng, n_rows, kind) for kind in kinds]
    labels = ["Y", "N", "Z", None][: rng.choice([1, 2, 2, 3, 4])]
    classes = rng.choice(len(labels), n_rows, p=rng.dirichlet([2.0] * len(labels)))
    if draw(st.booleans()):  # classes that a column tells, for the most part
        classes = np.where(rng.random(n_rows) < 0.8, np.array(columns[-1].codes) % len(labels), classes)
    secrets = [["x", "y", "z", None][code] for code in rng.choice(4, n_rows, p=rng.dirichlet([2.0] * 4))]
    return Plain(
        columns,
        [labels[number] for number in classes],
        secrets,
        rng.integers(0, n_rows, n_rows).tolist() if draw(st.sampled_from([0, 0, 1])) else None,
        [part_of_chance(rng, len(columns)) for _ in range(draw(st.integers(1, 3)))],
    )
