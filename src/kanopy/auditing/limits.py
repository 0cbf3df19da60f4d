"""Plain counts that a release must agree with, by none of the code that decides about promises.

Each is a line of the policy, asked of the text of the table: how many rows or persons its smallest group has,
whether a text that means missing is shown, how many rows were suppressed. Shared code that is wrong in the
methods and in the recount alike is found here (tests/sabotage/test_plain_counts.py).
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.text import TextTable
from kanopy.data.arrays import Ints
from kanopy.data.grammar import SUPPRESSED_TEXT, clean_text
from kanopy.errors import VerificationError
from kanopy.policy import Policy


def check_plainly(table: TextTable, policy: Policy, persons: NDArray[np.int32] | None) -> None:
    """Raise a VerificationError where a written table breaks a line of the policy; O(rows * columns)."""
    lost = [part for part in _asked_for(policy) if part not in policy.promise.parts]
    if lost:
        raise _refused(f"{len(lost)} promises of the policy were not counted")
    for name in table.columns:
        if any(_missing_shown(table, policy, name)):
            raise _refused(f"column {name!r} shows a text that means missing")
    quasi = policy.quasi_identifiers
    if policy.k is None or (policy.combinations or len(quasi)) < len(quasi):
        return
    smallest = smallest_group(table, quasi, persons, policy.k)
    if smallest < policy.k:
        raise _refused(f"the smallest group has {smallest}, and the policy says k = {policy.k}")


def _asked_for(policy: Policy) -> Iterator[Any]:
    """Every promise that a policy names beside k."""
    assert isinstance(policy.privacy, tuple)
    for promise in policy.privacy:
        yield from promise.parts


def _missing_shown(table: TextTable, policy: Policy, name: str) -> Iterator[bool]:
    """Whether a column has a text that means missing; a cell may show one as a number that it computes, or as
    the name of a group."""
    is_quasi = policy.roles.get(name) == "quasi_identifiers"
    for mark in policy.missing:
        is_cell = is_quasi and (mark[:1] in "[{~\\*" or any(map(str.isdigit, mark)))
        if not is_cell and not (is_quasi and name in policy.hierarchies):
            yield pc.index(table.columns[name].words, mark).as_py() >= 0


def smallest_group(
    table: TextTable, names: Sequence[str], persons: NDArray[np.int32] | None, enough: int
) -> int:
    """Rows, or persons, of the smallest combination of words in these columns, suppressed ones included.

    Neighbours that agree are counted first: where each of these runs has ``enough``, so has every group, and
    a release is sorted. A row without a person counts for nobody. O(rows * columns), a sort where it is not.
    """
    keys = [table.columns[name].codes for name in names]
    smallest = _smallest_run(table, keys, persons, np.arange(table.n_lines))
    return smallest if smallest >= enough else _smallest_run(table, keys, persons, np.lexsort(keys))


def _smallest_run(
    table: TextTable, keys: Sequence[NDArray[np.int32]], persons: NDArray[np.int32] | None, order: Ints
) -> int:
    begins = np.zeros(len(order), dtype=bool)
    begins[:1] = True
    for codes in keys:
        begins[1:] |= np.diff(codes[order]) != 0
    if persons is None:
        weight = np.ones(len(order), dtype=np.int64) if table.weight is None else table.weight[order]
        return int(np.add.reduceat(weight, np.flatnonzero(begins)).min())
    run, behind = np.cumsum(begins) - 1, persons[order].astype(np.int64)
    n_persons = int(behind.max()) + 1
    different = np.unique((run * n_persons + behind)[behind >= 0])
    return int(np.bincount(different // max(n_persons, 1), minlength=int(run[-1]) + 1).min())


def check_suppressed(table: TextTable, policy: Policy, most: Any, n_rows: int, at_least: int = 0) -> None:
    """Refuse more suppressed or dropped rows than an option ``max_suppressed`` allows; O(rows * columns).

    Where every row shows nothing, none was suppressed by itself: whether that may be published is asked
    elsewhere. ``at_least`` is a limit that a method adds by itself.
    """
    share = Fraction(most.removesuffix("%")) / 100 if isinstance(most, str) else Fraction(str(most))
    is_share = isinstance(most, str) or share < 1
    limit = max(floor(share * n_rows) if is_share else floor(share), at_least)
    is_out = np.ones(table.n_lines, dtype=bool)
    for name in policy.quasi_identifiers:
        column = table.columns[name]
        is_out &= column.codes == pc.index(column.words, SUPPRESSED_TEXT).as_py()
    weight = np.ones(table.n_lines, dtype=np.int64) if table.weight is None else table.weight
    n_out = 0 if is_out.all() else int(weight[is_out].sum())
    n_out += n_rows - table.n_rows
    if n_out > limit:
        raise _refused(f"{n_out:,} rows are suppressed or left out, and at most {limit:,} may be")


_PROMISES = {
    "anonymity": ("AnonymityOf",),
    "diversity": ("DistinctDiversity", "EntropyDiversity", "RecursiveDiversity"),
    "closeness": ("Closeness",),
    "alpha": ("AlphaBound",),
    "template": ("Template",),
    "disclosure": ("DeltaDisclosure",),
    "likeness": ("BetaLikeness",),
}
"""The promises that each section of a policy file asks for."""


def check_policy_file(path: str | os.PathLike[str], policy: Policy) -> None:
    """Refuse a policy that promises less than its file, read once more by none of the code that made it.

    A k may be another one: a flag replaces it.
    """
    with Path(path).open("rb") as stream:
        said = tomllib.load(stream).get("privacy", {})
    for section, kinds in _PROMISES.items():
        parts = [part for part in policy.promise.parts if type(part).__name__ in kinds]
        for entry in said.get(section, ()):
            if not any(_says(part, entry) for part in parts):
                raise _refused(f"a promise of [[privacy.{section}]] in the policy file was not counted")
    if "k" in said and policy.k is None:
        raise _refused("the k of the policy file was not counted")


def _says(part: Any, entry: Mapping[str, Any]) -> bool:
    """Whether a promise has the bounds that a line of a policy file gives it."""
    if "kind" in entry and not hasattr(part, "kind") and entry["kind"] not in type(part).__name__.lower():
        return False
    return all(_is_bound(getattr(part, name), entry[name]) for name in entry if hasattr(part, name))


def _is_bound(bound: Any, written: Any) -> bool:
    """Whether a bound is what a policy file says; names and values as tables have them."""
    if isinstance(bound, int | Fraction) and not isinstance(bound, bool):
        return Fraction(str(written)) == bound
    if isinstance(bound, str | tuple):
        texts = [written] if isinstance(written, str) else written
        return {clean_text(text) for text in texts} == ({bound} if isinstance(bound, str) else set(bound))
    return bool(bound == written)


def _refused(message: str) -> VerificationError:
    return VerificationError(message, "nothing was published; please report this")
