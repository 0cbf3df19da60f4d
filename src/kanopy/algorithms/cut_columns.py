"""A column that is generalized everywhere alike, and the ways in which it can be refined.

Every code of the column belongs to one *element* of its cut; an element is printed as one cell. A *candidate*
is a refinement of one element: it divides the element's codes into *parts*. What a refinement tells about the
class depends on the column alone, so it is known without looking at a row. The same is true of any other
measure of what it is worth, a ``Gain``.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from kanopy.algorithms.refinements import Gain, Refinements
from kanopy.data import Cell, CodedColumn, ValueTree, cell
from kanopy.data.arrays import Floats, Ints
from kanopy.data.keys import counted, paired
from kanopy.errors import PolicyError
from kanopy.trees import class_counts
from kanopy.trees.class_counts import entropies_beside, entropies_without, summed_entropy, sums_of_groups
from kanopy.utility.cells import cell_widths

Target = CodedColumn | None
_ALMOST = 1 - 1e-9
_MOST_COUNTS = 20_000_000


class CutColumn(ABC):
    """The cut of one column, from a single element that covers everything.

    ``element`` has the element of each code, and ``cells`` what each element prints. ``part`` has the part of
    each code, if its element is refined, and ``candidate`` the candidate that would refine it, -1 where there
    is none; these numbers stay below ``n_parts`` and ``n_candidates``. ``candidate_of_part`` has the
    candidate that each part belongs to. ``is_beneficial`` and ``gain`` say of each candidate whether more
    than one class is in question, and the bits per row that are told about it. Without a class nothing is
    gained by any refinement. With a ``measure`` every candidate is beneficial, and gains what that says.
    """

    divides_off = False  # whether a candidate is one value, its only part, against the rest of its element

    def __init__(
        self,
        column: CodedColumn,
        target: Target,
        weight: Ints | None,
        n_parts: int,
        n_candidates: int,
        measure: Gain | None,
    ) -> None:
        self.domain, self._measure_by = column.domain, measure
        self._classes = ("",) if target is None else (*target.domain.labels, "")
        self.by_class = _by_class(column, target, weight)
        if measure is not None:
            if self.by_class.shape[0] * self.by_class.shape[1] > _MOST_COUNTS:
                what = (
                    f"column {self.domain.name!r} and the class have too many values for a utility function"
                )
                raise PolicyError(what, "use 'classification' or 'distortion'")
            self.by_class = class_counts.as_array(self.by_class)
        self.totals: Ints = self.by_class.sum(axis=1)
        self.is_present = self.totals > 0
        n_codes = self.domain.n_codes
        self.element = np.zeros(n_codes, dtype=np.int64)
        self.cells: list[Cell] = [cell.SUPPRESSED]
        self.part, self.candidate = np.full(n_codes, -1), np.full(n_codes, -1)
        self.n_parts, self.n_candidates = n_parts, n_candidates
        self.candidate_of_part, self._n_used = np.arange(n_parts), 0
        self.is_beneficial, self.gain = np.zeros(n_candidates, dtype=bool), np.zeros(n_candidates)

    @abstractmethod
    def refine(self, candidate: int) -> None:
        """Replace an element by its parts; O(codes)."""

    @property
    def n_open(self) -> int:
        """How many candidates there are."""
        return len(np.unique(self.candidate[self.candidate >= 0]))

    def _cell(self, element: int, codes: Ints) -> Cell:
        """What the part of an element that has these codes prints."""
        raise NotImplementedError

    def _widths(self, cells: Sequence[Cell]) -> Floats:
        """How much of the column each cell leaves open."""
        n_options = self.domain.n_values + int(self.is_present[self.domain.missing_code])
        return cell_widths(cells, n_options, self._line)

    @property
    def _line(self) -> tuple[Floats, float] | None:
        """Where the values lie on a line, if the column is refined along one."""
        return None

    def _refinements(
        self, before: Ints, after: Ints, candidate: Ints, widths: tuple[Floats, Floats]
    ) -> Refinements:
        return Refinements(self.domain.name, self._classes, before, after, candidate, *widths)

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
        if self._measure_by is not None:
            parts = [self._cell(candidate, of_part) for of_part in self._parts_of(candidate)]
            widths = self._widths([self.cells[candidate]]), self._widths(parts)
            of_part = np.zeros(len(parts), dtype=np.int64)
            one = self._refinements(whole[None, :], class_counts.as_array(counts), of_part, widths)
            self.is_beneficial[candidate], self.gain[candidate] = True, self._measure_by(one)[0]
            return
        self.is_beneficial[candidate] = np.count_nonzero(whole) > 1
        self.gain[candidate] = _per_row(summed_entropy(whole) - summed_entropy(counts).sum(), whole)

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


class TaxonomyColumn(CutColumn):
    """From the root of a hierarchy down: a node is replaced by its children. Without a hierarchy, or with
    ``one_level``, the root's children are the values. Missing is a child of the root."""

    def __init__(
        self,
        column: CodedColumn,
        target: Target,
        weight: Ints | None = None,
        *,
        one_level: bool = False,
        measure: Gain | None = None,
    ) -> None:
        self._tree = ValueTree.of(column.domain, one_level=one_level)
        self._node_of_element = [0]
        super().__init__(column, target, weight, self._tree.n_nodes, self._tree.n_nodes, measure)
        self._open(0, np.flatnonzero(self.is_present))

    def refine(self, candidate: int) -> None:
        node = self._node_of_element[candidate]
        for of_part in self._parts_of(candidate):
            child = int(self._tree.children(node, of_part[:1])[0])
            self._node_of_element.append(child)
            self._open(self._add_element(of_part, self._tree.cell(child)), of_part)

    def _cell(self, element: int, codes: Ints) -> Cell:
        return self._tree.cell(int(self._tree.children(self._node_of_element[element], codes[:1])[0]))

    def _open(self, element: int, codes: Ints) -> None:
        """Find the parts of a new element; an element of one code is no candidate."""
        begins = np.zeros(len(codes), dtype=bool)
        while len(codes) > 1 and not begins.any():
            child = self._tree.children(self._node_of_element[element], codes)
            begins[1:] = np.diff(child) != 0
            if not begins.any():  # only one child occurs: the element is what its children are
                self._node_of_element[element] = int(child[0])
        self._offer(element, codes, np.split(codes, np.flatnonzero(begins)))


class IntervalColumn(CutColumn):
    """Numbers from one interval down: an interval is cut in two where that tells most about the class, or is
    worth most by another measure. Missing is a third part of the first cut."""

    def __init__(
        self, column: CodedColumn, target: Target, weight: Ints | None = None, measure: Gain | None = None
    ) -> None:
        n_codes = column.domain.n_codes
        super().__init__(column, target, weight, 4 * n_codes, 2 * n_codes + 1, measure)
        self._open(0, np.flatnonzero(self.is_present))

    def refine(self, candidate: int) -> None:
        for of_part in self._parts_of(candidate):
            self._open(self._add_element(of_part, self._cell(candidate, of_part)), of_part)

    def _cell(self, element: int, codes: Ints) -> Cell:
        is_missing = codes[0] == self.domain.missing_code
        return cell.MISSING if is_missing else cell.span(int(codes[0]), int(codes[-1]))

    @property
    def _line(self) -> tuple[Floats, float]:
        return self.domain.positions, 1.0

    def _open(self, element: int, codes: Ints) -> None:
        """Find the cut with the most gain, the first of equals; between equal numbers there is none."""
        assert self.domain.numbers is not None
        known = codes[codes != self.domain.missing_code]
        places = np.flatnonzero(np.diff(self.domain.numbers[known]) > 0)
        parts = []
        if len(places):
            place = self._best_cut(element, known, places, codes[len(known) :])
            parts = [known[: place + 1], known[place + 1 :]]
        if len(known) < len(codes) and len(known):
            parts = [*(parts or [known]), codes[-1:]]
        self._offer(element, codes, parts)

    def _best_cut(self, element: int, known: Ints, places: Ints, missing: Ints) -> int:
        """The place after which the known codes are cut; O(codes * classes)."""
        if self._measure_by is None:
            one_node, ends = np.zeros(len(known), dtype=np.int64), np.array([0, len(known)])
            entropy = entropies_beside(self.by_class[known], one_node, ends, places)
            return int(places[np.round(entropy, 6).argmin()])
        counts = class_counts.as_array(self.by_class)
        below = np.cumsum(counts[known], axis=0)
        kinds = [below[places], below[-1] - below[places]]
        first, last = known[np.zeros_like(places)], known[np.full_like(places, -1)]
        widths = [self.domain.widths(first, known[places]), self.domain.widths(known[places + 1], last)]
        if len(missing):
            kinds.append(np.repeat(counts[missing], len(places), axis=0))
            widths.append(np.zeros(len(places)))
        # Parts of one candidate after the other: from kinds of parts x candidates to the reverse.
        after = np.stack(kinds, axis=1).reshape(-1, counts.shape[1])
        candidate = np.repeat(np.arange(len(places)), len(kinds))
        before = np.repeat((below[-1] + counts[missing].sum(axis=0))[None, :], len(places), axis=0)
        whole = np.repeat(self._widths([self.cells[element]]), len(places))
        gains = self._measure_by(
            self._refinements(before, after, candidate, (whole, np.stack(widths, axis=1).ravel()))
        )
        return int(places[(gains >= gains.max() * _ALMOST).argmax()])


class DisclosureColumn(CutColumn):
    """All values suppressed at first; a candidate, and its only part, is a value that is disclosed by
    itself."""

    divides_off = True

    def __init__(
        self, column: CodedColumn, target: Target, weight: Ints | None = None, measure: Gain | None = None
    ) -> None:
        super().__init__(column, target, weight, column.domain.n_codes, column.domain.n_codes, measure)
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
        if self._measure_by is not None:
            if len(suppressed):
                self.gain[suppressed] = self._measure_by(self._disclosures(class_counts.as_array(counts)))
            self.is_beneficial[suppressed] = True
            return
        after = summed_entropy(counts) + entropies_without(counts)
        self.gain[suppressed] = _per_row(summed_entropy(whole) - after, whole)
        self.is_beneficial[suppressed] = np.count_nonzero(whole) > 1

    def _disclosures(self, counts: Ints) -> Refinements:
        """Every suppressed value by itself: the value, and the rest, which stays suppressed, if there is one.
        O(values * classes)."""
        n_values, whole = len(counts), counts.sum(axis=0)
        kinds, widths = [counts], [0.0]
        if n_values > 1:
            kinds, widths = [counts, whole - counts], [0.0, 1.0]
        after = np.stack(kinds, axis=1).reshape(-1, counts.shape[1])
        candidate, before = np.repeat(np.arange(n_values), len(kinds)), np.repeat(whole[None, :], n_values, 0)
        return self._refinements(
            before, after, candidate, (np.ones(n_values), np.tile(np.array(widths), n_values))
        )


def _per_row(bits: Floats, whole: Ints) -> Floats:
    """Bits per row, without the noise of their logarithms: what tells nothing gains exactly nothing."""
    return np.round(bits / max(int(whole.sum()), 1), 12)


def _by_class(column: CodedColumn, target: Target, weight: Ints | None) -> class_counts.Counts:
    """How often each code occurs with each class; O(rows)."""
    if target is None:
        return counted(column.codes, column.domain.n_codes, weight)[:, None]
    n_classes = target.domain.n_codes
    keys = paired(column.codes, target.codes, column.domain.n_codes, n_classes)
    return class_counts.count_classes(keys, weight, column.domain.n_codes, n_classes)
