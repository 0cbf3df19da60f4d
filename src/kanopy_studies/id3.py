"""The experiment of Shao and Beckford, "Learning Decision Trees from Anonymized Data".

The training part of Adult is released by strict Mondrian with sets, modified ID3 learns from its eight
categorical attributes, and the test part is classified as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from statistics import mean
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy.algorithms import find_method, silent
from kanopy.data import CodedColumn, EncodedTable, Recoding
from kanopy.learners.tree_classifier import GeneralizedTreeClassifier
from kanopy.privacy import KAnonymity
from kanopy_studies.experiment import Request, command
from kanopy_studies.page import AGREES, DIFFERS, Line, Page, agreement, beside_table, made_by, table, versions
from kanopy_studies.pictures import draw_panels
from kanopy_studies.settings import Sample, complete_rows, load_sample

QUASI = ("age", "education", "hours-per-week", "native-country", "capital-gain", "workclass")
MORE_QUASI = ("occupation", "marital-status", "relationship", "race", "sex", "capital-loss")
"""Those that the paper adds one by one, at k = 64."""
KS = (4, 8, 16, 32, 64)
SEEDS = (0, 1, 2)

RANDOM, ORIGINAL, HIGHEST = "random", "original_distribution", "highest_frequency"
MAPPINGS = (RANDOM, ORIGINAL, HIGHEST)
AS_IT_IS = 1
"""The k of the table without anonymization."""

PUBLISHED = {AS_IT_IS: 0.8096, 4: 0.8087, 64: 0.7928}
"""Accuracy by k, of the mapping at random; the others are drawn in a figure that is not in the text."""
PUBLISHED_ROOTS = {
    **dict.fromkeys((6, 7, 8), "relationship"),
    **dict.fromkeys((9, 10), "sex"),
    **dict.fromkeys((11, 12), "native-country"),
}
"""By the number of quasi-identifiers."""
NEAR = 0.56
"""Points: the largest spread between runs that the paper reports for its test on k."""
SMALLEST_K, LARGEST_K = 4, 64

READINGS: dict[str, dict[str, Any]] = {
    "both sides, most values": {"width": "distinct"},
    "both sides, widest range": {"width": "range"},
    "lower side, most values": {"width": "distinct", "try_lower_cut": False},
    "lower side, widest range": {"width": "range", "try_lower_cut": False},
}
"""How strict Mondrian cuts a column at its median, and which column it takes: options of ``mondrian``. The
lower side: rows of the median value always go with the lower ones, as the pseudo-code has it."""
READING = next(iter(READINGS))
"""The one that brings the paper's numbers about."""


@dataclass(frozen=True, slots=True)
class Row:
    """One tree: its accuracy on the test rows as they are, and the attribute that its root tests."""

    k: int
    n_quasi: int
    mapping: str
    seed: int
    accuracy: float
    root: str
    n_groups: int
    reading: str = READING


def run(
    ks: Sequence[int] = KS,
    seeds: Sequence[int] = SEEDS,
    *,
    mappings: Sequence[str] = MAPPINGS,
    n_quasi: int = len(QUASI),
    reading: str = READING,
) -> list[Row]:
    """Release, learn and test for every k, mapping and seed; about 0.2 seconds for each.

    A k of 1 is the original table. Only what is random is repeated for every seed.
    """
    train, test = load_parts()
    quasi = (*QUASI, *MORE_QUASI)[:n_quasi]
    classes = [np.array(sample.target.domain.labels)[sample.target.codes] for sample in (train, test)]
    learned = [column.domain.name for column in train.columns if not column.domain.is_numeric]
    new = _texts(test, {}).select(learned)
    found = []
    for k in ks:
        recoding = None if k == AS_IT_IS else release(train, quasi, k, reading)
        table = _texts(train, {} if recoding is None else _words(recoding)).select(learned)
        n_groups = train.n_rows if recoding is None else recoding.groups[1]
        for mapping in mappings if recoding is not None else (RANDOM,):
            draws = mapping != HIGHEST and recoding is not None
            for seed in seeds if draws else seeds[:1]:
                tree = learner(mapping, train, seed).fit(table, classes[0])
                accuracy = float(np.mean(tree.predict(new) == classes[1]))
                root = tree.tree_.splits.column_name(0)
                found.append(Row(k, len(quasi), mapping, seed, accuracy, root, n_groups, reading))
    return found


def load_parts() -> tuple[Sample, Sample]:
    """The training and the test part, complete rows only."""
    sample = load_sample("adult")
    n_train = complete_rows("adult", "train").num_rows
    return sample.rows(np.arange(n_train)), sample.rows(np.arange(n_train, sample.n_rows))


def release(train: Sample, quasi: Sequence[str], k: int, reading: str = READING) -> Recoding:
    """Strict Mondrian at medians, every group published as sets; rows in the order of the table."""
    found = {column.domain.name: column for column in train.columns}
    table = EncodedTable(train.n_rows, tuple(found[name] for name in quasi), train.target)
    method = find_method("mondrian")
    options = method.settle({"cut": "median", "strict": True, "publish": "members", **READINGS[reading]})
    return method.run(table, KAnonymity(k), np.random.default_rng(0), silent, **options)


def learner(mapping: str, train: Sample, seed: int) -> GeneralizedTreeClassifier:
    told = None
    if mapping == ORIGINAL:
        plain = [column for column in train.columns if not column.domain.is_numeric]
        told = {column.domain.name: _counts(column) for column in plain}
    return GeneralizedTreeClassifier.id3(partition=mapping, distributions=told, random_state=seed)


def _counts(column: CodedColumn) -> dict[str, float]:
    return dict(zip(column.domain.labels, column.totals.tolist(), strict=False))


def _words(recoding: Recoding) -> dict[str, pa.Array]:
    found = {}
    for column in recoding.columns:
        words, word_of_cell = column.words
        found[column.domain.name] = pa.array(words, pa.string()).take(pa.array(word_of_cell[column.ids]))
    return found


def _texts(sample: Sample, words: dict[str, pa.Array]) -> pa.Table:
    """All inputs as text, in the order of the sample; ``words`` replace columns."""
    plain = {
        column.domain.name: pa.array([*column.domain.labels, ""]).take(pa.array(column.codes))
        for column in sample.columns
    }
    return pa.table({**plain, **words})


Cell = tuple[int, int | None, str]


def measure(cell: Cell) -> list[Row]:
    """The rows of a k; with a number of quasi-identifiers, those of the mapping at random alone."""
    k, n_quasi, reading = cell
    return run([k]) if n_quasi is None else run([k], mappings=(RANDOM,), n_quasi=n_quasi, reading=reading)


def id3_figures(request: Request) -> Page:
    """Modified ID3 on set-valued Mondrian releases of Adult, three ways to map a set to a value."""
    against_k: list[Cell] = [(k, None, READING) for k in (AS_IT_IS, *request.ks_or(KS))]
    numbers = range(len(QUASI), len(QUASI) + len(MORE_QUASI) + 1)
    against_quasi: list[Cell] = [
        (k, n_quasi, reading)
        for reading in READINGS
        for k, n_quasi in ((SMALLEST_K, len(QUASI)), *((LARGEST_K, number) for number in numbers))
    ]
    found = request.each(measure, [*against_k, *against_quasi], "accuracy of ID3")
    rows, more = (list(chain(*some)) for some in (found[: len(against_k)], found[len(against_k) :]))
    return _page(command("id3-figures", request), rows, more)


def _page(made_by_command: str, rows: Sequence[Row], of_readings: Sequence[Row]) -> Page:
    title = "Accuracy of modified ID3 on set-valued releases of Adult, percent"
    more = [row for row in of_readings if (row.k, row.reading) == (LARGEST_K, READING)]
    against_k = _lines("against k", rows, lambda row: str(row.k))
    against_quasi = _lines(
        "against quasi-identifiers", more, lambda row: str(row.n_quasi), with_published=False
    )
    parts = [
        f"# {title} (Shao and Beckford, Figures 2 and 3, Table IV)",
        f"{made_by(made_by_command, versions())} Every run: [id3-figures.json](id3-figures.json).",
        _PROTOCOL,
        f"![{title}](id3-figures.svg)",
        agreement(against_k, "points"),
        beside_table(("figure", "mapping", "k", "groups"), against_k),
        f"## More quasi-identifiers, k = {LARGEST_K}",
        beside_table(("figure", "mapping", "quasi-identifiers", "groups"), against_quasi),
        "The attribute at the root, beside Table IV:",
        _roots(more),
        "## How strict Mondrian is read",
        _ABOUT_READINGS,
        _readings(of_readings),
    ]
    runs = dict.fromkeys((*rows, *of_readings))  # the readings begin with rows of the first figure
    record = {"command": made_by_command, "versions": versions(), "runs": [asdict(row) for row in runs]}
    axis = "k, or number of quasi-identifiers"
    picture = partial(draw_panels, title, axis, [*against_k, *against_quasi])
    return Page("id3-figures", parts, json.dumps(record, indent=1) + "\n", {"id3-figures.svg": picture})


_ABOUT_READINGS = """The pseudo-code cuts a column at its median v, and the rows of v go with the lower
ones (`<= v`). A value that more than half of the rows have, such as United-States or Private, is then never
cut off from those before it. Which column is cut is not told in full ("the widest normalized range"). The
figures above are made with rows of v on either side, with the lower ones first, and by cutting the column
with most different values. With each reading, the mapping at random gives:"""


def _readings(rows: Sequence[Row]) -> str:
    """Accuracy at the two k that the paper has numbers for, and how many roots of Table IV come out."""
    lines = [("published", *(f"{100 * PUBLISHED[k]:.2f}" for k in (SMALLEST_K, LARGEST_K)), "")]
    for reading in READINGS:
        some = [row for row in rows if row.reading == reading]
        roots = {row.n_quasi: row.root for row in some if row.k == LARGEST_K}
        n_agreeing = sum(root == PUBLISHED_ROOTS[n_quasi] for n_quasi, root in roots.items())
        accuracies = [
            mean(row.accuracy for row in some if (row.k, row.n_quasi) == (k, len(QUASI)))
            for k in (SMALLEST_K, LARGEST_K)
        ]
        texts = [f"{100 * accuracy:.2f}" for accuracy in accuracies]
        lines.append((reading, *texts, f"{n_agreeing} of {len(PUBLISHED_ROOTS)}"))
    return table(("reading", f"k = {SMALLEST_K}", f"k = {LARGEST_K}", "roots that agree"), lines)


_PROTOCOL = f"""The training part of Adult (30,162 complete rows) is released by strict Mondrian with sets in
{len(QUASI)} quasi-identifiers, ID3 learns from the eight categorical attributes, and the test part
(15,060 rows) is classified as it is. A set counts for its members in equal parts when a split is chosen;
which way a row with a set then goes is decided by chance, by the members' frequencies in the original
table, or it goes with the most frequent member. What draws is run with {len(SEEDS)} seeds, and the
mean is shown. The paper publishes numbers for chance at k = 4 and 64, and for the original table; its
curves are pictures. Ours agrees within {NEAR} points, the largest spread between runs that it reports."""


def _roots(more: Sequence[Row]) -> str:
    lines = []
    for row in {row.n_quasi: row for row in more}.values():
        paper = PUBLISHED_ROOTS[row.n_quasi]
        lines.append((str(row.n_quasi), row.root, paper, AGREES if row.root == paper else DIFFERS))
    return table(("quasi-identifiers", "root", "published", "agrees"), lines)


def _lines(
    panel: str, rows: Sequence[Row], place: Callable[[Row], str], *, with_published: bool = True
) -> list[Line]:
    """Means over the seeds."""
    seeds: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        seeds.setdefault((row.mapping, place(row)), []).append(row)
    lines = []
    for (mapping, where), some in seeds.items():
        ours, more = 100 * mean(row.accuracy for row in some), (f"{some[0].n_groups:,}",)
        paper = PUBLISHED.get(some[0].k) if with_published and mapping == RANDOM else None
        published = None if paper is None else 100 * paper
        texts = (f"{ours:.2f}", "" if published is None else f"{published:.2f}")
        lines.append(Line(panel, mapping, where, ours, published, NEAR, *texts, more))
    return lines
