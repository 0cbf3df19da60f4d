"""What a promise asks of a table before any method starts."""

from __future__ import annotations

import numpy as np

from kanopy.data import EncodedTable, GroupCounts
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import AlphaBound, PrivacyModel, Template, largest_k, smallest_satisfiable
from kanopy.privacy.exact import plain

_SHOWN_PROMISES = 3


def least_members(promise: PrivacyModel) -> int:
    """The largest k of a promise; 1 where it has none.

    For methods whose groups agree on all quasi-identifiers and each keep the whole promise: none of these
    groups has fewer rows, even where the k is that of some quasi-identifiers only.
    """
    return largest_k(promise) or 1


def check_satisfiable(table: EncodedTable, promise: PrivacyModel) -> None:
    """Refuse a table that breaks the promise as one group: there is nothing to start from.

    The error says what the table reaches; of a bound on a share, exactly. O(rows * confidential columns).
    """
    whole = GroupCounts.of(table, np.zeros(table.n_rows, dtype=np.int32), 1)
    broken = [part for part in promise.parts if not part.holds(whole).all()]
    if not broken:
        return
    told = [_told(part, table, whole) for part in broken[:_SHOWN_PROMISES]]
    more = len(broken) - len(told)
    and_more = f" The same holds for {more} more promises." if more else ""
    raise UnsatisfiableError(
        f"even all rows together do not keep the promise: {' '.join(what for what, _ in told)}{and_more}",
        f"the table as one group reaches {', '.join(reached for _, reached in told)}; "
        "relax the bound or add rows",
    )


def _told(part: PrivacyModel, table: EncodedTable, whole: GroupCounts) -> tuple[str, str]:
    """What is promised, and what would be the strictest promise of its kind that can be kept."""
    sentence = part.sentence("rows" if table.persons is None else "persons")
    if not isinstance(part, AlphaBound | Template):
        return sentence, f"{part.level(whole):.6g}"
    share = smallest_satisfiable(part, table)
    if share == 1:
        return f"{sentence} All rows have the same value.", "1, so that no bound can be kept"
    written = plain(share) if "/" not in plain(share) else f'"{share}"'
    name = "alpha" if isinstance(part, AlphaBound) else "at_most"
    return (
        f"{sentence} It is {share} in the whole table.",
        f"{plain(share)}: the smallest bound that can be kept is {name} = {written}",
    )
