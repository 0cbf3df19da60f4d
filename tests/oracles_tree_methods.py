"""The tree methods again, naively: nodes as objects, rows as numbers, recursion, one row at a time.

What they share with the fast code is the tree, which is taken over node by node.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np
from oracles import Tree as Taxonomy

from kanopy.data import GroupCounts
from kanopy.privacy import KAnonymity, PrivacyModel
from kanopy.trees import Tree

Rows = list[int]
Holds = Callable[[Rows], bool]


class Anything(PrivacyModel):
    """The promise that every group keeps: k = 1, which nobody can promise in earnest."""

    monotone = True
    columns = ()

    def holds(self, counts: GroupCounts) -> np.ndarray:
        return counts.rows >= 1

    def level(self, counts: GroupCounts) -> float:
        return 1.0

    def sentence(self, unit: str = "rows") -> str:
        return f"Every group has {unit}."


def at_least(k: int) -> PrivacyModel:
    return KAnonymity(k) if k > 1 else Anything()


# --- Trees as objects ------------------------------------------------------------------------------------


@dataclass
class Node:
    """A leaf, unless it has children; ``branch_of_code`` says which child takes which code."""

    number: int
    column: int = -1
    branch_of_code: list[int] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)

    def shape(self) -> object:
        """Two trees are the same if their shapes are."""
        return (self.column, tuple(self.branch_of_code), tuple(child.shape() for child in self.children))


def plain_tree(tree: Tree, number: int = 0) -> Node:
    """One of our trees, node by node, with its numbers."""
    splits = tree.splits
    column = int(splits.column[number])
    if column < 0:
        return Node(number)
    n_values = splits.domains[column].n_values
    threshold, grouping = int(splits.threshold[number]), int(splits.grouping[number])
    if grouping >= 0:
        branch_of_code = splits.groupings[grouping].tolist()
    elif threshold >= 0:
        branch_of_code = [int(code > threshold) for code in range(n_values)]
        branch_of_code.append(int(splits.missing_branch[number]))
    else:
        branch_of_code = list(range(n_values + 1))
    first = int(tree.first_child[number])
    children = [plain_tree(tree, first + branch) for branch in range(int(tree.n_children[number]))]
    return Node(number, column, branch_of_code, children)


def rows_of_leaves(root: Node, codes: Sequence[Sequence[int]]) -> dict[int, Rows]:
    """The rows of every leaf; ``codes`` has one line per row."""
    found: dict[int, Rows] = defaultdict(list)
    for row, line in enumerate(codes):
        node = root
        while node.children:
            node = node.children[node.branch_of_code[line[node.column]]]
        found[node.number].append(row)
    return found


Allowed = dict[int, set[int]]
"""By column, the codes that a path lets through."""


def paths_of(root: Node, above: tuple[tuple[int, frozenset[int]], ...] = ()) -> dict[int, Allowed]:
    """For every node the columns tested on the way to it, and the codes that all these tests let through."""
    allowed: Allowed = {}
    for column, codes in above:
        allowed[column] = allowed.get(column, set(codes)) & codes
    found = {root.number: allowed}
    for branch, child in enumerate(root.children):
        codes = frozenset(code for code, taken in enumerate(root.branch_of_code) if taken == branch)
        found |= paths_of(child, (*above, (root.column, codes)))
    return found


# --- kACTUS ----------------------------------------------------------------------------------------------


def replay_kactus(
    root: Node,
    of_leaf: Mapping[int, Rows],
    released: Sequence[int],
    k: int,
    holds: Holds,
    n_members: Callable[[Rows], int] = len,
    *,
    zero: bool = False,
    ge_k: bool = False,
    counts_rows_only: bool = True,
) -> Rows:
    """Go through phase 2 with the lots that were drawn, and check every step; the leftovers at the root.

    ``released`` is the node at which each row was released, -1 for none. Who was moved is chance, how many
    is not; where more than rows is promised, a move may have been undone.
    """
    if not root.children:
        return list(of_leaf.get(root.number, []))
    left: Rows = []
    complying: list[tuple[Node, Rows]] = []
    for child in root.children:
        held = replay_kactus(
            child,
            of_leaf,
            released,
            k,
            holds,
            n_members,
            zero=zero,
            ge_k=ge_k,
            counts_rows_only=counts_rows_only,
        )
        if held and holds(held):
            complying.append((child, held))
        else:
            left += held
            assert child.number not in {released[row] for row in held}, "a leaf that is too small is released"
    moved = [row for child, held in complying for row in held if released[row] != child.number]
    for child, held in complying:
        stays = [row for row in held if released[row] == child.number]
        assert len(stays) >= k
        assert holds(stays)
    n_left, n_spare = n_members(left), sum(max(0, len(held) - k) for _, held in complying)
    required = 0
    if 0 < n_left < k:
        required = k - n_left
    elif n_left == 0 and zero and complying:
        required = k
    elif n_left >= k and ge_k:
        required = n_spare
    required = required if n_spare >= required else 0
    if moved or counts_rows_only:
        assert len(moved) == required
    if moved:
        assert holds(left + moved)
    return left + moved


def naive_root_rule(
    groups: Mapping[int, Rows], left: Rows, k: int, holds: Holds, n_members: Callable[[Rows], int] = len
) -> tuple[set[int], bool]:
    """The groups that join the leftovers at the root, and whether these are released at all."""
    if not left or holds(left):
        return set(), True
    if n_members(left) < k:
        return set(), False
    order = sorted(groups, key=lambda number: (len(groups[number]), number))
    n_joining = 1
    while n_joining < len(order):
        together = left + [row for number in order[:n_joining] for row in groups[number]]
        if holds(together):
            break
        n_joining = 2 * n_joining + 1
    return set(order[:n_joining]), True


# --- kACTUS-2 --------------------------------------------------------------------------------------------


def bits(counts: Mapping[int, int]) -> float:
    """Class entropy; rounded, so that equals tie."""
    total = sum(counts.values())
    return round(sum(-n / total * math.log2(n / total) for n in counts.values() if n), 9)


@dataclass
class NaiveKactus2:
    """Algorithms 1 to 4, with entropies where the fast code knows what comes out."""

    classes: Sequence[int]
    k: int
    holds: Holds
    threshold: Fraction = Fraction(1, 2)
    swap_strict: bool = True
    donor_only: bool = False
    pooled: bool = False
    counts_rows_only: bool = True
    codes: Sequence[Sequence[int]] = ()
    groups: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    swapped: dict[int, tuple[int, int]] = field(default_factory=dict)
    pool: Rows = field(default_factory=list)

    def run(self, root: Node, of_leaf: Mapping[int, Rows]) -> NaiveKactus2:
        if not root.children:
            self.pool = list(of_leaf.get(root.number, []))
        for child in root.children:
            rows = self._collapsed(child, of_leaf)
            if rows and self.holds(rows):
                self._move(child.number, rows)
            else:
                self.pool += rows
        return self

    def _collapsed(self, parent: Node, of_leaf: Mapping[int, Rows]) -> Rows:
        if not parent.children:
            return list(of_leaf.get(parent.number, []))
        held = [
            (branch, child, self._collapsed(child, of_leaf)) for branch, child in enumerate(parent.children)
        ]
        held = [(branch, child, rows) for branch, child, rows in held if rows]
        if sum(len(rows) for _, _, rows in held) < self.k:
            return [row for _, _, rows in held for row in rows]
        complying = [(child, rows) for _, child, rows in held if self.holds(rows)]
        others = [(branch, child, rows) for branch, child, rows in held if not self.holds(rows)]
        if not complying:
            return [row for _, _, rows in others for row in rows]
        others = self._swap(parent, complying, others)
        return self._suppress(parent, complying, others)

    def _swap(
        self, parent: Node, complying: list[tuple[Node, Rows]], others: list[tuple[int, Node, Rows]]
    ) -> list[tuple[int, Node, Rows]]:
        unserved = []
        for branch, child, rows in others:
            required = self.k - len(rows)
            found = []
            if required > 0 and Fraction(required, self.k) <= self.threshold:
                for place, (_, donor) in enumerate(complying):
                    over = len(donor) - self.k
                    if over > required or (over == required and not self.swap_strict):
                        taken = self.select(donor, rows, required)
                        if self._may(donor, rows, taken):
                            stays = Counter(self.classes[row] for row in donor if row not in taken)
                            found.append((bits(stays), place, taken))
            if not found:
                unserved.append((branch, child, rows))
                continue
            _, place, taken = min(found)
            seen = Counter(sorted(self.codes[row][parent.column] for row in rows))
            for row in taken:
                complying[place][1].remove(row)
                self.swapped[row] = (parent.column, seen.most_common(1)[0][0])
            self._move(child.number, rows + taken)
        return unserved

    def _suppress(
        self, parent: Node, complying: list[tuple[Node, Rows]], others: list[tuple[int, Node, Rows]]
    ) -> Rows:
        small = [rows for _, _, rows in others]
        if self.pooled and small:
            small = [[row for rows in small for row in rows]]
        for child, donor in complying:
            for rows in list(small):
                required = self.k - len(rows)
                if required <= 0 or len(donor) - self.k < required:
                    continue
                taken = self.select(donor, rows, required)
                if self._may(donor, rows, taken):
                    self._move(parent.number, rows + taken)
                    small.remove(rows)
                    for row in taken:
                        donor.remove(row)
            self._move(child.number, donor)
        return [row for rows in small for row in rows]

    def _may(self, donor: Rows, rows: Rows, taken: Rows) -> bool:
        if self.counts_rows_only:
            return True
        return self.holds(rows + taken) and self.holds([row for row in donor if row not in taken])

    def _move(self, number: int, rows: Rows) -> None:
        self.groups.append((number, frozenset(rows)))

    def select(self, donor: Rows, small: Rows, required: int) -> Rows:
        donor, received, taken = sorted(donor), list(small), []
        every_class = sorted(set(self.classes))
        for _ in range(required):
            here = Counter(self.classes[row] for row in donor)
            there = Counter(self.classes[row] for row in received)
            available = [each for each in every_class if here[each]]
            if not self.donor_only:
                after = {each: bits(there + Counter([each])) for each in every_class}
                best = [each for each in every_class if after[each] == min(after.values())]
                available = [each for each in best if here[each]] or available
            chosen = min(available, key=lambda each: (bits(here - Counter([each])), each))
            row = next(row for row in donor if self.classes[row] == chosen)
            donor.remove(row)
            received.append(row)
            taken.append(row)
        return taken


# --- kADET -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Quasi:
    """A column as kADET sees it: codes, how many values there are, and the levels it can be split on."""

    codes: Sequence[int]
    n_values: int
    numbers: Sequence[float] | None = None
    taxonomy: Taxonomy | None = None

    def levels(self) -> list[list[int]]:
        """For every level, finest first, the branch of every code; the root is no level."""
        found = [list(range(self.n_values + 1))]
        depth_of_cut = 0 if self.taxonomy is None else _height(self.taxonomy)
        for depth in range(depth_of_cut - 1, 0, -1):
            sizes = _sizes_at(self.taxonomy, depth)
            branches = [branch for branch, size in enumerate(sizes) for _ in range(size)]
            found.append([*branches, len(sizes)])
        return found


@dataclass
class Open:
    """A node that is not decided yet, the columns it has used up, and the rows that print like its own."""

    node: Node
    rows: Rows
    used: frozenset[int]
    span: set[int]


Offer = tuple[float, float, int, list[int]]
"""The gain of a split, its split information, the column, and the branch of every code."""


def naive_kadet(
    columns: Sequence[Quasi],
    classes: Sequence[int],
    holds: Holds,
    *,
    n_private: int = 0,
    by_ratio: bool = False,
    min_rows: int = 1,
) -> Node:
    """Of every column the finest admissible split; of these the best; level by level. The last columns may be
    private: then a public split must leave nothing of its span behind, or what keeps the promise."""
    n_public = len(columns) - n_private
    rows = list(range(len(classes)))
    root = Node(-1)
    level = [Open(root, rows, frozenset(), set(rows))]
    while level:
        offers = [_offers(columns, classes, holds, each, n_public, min_rows) for each in level]
        chosen = [_best_offer(found, by_ratio=by_ratio) for found in offers]
        _keep_back(level, chosen, offers, holds, n_public, by_ratio=by_ratio)
        level = [
            child
            for each, offer in zip(level, chosen, strict=True)
            if offer
            for child in _divided(each, offer, columns, is_public=offer[2] < n_public)
        ]
    return root


def _keep_back(
    level: Sequence[Open],
    chosen: list[Offer | None],
    offers: Sequence[list[Offer]],
    holds: Holds,
    n_public: int,
    *,
    by_ratio: bool,
) -> None:
    """While a public split would leave too few rows of a span, the smallest of its nodes does without."""
    while True:
        leaving = [place for place, offer in enumerate(chosen) if offer and offer[2] < n_public]
        for place in sorted(leaving, key=lambda place: (len(level[place].rows), place)):
            span = level[place].span
            gone = {row for other in leaving if level[other].span is span for row in level[other].rows}
            if span - gone and not holds(sorted(span - gone)):
                private = [offer for offer in offers[place] if offer[2] >= n_public]
                chosen[place] = _best_offer(private, by_ratio=by_ratio)
                break
        else:
            return


def _divided(parent: Open, offer: Offer, columns: Sequence[Quasi], *, is_public: bool) -> list[Open]:
    """The children that have rows; a private split leaves them in the span of their parent."""
    _, _, number, branch_of_code = offer
    parts: list[Rows] = [[] for _ in range(max(branch_of_code) + 1)]
    for row in parent.rows:
        parts[branch_of_code[columns[number].codes[row]]].append(row)
    node = parent.node
    node.column, node.branch_of_code, node.children = number, branch_of_code, [Node(-1) for _ in parts]
    if is_public:
        parent.span.difference_update(parent.rows)
    return [
        Open(child, part, parent.used | {number}, set(part) if is_public else parent.span)
        for child, part in zip(node.children, parts, strict=True)
        if part
    ]


def _offers(
    columns: Sequence[Quasi],
    classes: Sequence[int],
    holds: Holds,
    at: Open,
    n_public: int,
    min_rows: int,
) -> list[Offer]:
    """Of every column the split that is not refused, of several thresholds that with the most gain."""

    def is_worth_it(parts: Sequence[Rows]) -> bool:
        return sum(len(part) >= min_rows for part in parts) >= 2

    found = []
    for number, column in enumerate(columns):
        is_public = number < n_public
        allows = (lambda parts: all(map(holds, parts))) if is_public else is_worth_it
        best: Offer | None = None
        for branch_of_code in _splits_of(column, at.rows, is_public=is_public, is_used=number in at.used):
            parts: dict[int, Rows] = defaultdict(list)
            for row in at.rows:
                parts[branch_of_code[column.codes[row]]].append(row)
            is_cut = column.numbers is not None and column.taxonomy is None
            sides = [part for branch, part in parts.items() if branch < 2] if is_cut else []
            if not allows(list(parts.values())):
                continue
            if is_cut and not is_public and min(map(len, sides)) < min_rows:
                continue
            left = sum(len(part) * bits(Counter(classes[row] for row in part)) for part in parts.values())
            gain = bits(Counter(classes[row] for row in at.rows)) - left / len(at.rows)
            sizes = Counter({branch: len(part) for branch, part in parts.items()})
            if best is None or gain > best[0] + 1e-8:
                best = gain, bits(sizes), number, branch_of_code
            if not is_cut:  # a coarser level is for where the finer one is refused
                break
        if best:
            found.append(best)
    return found


def _splits_of(column: Quasi, rows: Rows, *, is_public: bool, is_used: bool) -> list[list[int]]:
    """All that may be tried, in order: thresholds, or levels from the finest on."""
    if column.numbers is not None and column.taxonomy is None:
        present = sorted({column.codes[row] for row in rows} - {column.n_values})
        return [
            [int(code > low) for code in range(column.n_values)] + [2]
            for low, high in pairwise(present)
            if column.numbers[low] < column.numbers[high]
        ]
    levels = [] if is_used else column.levels()
    return levels if is_public else levels[:1]


def _best_offer(offers: Sequence[Offer], *, by_ratio: bool) -> Offer | None:
    """The most gain, or of those with at least average gain the highest gain ratio; of equals the first."""
    useful = [offer for offer in offers if offer[0] > 1e-8]
    if by_ratio and useful:
        average = sum(gain for gain, _, _, _ in useful) / len(useful)
        useful = [offer for offer in useful if offer[0] >= average - 1e-3]
    scores = [gain / information if by_ratio else gain for gain, information, _, _ in useful]
    for offer, score in zip(useful, scores, strict=True):
        if score >= max(scores) - 1e-8:
            return offer
    return None


def _height(tree: Taxonomy) -> int:
    return 0 if isinstance(tree, str) else 1 + max(_height(child) for child in tree)


def _sizes_at(tree: Taxonomy | None, depth: int) -> list[int]:
    """How many leaves each node at this depth has; leaves that end higher up stand for themselves.

    Depth is counted from the root; a taxonomy is cut from below in levels of equal distance to its root.
    """
    if isinstance(tree, str) or tree is None:
        return [1]
    if depth == 0:
        return [sum(map(sum, (_sizes_at(child, 99) for child in tree)))]
    return [size for child in tree for size in _sizes_at(child, depth - 1)]


# --- APT -------------------------------------------------------------------------------------------------


def naive_apt(root: Node, of_leaf: Mapping[int, Rows], holds: Holds) -> dict[int, Rows]:
    """While a leaf breaks the promise, the parent of a deepest one becomes a leaf; the rows of each leaf."""
    held = {number: list(rows) for number, rows in of_leaf.items()}
    while True:
        broken = [
            (depth, parent)
            for depth, parent in _inner_nodes(root, 0)
            for child in parent.children
            if not child.children and held.get(child.number) and not holds(held[child.number])
        ]
        if not broken:
            return {number: sorted(rows) for number, rows in held.items() if rows}
        _, parent = max(broken, key=lambda found: found[0])
        held[parent.number] = []
        waiting = list(parent.children)
        while waiting:
            node = waiting.pop()
            waiting += node.children
            held[parent.number] += held.pop(node.number, [])
        parent.column, parent.branch_of_code, parent.children = -1, [], []


def naive_apt_merging(root: Node, codes: Sequence[Sequence[int]], holds: Holds) -> dict[int, Rows]:
    """While a leaf breaks the promise, the branches of a deepest one's parent that do so join each other; one
    alone joins the sibling with the fewest rows, and its rows go on from there. Changes the tree."""
    while True:
        held = rows_of_leaves(root, codes)
        found = [(*inner, _broken_branches(inner[1], held, holds)) for inner in _inner_nodes(root, 0)]
        deepest = max((depth for depth, _, broken in found if broken), default=-1)
        for _, parent, broken in (each for each in found if each[0] == deepest and each[2]):
            n_rows = [_n_below(child, held) for child in parent.children]
            takers = [place for place, n in enumerate(n_rows) if n and place not in broken]
            taker = broken[0] if len(broken) > 1 else min(takers, key=lambda place: (n_rows[place], place))
            _join(parent, broken, taker, n_rows)
        if deepest < 0:
            return {number: sorted(rows) for number, rows in held.items() if rows}


def _broken_branches(parent: Node, held: Mapping[int, Rows], holds: Holds) -> list[int]:
    rows = [[] if child.children else held.get(child.number, []) for child in parent.children]
    return [place for place, found in enumerate(rows) if found and not holds(found)]


def _n_below(node: Node, held: Mapping[int, Rows]) -> int:
    return len(held.get(node.number, [])) + sum(_n_below(child, held) for child in node.children)


def _join(parent: Node, broken: Sequence[int], taker: int, n_rows: Sequence[int]) -> None:
    goes = [place for place in broken if place != taker]
    if not any(n for place, n in enumerate(n_rows) if place not in (*goes, taker)):
        only = parent.children[taker]
        parent.column, parent.branch_of_code = only.column, only.branch_of_code
        parent.children = only.children
        return
    stays = [place for place in range(len(n_rows)) if place not in goes]
    taken = [taker if place in goes else place for place in parent.branch_of_code]
    parent.branch_of_code = [stays.index(place) for place in taken]
    parent.children = [parent.children[place] for place in stays]


def _inner_nodes(node: Node, depth: int) -> list[tuple[int, Node]]:
    below = [found for child in node.children for found in _inner_nodes(child, depth + 1)]
    return [(depth, node), *below] if node.children else []


def made_up(classes: Sequence[int], in_table: Sequence[int]) -> list[int]:
    """The majority as often as it is right; the mistakes in turn over the other classes of the table."""
    counts = Counter(classes)
    majority = max(sorted(in_table), key=lambda each: counts[each])
    others = [each for each in sorted(in_table) if each != majority]
    n_mistakes = len(classes) - counts[majority]
    return [majority] * counts[majority] + [others[place % len(others)] for place in range(n_mistakes)]
