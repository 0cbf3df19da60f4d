"""What attacks on a release found: figures, and never a cell."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Linking:
    """How many published rows could be those of a person whose quasi-identifiers are known.

    Parameters
    ----------
    smallest : int
        Published rows that could be the person's, for the person with the fewest; people that no group covers
        aside. 0 where there is nobody else.
    one_group : float
        Share of people who can only be in one group.
    expected : float
        How often the attacker picks the right row on average, if she picks any of the rows that could be the
        person's: the mean of one divided by their number; 0 for people whom no group covers.
    largest : float
        The same for the person with the fewest rows.
    below_k : int or None
        People with at least one and fewer than k such rows; None where no k is promised.
    uncovered : int
        People whom no group covers: they were dropped, their values were swapped or averaged, or the rows are
        made up.
    """

    smallest: int
    one_group: float
    expected: float
    largest: float
    below_k: int | None
    uncovered: int


@dataclass(frozen=True, slots=True)
class Inference:
    """How often the value of a column is guessed right from a person's quasi-identifiers.

    Parameters
    ----------
    column : str
    members : float
        Share of right guesses for people in the release: the most frequent value of the most specific group
        that covers the person.
    majority : float
        The same where the most frequent value of the whole release is guessed for everybody.
    certain : float
        Share of the people for whom all rows that could be theirs hold one value, which is theirs.
    strangers : float or None
        Share of right guesses for people who are not in the release, where such are known.
    n_strangers : int
    excess : float or None
        ``members - strangers``: what was told about people because their rows were published.
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
    """Groups that have exactly k rows.

    Parameters
    ----------
    k : int
    groups : int
    exact_groups : int
        Groups of exactly k rows.
    exact_rows : float
        Share of the published rows that are in them.
    """

    k: int
    groups: int
    exact_groups: int
    exact_rows: float


@dataclass(frozen=True, slots=True)
class Downcoding:
    """Groups whose size and cells tell the values behind a cell.

    Parameters
    ----------
    groups : int
    told : int
        Groups with a cell whose values follow if no cell is wider than its group needs: a set of as many
        values as the group has rows, a range or a hierarchy node with two children over two rows.
    checked : int
        Of these, the groups that cover exactly as many people as they have rows, so that it is known who is
        in them.
    right : int
        Of those checked, the groups in which every such conclusion is true.
    """

    groups: int
    told: int
    checked: int
    right: int


@dataclass(frozen=True, slots=True)
class Composition:
    """What two releases of the same people tell together.

    Parameters
    ----------
    people : int
        Those whom both releases cover; the shares are shares of them.
    alone : float
        Share of people who are the only ones whom both of their groups cover: nobody else fits.
    below_k : float or None
        Share of people with fewer than k people, themselves included, whom both of their groups cover.
    alone_in_groups : float
        Share of people who are the only ones in both of their groups, as far as that can be told from cells
        and values. Larger than ``alone`` where groups overlap.
    below_k_in_groups : float or None
    certain : dict of str to dict
        For each column, the share of people for whom one value is left, which is theirs: in the first
        release, in the second, in both together.
    """

    people: int
    alone: float
    below_k: float | None
    alone_in_groups: float
    below_k_in_groups: float | None
    certain: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """What an attacker who knows everybody's quasi-identifiers gets from a release.

    Parameters
    ----------
    rows : int
        Published.
    people : int
        Rows of the source.
    groups : int
        Different combinations of published quasi-identifiers.
    k : int or None
        What the policy promises for all quasi-identifiers together.
    linking : Linking
    inference : tuple of Inference
        Of the target and every sensitive column.
    sizes : Sizes or None
        None where no k is promised.
    downcoding : Downcoding
    composition : Composition or None
        None where there is no other release.
    notes : tuple of str
        What to know about the figures; no cell values.
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

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data, ready for JSON."""
        return asdict(self)
