"""What attacks on a release found: figures, and never a cell."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Linking:
    """How many published rows could belong to a person whose quasi-identifiers are known.

    - ``smallest``: the fewest such rows of any person whom a group covers; 0 where there is no such person.
    - ``one_group``: share of people who can only be in one group.
    - ``expected``: mean probability that a random one of these rows is the person's; 0 for people whom no
      group covers. ``largest``: the largest such probability. Where the source has the person column, all
      rows of a person that one group fits best are right, rows without a person are nobody's, and the mean is
      over persons: of each, over their rows. All other figures count rows.
    - ``below_k``: people with at least one and fewer than k such rows; None where no k is promised.
    - ``uncovered``: people whom no group covers: dropped rows, swapped or averaged values, synthetic rows.
    """

    smallest: int
    one_group: float
    expected: float
    largest: float
    below_k: int | None
    uncovered: int


@dataclass(frozen=True, slots=True)
class Inference:
    """How often the value of a column is guessed correctly from a person's quasi-identifiers.

    - ``members``: share of correct guesses for people in the release: the most frequent value of the most
      specific group that covers the person. ``majority``: the same where the most frequent value of the whole
      release is guessed for everybody.
    - ``certain``: share of people for whom all rows that could be theirs have one value, which is theirs.
    - ``strangers``: share of correct guesses for the ``n_strangers`` people who are known not to be in the
      release; None where there are none.
    - ``excess``: ``members - strangers``: what was revealed about people because their rows were published.
    """

    column: str
    members: float
    majority: float
    certain: float
    strangers: float | None
    n_strangers: int
    excess: float | None


@dataclass(frozen=True, slots=True)
class Sizes:
    """Groups of exactly k rows, and ``exact_rows``, the share of the published rows in them."""

    k: int
    groups: int
    exact_groups: int
    exact_rows: float


@dataclass(frozen=True, slots=True)
class Downcoding:
    """Groups whose size and cells reveal the values behind a cell.

    - ``told``: groups with a cell whose values follow if no cell is wider than its group needs: a set of as
      many values as the group has rows, a range or a hierarchy node with two children over two rows.
    - ``checked``: of these, the groups that cover as many people as they have rows: who is in them is known.
    - ``right``: of those checked, the groups in which every such conclusion is true.
    """

    groups: int
    told: int
    checked: int
    right: int


@dataclass(frozen=True, slots=True)
class Composition:
    """What two releases of the same people reveal together; the shares are of the people whom both cover.

    - ``alone``, ``below_k``: share of people with whom nobody else, or fewer than k people including
      themselves, are covered by both of their groups.
    - ``alone_in_groups``, ``below_k_in_groups``: the same for people who are in both of their groups, as far
      as cells and values show. Larger than ``alone`` and ``below_k`` where groups overlap.
    - ``certain``: for each column, the share of people for whom one value is left, which is theirs: in the
      first release, in the second, in both together.
    """

    people: int
    alone: float
    below_k: float | None
    alone_in_groups: float
    below_k_in_groups: float | None
    certain: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class KnownMethod:
    """What the release tells an attacker who knows the method and its options, by simulation.

    - ``source_rows``, ``rows``: of the source, and of the sample of it that was released for this;
      ``groups`` of that release. ``seeds``: with how many seeds each other table was released; 1 if the
      method draws nothing.
    - ``is_release``: whether the method gave the release that is attacked; None where a sample was released.
    - ``swaps``, ``ruled_out``: exchanges of one value between two rows of a group, and those that give
      another release. ``told`` is their share, ``told_between`` its interval of 95%; None without swaps.
    - ``values``, ``pinned``: single values whose cell allows others, and those where none of the others that
      were tried, at most ``alternatives``, gives the same release.
    - ``columns``: the four counts, by column.
    """

    source_rows: int
    rows: int
    groups: int
    seeds: int
    is_release: bool | None
    swaps: int
    ruled_out: int
    told: float | None
    told_between: tuple[float, float] | None
    values: int
    pinned: int
    alternatives: int
    columns: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """What an attacker who knows everybody's quasi-identifiers learns from a release.

    Parameters
    ----------
    rows, people, groups : int
        Rows of the release, rows of the source, different combinations of published quasi-identifiers.
    k : int or None
        What the policy promises for all quasi-identifiers together.
    linking, inference, sizes, downcoding, composition
        One ``Inference`` for the target and every sensitive column; no sizes where no k is promised, no
        composition where there is no other release.
    known_method
        None where the method is not taken to be known.
    notes : tuple of str
        Remarks on the figures; no cell values.
    """

    rows: int
    people: int
    groups: int
    k: int | None
    linking: Linking
    inference: tuple[Inference, ...]
    sizes: Sizes | None
    downcoding: Downcoding
    composition: Composition | None
    notes: tuple[str, ...]
    known_method: KnownMethod | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data, ready for JSON."""
        return asdict(self)
