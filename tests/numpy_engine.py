"""An engine for tests of methods that divide: NumPy in place of a cluster, and small tables for it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from oracles import hierarchy_of

from kanopy.algorithms.division.counting import (
    AnyAnswer,
    CodedRows,
    DrawnRows,
    NodeCounts,
    TableForm,
    added_up,
    count_rows,
    counted_by,
)
from kanopy.algorithms.division.groups import DividedRelease
from kanopy.algorithms.division.routing import Routing
from kanopy.algorithms.tickets import Draw
from kanopy.data import CodedColumn, Domain, EncodedTable, Recoding
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    CombinationAnonymity,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

TREES = (("a", "b", "c", "d"), (("a", "b"), ("c", "d")), ((("a", "b"), "c"), ("d", ("e", "f"))))
ROW = "row number"
ON_COLUMN: tuple[PrivacyModel, ...] = (
    DistinctDiversity("s", 2),
    EntropyDiversity("s", "1.5"),
    RecursiveDiversity("s", 3, 2),
    Closeness("s", "0.4"),
    Closeness("s", "0.3", "ordered"),
    AlphaBound("s", "0.8"),
    Template(("q0",), "s", ["a", "b"], "0.7"),
    Template(("q0",), "s", "d", "0.3") & Template(("q0",), "s", "a", "0.6"),
    Closeness("t", "0.4", "hierarchical") & DistinctDiversity("s", 2),
    AlphaBound("class", "0.9") & AlphaBound("t", "0.7"),
    DeltaDisclosure("s", 2),
    BetaLikeness("s", 2, "enhanced"),
)
ON_ROWS: tuple[PrivacyModel, ...] = (
    *map(KAnonymity, (2, 4, 9)),
    AnonymityOf(("q0",), 5) & AnonymityOf(("q0",), 3) & KAnonymity(2),
    CombinationAnonymity(2, 5),
)


@dataclass
class NumpyEngine:
    """Counts the rows in parts, which are added up, and runs tasks here; everything goes through pickle."""

    rows: CodedRows
    n_parts: int = 3
    largest_counters: int = 0  # in bytes, of one call
    answers: int = 0  # in bytes
    n_drawn: int = 0  # rows
    asked: list[int] = field(default_factory=list)  # how many nodes were given to tasks, round by round

    def count(self, routing: Routing, wanted: Sequence[tuple[str, ...]]) -> list[NodeCounts]:
        there = pickle.loads(pickle.dumps(routing))
        parts = np.array_split(np.arange(len(self.rows.weight)), self.n_parts)
        of_parts = [count_rows(self.rows.take(part), there, wanted) for part in parts]
        found = [added_up(each, max(there.n_numbers, 1)) for each in zip(*of_parts, strict=True)]
        self.largest_counters = max(self.largest_counters, sum(each.n_bytes for each in found))
        return found

    def subtrees(
        self, routing: Routing, decide: Callable[[int, CodedRows], Any]
    ) -> Iterable[tuple[int, Any]]:
        self.asked.append(routing.n_numbers)
        there = pickle.loads(pickle.dumps((routing, decide)))
        for node, answer in reversed(list(decide_nodes(self.rows, *there))):
            sent = pickle.dumps(answer)
            self.answers += len(sent)
            yield node, pickle.loads(sent)

    def drawn(self, routing: Routing, draw: Draw) -> DrawnRows:
        there = pickle.loads(pickle.dumps((routing, draw)))
        found = draw_rows(self.counted_together(), *there)
        order = np.random.default_rng(3).permutation(len(found.ticket))
        self.n_drawn += len(order)
        return DrawnRows(found.number[order], found.ticket[order], found.rows.take(order))

    def counted_together(self) -> CodedRows:
        names = tuple(self.rows.codes)
        nowhere = np.zeros(len(self.rows.weight), dtype=np.int64)
        _, codes, weight = counted_by(nowhere, self.rows, [names], 1)[0]
        return CodedRows(dict(zip(names, codes, strict=True)), weight)


def decide_nodes(
    rows: CodedRows, routing: Routing, decide: Callable[[int, CodedRows], AnyAnswer]
) -> Iterator[tuple[int, AnyAnswer]]:
    """What is said of each node, all of whose rows must be among these; beside ``decide``, a sort of rows."""
    number = routing.route([rows.codes[name] for name in routing.columns])
    order = np.argsort(number, kind="stable")
    ends = np.searchsorted(number[order], np.arange(routing.n_numbers + 1))
    for node in np.flatnonzero(np.diff(ends)).tolist():
        yield node, decide(node, rows.take(order[ends[node] : ends[node + 1]]))


def draw_rows(rows: CodedRows, routing: Routing, draw: Draw) -> DrawnRows:
    """Draw among rows that are all different; O(rows * columns + total weight of the rows asked about)."""
    number = routing.route([rows.codes[name] for name in routing.columns])
    kept = np.flatnonzero(number >= 0)
    found = draw.tickets(rows.take(kept).codes, rows.weight[kept], number[kept])
    row = kept[found.row]
    return DrawnRows(
        number[row].astype(np.int64),
        found.ticket,
        CodedRows(rows.take(row).codes, np.ones(len(row), dtype=np.int64)),
    )


def form_of(table: EncodedTable) -> TableForm:
    """The form of a table, which besides its columns passes a number for each row."""
    confidential = {name: column.domain for name, column in table.confidential.items()}
    target = None if table.target is None else table.target.domain
    passing = [*([] if target is None else [target.name]), *confidential, ROW]
    return TableForm(
        tuple(column.domain for column in table.quasi), target, confidential, tuple(dict.fromkeys(passing))
    )


def coded_rows(table: EncodedTable) -> CodedRows:
    columns = {column.domain.name: column.codes for column in table.quasi}
    columns |= {name: column.codes for name, column in table.confidential.items()}
    if table.target is not None:
        columns[table.target.domain.name] = table.target.codes
    weight = np.ones(table.n_rows, dtype=np.int64) if table.weight is None else table.weight
    return CodedRows({**columns, ROW: np.arange(table.n_rows)}, weight)


def words_of_rows(release: DividedRelease, form: TableForm) -> list[tuple[str, ...]]:
    """What is printed in the quasi-identifiers of each row, by the numbers that rows pass."""
    lines = release.groups.lines
    row = lines.codes[form.passing.index(ROW)]
    assert sorted(row.tolist()) == list(range(len(row)))
    texts = [[column.texts[place] for place in column.ids] for column in release.columns]
    group = lines.node[np.argsort(row)].tolist()
    return [tuple(of_column[number] for of_column in texts) for number in group]


def words_of_recoding(recoding: Recoding) -> list[tuple[str, ...]]:
    """The same of a recoding of the whole table."""
    texts = [[column.texts[place] for place in column.ids] for column in recoding.columns]
    return list(zip(*texts, strict=True))


def quasi_of_chance(rng: np.random.Generator, n_rows: int, name: str) -> CodedColumn:
    kind = rng.choice(["numbers", "texts", "tree", "many numbers", "many texts"])
    hierarchy, numbers = None, None
    if kind == "tree":
        hierarchy = hierarchy_of(TREES[rng.integers(len(TREES))], name)
        labels = hierarchy.leaves
    else:
        n_values = 400 if kind.startswith("many") else int(rng.integers(1, 12))
        labels = tuple(f"{number:04d}" for number in range(n_values))
        numbers = np.cumsum(rng.integers(1, 4, n_values)) / 2 if kind.endswith("numbers") else None
    used = rng.choice(len(labels) + 1, size=min(len(labels) + 1, 9), replace=False)  # may be missing
    codes = rng.choice(used, n_rows, p=rng.dirichlet([rng.choice([0.4, 3.0])] * len(used)))
    domain = Domain(name, tuple(labels), numbers, decimals=1, hierarchy=hierarchy)
    return CodedColumn(domain, codes.astype(np.uint16))


def table_of_chance(rng: np.random.Generator, *, n_classes: int, confidential: Sequence[str]) -> EncodedTable:
    """Some quasi-identifiers, of which the class depends a little; some rows stand for several."""
    n_rows = int(rng.integers(12, 120))
    quasi = tuple(quasi_of_chance(rng, n_rows, f"q{place}") for place in range(rng.integers(1, 5)))
    told = sum(column.codes % 3 for column in quasi[: rng.integers(1, 4)])
    target = None
    if n_classes:
        codes = np.where(rng.random(n_rows) < 0.6, told % n_classes, rng.integers(0, n_classes + 1, n_rows))
        target = labelled("class", "xyz"[:n_classes], codes)
    shares = [0.4, 0.2, 0.2, 0.1, 0.1]
    secret = labelled("s", "abcd", rng.choice(5, n_rows, p=shares))
    in_tree = Domain("t", tuple("abcd"), hierarchy=hierarchy_of(TREES[1], "t"))
    secrets = {"s": secret, "t": CodedColumn(in_tree, rng.choice(5, n_rows, p=shares).astype(np.uint8))}
    if target is not None:
        secrets["class"] = target
    weight = rng.integers(1, 6, n_rows) if rng.random() < 0.7 else None
    return EncodedTable(n_rows, quasi, target, {name: secrets[name] for name in confidential}, weight=weight)


def labelled(name: str, labels: Sequence[str], codes: np.ndarray) -> CodedColumn:
    return CodedColumn(Domain(name, tuple(labels)), codes.astype(np.uint8))
