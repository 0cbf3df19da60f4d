"""The top-down methods and bottom-up generalization again, naively: every candidate is tried on every row.

Nothing is kept from one step to the next but the cut; shares are fractions; columns are lists of codes.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oracles import Tree as Taxonomy
from oracles_tree_methods import Quasi

from kanopy.privacy import AnonymityOf, DistinctDiversity, KAnonymity, PrivacyModel, Template

CLASSIFICATION, DISTORTION, GINI = "classification", "distortion", "gini"
"""What refinements are worth."""

Rows = list[int]
Codes = tuple[int, ...]


@dataclass(frozen=True)
class Plain:
    """A table as plain lists; a class or secret of None is missing. ``parts`` are about columns q0, q1, …"""

    columns: list[Quasi]
    classes: list[str | None]
    secrets: list[str | None]
    persons: list[int] | None
    parts: list[PrivacyModel]

    @property
    def n_rows(self) -> int:
        return len(self.classes)

    def columns_of(self, part: PrivacyModel) -> Codes:
        names = [f"q{place}" for place in range(len(self.columns))]
        return tuple(sorted(map(names.index, part.grouped_by or names)))

    def n_members(self, rows: Rows) -> int:
        return len(rows) if self.persons is None else len({self.persons[row] for row in rows})

    def confidence(self, part: Template, rows: Rows) -> Fraction:
        """Of the members behind the rows, how many have the value in one of them."""
        members = list(range(self.n_rows)) if self.persons is None else self.persons
        with_it = {members[row] for row in rows if self.secrets[row] == part.value}
        return Fraction(len(with_it), len({members[row] for row in rows}))

    def holds(self, part: PrivacyModel, rows: Rows) -> bool:
        if isinstance(part, Template):
            return self.confidence(part, rows) <= part.at_most
        if isinstance(part, DistinctDiversity):
            return len({self.secrets[row] for row in rows}) >= part.l
        assert isinstance(part, KAnonymity | AnonymityOf)
        return self.n_members(rows) >= part.k

    def is_satisfiable(self) -> bool:
        return all(self.holds(part, list(range(self.n_rows))) for part in self.parts)

    def needed(self) -> list[PrivacyModel]:
        """The parts that do not follow from others; of parts that say the same, the first."""
        kept: list[PrivacyModel] = []
        for place, part in enumerate(self.parts):
            others = self.parts[:place] + [p for p in self.parts[place + 1 :] if not self._says(part, p)]
            if not any(self._says(other, part) for other in others):
                kept.append(part)
        return kept

    def _says(self, strong: PrivacyModel, weak: PrivacyModel) -> bool:
        knows_more = set(self.columns_of(weak)) <= set(self.columns_of(strong))
        if isinstance(strong, Template) and isinstance(weak, Template) and self.persons is None:
            return strong.value == weak.value and knows_more and strong.at_most <= weak.at_most
        sized = (KAnonymity, AnonymityOf)
        if isinstance(strong, sized) and isinstance(weak, sized):
            return knows_more and strong.k >= weak.k
        return strong == weak

    def groups(self, columns: Codes, shown: Sequence[Callable[[int], Any]]) -> list[Rows]:
        """Rows that look alike on the columns, if every code is shown so."""
        found: dict[Any, Rows] = defaultdict(list)
        for row in range(self.n_rows):
            found[tuple(shown[place](self.columns[place].codes[row]) for place in columns)].append(row)
        return list(found.values())


def entropy(labels: Sequence[Any]) -> float:
    return -sum(n / len(labels) * math.log2(n / len(labels)) for n in Counter(labels).values())


# --- From the top down -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Element:
    """Codes that print alike: those that occur, those that the cell may stand for, the node to go on from."""

    codes: Codes
    covers: frozenset[int]
    node: Taxonomy | None = None


@dataclass(frozen=True)
class Candidate:
    """A refinement: its number, what it refines, and what comes out (the last is the rest, if it stays)."""

    number: int
    element: int
    parts: tuple[Element, ...]
    keeps_rest: bool = False


@dataclass(frozen=True)
class Cut:
    """A column and its elements in the order in which they were made; those that were refined are None."""

    quasi: Quasi
    kind: str  # tree, interval, values (all at once) or disclosure (one by one)
    elements: tuple[Element | None, ...]

    @classmethod
    def top(cls, quasi: Quasi, kind: str) -> Cut:
        everything = frozenset(range(quasi.n_values + 1))
        node = quasi.taxonomy if kind == "tree" else None
        return cls(quasi, kind, (Element(tuple(sorted(set(quasi.codes))), everything, node),))

    def element_of(self, code: int) -> int:
        found = [n for n, element in enumerate(self.elements) if element and code in element.codes]
        assert len(found) == 1
        return found[0]

    def covers(self, code: int) -> frozenset[int]:
        element = self.elements[self.element_of(code)]
        assert element is not None
        return element.covers

    def refined(self, candidate: Candidate) -> Cut:
        old = list(self.elements)
        parts = list(candidate.parts)
        old[candidate.element] = parts.pop() if candidate.keeps_rest else None
        return Cut(self.quasi, self.kind, (*old, *parts))

    def candidates(self, classes: Sequence[str | None], utility: str = CLASSIFICATION) -> list[Candidate]:
        if self.kind == "disclosure":
            return self._disclosures()
        divide = {"tree": self._children, "values": self._values}.get(self.kind)
        found = []
        for number, element in enumerate(self.elements):
            if element is None:
                continue
            parts = divide(element) if divide else self._halves(element, classes, utility)
            if len(parts) > 1:
                found.append(Candidate(number, number, tuple(parts)))
        return found

    def _disclosures(self) -> list[Candidate]:
        suppressed = self.elements[0]
        if suppressed is None:
            return []
        found = []
        for code in suppressed.codes:
            rest = tuple(other for other in suppressed.codes if other != code)
            parts = [_alone(code)] + [Element(rest, suppressed.covers)] * bool(rest)
            found.append(Candidate(code, 0, tuple(parts), keeps_rest=bool(rest)))
        return found

    def _values(self, element: Element) -> list[Element]:
        return [_alone(code) for code in element.codes]

    def _children(self, element: Element) -> list[Element]:
        """A node with a single child that occurs is as good as that child."""
        assert self.quasi.taxonomy is not None
        leaves = leaves_of(self.quasi.taxonomy)
        node, missing = element.node, self.quasi.n_values
        while node is not None and not isinstance(node, str):
            parts = []
            for child in node:
                below = frozenset(map(leaves.index, leaves_of(child)))
                codes = tuple(code for code in element.codes if code in below)
                if codes:
                    parts.append(Element(codes, below, child))
            if missing in element.codes:
                parts.append(_alone(missing))
            if len(parts) > 1:
                return parts
            node = parts[0].node
        return []

    def _halves(self, element: Element, classes: Sequence[str | None], utility: str) -> list[Element]:
        """The cut between different numbers that is worth most, the first of equals."""
        numbers, missing = self.quasi.numbers, self.quasi.n_values
        assert numbers is not None
        known = [code for code in element.codes if code != missing]
        apart = [_alone(missing)] * (missing in element.codes)
        best, found = -math.inf, [_interval(known)] if known else []
        for place in range(1, len(known)):
            if numbers[known[place - 1]] == numbers[known[place]]:
                continue
            halves = [_interval(known[:place]), _interval(known[place:])]
            worth = self.worth(element, [*halves, *apart], classes, utility)
            slack = 1e-6 if utility == CLASSIFICATION else 1e-9 * max(best, 0)
            if worth > best + slack:
                best, found = worth, halves
        return found + apart

    def worth(
        self, element: Element, parts: Sequence[Element], classes: Sequence[str | None], utility: str
    ) -> float:
        """What dividing an element is worth, summed over its rows."""
        labels = [self.classes_of(part, classes) for part in parts]
        whole = self.classes_of(element, classes)
        if utility == DISTORTION:
            wide = self.width(element)
            return sum(len(of) * (wide - self.width(part)) for of, part in zip(labels, parts, strict=True))
        if utility == GINI:
            return sum(map(squares, labels)) - squares(whole)
        return len(whole) * entropy(whole) - sum(len(of) * entropy(of) for of in labels)

    def classes_of(self, element: Element, classes: Sequence[str | None]) -> list[str | None]:
        both = zip(self.quasi.codes, classes, strict=True)
        return [label for code, label in both if code in element.codes]

    def width(self, element: Element) -> float:
        """From 0 for one value to 1 for a suppressed cell."""
        n_codes, covers = self.quasi.n_values + 1, element.covers
        if len(covers) in (1, n_codes):
            return float(len(covers) > 1)
        if self.kind == "interval":
            numbers = self.quasi.numbers
            assert numbers is not None
            return (numbers[max(covers)] - numbers[min(covers)]) / (numbers[-1] - numbers[0])
        has_missing = self.quasi.n_values in self.quasi.codes
        return len(covers) / (self.quasi.n_values + has_missing)


def _interval(codes: Sequence[int]) -> Element:
    return Element(tuple(codes), frozenset(range(codes[0], codes[-1] + 1)))


def squares(labels: Sequence[Any]) -> float:
    """Rows times one less the Gini impurity."""
    return sum(n * n for n in Counter(labels).values()) / len(labels)


def _alone(code: int) -> Element:
    return Element((code,), frozenset([code]))


def leaves_of(tree: Taxonomy) -> list[str]:
    return [tree] if isinstance(tree, str) else [leaf for child in tree for leaf in leaves_of(child)]


@dataclass(frozen=True)
class Naive:
    """What came out: the steps, by column and candidate or node, and what every cell may stand for."""

    steps: list[tuple[int, Any]]
    cells: list[list[frozenset[int]] | None]


def naive_top_down(
    plain: Plain,
    kinds: Sequence[str],
    score: str,
    *,
    needs_gain: bool = False,
    utility: str = CLASSIFICATION,
    n_steps: float = math.inf,
) -> Naive:
    """The pseudo-code of TDD, TDS and TDR; ``score`` is one of these."""
    parts = plain.needed()
    touched = {place for part in parts for place in plain.columns_of(part)}
    cuts = [Cut.top(quasi, kind) for quasi, kind in zip(plain.columns, kinds, strict=True)]
    steps: list[tuple[int, int]] = []
    while len(steps) < n_steps:
        found: list[tuple[float, int, Candidate]] = []
        for place in sorted(touched):
            for candidate in cuts[place].candidates(plain.classes, utility):
                gain = _gain(plain, cuts[place], candidate, utility)
                after = [*cuts[:place], cuts[place].refined(candidate), *cuts[place + 1 :]]
                is_valid = all(
                    plain.holds(part, rows) for part in parts for rows in _seen(plain, part, after)
                )
                if gain is not None and is_valid and (gain > 1e-12 or not needs_gain):
                    loss = _loss(plain, parts, place, cuts, after, score)
                    found.append((_scored(gain, loss, score), place, candidate))
        if not found:
            break
        best = max(value for value, _, _ in found)
        _, place, candidate = next(each for each in found if each[0] >= best - 1e-9 * best - 1e-14)
        steps.append((place, candidate.number))
        cuts[place] = cuts[place].refined(candidate)
    cells = [
        [cut.covers(code) for code in cut.quasi.codes] if place in touched else None
        for place, cut in enumerate(cuts)
    ]
    return Naive(steps, cells)


def _seen(plain: Plain, part: PrivacyModel, cuts: Sequence[Cut]) -> list[Rows]:
    return plain.groups(plain.columns_of(part), [cut.element_of for cut in cuts])


def _gain(plain: Plain, cut: Cut, candidate: Candidate, utility: str) -> float | None:
    """What is gained, of information per row; None where the candidate is not beneficial."""
    element = cut.elements[candidate.element]
    assert element is not None
    worth = cut.worth(element, candidate.parts, plain.classes, utility)
    if utility != CLASSIFICATION:
        return worth
    whole = cut.classes_of(element, plain.classes)
    return worth / len(whole) if len(set(whole)) > 1 else None


def _loss(
    plain: Plain,
    parts: Sequence[PrivacyModel],
    place: int,
    before: Sequence[Cut],
    after: Sequence[Cut],
    score: str,
) -> Fraction:
    """The mean rise of confidence (TDD), or fall of the smallest group, over what the column is part of."""
    losses: list[Fraction] = []
    for part in parts:
        if place not in plain.columns_of(part):
            continue
        groups, divided = _seen(plain, part, before), _seen(plain, part, after)
        if score == "tdd" and isinstance(part, Template):
            confidences = [max(plain.confidence(part, rows) for rows in of) for of in (divided, groups)]
            losses.append(max(confidences[0] - confidences[1], Fraction(0)))  # of persons it can fall
        elif score != "tdd" and isinstance(part, KAnonymity | AnonymityOf):
            smallest = [min(map(plain.n_members, of)) for of in (groups, divided)]
            losses.append(Fraction(smallest[0] - smallest[1]))
    return sum(losses, Fraction(0)) / max(len(losses), 1)


def _scored(gain: float, loss: Fraction, score: str) -> float:
    if score == "tds":
        return gain / float(loss) if loss else gain
    return gain / float(loss + 1)


# --- From the bottom up ----------------------------------------------------------------------------------


def naive_bottom_up(plain: Plain, *, drafts: bool = False) -> Naive:
    """The pseudo-code of Bottom-Up Generalization; a node is the codes below it."""
    parts = plain.needed()
    requirements = defaultdict(list)
    for part in parts:
        requirements[plain.columns_of(part)].append(part)
    trees = [
        _drafted_nodes(plain, quasi) if drafts and quasi.taxonomy is None else _nodes(quasi)
        for quasi in plain.columns
    ]
    shown: list[dict[int, int]] = [{} for _ in trees]  # code -> node, where it was generalized
    steps: list[tuple[int, Any]] = []

    def groups(columns: Codes, cuts: Sequence[dict[int, int]]) -> list[Rows]:
        return plain.groups(columns, [lambda code, cut=cut: cut.get(code, -1 - code) for cut in cuts])

    def is_kept(columns: Codes, of: Sequence[Rows]) -> bool:
        return all(plain.holds(part, rows) for part in requirements[columns] for rows in of)

    def level(columns: Codes, cuts: Sequence[dict[int, int]]) -> Fraction:
        found = groups(columns, cuts)
        if any(isinstance(part, KAnonymity | AnonymityOf) for part in requirements[columns]):
            return Fraction(min(map(plain.n_members, found)))
        complying = sum(len(rows) for rows in found if is_kept(columns, [rows]))
        return Fraction(complying, plain.n_rows)

    while True:
        broken = [columns for columns in requirements if not is_kept(columns, groups(columns, shown))]
        if not broken:
            break
        best: tuple[bool, float, int, int] | None = None
        for place, tree in enumerate(trees):
            concerned = [columns for columns in broken if place in columns]
            for node in _available(tree, shown[place], plain.columns[place]) if concerned else ():
                after = [*shown]
                after[place] = {**shown[place], **dict.fromkeys(tree[node], node)}
                gained = sum(level(c, after) - level(c, shown) for c in concerned) / len(concerned)
                lost = _information(plain, place, shown[place], tree[node])
                price = lost / float(gained) if gained > 0 else lost
                found = (gained <= 0, price, place, node)
                if best is None or (found[0], price + 1e-9 * price + 1e-14) < best[:2]:
                    best = found
        assert best is not None
        _, _, place, node = best
        steps.append((place, trees[place][node]))
        shown[place] |= dict.fromkeys(trees[place][node], node)
    cells = []
    for quasi, tree, cut in zip(plain.columns, trees, shown, strict=True):
        cells.append([tree[cut[c]] if c in cut else frozenset([c]) for c in quasi.codes])
    return Naive(steps, cells)


def _nodes(quasi: Quasi) -> list[frozenset[int]]:
    """The inner nodes of the column's tree as codes, level by level from the root, which has missing too."""
    tree = quasi.taxonomy
    if tree is None:
        return [frozenset(range(quasi.n_values + 1))]
    leaves = leaves_of(tree)
    found, level = [], [tree]
    while level:
        inner = [node for node in level if not isinstance(node, str)]
        found += [frozenset(map(leaves.index, leaves_of(node))) for node in inner]
        level = [child for node in inner for child in node]
    found[0] |= {quasi.n_values}
    return found


def _drafted_nodes(plain: Plain, quasi: Quasi) -> list[frozenset[int]]:
    """Values in a row, numbers by size, others by their share of the most frequent class: halves, quarters,
    and so on, each value where its middle row lies; a half that is one value, or the whole, is no node."""
    n_rows, missing = Counter(quasi.codes), quasi.n_values
    in_a_row = sorted(n_rows)
    if quasi.numbers is None:
        order = [*sorted({label for label in plain.classes if label is not None}), None]
        majority = max(order, key=plain.classes.count)
        told = Counter(
            code for code, label in zip(quasi.codes, plain.classes, strict=True) if label == majority
        )
        in_a_row.sort(key=lambda code: (Fraction(told[code], n_rows[code]), code))
    n_levels = max([3, *(levels for levels in (4, 5, 6) if 2**levels * len(plain.columns) <= 512)])
    found = [frozenset(range(missing + 1))]
    wholes = [in_a_row]
    for level in range(1, n_levels + 1):
        parts: dict[int, list[int]] = defaultdict(list)
        before = Fraction(0)
        for code in in_a_row:
            middle = before + Fraction(n_rows[code], 2)
            parts[int(2**level * middle / plain.n_rows)].append(code)
            before += n_rows[code]
        for part in parts.values():
            if len(part) > 1 and part not in wholes:
                wholes.append(part)
                known = [code for code in part if code != missing]
                covered = range(known[0], known[-1] + 1) if quasi.numbers is not None else known
                found.append(frozenset(covered) | (set(part) & {missing}))
    return found


def _available(tree: Sequence[frozenset[int]], cut: dict[int, int], quasi: Quasi) -> list[int]:
    """Nodes above the cut, all of whose children that occur are in it."""
    found = []
    occur = set(quasi.codes)
    for number, node in enumerate(tree):
        inner = [n for n, other in enumerate(tree) if other < node and other & occur]
        children = [n for n in inner if not any(tree[n] < tree[other] for other in inner)]
        is_above = node & occur and all(tree[cut[code]] < node for code in node & occur if code in cut)
        if is_above and all(cut.get(code) == n for n in children for code in tree[n] & occur):
            found.append(number)
    return found


def _information(plain: Plain, place: int, cut: dict[int, int], codes: frozenset[int]) -> float:
    """The bits per row that are lost where these codes become one."""
    merged = defaultdict(list)
    for code, label in zip(plain.columns[place].codes, plain.classes, strict=True):
        if code in codes:
            merged[cut.get(code, -1 - code)].append(label)
    whole = [label for labels in merged.values() for label in labels]
    return entropy(whole) - sum(len(part) / len(whole) * entropy(part) for part in merged.values())
