"""A column that is generalized everywhere alike, and the ways in which it can be refined.

Every code of the column belongs to one *element* of its cut; an element is printed as one cell. A *candidate*
is a refinement of one element: it divides the element's codes into *parts*. What a refinement tells about the
class depends on the column alone, so it is known without looking at a row.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from kanopy.data import Cell, CodedColumn, ValueTree, cell
from kanopy.data.arrays import Floats, Ints
from kanopy.data.keys import counted
from kanopy.trees import class_counts
from kanopy.trees.class_counts import entropies_beside, entropies_without, summed_entropy, sums_of_groups

Target = CodedColumn | None


class CutColumn(ABC):
    """The cut of one column, from a single element that covers everything.

    ``element`` has the element of each code, and ``cells`` what each element prints. ``part`` has the part of
    each code, if its element is refined, and ``candidate`` the candidate that would refine it, -1 where there
    is none; these numbers stay below ``n_parts`` and ``n_candidates``. ``candidate_of_part`` has the
    candidate that each part belongs to. ``is_beneficial`` and ``gain`` say of each candidate whether more
    than one class is in question, and the bits per row that are told about it. Without a class nothing is
    gained by any refinement.
    """

    divides_off = False  # whether a candidate is one value, its only part, against the rest of its element

    def __init__(
        self, column: CodedColumn, target: Target, weight: Ints | None, n_parts: int, n_candidates: int
    ) -> None:
        self.domain = column.domain
        self.by_class = _by_class(column, target, weight)
        self.totals: Ints = self.by_class.sum(axis=1)
        self.is_present = self.totals > 0
        n_codes = self.domain.n_codes
        self.element = np.zeros(n_codes, dtype=np.int64)
        self.cells: list[Cell] = [cell.SUPPRESSED]
        self.part, self.candidate = np.full(n_codes, -1), np.full(n_codes, -1)
        self.n_parts, self.n_candidates = n_parts, n_candidates
        self.candidate_of_part = np.arange(n_parts)
        self.is_beneficial, self.gain = np.zeros(n_candidates, dtype=bool), np.zeros(n_candidates)

    @abstractmethod
    def refine(self, candidate: int) -> None:
        """Replace an element by its parts; O(codes)."""

    @property
    def n_open(self) -> int:
        """How many candidates there are."""
        return len(np.unique(self.candidate[self.candidate >= 0]))

    def _parts_of(self, candidate: int) -> list[Ints]:
        """The codes of each part of a candidate; O(codes log codes)."""
        codes = np.flatnonzero(self.candidate == candidate)
        codes = codes[np.argsort(self.part[codes], kind="stable")]
        return np.split(codes, np.flatnonzero(np.diff(self.part[codes])) + 1)

    def _add_element(self, codes: Ints, made: Cell) -> int:
        number = len(self.cells)
        self.element[codes] = number
        self.cells.append(made)
        return number

    def _measure(self, candidate: int, codes: Ints) -> None:
        """Remember what dividing the codes into their parts tells about the class."""
        part = self.part[codes]
        first = int(part.min())
        counts = sums_of_groups(self.by_class[codes], part - first, int(part.max()) - first + 1)
        whole = counts.sum(axis=0)
        self.is_beneficial[candidate] = np.count_nonzero(whole) > 1
        self.gain[candidate] = _per_row(summed_entropy(whole) - summed_entropy(counts).sum(), whole)


class _NumberedColumn(CutColumn):
    """A candidate is an element, and parts are numbered as they appear."""

    def __init__(
        self, column: CodedColumn, target: Target, weight: Ints | None, n_parts: int, n_candidates: int
    ) -> None:
        super().__init__(column, target, weight, n_parts, n_candidates)
        self._n_used = 0
        self._open(0, np.flatnonzero(self.is_present))

    @abstractmethod
    def _open(self, element: int, codes: Ints) -> None:
        """Find the parts of a new element."""

    def _offer(self, element: int, codes: Ints, parts: list[Ints]) -> None:
        """Make an element a candidate that would be divided into the parts; none for a single part."""
        if len(parts) < 2:
            self.candidate[codes] = -1
            return
        for of_part in parts:
            self.part[of_part] = self._n_used
            self.candidate_of_part[self._n_used] = element
            self._n_used += 1
        self.candidate[codes] = element
        self._measure(element, codes)


class TaxonomyColumn(_NumberedColumn):
    """From the root of a hierarchy down: a node is replaced by its children. Without a hierarchy, or with
    ``one_level``, the root's children are the values. Missing is a child of the root."""

    def __init__(
        self, column: CodedColumn, target: Target, weight: Ints | None = None, *, one_level: bool = False
    ) -> None:
        self._tree = ValueTree.of(column.domain, one_level=one_level)
        self._node_of_element = [0]
        super().__init__(column, target, weight, self._tree.n_nodes, self._tree.n_nodes)

    def refine(self, candidate: int) -> None:
        node = self._node_of_element[candidate]
        for of_part in self._parts_of(candidate):
            child = int(self._tree.children(node, of_part[:1])[0])
            self._node_of_element.append(child)
            self._open(self._add_element(of_part, self._tree.cell(child)), of_part)

    def _open(self, element: int, codes: Ints) -> None:
        """Find the parts of a new element; an element of one code is no candidate."""
        begins = np.zeros(len(codes), dtype=bool)
        while len(codes) > 1 and not begins.any():
            child = self._tree.children(self._node_of_element[element], codes)
            begins[1:] = np.diff(child) != 0
            if not begins.any():  # only one child occurs: the element is what its children are
                self._node_of_element[element] = int(child[0])
        self._offer(element, codes, np.split(codes, np.flatnonzero(begins)))


class IntervalColumn(_NumberedColumn):
    """Numbers from one interval down: an interval is cut in two where that tells most about the class.
    Missing is a third part of the first cut."""

    def __init__(self, column: CodedColumn, target: Target, weight: Ints | None = None) -> None:
        super().__init__(column, target, weight, 4 * column.domain.n_codes, 2 * column.domain.n_codes + 1)

    def refine(self, candidate: int) -> None:
        for of_part in self._parts_of(candidate):
            is_missing = of_part[0] == self.domain.missing_code
            made = cell.MISSING if is_missing else cell.span(int(of_part[0]), int(of_part[-1]))
            self._open(self._add_element(of_part, made), of_part)

    def _open(self, element: int, codes: Ints) -> None:
        """Find the cut with the most gain, the first of equals; between equal numbers there is none."""
        assert self.domain.numbers is not None
        known = codes[codes != self.domain.missing_code]
        parts = []
        if len(known) > 1:
            one_node, ends = np.zeros(len(known), dtype=np.int64), np.array([0, len(known)])
            entropy = entropies_beside(self.by_class[known], one_node, ends, np.arange(len(known) - 1))
            entropy[np.diff(self.domain.numbers[known]) <= 0] = np.inf
            place = int(np.round(entropy, 6).argmin())
            if np.isfinite(entropy[place]):
                parts = [known[: place + 1], known[place + 1 :]]
        if len(known) < len(codes) and len(known):
            parts = [*(parts or [known]), codes[-1:]]
        self._offer(element, codes, parts)


class DisclosureColumn(CutColumn):
    """All values suppressed at first; a candidate, and its only part, is a value that is disclosed by itself.
    With ``counts_rows`` the gain of a value is the number of its rows, whatever their class."""

    divides_off = True

    def __init__(
        self, column: CodedColumn, target: Target, weight: Ints | None = None, *, counts_rows: bool = False
    ) -> None:
        self._counts_rows = counts_rows
        super().__init__(column, target, weight, column.domain.n_codes, column.domain.n_codes)
        present = np.flatnonzero(self.is_present)
        self.part[present] = present
        self._measure_suppressed()

    def refine(self, candidate: int) -> None:
        made = cell.MISSING if candidate == self.domain.missing_code else cell.exact(candidate)
        self._add_element(np.array([candidate]), made)
        self.candidate[candidate] = -1
        self._measure_suppressed()

    def _measure_suppressed(self) -> None:
        """What each suppressed value would tell, given that all the others stay suppressed; O(values)."""
        suppressed = np.flatnonzero(self.is_present & (self.element == 0))
        self.candidate[suppressed] = suppressed
        counts = self.by_class[suppressed]
        whole = counts.sum(axis=0)
        if self._counts_rows:
            self.gain[suppressed] = self.totals[suppressed]
            self.is_beneficial[suppressed] = True
            return
        after = summed_entropy(counts) + entropies_without(counts)
        self.gain[suppressed] = _per_row(summed_entropy(whole) - after, whole)
        self.is_beneficial[suppressed] = np.count_nonzero(whole) > 1


def _per_row(bits: Floats, whole: Ints) -> Floats:
    """Bits per row, without the noise of their logarithms: what tells nothing gains exactly nothing."""
    return np.round(bits / max(int(whole.sum()), 1), 12)


def _by_class(column: CodedColumn, target: Target, weight: Ints | None) -> class_counts.Counts:
    """How often each code occurs with each class; O(rows)."""
    if target is None:
        return counted(column.codes, column.domain.n_codes, weight)[:, None]
    n_classes = target.domain.n_codes
    keys = column.codes.astype(np.int64) * n_classes + target.codes
    return class_counts.count_classes(keys, weight, column.domain.n_codes, n_classes)
