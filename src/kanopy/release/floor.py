"""The smallest number of people that anything published beside a table speaks about."""

from __future__ import annotations

from collections.abc import Sequence

from kanopy.privacy import PrivacyModel, largest_k, promised_k

_LEAST_FLOOR = 3
"""With less, "fewer than" would name the number."""

_FLOOR_WITHOUT_K = 11
"""No count from 1 to 10: what statistical agencies and health services ask for."""


def floor_of(promise: PrivacyModel, quasi_identifiers: Sequence[str]) -> int:
    """The smallest count of people that is told, and of rows behind a value that is shown.

    It is the k of all quasi-identifiers together; where none is promised, the largest k of any promise.
    """
    k = promised_k(promise, quasi_identifiers) or largest_k(promise) or _FLOOR_WITHOUT_K
    return max(k, _LEAST_FLOOR)


def round_number(number: int) -> int:
    """A number of rows of the source, roughly: exact, it would tell how many a release has dropped.

    Two digits, and below a hundred one.

    >>> [round_number(number) for number in (7, 64, 1234, 48842)]
    [7, 60, 1200, 49000]
    """
    return int(float(f"{number:.2g}" if number >= 100 else f"{number:.1g}"))


def band(number: int, floor: int) -> int | str:
    """A count that speaks about hidden rows or cells: none, or a band that doubles from the floor on.

    >>> [band(number, 10) for number in (0, 3, 10, 39, 40)]
    [0, 'fewer than 10', '10 to 19', '20 to 39', '40 to 79']
    """
    if not number:
        return 0
    if number < floor:
        return f"fewer than {floor:,}"
    low = floor
    while number >= 2 * low:
        low *= 2
    return f"{low:,} to {2 * low - 1:,}"
