"""The tree methods on small nasty tables, against their naive twins."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
import pytest
from effort import n_tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles import Tree as Taxonomy
from oracles import hierarchy_of
from oracles_tree_methods import (
    NaiveKactus2,
    Node,
    Quasi,
    Rows,
    at_least,
    made_up,
    naive_apt,
    naive_apt_merging,
    naive_kadet,
    naive_root_rule,
    paths_of,
    plain_tree,
    replay_kactus,
    rows_of_leaves,
)

from kanopy.algorithms.apt import apt
from kanopy.algorithms.equal_rows import EqualRows
from kanopy.algorithms.kactus import anonymize_leaves, kactus
from kanopy.algorithms.kactus2 import _Repair, kactus2, select
from kanopy.algorithms.kadet import kadet
from kanopy.algorithms.tree_release import released_at_root
from kanopy.data import CellKind, CodedColumn, Domain, EncodedTable, Recoding
from kanopy.data.grammar import plain_number
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import DistinctDiversity, PrivacyModel
from kanopy.trees import Tree, TreeBuilder, c45, id3

EXAMPLES = n_tables(40)
TAXONOMIES: tuple[Taxonomy, ...] = (("a", "b", "c", "d"), (("a", "b"), ("c", "d")), ((("a", "b"), "c"), "d"))
NUMBERS = ("-5", "0", "1", "1.0", "4", "10")


@dataclass(frozen=True)
class Plain:
    """A table as plain lists, and what is promised about it; classes beyond the last label are missing."""

    columns: list[Quasi]
    classes: list[int]
    n_classes: int
    persons: list[int] | None
    k: int
    diversity: int = 1

    @property
    def n_rows(self) -> int:
        return len(self.classes)

    @property
    def counts_rows_only(self) -> bool:
        return self.persons is None and self.diversity == 1

    @property
    def promise(self) -> PrivacyModel:
        promise = at_least(self.k)
        return promise & DistinctDiversity("class", self.diversity) if self.diversity > 1 else promise

    def n_members(self, rows: Rows) -> int:
        return len(rows) if self.persons is None else len({self.persons[row] for row in rows})

    def holds(self, rows: Rows) -> bool:
        different = {self.classes[row] for row in rows}
        return self.n_members(rows) >= self.k and len(different) >= self.diversity

    def codes(self) -> list[tuple[int, ...]]:
        return list(zip(*(column.codes for column in self.columns), strict=True))

    def encoded(self) -> EncodedTable:
        labels = tuple(f"class {number}" for number in range(self.n_classes))
        target = CodedColumn(Domain("class", labels), np.array(self.classes, dtype=np.uint8))
        persons = None if self.persons is None else np.array(self.persons, dtype=np.int32)
        confidential = {"class": target} if self.diversity > 1 else {}
        quasi = tuple(encoded(f"q{place}", column) for place, column in enumerate(self.columns))
        return EncodedTable(self.n_rows, quasi, target, confidential, persons)


def encoded(name: str, column: Quasi) -> CodedColumn:
    codes = np.array(column.codes, dtype=np.uint8)
    if column.numbers is not None:
        return CodedColumn(Domain(name, NUMBERS, np.array(column.numbers), decimals=1), codes)
    if column.taxonomy is not None:
        hierarchy = hierarchy_of(column.taxonomy, name)
        return CodedColumn(Domain(name, hierarchy.leaves, hierarchy=hierarchy), codes)
    return CodedColumn(Domain(name, tuple("abcd"[: column.n_values])), codes)


def column_of_chance(rng: np.random.Generator, n_rows: int, kind: str) -> Quasi:
    n_values = {"number": len(NUMBERS), "tree": 4}.get(kind) or int(rng.integers(1, 5))
    with_missing = rng.random() < 0.5  # which is the last code
    # Some values are frequent, some rare, some do not occur.
    shares = rng.dirichlet([0.7] * (n_values + with_missing))
    codes = rng.choice(n_values + with_missing, n_rows, p=shares).tolist()
    numbers = tuple(map(float, NUMBERS)) if kind == "number" else None
    taxonomy = TAXONOMIES[rng.integers(3)] if kind == "tree" else None
    return Quasi(codes, n_values, numbers, taxonomy)


@st.composite
def tables(
    draw: st.DrawFn,
    kinds: Sequence[str] = ("text", "text", "number", "tree"),
    n_columns: tuple[int, int] = (1, 3),
) -> Plain:
    """The shape is drawn, the rows are of chance: drawn one by one, too many of them would be alike."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.integers(2, 60))
    columns = [
        column_of_chance(rng, n_rows, kind) for kind in rng.choice(kinds, draw(st.integers(*n_columns)))
    ]
    n_classes = draw(st.integers(1, 3))
    highest = n_classes - draw(st.sampled_from([0, 1, 1]))
    classes = rng.choice(highest + 1, n_rows, p=rng.dirichlet([1.0] * (highest + 1)))
    if draw(st.booleans()):  # classes that a column tells, for the most part
        told = np.array(columns[0].codes) % (highest + 1)
        classes = np.where(rng.random(n_rows) < 0.8, told, classes)
    return Plain(
        columns=columns,
        classes=classes.tolist(),
        n_classes=n_classes,
        persons=rng.integers(0, n_rows, n_rows).tolist() if draw(st.sampled_from([0, 0, 1])) else None,
        k=draw(st.sampled_from([1, 2, 2, 3, 3, 4, 5, 6, 8, 10])),
        diversity=draw(st.sampled_from([1, 1, 2])),
    )


some_cuts = st.lists(
    st.tuples(
        st.integers(0, 20), st.integers(0, 2), st.sampled_from("mtg"), st.integers(0, 4), st.integers(0, 2)
    ),
    max_size=6,
)
"""Which leaf to split, by which column, how, where, and where missing goes."""


def built(table: EncodedTable, cuts: list[tuple[int, int, str, int, int]]) -> Tree:
    """A tree out of a list of splits."""
    domains = [column.domain for column in table.quasi]
    builder = TreeBuilder(domains)
    leaves = [0]
    for which, column, kind, where, missing in cuts:
        leaf = leaves.pop(which % len(leaves))
        column %= len(domains)
        n_values = domains[column].n_values
        if kind == "t":
            new = builder.split(
                leaf, column=column, threshold=min(where, n_values - 1), missing_branch=missing
            )
        elif kind == "g":
            branches = [(code + where) % 2 for code in range(n_values)] + [missing]
            new = builder.split(leaf, column=column, branch_of_code=branches)
        else:
            new = builder.split(leaf, column=column)
        leaves += new
    return builder.tree()


def trees_of(plain: Plain, table: EncodedTable, cuts: list[Any]) -> Tree:
    """A tree of chance, or one that was grown, where no splits are given."""
    if cuts or any(column.numbers is not None for column in plain.columns):
        return built(table, cuts)
    return id3(table)


# --- kACTUS ----------------------------------------------------------------------------------------------


def before_the_root_rule(
    run: Callable[[], np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """The node of every row, and the leftovers, as they come to the root."""
    seen = {}

    def look(node: np.ndarray, rows: np.ndarray, *_: Any) -> np.ndarray:
        seen["node"], seen["rows"] = node.copy(), np.sort(rows)
        return node

    with mock.patch("kanopy.algorithms.kactus.released_at_root", look):
        run()
    return seen["node"], seen["rows"]


@settings(max_examples=2 * EXAMPLES)
@given(plain=tables(), cuts=some_cuts, zero=st.booleans(), ge_k=st.booleans(), seed=st.integers(0, 9))
def test_kactus_step_by_step(plain: Plain, cuts: list[Any], zero: bool, ge_k: bool, seed: int) -> None:
    table = plain.encoded()
    tree = trees_of(plain, table, cuts)
    leaf = tree.route([column.codes for column in table.quasi], table.n_rows)
    literal = {"literal_nui_zero": zero, "literal_nui_ge_k": ge_k}

    def run() -> np.ndarray:
        return anonymize_leaves(tree, leaf, table, plain.promise, np.random.default_rng(seed), **literal).node

    node, rows = before_the_root_rule(run)
    left = replayed(plain, tree, node, zero=zero, ge_k=ge_k)
    assert sorted(left) == rows.tolist() == np.flatnonzero(node < 0).tolist()


def replayed(plain: Plain, tree: Tree, node: np.ndarray, *, zero: bool, ge_k: bool) -> Rows:
    """The leftovers, after every step was checked."""
    root = plain_tree(tree)
    return replay_kactus(
        root,
        rows_of_leaves(root, plain.codes()),
        node.tolist(),
        plain.k,
        plain.holds,
        plain.n_members,
        zero=zero,
        ge_k=ge_k,
        counts_rows_only=plain.counts_rows_only,
    )


@settings(max_examples=2 * EXAMPLES)
@given(plain=tables(), cuts=some_cuts, zero=st.booleans(), ge_k=st.booleans(), seed=st.integers(0, 9))
def test_kactus_step_by_step_where_counts_are_drawn(
    plain: Plain, cuts: list[Any], zero: bool, ge_k: bool, seed: int
) -> None:
    """Which of equal rows are moved is nobody's choice; the rules are those of rows drawn one by one."""
    plain = replace(plain, persons=None)
    tree = trees_of(plain, plain.encoded(), cuts)
    rows = EqualRows.counted(plain.encoded())
    table = rows.table
    leaf = tree.route([column.codes for column in table.quasi], table.n_rows)
    literal = {"literal_nui_zero": zero, "literal_nui_ge_k": ge_k}
    with mock.patch("kanopy.algorithms.kactus.released_at_root", lambda node, *_: node):
        rng = np.random.default_rng(seed)
        of_parts, split = anonymize_leaves(tree, leaf, table, plain.promise, rng, **literal)
    node = np.empty(plain.n_rows, dtype=np.int64)
    node[rows.order] = np.repeat(of_parts, table.weight if split is None else split.weight)
    left = replayed(plain, tree, node, zero=zero, ge_k=ge_k)
    assert sorted(left) == np.flatnonzero(node < 0).tolist()


@given(plain=tables(), data=st.data())
def test_the_rule_at_the_root(plain: Plain, data: st.DataObject) -> None:
    """Any groups, any leftovers: also those that no tree would leave."""
    n_rows = plain.n_rows
    group = data.draw(st.lists(st.integers(-1, 4), min_size=n_rows, max_size=n_rows))
    assume(plain.holds(list(range(n_rows))))
    left = [row for row in range(n_rows) if group[row] < 0]
    groups: dict[int, Rows] = defaultdict(list)
    for row in set(range(n_rows)) - set(left):
        groups[group[row]].append(row)
    made = released_at_root(
        np.array(group, dtype=np.int32), np.array(left, dtype=np.int64), plain.encoded(), plain.promise, 9
    ).tolist()
    joining, is_released = naive_root_rule(groups, left, plain.k, plain.holds, plain.n_members)
    expected = [(9 if is_released else -1) if g < 0 else 9 if g in joining else g for g in group]
    assert made == expected


def shown(column: Quasi, domain: Domain, rows: Rows, publish: str) -> set[str]:
    """What a group may say about a column that was tested; halves may be rounded either way."""
    codes = {column.codes[row] for row in rows}
    known = sorted(column.codes[row] for row in rows if column.codes[row] < column.n_values)
    if column.numbers is not None and known and publish == "mean":
        mean = sum(column.numbers[code] for code in known) / len(known)
        return {plain_number(mean + tiny, 1) for tiny in (-1e-9, 1e-9)}
    if len(codes) == 1:
        return {(*domain.labels, "")[codes.pop()]}
    if column.numbers is None:
        return {"*"}
    low, high = domain.labels[known[0]], domain.labels[known[-1]]
    text = f"[{low}, {high}]" if low != high else low
    return {f"{{, {text}}}" if column.n_values in codes else text}


@settings(max_examples=EXAMPLES)
@given(plain=tables(), cuts=some_cuts, publish=st.sampled_from(["mean", "range"]), seed=st.integers(0, 9))
def test_what_kactus_prints(plain: Plain, cuts: list[Any], publish: str, seed: int) -> None:
    table = plain.encoded()
    if not plain.holds(list(range(plain.n_rows))):
        with pytest.raises(UnsatisfiableError):
            kactus(table, plain.promise, np.random.default_rng(seed))
        return
    tree = trees_of(plain, table, cuts)
    leaf = tree.route([column.codes for column in table.quasi], table.n_rows)
    node, _ = anonymize_leaves(tree, leaf, table, plain.promise, np.random.default_rng(seed))
    style = {"publish": publish, "merge": "suppress"}
    made = kactus(table, plain.promise, np.random.default_rng(seed), inducer=lambda *_: tree, **style)
    assert made.is_kept.tolist() == (node >= 0).tolist()
    if plain.persons is None:
        assert table.n_rows - made.n_kept < plain.k
    paths = paths_of(plain_tree(tree))
    for number in set(node.tolist()) - {-1}:
        rows = np.flatnonzero(node == number).tolist()
        for place, column in enumerate(plain.columns):
            recoded = made.columns[place]
            expected = shown(column, recoded.domain, rows, publish) if place in paths[number] else {"*"}
            (text,) = {recoded.texts[recoded.ids[row]] for row in rows}
            assert text in expected
    assert n_lies(table, made) == 0


def n_lies(table: EncodedTable, recoding: Recoding) -> int:
    """Published cells that do not cover their original."""
    return sum(
        not recoded.cells[recoded.ids[row]].covers(original.domain)[original.codes[row]]
        for original, recoded in zip(table.quasi, recoding.columns, strict=True)
        for row in np.flatnonzero(recoding.is_kept).tolist()
    )


# --- kACTUS-2 --------------------------------------------------------------------------------------------

options_of_kactus2 = st.fixed_dictionaries(
    {"swap_strict": st.booleans(), "donor_only": st.booleans(), "pooled": st.booleans()}
)


@settings(max_examples=2 * EXAMPLES)
@given(
    plain=tables(),
    cuts=some_cuts,
    threshold=st.sampled_from(["0", "0.2", "0.3", "0.5", "0.7", "1"]),
    options=options_of_kactus2,
)
def test_kactus2_group_by_group(
    plain: Plain, cuts: list[Any], threshold: str, options: dict[str, bool]
) -> None:
    table = plain.encoded()
    tree = trees_of(plain, table, cuts)
    repair = _Repair(table, tree, plain.promise, swapping_threshold=float(threshold), **options)
    repair.run(lambda *_: None)
    root = plain_tree(tree)
    naive = NaiveKactus2(
        plain.classes,
        plain.k,
        plain.holds,
        Fraction(threshold),
        counts_rows_only=plain.counts_rows_only,
        codes=plain.codes(),
        **options,
    ).run(root, rows_of_leaves(root, plain.codes()))
    made = [
        (node, frozenset(np.flatnonzero(repair._group == group).tolist()))
        for group, node in enumerate(repair._node_of_group)
    ]
    assert Counter(made) == Counter(naive.groups)
    assert sorted(naive.pool) == np.flatnonzero(repair._group < 0).tolist()
    swapped = repair.swapped_table()
    assert sum(len(rows) for rows, _, _ in repair.swaps) == len(naive.swapped)
    for place, (before, after) in enumerate(zip(table.quasi, swapped.quasi, strict=True)):
        expected = before.codes.tolist()
        for row, (column, code) in naive.swapped.items():
            expected[row] = code if column == place else expected[row]
        assert after.codes.tolist() == expected
        assert before.codes.tolist() == list(plain.columns[place].codes), "the source was changed"


@settings(max_examples=EXAMPLES)
@given(
    plain=tables(),
    threshold=st.sampled_from([0.0, 0.5, 1.0]),
    inducer=st.sampled_from(["c45", "id3", "any tree"]),
    printing=st.fixed_dictionaries(
        {"publish": st.sampled_from(["bins", "range"]), "merge": st.sampled_from(["suppress", "members"])}
    ),
    cuts=some_cuts,
    options=options_of_kactus2,
)
def test_every_lie_of_kactus2_is_counted(
    plain: Plain,
    threshold: float,
    inducer: Any,
    printing: dict[str, str],
    cuts: list[Any],
    options: dict[str, bool],
) -> None:
    table = plain.encoded()
    assume(plain.holds(list(range(plain.n_rows))))
    if inducer == "any tree":

        def inducer(given: EncodedTable, _min_rows: int) -> Tree:
            return built(given, cuts)

    made = kactus2(
        table,
        plain.promise,
        np.random.default_rng(0),
        swapping_threshold=threshold,
        inducer=inducer,
        min_rows=1,
        **printing,
        **options,
    )
    assert n_lies(table, made) == made.facts["swapped_cells"]
    assert threshold > 0 or not made.facts["swapped_cells"]
    if plain.persons is None:
        assert table.n_rows - made.n_kept < plain.k
    groups, n_groups = made.groups
    kept = np.flatnonzero(made.is_kept)
    for group in range(n_groups):
        assert plain.holds(kept[groups == group].tolist())


some_counts = st.lists(st.integers(0, 6), min_size=3, max_size=3)


@settings(max_examples=2 * EXAMPLES)
@given(donor=some_counts, small=some_counts, data=st.data(), donor_only=st.booleans())
def test_selection_class_by_class(
    donor: list[int], small: list[int], data: st.DataObject, donor_only: bool
) -> None:
    """One row at a time, by entropy."""
    assume(sum(donor) and sum(small))
    required = data.draw(st.integers(1, sum(donor)))
    classes = [code for counts in (donor, small) for code, n in enumerate(counts) for _ in range(n)]
    naive = NaiveKactus2([*classes, 0, 1, 2], 1, bool, donor_only=donor_only)
    taken = naive.select(list(range(sum(donor))), list(range(sum(donor), sum(donor) + sum(small))), required)
    made = select(np.array(donor), np.array(small), required, match=not donor_only)
    assert made.tolist() == [sum(classes[row] == code for row in taken) for code in range(3)]


# --- kADET and APT ---------------------------------------------------------------------------------------


def assert_prints_paths(table: EncodedTable, made: Recoding, root: Node, of_leaf: dict[int, Rows]) -> None:
    """Every row says which codes the path to its leaf lets through, and nothing else."""
    paths = paths_of(root)
    for number, rows in of_leaf.items():
        for place, column in enumerate(made.columns):
            for row in rows:
                cell = column.cells[column.ids[row]]
                if place not in paths[number]:
                    assert cell.kind is CellKind.SUPPRESSED
                else:
                    assert set(np.flatnonzero(cell.covers(column.domain)).tolist()) == paths[number][place]
    assert made.is_kept.all()
    assert len(of_leaf) == made.groups[1]


@settings(max_examples=2 * EXAMPLES)
@given(plain=tables(), criterion=st.sampled_from(["gain", "gain_ratio"]))
def test_kadet_split_by_split(plain: Plain, criterion: str) -> None:
    table = plain.encoded()
    if not plain.holds(list(range(plain.n_rows))):
        with pytest.raises(UnsatisfiableError):
            kadet(table, plain.promise, np.random.default_rng(0))
        return
    made = kadet(table, plain.promise, np.random.default_rng(0), criterion=criterion)
    grown = plain_tree(made.model.tree)
    naive = naive_kadet(plain.columns, plain.classes, plain.holds, by_ratio=criterion == "gain_ratio")
    assert grown.shape() == naive.shape()
    of_leaf = rows_of_leaves(grown, plain.codes())
    assert all(map(plain.holds, of_leaf.values()))
    assert_prints_paths(table, made, grown, of_leaf)
    assert n_lies(table, made) == 0
    assert_model_counts(made, plain, of_leaf, plain.classes)


@settings(max_examples=EXAMPLES // 2)
@given(
    plain=tables(n_columns=(2, 4)),
    n_private=st.integers(1, 3),
    criterion=st.sampled_from(["gain", "gain_ratio"]),
    min_rows=st.integers(1, 3),
)
def test_kadet_with_private_columns(plain: Plain, n_private: int, criterion: str, min_rows: int) -> None:
    n_public = max(len(plain.columns) - n_private, 1)
    n_private = len(plain.columns) - n_public
    assume(plain.holds(list(range(plain.n_rows))))
    every = plain.encoded()
    others = (*every.quasi[n_public:], every.target)
    table = replace(every, quasi=every.quasi[:n_public], others=lambda: others)
    options = {"private": True, "criterion": criterion, "min_rows": min_rows}
    made = kadet(table, plain.promise, np.random.default_rng(0), **options)
    grown = plain_tree(made.model.tree)
    by_ratio = {"by_ratio": criterion == "gain_ratio", "min_rows": min_rows}
    naive = naive_kadet(plain.columns, plain.classes, plain.holds, n_private=n_private, **by_ratio)
    assert grown.shape() == naive.shape()
    # What is printed is what the public tests say, and rows that print alike keep the promise together.
    of_leaf, paths = rows_of_leaves(grown, plain.codes()), paths_of(grown)
    alike: dict[tuple[tuple[int, frozenset[int]], ...], Rows] = defaultdict(list)
    for number, rows in of_leaf.items():
        public = {column: codes for column, codes in paths[number].items() if column < n_public}
        alike[tuple(sorted((column, frozenset(codes)) for column, codes in public.items()))] += rows
    texts = [[column.texts[cell] for cell in column.ids] for column in made.columns]
    printed = list(zip(*texts, strict=True))
    assert len({printed[rows[0]] for rows in alike.values()}) == len(alike) == made.groups[1]
    for rows in alike.values():
        assert len({printed[row] for row in rows}) == 1
        assert plain.holds(rows)
    assert n_lies(table, made) == 0
    assert_model_counts(made, plain, dict(enumerate(alike.values())), plain.classes)


def assert_model_counts(made: Recoding, plain: Plain, of_leaf: dict[int, Rows], classes: list[int]) -> None:
    texts = [*(f"class {number}" for number in range(plain.n_classes)), ""]
    expected = [Counter(texts[classes[row]] for row in rows) for rows in of_leaf.values()]
    leaves = [{text: n for text, n in leaf.items() if n} for leaf in made.model.leaves()]
    assert in_order(leaves) == in_order(expected)


def in_order(counts: Sequence[Mapping[str, int]]) -> list[list[tuple[str, int]]]:
    return sorted(sorted(each.items()) for each in counts)


@settings(max_examples=EXAMPLES)
@given(plain=tables(), min_rows=st.integers(1, 3), small_branches=st.sampled_from(["merge", "prune"]))
def test_apt_leaf_by_leaf(plain: Plain, min_rows: int, small_branches: str) -> None:
    table = plain.encoded()
    options = {"min_rows": min_rows, "small_branches": small_branches}
    in_table = sorted(set(plain.classes))

    def holds(rows: Rows) -> bool:
        published = made_up([plain.classes[row] for row in rows], in_table)
        return plain.holds(rows) and len(set(published)) >= plain.diversity

    if not holds(list(range(plain.n_rows))):
        with pytest.raises(UnsatisfiableError):
            apt(table, plain.promise, np.random.default_rng(0), **options)
        return
    made = apt(table, plain.promise, np.random.default_rng(0), **options)
    root = plain_tree(c45(table, min_rows=min_rows))
    if small_branches == "merge":
        expected = naive_apt_merging(root, plain.codes(), holds)
    else:
        expected = naive_apt(root, rows_of_leaves(root, plain.codes()), holds)
    pruned = plain_tree(made.model.tree)
    assert pruned.shape() == root.shape()
    of_leaf = rows_of_leaves(pruned, plain.codes())
    assert sorted(of_leaf.values()) == sorted(expected.values())
    assert_prints_paths(table, made, pruned, of_leaf)
    classes = made.target.tolist()
    for rows in of_leaf.values():
        true = [plain.classes[row] for row in rows]
        assert Counter(classes[row] for row in rows) == Counter(made_up(true, in_table))
        if len(in_table) <= 2:
            assert Counter(classes[row] for row in rows) == Counter(true)
    assert_model_counts(made, plain, of_leaf, classes)
