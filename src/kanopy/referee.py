"""A second opinion on a release: one file, Python's standard library alone, nothing of kanopy.

    python referee.py release.csv --source data.csv --policy policy.toml [--json]

What it cannot count it says, and never calls kept. Exit codes: 0 all that is promised holds, 1 something is
broken or was not counted, 2 usage or policy, 3 tables. docs/referee.md says how to read it in an hour.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
import json
import math
import re
import sys
import tomllib
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

HOLDS, BROKEN, UNCOUNTED, FREE = "holds", "broken", "not counted", "not promised"
Check = tuple[str, str, str]  # what was looked at, one of these four words, and why
Row = tuple[str, ...]
Table = tuple[list[str], Counter[Row]]  # the columns, and how often each row occurs
MOST_STEPS = 100_000_000  # of looking for rows; what takes more is not counted
NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
KEYS = {
    "policy": "quasi_identifiers target sensitive identifiers keep person missing numeric categorical method"
    " privacy value_statistics accept earlier hierarchies source columns derived warnings",
    "privacy": "k combinations anonymity diversity closeness alpha template disclosure likeness",
    "source": "delimiter encoding quote decimal", "anonymity": "given k", "diversity": "column kind c l",
    "closeness": "column t distance", "alpha": "column alpha value", "template": "given column value at_most",
    "disclosure": "column delta strict_zero", "likeness": "column beta kind",
}  # fmt: skip


class RefereeError(Exception):
    """Nothing can be counted: exit code 2 (policy) or 3 (tables), and why. It never shows a cell."""


def cleaned(text: str) -> str:
    """A text as it may be published: composed Unicode, nothing blank around it."""
    before = None
    while text != before:
        text, before = text.strip().strip("\u200b\u2060\ufeff"), text
    return unicodedata.normalize("NFC", text)


def listed(settings: Mapping[str, Any], *keys: str) -> list[str]:
    """The texts that some keys hold, one or several each, as tables have them, and each once."""
    held = [settings.get(key, []) for key in keys]
    texts = [text for each in held for text in ([each] if isinstance(each, str) else each)]
    return list(dict.fromkeys(map(cleaned, texts)))


def read_table(path: Path, form: Mapping[str, str], wanted: Collection[str] = ()) -> Table:
    """Count the rows of a CSV or Parquet file, of the wanted columns where some are named."""
    kind, counts, share = path.suffix.lower(), Counter[Row](), dict[str, str]().setdefault
    try:
        if kind in (".parquet", ".zst"):
            import pyarrow.parquet  # all that is not in the standard library, for these files alone
        with path.open("rb") as raw:
            lines: Any
            if kind == ".parquet":
                table = pyarrow.parquet.read_table(raw)
                texts = ([text or "" for text in each.cast("string").to_pylist()] for each in table.columns)
                lines = iter([table.column_names, *zip(*texts, strict=True)])
            else:
                plain: Any = gzip.GzipFile(fileobj=raw) if kind == ".gz" else raw
                plain = pyarrow.CompressedInputStream(raw, "zstd") if kind == ".zst" else plain
                code = re.sub("(?i)^utf-?8$", "utf-8-sig", form.get("encoding", "utf-8"))
                marks = form.get("delimiter", "\t" if ".tsv" in path.name else ","), form.get("quote", '"')
                stream = io.TextIOWrapper(plain, code, newline="")
                lines = csv.reader(stream, delimiter=marks[0], quotechar=marks[1], strict=True)
            names = [cleaned(name) for name in next(lines, ())]
            places = [place for place, name in enumerate(names) if name in wanted or not wanted]
            if len(set(names)) < len(names) or not set(wanted) <= set(names):
                raise RefereeError(3, f"{path.name} lacks a column of the policy, or has one twice")
            for line in lines:
                line = line or [""] * (len(names) == 1)  # an empty line is a row of one column, or none
                if len(line) == len(names):
                    counts[tuple([share(line[place], line[place]) for place in places])] += 1
                elif line:
                    raise RefereeError(3, f"{path.name}: a row is not as wide as the header")
    except RefereeError:
        raise
    except Exception as error:  # whatever a damaged file makes of its reader
        why = "pyarrow is not installed" if isinstance(error, ImportError) else type(error).__name__
        raise RefereeError(3, f"{path.name} cannot be read: {why}") from None
    return [names[place] for place in places], counts


def as_published(source: Table, policy: Mapping[str, Any]) -> Table:
    """The source with its texts as they are published where they are shown; missing is the empty text."""
    missing, mark, maps = set(listed(policy, "missing")), policy.get("source", {}).get("decimal", "."), []
    for place, name in enumerate(source[0]):
        texts = {text: cleaned(text) for text in {row[place] for row in source[1]}}
        texts = {text: "" if clean in missing else clean for text, clean in texts.items()}
        points = {text: clean.replace(mark, ".").removeprefix("+") for text, clean in texts.items()}
        is_number = all(NUMBER.fullmatch(text) for text in points.values() if text) and mark != "."
        maps.append(points if is_number and name not in listed(policy, "categorical") else texts)
    counts = Counter[Row]()
    for row, n in source[1].items():
        counts[tuple([texts[text] for texts, text in zip(maps, row, strict=True)])] += n
    return source[0], counts


def split(table: Table, *parts: list[str]) -> Counter[Any]:
    """How often each row occurs, divided into some groups of columns."""
    places, counts = [[table[0].index(name) for name in part] for part in parts], Counter[Any]()
    for row, n in table[1].items():
        counts[tuple([tuple([row[place] for place in part]) for part in places])] += n
    return counts


def read_cell(cell: str) -> list[Any]:
    """The members of a cell: texts ("" is missing), ranges as (low, high), means as a list; without
    the counts of a sketch. A ValueError where it is no cell; ``*`` is not read here."""
    if cell[:1] == "\\" and (cell[1:] == "*" or cell[1:].startswith(("[", "{", "\\", "~["))):
        return [cell[1:]]
    names, is_set, members = [cell], cell[:1] == "{", list[Any]()
    if is_set:
        names, tokens = [""], re.findall(r"(?s)\\.|~?\[[^\]]*\]|, |[^\\\[\]{},]", cell[1:-1])
        for token in tokens:
            names = [*names, ""] if token == ", " else [*names[:-1], names[-1] + token]
        counted = [re.fullmatch(r"(?s)((?:\\.|[^\\])*): [1-9][0-9]{0,17}", name) for name in names]
        names = [match[1] for match in counted if match] if all(counted) else names
        is_sorted = names == sorted(set(names)) and (len(names) > 1 or all(counted))
    if cell[:1] == "\\" or (is_set and not (is_sorted and "{" + "".join(tokens) + "}" == cell)):
        raise ValueError
    for name in names:
        ends = name.lstrip("~")[1:-1].split(", ") if name[:1] == "[" or name[:2] == "~[" else []
        is_range = name[-1:] == "]" and (len(ends) == 2 or name[0] == "~")
        if ends and not (is_range and all(map(NUMBER.fullmatch, ends))):
            raise ValueError
        text = re.sub(r"(?s)\\(.)", r"\1", name) if is_set else name
        members.append(text if not ends else list(ends) if name[0] == "~" else tuple(map(Decimal, ends)))
    return members


def chains_of(given: Any, folder: Path, values: list[str]) -> list[Row] | None:
    """Each value of a hierarchy with the groups above it but the root; None for a rule not known here."""
    if isinstance(given, str):
        with (folder / given).open(encoding="utf-8-sig", newline="") as file:
            lines = [line for line in csv.reader(file, delimiter=";", strict=True) if line]
        return [tuple(label for label in map(cleaned, line) if label != "*") for line in lines]
    if isinstance(given, list):
        return [(cleaned(value),) for value in given]
    if "prefix" in given:
        lengths = [given["prefix"]] if isinstance(given["prefix"], int) else given["prefix"]
        return [(value, *(f"{value[:length]}*" for length in lengths)) for value in values]
    if {"ranges", "cuts", "quantiles", "dates", "icd10", "merge"} & set(given):
        return None
    return [(*row, cleaned(name)) for name in given for row in chains_of(given[name], folder, values) or ()]


class Covering:
    """What the cells of a quasi-identifier may stand for, as ranks of the values of the source."""

    def __init__(self, values: set[str], shown: set[str], chains: Any, *, means: bool, hides: bool) -> None:
        ordered = sorted((Decimal(value), value) for value in values if NUMBER.fullmatch(value))
        others = values.difference(value for _, value in ordered)
        self.numbers, self.are_means = [number for number, _ in ordered], means and others <= {""}
        self.rank = {value: rank for rank, value in enumerate([*(v for _, v in ordered), *sorted(others)])}
        self.below, self.covering = defaultdict[str, set[int]](set), dict[str, set[str]]()
        for value, *above in chains:
            for label in above if value in self.rank else ():
                self.below[label].add(self.rank[value])
        self.parts = {cell: self.ranks(cell) for cell in shown if cell != "*"}
        whole, seen = range(len(self.rank)), [part for each in self.parts.values() for part in each]
        self.parts["*"] = [frozenset(whole).difference(*seen) if hides else whole]
        self.speaks = any(isinstance(part, list) for part in seen)  # of groups, in means or in counts
        self.speaks |= any(re.search(r"(?<!\\): [0-9]+\}$", cell) for cell in shown)

    def ranks(self, cell: str) -> list[Collection[int]]:
        """What a cell covers; nothing where it cannot be read."""
        found = list[Collection[int]]()
        try:
            for member in read_cell(cell):
                if isinstance(member, tuple):
                    low, high = bisect_left(self.numbers, member[0]), bisect_right(self.numbers, member[1])
                    found.append(range(low, high))
                elif isinstance(member, list) or (self.are_means and NUMBER.fullmatch(member)):
                    found.append(list(range(len(self.rank))))  # a mean speaks of rows that are not known
                else:
                    found.append({self.rank[member]} if member in self.rank else self.below.get(member, ()))
        except ValueError:
            return []
        return found

    def matching(self, value: str) -> set[str]:
        """The cells that cover a value."""
        if value not in self.covering:
            rank, of = self.rank[value], self.parts
            self.covering[value] = {cell for cell in of if any(rank in part for part in of[cell])}
        return self.covering[value]


class Placing:
    """Rows of the source for rows of the release, in one class of equal unchanged columns after the other."""

    def __init__(self, released: Counter[Any], known: Counter[Any], columns: list[Covering]) -> None:
        self.columns, self.n_steps, self.n_short, self.is_certain = columns, 0, 0, True
        self.order = sorted(range(len(columns)), key=lambda place: len(columns[place].rank))
        self.sure, self.possible = list[Any](), list[Any]()  # who is behind cells for certain, and who may be
        needed, having = defaultdict[Row, Counter[Row]](Counter), dict[Row, dict[Row, Counter[str]]]()
        for (rest, cells), n in released.items():
            needed[rest][cells] += n
        for (rest, values, person), n in known.items():
            having.setdefault(rest, {}).setdefault(values, Counter())["".join(person)] += n
        for rest, need in needed.items():
            self.place(rest, need, having.get(rest, {}))

    def place(self, rest: Row, need: Counter[Row], lines: dict[Row, Counter[str]]) -> None:
        """One class: whose place is certain, and how many rows find none: a flow that cannot be enlarged."""
        found, left, reach = dict(self.candidates(lines, need)), Counter[Any](), Counter[Row]()
        gives, near = defaultdict[Any, Counter[Row]](Counter), defaultdict[Row, list[Any]](list)
        for values, by in found.items():
            left[by] += lines[values].total()
            reach.update(dict.fromkeys(by, lines[values].total()))
        for values, by in found.items():
            for cells in by:
                self.possible += (who := [(cells, rest, person, 1) for person in lines[values]])
                self.sure += who if reach[cells] == need[cells] else []  # it takes every row that it can
        self.is_certain &= reach == need
        for by in sorted(left, key=len):
            for cells in sorted(by, key=lambda cells: -need[cells]):
                near[cells].append(by)
                gives[by][cells] = amount = min(left[by], need[cells])
                left[by], need[cells] = left[by] - amount, need[cells] - amount
        for cells in need:
            while need[cells] and self.moves(cells, near, gives, left, set()):
                need[cells] -= 1
        self.n_short += need.total()

    def moves(self, cells: Row, near: Any, gives: Any, left: Any, seen: set[Any]) -> bool:
        """Whether cells get one more row: one that is left, or one of other cells, which get another."""
        for by in near[cells]:
            if by in seen:
                continue
            seen.add(by)
            self.step(len(gives[by]))
            others = [other for other, n in gives[by].items() if n and other != cells]
            if left[by]:
                left[by] -= 1
            elif moved := next((each for each in others if self.moves(each, near, gives, left, seen)), None):
                gives[by][moved] -= 1
            else:
                continue
            gives[by][cells] += 1
            return True
        return False

    def step(self, n_steps: int) -> None:
        """Give up where it takes too long: what is not known then is not called kept."""
        self.n_steps += n_steps + 1
        if self.n_steps > MOST_STEPS:
            raise TimeoutError

    def candidates(self, lines: Collection[Row], nodes: Collection[Row]) -> Iterator[tuple[Row, Any]]:
        """For every row of values the rows of cells that cover it, column by column."""
        waiting = [(0, list(lines), list(nodes))]
        while waiting:
            depth, some, fitting = waiting.pop()
            if depth == len(self.order) or not fitting:
                yield from ((line, tuple(sorted(fitting))) for line in some)
                continue
            place, by_cell, by_value = self.order[depth], defaultdict(list), defaultdict(list)
            for node in fitting:
                by_cell[node[place]].append(node)
            for line in some:
                by_value[line[place]].append(line)
            for value, these in by_value.items():
                self.step(0 if value in self.columns[place].covering else len(self.columns[place].parts))
                cells = self.columns[place].matching(value).intersection(by_cell)
                waiting.append((depth + 1, these, [node for cell in cells for node in by_cell[cell]]))
                self.step(len(waiting[-1][2]))


class Crowds:
    """The members of each group over some columns, and of each value there: rows, or distinct persons."""

    def __init__(self, members: Any, given: list[int], of: list[int]) -> None:
        self.held, self.totals = defaultdict[Row, Counter[str]](Counter), Counter[str]()
        self.sizes = Counter[Row]()
        triples = dict[tuple[Row, str, Any], int]()
        for number, (cells, rest, person, n) in enumerate(members):
            self.sizes[group := tuple([cells[place] for place in given])] += 0
            if person != "":  # a row without a person counts for nobody
                value = "".join([rest[place] for place in of])
                triples[group, value, number if person is None else person] = n
        for (group, value, _), n in triples.items():
            self.held[group][value] += n
        for (group, _), n in {(group, who): n for (group, _, who), n in triples.items()}.items():
            self.sizes[group] += n
        for (value, _), n in {(value, who): n for (_, value, who), n in triples.items()}.items():
            self.totals[value] += n
        self.n_all = sum({who: n for (_, _, who), n in triples.items()}.values())

    def keeps(self, kind: str, bounds: Mapping[str, Any], group: Row, edges: Any) -> bool:
        """Whether a group keeps a promise. What comes within 1e-12 of a logarithm counts as broken."""
        held, size = self.held[group], self.sizes[group]
        counts, n = sorted(held.values(), reverse=True), held.total()
        if kind in ("k", "anonymity") or not size:
            return size > 0 and size >= int(bounds["k"])
        if kind in ("alpha", "template"):
            most = Fraction(bounds["alpha" if kind == "alpha" else "at_most"]) * size
            return all(held[value] <= most for value in listed(bounds, "value") or held)
        if kind == "diversity" and bounds.get("kind") == "recursive":
            return counts[0] < Fraction(bounds["c"]) * sum(counts[bounds["l"] - 1 :])
        if kind == "diversity":
            least = Fraction(bounds["l"])
            if bounds.get("kind", "distinct") == "distinct" or counts[0] == counts[-1]:
                return len(counts) >= least
            entropy = math.log(n) - sum(each * math.log(each) for each in counts) / n
            return entropy >= math.log(least) + 1e-12
        if kind == "closeness":
            before, distance, n_all = 0, Fraction(0), self.totals.total()
            for values, length, goes_on in edges:
                before += sum(held[value] * n_all - self.totals[value] * n for value in values)
                distance, before = distance + abs(before) * length, before if goes_on else 0
            return distance <= Fraction(bounds["t"]) * n * n_all
        for value, count in held.items():
            share = Fraction(self.totals[value], self.n_all)
            gain = count / (size * share)
            cap = -math.log(share) if bounds.get("kind") == "enhanced" and gain > 1 else math.inf
            if kind == "disclosure" and abs(math.log2(gain)) >= Fraction(bounds["delta"]) - 1e-12:
                return False
            if kind == "likeness" and (gain - 1 > Fraction(bounds["beta"]) or gain - 1 > cap - 1e-12):
                return False
        return not bounds.get("strict_zero") or set(self.totals) == set(held)

    def edges(self, distance: str, order: Any, chains: list[Row]) -> list[Any]:
        """Values on one side of an edge, its length, and whether they are on that side of the next."""
        if distance == "equal":
            return [((value,), Fraction(1, 2), False) for value in self.totals]
        if distance == "ordered":
            values = sorted(self.totals, key=lambda value: (value == "", value and order(value), value))
            return [((value,), Fraction(1, max(len(values) - 1, 1)), True) for value in values]
        labels = {label for chain in chains for label in chain}
        groups = {frozenset(chain[0] for chain in chains if label in chain) for label in labels}
        tree = sorted(groups | {frozenset(chain[0] for chain in chains)}, key=len)
        above = {group: next(each for each in tree if group < each) for group in tree[:-1]}
        height = dict.fromkeys(tree, 0)
        for group, up in above.items():
            height[up] = max(height[up], height[group] + 1)
        top = 2 * max(height[tree[-1]], 1)
        climbs = [(each, Fraction(height[up] - height[each], top), False) for each, up in above.items()]
        return [*climbs, (("",), Fraction(1, 2), False)]


class Case:
    """A release, its source, its policy and its certificate, and what was found out about them."""

    def __init__(self, policy: Any, release: Table, source: Table, told: Any, folder: Path) -> None:
        self.policy, self.release, self.told, self.checks = policy, release, told or {}, list[Check]()
        self.quasi, self.person = listed(policy, "quasi_identifiers"), listed(policy, "person")
        self.rest = [name for name in listed(policy, "target", "sensitive", "keep") if name not in self.quasi]
        self.source, self.chains = as_published(source, policy), dict[str, Any]()
        for name, given in policy.get("hierarchies", {}).items():
            of = [name] if (name := cleaned(name)) in source[0] else []
            self.chains[name] = chains_of(given, folder, ["".join(row) for (row,) in split(self.source, of)])
        forms = policy.get("columns", {})
        self.odd = {cleaned(name) for name in forms if forms[name] != {"kind": "category"}}
        self.odd.update(listed(policy, "derived"))
        self.odd |= {name for name in self.quasi if self.chains.get(name, ()) is None}

    def say(self, what: str, message: str, wrong: str = "", outcome: str = HOLDS) -> None:
        """Note down what was found out; ``wrong`` says what is broken, if anything is."""
        self.checks.append((what, BROKEN if wrong else outcome, wrong or message))

    def judge(self) -> list[Check]:
        """Everything that is promised; what is not known here is said."""
        privacy, quasi, names = self.policy["privacy"], self.quasi, self.quasi + self.rest
        asked = [(kind, bounds) for kind in list(KEYS)[3:] for bounds in privacy.get(kind, ())]
        settings = [("policy", self.policy), ("privacy", privacy), ("source", self.policy.get("source", {}))]
        for kind, keys in (*settings, *asked):
            for key in set(keys) - set(KEYS[kind].split()):
                self.say("policy", f"{key!r} of {kind} is not known here", outcome=UNCOUNTED)
        for name in sorted(self.odd.intersection(names)):
            self.say(name, "how its values are read or grouped is not known here", outcome=UNCOUNTED)
        if sorted(self.release[0]) != sorted(names):
            self.say("columns", "", "the release has others than the policy publishes")
            return self.checks
        placing = self.check_rows([name for name in quasi if name not in self.odd])
        if "k" in privacy:
            sets = combinations(quasi, min(privacy.get("combinations", len(quasi)), len(quasi)))
            asked += [("k", {"k": privacy["k"], "given": given}) for given in sets]
        choices = {
            "distinct",
            "entropy",
            "recursive",
            "basic",
            "enhanced",
            "equal",
            "ordered",
            "hierarchical",
        }
        if (
            not asked
            or not {each.get(key, "equal") for _, each in asked for key in ("kind", "distance")} <= choices
        ):
            raise RefereeError(
                2, "the policy promises nothing, or something of a kind that is not known here"
            )
        rows = [(cells, rest, None, n) for (cells, rest), n in split(self.release, quasi, self.rest).items()]
        for kind, bounds in asked:
            self.check_promise(kind, bounds, rows, placing)
        return self.checks

    def check_rows(self, quasi: list[str]) -> Placing | None:
        """Whether the release can be made of rows of the source; None where that is not known."""
        rest, told, columns = (
            [name for name in self.rest if name not in self.odd],
            self.told,
            list[Covering](),
        )
        released, known = split(self.release, rest, quasi), split(self.source, rest, quasi, self.person)
        n_out, n_in, kept = released.total(), known.total(), split(self.release, rest)
        wrong = "" if 0 < n_out <= n_in else "the release has none, or too many"
        self.say("rows", f"{n_out:,} of {n_in:,}", wrong)
        is_true, is_made_up = told.get("truthful", True), "synthetic" in str(told.get("notices"))
        kept.subtract(split(self.source, rest))
        wrong = f"{(+kept).total():,} rows differ" if +kept else ""
        if is_true or not is_made_up:
            self.say("unchanged columns", "as in the source", wrong)
        if not is_true:
            self.say("cells", "the certificate says that cells are swapped or made up", outcome=FREE)
            return None
        method = told.get("method") or self.policy.get("method", {})
        means = "mean" in (method.get("publish"), method.get("options", {}).get("publish"))
        for place, name in enumerate(quasi):
            values, shown = ({key[1][place] for key in table} for table in (known, released))
            hides = told.get("cells", {}).get(name, {}).get("suppressed") == "not shown"
            columns.append(Covering(values, shown, self.chains.get(name, []), means=means, hides=hides))
            if columns[-1].speaks:
                self.say(name, "which rows its means and sketches speak of cannot be told", outcome=UNCOUNTED)
        for some in (quasi, *([name] for name in quasi)):
            chosen = [columns[quasi.index(name)] for name in some]
            what = "cells" if some == quasi else f"cells of {some[0]}, by themselves"
            try:
                known = split(self.source, rest, some, self.person if some == quasi else [])
                placing = Placing(split(self.release, rest, some), known, chosen)
                wrong = f"{placing.n_short:,} rows have no row of the source that their cells cover"
                self.say(what, "each row has a row of the source", wrong if placing.n_short else "")
                if some == quasi:
                    return placing
            except (TimeoutError, RecursionError):
                self.say(what, "there are too many ways to put the rows together", outcome=UNCOUNTED)
        return None

    def check_promise(self, kind: str, bounds: Any, rows: list[Any], placing: Placing | None) -> None:
        """Count one promise in every group; persons are counted where rows of the source can be told."""
        column, given = listed(bounds, "column"), listed(bounds, "given") or self.quasi
        places, of = [self.quasi.index(name) for name in given], [self.rest.index(name) for name in column]
        what, groups, edges = (
            f"{kind} of {', '.join(column or given)}",
            Crowds(rows, places, of),
            list[Any](),
        )
        if self.person and (kind, bounds.get("kind", "distinct")) != ("diversity", "distinct"):
            if placing and (placing.n_short or self.odd.intersection(self.quasi + self.rest)):
                placing = None
            sure, possible = (placing.sure, placing.possible) if placing else ([], rows)
            low, high, least = (
                Crowds(sure, places, of),
                Crowds(possible, places, of),
                int(bounds.get("k", 0)),
            )
            is_enough = least and all(low.sizes[group] >= least for group in groups.sizes)
            if any(min(high.sizes[group], n) < least for group, n in groups.sizes.items()):
                self.say(what, "", "a group cannot have so many persons")
                return
            if not is_enough and not (placing and placing.is_certain):
                self.say(what, "which persons are in a group cannot be told", outcome=UNCOUNTED)
                return
            groups = low
        if kind == "closeness":
            distance, chains = bounds.get("distance", "equal"), self.chains.get(column[0], [])
            is_odd = column[0] in {*self.chains, *self.odd} if distance == "ordered" else not chains
            if distance != "equal" and is_odd:
                self.say(what, "the order or the tree of its values is not known here", outcome=UNCOUNTED)
                return
            is_number = all(map(NUMBER.fullmatch, filter(None, groups.totals)))
            is_number &= column[0] not in listed(self.policy, "categorical")
            order = Decimal if is_number or column[0] in listed(self.policy, "numeric") else str
            edges = groups.edges(distance, order, chains)
        n_wrong = sum(not groups.keeps(kind, bounds, group, edges) for group in groups.sizes)
        n, least = len(groups.sizes), min(groups.sizes.values(), default=0)
        wrong = f"{n_wrong:,} of {n:,} groups break it"
        self.say(what, f"{n:,} groups, the smallest of {least:,}", wrong if n_wrong else "")


def referee(release: Any, source: Any, policy: Any) -> list[Check]:
    """Judge a release by its files: what was looked at, one of the four words, and why."""
    release, source, policy = Path(release), Path(source), Path(policy)
    try:
        settings = tomllib.loads(policy.read_bytes().decode("utf-8-sig"), parse_float=Fraction)
        beside = release.with_name(release.name + ".kanopy.json")
        told = json.loads(beside.read_bytes()) if beside.exists() else {}
        form = told.get("release", {}).get("form", {})
        if form.get("decimal_commas") or form.get("formulas_disarmed"):
            raise RefereeError(3, "the release is written for a spreadsheet; check one that is not")
        names = listed(settings, "quasi_identifiers", "target", "sensitive", "keep", "person")
        names = [name for name in names if name not in listed(settings, "derived")]
        tables = [read_table(release, form), read_table(source, settings.get("source", {}), names)]
        case = Case(settings, tables[0], tables[1], told, policy.parent)
        if told:
            is_it = hashlib.sha256(release.read_bytes()).hexdigest() == told["release"]["sha256"]
            case.say("certificate", "it is about this file", "" if is_it else "it is about another file")
        return case.judge()
    except (OSError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RefereeError(2, f"policy, certificate or hierarchy: {type(error).__name__}") from None


def main(arguments: list[str] | None = None) -> int:
    """Print what was found out, the worst first, and return the exit code."""
    parser = argparse.ArgumentParser(prog="referee", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("release", help=".csv, .csv.gz, .csv.zst or .parquet")
    parser.add_argument("--source", required=True, help="the table that it was made from")
    parser.add_argument("--policy", required=True, help="what was promised, .toml")
    parser.add_argument("--json", action="store_true", help="print the checks as JSON")
    given = parser.parse_args(arguments)
    try:
        checks = referee(given.release, given.source, given.policy)
    except RefereeError as error:
        print(f"error: {error.args[1]}", file=sys.stderr)
        return int(error.args[0])
    checks.sort(key=lambda check: [BROKEN, UNCOUNTED, FREE, HOLDS].index(check[1]))
    verdicts = {BROKEN: "broken", UNCOUNTED: "not all that is promised was counted"}
    verdict = verdicts.get(checks[0][1], "all that is promised holds")
    if given.json:
        found = [dict(zip(("what", "outcome", "message"), check, strict=True)) for check in checks]
        print(json.dumps({"verdict": verdict, "checks": found}, indent=2))
        return int(checks[0][1] in verdicts)
    print("verdict ", verdict)
    for what, outcome, message in checks:
        print(f"  [{outcome}] {what}: {message}")
    return int(checks[0][1] in verdicts)


if __name__ == "__main__":
    sys.exit(main())
