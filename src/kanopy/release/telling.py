"""What may be told about a release to anyone: one function decides, and everything published asks it.

PRIVACY: what is told follows from the published text and from what the custodian decided, but for two things,
which are told in bands: how many rows were dropped, how many cells were swapped or are untrue. A third, how
frequent original values are, is told where the custodian asks for it, rounded. Entries are named one by one;
whatever else the record holds stays in it (tests/sabotage/test_manifest_attack.py,
tests/unit/release/test_telling.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NotRequired, TypedDict, cast

from kanopy._display import Displayed, number_of
from kanopy.auditing import Audit, Risks
from kanopy.policy import Policy
from kanopy.privacy import promised_k
from kanopy.privacy.anonymity import Anonymity
from kanopy.release.floor import band, floor_of
from kanopy.release.value_statistics import ValueStatistics

_AS_THEY_ARE = (
    "synthetic", "cut_short", "implied_promises", "drafted_columns", "suppressed_columns", "pure",
    "group_rows", "spread", "spread_chosen", "excess", "excess_of_mondrian",
)  # fmt: skip
"""Facts that are decisions, or measured over many rows and rounded to whole percent."""
ANY_VALUE = "any"
NOT_SHOWN = "not shown"
"""What a suppressed cell stands for: any value, or those that its column shows in no other way."""

SOME = "some"
"""Where k counts persons, nobody counted the persons behind dropped rows."""

RowCounts = TypedDict("RowCounts", {"in": int | None, "out": int, "dropped": int | str})
"""Rows of the source, published rows, and dropped ones: exact, or a band with None for the first."""


class GroupSizes(TypedDict):
    """The equivalence classes of a release."""

    count: int
    smallest: int | None
    counted: str
    """``"rows"`` or ``"persons"``."""
    sizes: list[list[int]]
    """Smallest size, largest size, groups and rows of each bin."""


class PublishedLosses(TypedDict):
    """What a release cost, measured on its published text."""

    missing_cell_ratio: float
    gcp: float | None
    """None where only the source tells how wide cells are."""
    discernibility: float
    average_group_size: float
    classification_metric: NotRequired[float]
    """Only where the policy has a target."""


class ToldFacts(TypedDict, total=False):
    """What a method has to say about its release; each fact only where it applies."""

    synthetic: bool
    cut_short: bool
    implied_promises: int
    """A number of promises, not of people."""
    drafted_columns: int
    """Columns whose groups of values nobody decided on; ``suppressed_columns`` have no groups. Both are
    a matter of the policy, and the published text shows them."""
    suppressed_columns: int
    swapped_cells: int | str
    """0 or a band, and so is ``untrue_cells``."""
    untrue_cells: int | str
    pure: bool
    """Whether groups of sketches are of one class each, as far as classes have enough rows."""
    group_rows: int
    """Rows that such a group has at least; ``spread``: how mixed they are, ``spread_chosen`` says why."""
    spread: float
    spread_chosen: str
    excess: float
    """How much more often the class of members was guessed than that of rows that were held back, when groups
    of four fifths of the rows were tried; in whole percent, and beside it the same of ``mondrian``."""
    excess_of_mondrian: float


class Versions(TypedDict):
    """The versions of what a release was made with."""

    python: str
    numpy: str
    pyarrow: str


class Manifest(TypedDict):
    """What may be told about a release to anyone: no cell values, nothing that follows from hidden ones,
    but for value statistics that the policy asks for."""

    kanopy: str
    versions: Versions
    method: str
    options: dict[str, Any]
    promise: list[str]
    not_promised: str
    roles: dict[str, str]
    suppressed: dict[str, str]
    """What ``*`` stands for in each quasi-identifier: ``any``, any value or missing; ``not shown``, exactly
    the values that no other cell of the column stands for, and missing where no cell is empty."""
    rows: RowCounts
    groups: GroupSizes
    losses: PublishedLosses
    truthful: bool
    facts: ToldFacts
    notices: list[str]
    value_statistics: NotRequired[ValueStatistics]
    """Only where the policy asks for them."""
    columns: NotRequired[dict[str, dict[str, Any]]]
    """What the policy declares columns to hold: kind, calendar level, censored; only where it does."""
    derived: NotRequired[dict[str, dict[str, str]]]
    """Columns that were made from others: ``from``, ``as`` and ``at``, as the policy has them."""


class ShownManifest(Displayed, dict[str, Any]):
    """A manifest as it is at run time: a dict that notebooks show, and that tells itself in a line."""

    def __repr__(self) -> str:
        if not {"method", "rows", "promise"} <= self.keys():
            return dict.__repr__(self)
        rows, promises = number_of(self["rows"]["out"], "rows"), number_of(len(self["promise"]), "promises")
        return f"<Manifest {self['method']}: {rows}, {promises}, all in dict(manifest)>"


def tell(record: Mapping[str, Any], policy: Policy) -> Manifest:
    """The manifest: what may be told of a record, which is exact and private."""
    floor = floor_of(policy.promise, policy.quasi_identifiers)
    facts = _facts(record["facts"], floor)
    told: Manifest = {
        "kanopy": record["kanopy"],
        "versions": record["versions"],
        "method": record["method"],
        "options": record["options"],
        "promise": record["promise"],
        "not_promised": record["not_promised"],
        "roles": record["roles"],
        "suppressed": record["suppressed"],
        "rows": _rows(record, floor),
        "groups": _groups(record),
        "losses": record["losses_of_published"].copy(),
        "truthful": record["truthful"],
        "facts": facts,
        "notices": truth_notices({**facts, "synthetic": record["synthetic"]}),
    }
    if record["value_statistics"]:
        told["value_statistics"] = record["value_statistics"]
    for name in ("columns", "derived"):  # what the custodian decided, and nothing of the rows
        if name in record:
            told[name] = record[name]
    return cast(Manifest, ShownManifest(told))


def _facts(exact: Mapping[str, Any], floor: int) -> ToldFacts:
    told = cast(ToldFacts, {name: exact[name] for name in _AS_THEY_ARE if name in exact})
    for counted in ("swapped_cells", "untrue_cells"):
        if counted in exact:
            told[counted] = band(exact[counted], floor)
    return told


def _rows(record: Mapping[str, Any], floor: int) -> RowCounts:
    """Rows in less rows out is the number of rows dropped, so both are exact or neither is."""
    rows: RowCounts = record["rows"]
    if not rows["dropped"]:
        return rows.copy()
    is_of_persons = record["groups"]["counted"] == "persons"
    dropped = SOME if is_of_persons else band(record["rows"]["dropped"], floor)
    return {"in": None, "out": rows["out"], "dropped": dropped}


def _groups(record: Mapping[str, Any]) -> GroupSizes:
    """The persons of a group do not follow from the published rows: only the promise is told about them."""
    groups: GroupSizes = record["groups"].copy()
    if groups["counted"] == "persons":
        groups["smallest"] = record["promised_k"]
    return groups


def truth_notices(facts: Mapping[str, Any]) -> list[str]:
    """What nobody may take for the truth."""
    notices = []
    if facts.get("cut_short"):
        notices.append("the work was cut short: the promise is kept, more could have been disclosed")
    if facts.get("implied_promises"):
        notices.append(
            f"promises that follow from others and were not worked on: {facts['implied_promises']}; "
            "they are recounted all the same"
        )
    if facts.get("drafted_columns"):
        notices.append(
            f"columns without a hierarchy, whose groups of values were drafted: {facts['drafted_columns']}; "
            "give them hierarchies to decide on the groups"
        )
    if facts.get("suppressed_columns"):
        notices.append(
            f"columns without a hierarchy that were suppressed as a whole: {facts['suppressed_columns']}; "
            "give them hierarchies, so that groups of values are shown instead"
        )
    if facts.get("synthetic"):
        notices.append("this release is synthetic: its rows are made up from a tree, and are nobody's")
    n_swapped = facts.get("swapped_cells")
    if n_swapped:
        counted = n_swapped if isinstance(n_swapped, str) else f"{n_swapped:,}"
        notices.append(
            f"this release contains swapped values, {counted} in all, that are not those of the source; "
            "columns that depend on them can give them away"
        )
    return notices


def tell_audit(audit: Audit, policy: Policy) -> dict[str, Any]:
    """The verdict as it may be told beside a release that no longer has its person column.

    Private findings are left out. Everything else in it was counted on the published text; persons were not.
    """
    # PRIVACY: what was counted on the source is for the custodian alone (tests/unit/release/test_telling.py).
    told = audit.public().to_dict()
    if audit.unit != "persons":
        return told
    told["k"] = promised_k(policy.promise, policy.quasi_identifiers)
    told["smallest_groups"], told["risks"] = [], asdict(Risks.not_bounded())
    for part, result in zip(policy.promise.parts, told["promises"], strict=True):
        if isinstance(part, Anonymity):
            result["level"] = float(part.k)
    for finding in told["findings"]:
        finding["message"] = finding["message"].partition("; persons in the smallest group")[0]
    return told
