"""Which role every column gets: by what it holds first, by its name second, and safely where in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kanopy.content import Content
from kanopy.drafting.name_hints import hints_at, is_just, is_name_of_people, is_number_of_somebody, words_of

_MANY = 20
_MOST_CLASSES = 20
_MOST_SENSITIVE = 0.05  # different values per row of a column that is published unchanged
_LEAST_PERSONS = 0.005  # persons per row


@dataclass(frozen=True, slots=True)
class DraftedRole:
    """The role of a column, why, and how certain that is: ``"sure"``, ``"likely"`` or ``"doubtful"``."""

    role: str
    reason: str
    certainty: str


def decide_roles(contents: Mapping[str, Content], target: str | None = None) -> dict[str, DraftedRole]:
    """A role for every column; ``target`` is the class where the caller knows it. O(columns)."""
    target = target or likely_target(contents)
    decided = {name: _role(name, content) for name, content in contents.items()}
    if target is not None:
        reason = f"{contents[target].n_values} classes; published as it is"
        is_named = hints_at(target, "target")
        decided[target] = DraftedRole("target", reason, "sure" if is_named else "doubtful")
    persons = [name for name, made in decided.items() if made.role == "person"]

    # Of several keys one is the person: one that is called so, else a certain one, else that with the fewest
    # values. The others are numbers of visits or cases.
    def is_less_likely(name: str) -> tuple[bool, bool, int]:
        return not hints_at(name, "person"), contents[name].certainty == "doubtful", contents[name].n_values

    for name in sorted(persons, key=is_less_likely)[1:]:
        decided[name] = DraftedRole("identifiers", decided[name].reason, decided[name].certainty)
    return decided


def _role(name: str, content: Content) -> DraftedRole:
    has_many, evidence = content.n_values > _MANY, content.evidence
    if content.kind in ("empty", "constant"):
        return DraftedRole("identifiers", f"{evidence}: nothing is lost by dropping it", "sure")
    if _tells_persons(name, content):
        certainty = "sure" if is_number_of_somebody(name) else "doubtful"
        return DraftedRole("person", f"{evidence}; several rows per person", certainty)
    if content.is_private:
        return DraftedRole("identifiers", f"{content.kind}: {evidence}", content.certainty)
    if _has_names_of_people(name, content):
        return DraftedRole("identifiers", f"{evidence}; the column is called after names of people", "likely")
    if content.kind not in ("date", "time") and has_many:
        if is_number_of_somebody(name) and not hints_at(name, "codes"):
            return DraftedRole("identifiers", f"{evidence}; the name hints at a number of somebody", "likely")
        if _is_named_identifier(name, content):
            return DraftedRole("identifiers", f"{evidence}; the name hints at an identifier", "likely")
    if content.kind == "icd10":
        return DraftedRole("sensitive", evidence, content.certainty)
    if content.certainty == "doubtful" and content.kind == "category":
        return DraftedRole("identifiers", f"{evidence}, most of them rare", "doubtful")
    if content.kind in ("date", "time", "clock") and not content.formats:
        return DraftedRole("identifiers", evidence, "doubtful")  # as texts they would tell rows apart
    if content.kind == "code" and content.certainty == "doubtful" and not hints_at(name, "codes"):
        return DraftedRole("identifiers", evidence, "doubtful")
    is_rare = content.distinct_share > _MOST_SENSITIVE and has_many
    if hints_at(name, "sensitive") and content.kind not in ("date", "time") and not is_rare:
        return DraftedRole("sensitive", f"{evidence}; the name hints at something confidential", "likely")
    return DraftedRole("quasi_identifiers", evidence, content.certainty)


def _is_named_identifier(name: str, content: Content) -> bool:
    """Numbers are no remarks, and no names or accounts either where they have fractions."""
    if content.kind == "number":
        return hints_at(name, "identifiers") and content.is_whole
    return hints_at(name, "identifiers") or hints_at(name, "remarks")


def _has_names_of_people(name: str, content: Content) -> bool:
    """Texts in a column with such a name, however few. *Nombre* is a number in French.

    PRIVACY: twenty people with many rows each are twenty people (tests/unit/test_drafted_roles.py).
    """
    return content.kind in ("category", "code") and is_name_of_people(name)


def _tells_persons(name: str, content: Content) -> bool:
    """Keys, or numbers with such a name, that repeat: k should count persons. Up to half of the rows may lack
    one: these count for nobody."""
    if content.is_inside or 2 * content.n_missing > content.n_rows:
        return False
    if content.distinct_share > 0.9 or content.distinct_share < _LEAST_PERSONS:
        return False
    is_key = content.kind in ("person key", "national id", "iban")
    is_number = content.kind in ("number", "code") and (content.is_whole or content.kind == "code")
    is_named = is_number_of_somebody(name) and (hints_at(name, "person") or words_of(name) == ["id"])
    return content.n_values > _MANY and (is_key or (is_number and is_named))


def likely_target(contents: Mapping[str, Content]) -> str | None:
    """A column with few values and such a name; else the last one, as usual in tables for machine learning.

    None where no column qualifies; what holds names, dates or keys never does.
    """
    few = [name for name, content in contents.items() if _may_be_class(content)]
    fitting = [
        name
        for name in few
        if not hints_at(name, "person facts") and not _has_names_of_people(name, contents[name])
    ]
    hinted = [name for name in fitting if hints_at(name, "target")]
    last = [name for name in list(contents)[-1:] if name in fitting and not hints_at(name, "codes")]
    classes = [name for name in fitting if is_just(name, "class") or is_just(name, "maybe target")]
    found = classes + last + hinted
    return found[-1] if found else None


def _may_be_class(content: Content) -> bool:
    is_kind = content.kind in ("category", "number", "code") and not content.is_private
    return is_kind and 2 <= content.n_values <= min(_MOST_CLASSES, content.n_rows - 1)
