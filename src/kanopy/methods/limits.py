"""What a promise asks of a table before any method starts."""

from __future__ import annotations

import numpy as np

from kanopy.data import EncodedTable, GroupCounts
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import KAnonymity, PrivacyModel


def least_members(promise: PrivacyModel) -> int:
    """The k of a promise; 1 where it has none. No group has fewer rows."""
    return max((part.k for part in promise.parts if isinstance(part, KAnonymity)), default=1)


def check_satisfiable(table: EncodedTable, promise: PrivacyModel) -> None:
    """The whole table is the largest group: where it breaks the promise, there is nothing to start from.

    Raises
    ------
    UnsatisfiableError
        With what the table reaches.
    """
    whole = GroupCounts.of(table, np.zeros(table.n_rows, dtype=np.int32), 1)
    for part in promise.parts:
        if not part.holds(whole).all():
            raise UnsatisfiableError(
                f"even all rows together do not keep the promise: {part.sentence()}",
                f"the table as one group reaches {part.level(whole):.6g}; relax the bound or add rows",
            )
