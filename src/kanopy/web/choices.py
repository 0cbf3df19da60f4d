"""What was chosen on the page, as decisions about a draft, and as plain data for a project folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from kanopy._display import number_of
from kanopy._numbers import typed_number, typed_whole_number
from kanopy.drafting.decisions import ONE_COLUMN, ROLES, Bound, DraftDecisions
from kanopy.errors import PolicyError
from kanopy.web.wording import ROLE_WORDS, called

if TYPE_CHECKING:
    from kanopy.drafting import Suggestion

Form = Mapping[str, list[str]]
"""The fields of a form; a field may be given several times."""

LEVELS = (2, 3, 4, 5)
DISTANCES = (0.2, 0.3, 0.5)
MOST_TEMPLATES = 20


def one(form: Form, name: str, usual: str = "") -> str:
    """A field that is given once."""
    return form.get(name, [usual])[0]


def with_roles(
    decisions: DraftDecisions, form: Form, names: list[str], drafted: Mapping[str, str]
) -> DraftDecisions:
    """Decisions with the roles of a form: ``role-3`` is that of column 3. What is as shown is not new."""
    for name, role in _chosen_roles(form, names):
        if role not in ROLES:
            raise PolicyError("there is no such role", "choose one of the list")
        if role != drafted[name]:
            decisions = decisions.with_role(name, role)
    return decisions


def _chosen_roles(form: Form, names: list[str]) -> Iterator[tuple[str, str]]:
    for field, texts in form.items():
        kind, _, place = field.partition("-")
        if kind == "role" and place.isdigit() and int(place) < len(names):
            yield names[int(place)], texts[0]


def role_notices(before: Mapping[str, str], draft: Suggestion, form: Form, names: list[str]) -> list[str]:
    """What became of columns that have another role than before, or than the form asked for."""
    asked = {**before, **dict(_chosen_roles(form, names))}
    holders = {column.role: called(column.name) for column in draft.columns if column.role in ONE_COLUMN}
    said = []
    for column in draft.columns:
        wanted = asked[column.name]
        if column.role == wanted:
            continue
        now, other = f"{called(column.name)} is now “{ROLE_WORDS[column.role]}”", ROLE_WORDS[wanted]
        if wanted in holders:
            said.append(f"{now}: at most one column is “{other}”, and that is {holders[wanted]}.")
        else:
            said.append(f"{now}, and not “{other}”: the reason stands beside it.")
    return said


def with_promise(
    decisions: DraftDecisions, form: Form, draft: Suggestion, names: list[str]
) -> DraftDecisions:
    """Decisions with the promise of a form."""
    try:
        k = typed_whole_number(one(form, "k"))
    except ValueError:
        raise PolicyError("k must be a whole number of at least 2", "for example 10") from None
    if k < 2:
        raise PolicyError("k must be a whole number of at least 2", "for example 10")
    bounds = (*_bounds(form, names), *_templates(form, draft, names))
    unbounded = tuple(name for place, name in enumerate(names) if form.get(f"bound-{place}") == [""])
    return replace(decisions, k=k, bounds=bounds, unbounded=unbounded)


def largest_k(draft: Suggestion) -> tuple[int, str]:
    """How many rows or persons the table has, and which of them are counted."""
    persons = [column.n_values for column in draft.columns if column.role == "person"]
    return (persons[0], "persons") if persons else (draft.n_rows, "rows")


def check_k(k: int, draft: Suggestion) -> None:
    """Refuse a k that no group can have."""
    most, many = largest_k(draft)
    if k > most:
        what = f"k is {k:,}, and the table has {number_of(most, many)}: no group can be so large"
        raise PolicyError(what, "choose a smaller k")


def _bounds(form: Form, names: list[str]) -> Iterator[Bound]:
    """``bound-3`` is l3 for three values in every group, t0.2 for a distance, or empty."""
    for place, name in enumerate(names):
        chosen = one(form, f"bound-{place}")
        if chosen in [f"l{level}" for level in LEVELS]:
            yield Bound("diversity", {"column": name, "l": int(chosen[1:])})
        elif chosen in [f"t{distance}" for distance in DISTANCES]:
            yield Bound("closeness", {"column": name, "t": float(chosen[1:])})
        elif chosen:
            raise PolicyError("there is no such bound", "choose one of the list")


def _templates(form: Form, draft: Suggestion, names: list[str]) -> Iterator[Bound]:
    """``column-0``, ``value-0``, ``most-0`` and ``given-0`` are the first sentence."""
    quasi = [column.name for column in draft.columns if column.role == "quasi_identifiers"]
    for number in range(MOST_TEMPLATES):
        place = one(form, f"column-{number}")
        if not place.isdigit() or int(place) >= len(names) or one(form, "remove") == str(number):
            continue
        given = [
            names[int(at)] for at in form.get(f"given-{number}", []) if at.isdigit() and int(at) < len(names)
        ]
        try:
            most = typed_number(one(form, f"most-{number}").rstrip(" %"))
        except ValueError:
            raise PolicyError("the most that may be inferred is a percentage", "for example 30") from None
        if not 0 < most < 100:
            raise PolicyError(
                "the most that may be inferred lies between 0 and 100 percent", "for example 30"
            )
        column, value = names[int(place)], one(form, f"value-{number}")
        if not value.strip():
            hint = "choose one of the list, or write it as it stands in the table"
            raise PolicyError(f"the sentence about {called(column)} names no value", hint)
        settings = {"given": given or quasi, "column": column, "value": value}
        yield Bound("template", {**settings, "at_most": round(most, 6) / 100})


def fitting(decisions: DraftDecisions, draft: Suggestion) -> tuple[DraftDecisions, list[str]]:
    """Decisions without what no longer fits the roles, and what was taken away, in words."""
    if decisions.bounds is None:
        return decisions, []
    roles = {column.name: column.role for column in draft.columns}
    kept, said = [], []
    for bound in decisions.bounds:
        column = bound.settings["column"]
        if column not in roles:
            said.append(
                f"What was promised about {called(column)} is left out: this table has no such column."
            )
            continue
        if roles[column] not in ("sensitive", "target"):
            said.append(f"The bound on {called(column)} is gone: the column is no longer confidential.")
            continue
        given = bound.settings.get("given")
        if given is not None:
            known = [name for name in given if roles.get(name) == "quasi_identifiers"]
            known = known or [name for name, role in roles.items() if role == "quasi_identifiers"]
            if known != list(given):
                said.append(f"The sentence about {called(column)} now starts from other columns.")
            bound = Bound(bound.kind, {**bound.settings, "given": known})
        kept.append(bound)
    return replace(decisions, bounds=tuple(kept)), list(dict.fromkeys(said))


def as_plain(decisions: DraftDecisions) -> dict[str, Any]:
    """Decisions for JSON."""
    return asdict(decisions)


def from_plain(plain: Mapping[str, Any]) -> DraftDecisions:
    """Decisions from JSON; a PolicyError where they are not such."""
    try:
        bounds = plain["bounds"]
        made = None if bounds is None else tuple(Bound(str(b["kind"]), dict(b["settings"])) for b in bounds)
        roles = {str(name): str(role) for name, role in dict(plain["roles"]).items()}
        if not set(roles.values()) <= set(ROLES):
            raise ValueError
        k = plain["k"]
        if k is not None and (not isinstance(k, int) or isinstance(k, bool)):
            raise ValueError
        method = None if plain["method"] is None else str(plain["method"])
        accept = tuple(map(str, plain["accept"]))
        unbounded = tuple(map(str, plain.get("unbounded", ())))
        return DraftDecisions(roles, k, made, method, dict(plain["options"]), accept, unbounded)
    except (KeyError, TypeError, ValueError):
        raise PolicyError(
            "the choices of the project cannot be read", "remove choices.json from it"
        ) from None
