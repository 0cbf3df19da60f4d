"""Forms: what is not as somebody asked is told, and bounds are as drafted until somebody decides."""

from __future__ import annotations

import pytest

from kanopy.datasets import patients
from kanopy.drafting import AS_DRAFTED, Bound, DraftDecisions, SeenTable, Suggestion
from kanopy.errors import PolicyError
from kanopy.web.choices import as_plain, fitting, from_plain, role_notices, with_promise, with_roles

SEEN = SeenTable.of(patients(400))
NAMES = list(SEEN.columns)


def chosen(before: Suggestion, roles: dict[str, str]) -> tuple[Suggestion, list[str]]:
    """The draft after a form with these roles, and what is told."""
    form = {f"role-{NAMES.index(name)}": [role] for name, role in roles.items()}
    shown = {column.name: column.role for column in before.columns}
    after = SEEN.draft(with_roles(before.decisions, form, NAMES, shown))
    return after, role_notices(shown, after, form, NAMES)


def test_a_second_column_to_be_predicted_tells_what_became_of_the_first() -> None:
    draft = SEEN.draft()
    assert draft.target == "readmitted"
    after, told = chosen(draft, {"smoker": "target"})
    assert after.target == "smoker"
    assert told == [
        "'readmitted' is now “others may know it”: "
        "at most one column is “to be predicted”, and that is 'smoker'."
    ]
    after, told = chosen(after, {"smoker": "target"})
    assert told == []
    after, told = chosen(after, {"smoker": "target", "sex": "target"})
    assert len(told) == 1
    assert "'smoker' is now “others may know it”" in told[0]


def test_of_two_that_are_chosen_at_once_the_other_one_is_told() -> None:
    after, told = chosen(
        SEEN.draft(DraftDecisions({"readmitted": "keep"})), {"sex": "target", "smoker": "target"}
    )
    assert after.target == "smoker"
    assert len(told) == 1
    assert told[0].startswith("'sex' is now")


def test_a_second_column_that_tells_persons_apart_is_told() -> None:
    after, _ = chosen(SEEN.draft(), {"patient_id": "person"})
    _, told = chosen(after, {"zip": "person"})
    assert told == [
        "'patient_id' is now “drop it”: at most one column is “tells persons apart”, and that is 'zip'."
    ]


def test_what_is_as_asked_is_not_told() -> None:
    assert chosen(SEEN.draft(), {"sex": "keep", "zip": "identifiers"})[1] == []


PROMISE = {"k": ["10"]}


def test_bounds_are_as_drafted_for_columns_that_nobody_decided_about() -> None:
    draft = SEEN.draft()
    (advised,) = [bound for bound in draft.bounds if bound.settings["column"] == "diagnosis"]
    assert SEEN.draft(with_promise(AS_DRAFTED, PROMISE, draft, NAMES)).bounds == (advised,)
    none = {**PROMISE, f"bound-{NAMES.index('diagnosis')}": [""]}
    without = with_promise(AS_DRAFTED, none, draft, NAMES)
    assert SEEN.draft(without).bounds == ()
    assert "[[privacy" not in SEEN.draft(without).to_toml()
    # Another column is confidential later: about this one nobody has decided.
    later = SEEN.draft(without.with_role("admission_type", "sensitive"))
    assert [bound.settings["column"] for bound in later.bounds] == ["admission_type"]
    assert 'column = "admission_type"' in later.to_toml()
    assert from_plain(as_plain(without)) == without


def test_choices_of_before_are_read() -> None:
    plain = as_plain(DraftDecisions(bounds=()))
    del plain["unbounded"]
    assert from_plain(plain) == DraftDecisions(bounds=())


def test_bounds_on_columns_of_another_table_are_told_once_with_the_reason() -> None:
    bounds = (
        Bound("diversity", {"column": "Hauptdiagnose", "l": 3}),
        Bound("template", {"given": ["x"], "column": "Hauptdiagnose", "value": "v", "at_most": 0.3}),
    )
    decided = DraftDecisions(bounds=bounds)
    fitted, told = fitting(decided, SEEN.draft(decided))
    assert told == ["What was promised about 'Hauptdiagnose' is left out: this table has no such column."]
    assert [bound.settings["column"] for bound in SEEN.draft(fitted).bounds] == ["diagnosis"]
    bounds = (Bound("diversity", {"column": "sex", "l": 2}),)
    _, told = fitting(DraftDecisions(bounds=bounds), SEEN.draft())
    assert told == ["The bound on 'sex' is gone: the column is no longer confidential."]


def test_a_sentence_without_a_value_says_what_to_write() -> None:
    form = {**PROMISE, "column-0": [str(NAMES.index("diagnosis"))], "value-0": [" "], "most-0": ["30"]}
    with pytest.raises(PolicyError, match="the sentence about 'diagnosis' names no value") as caught:
        with_promise(AS_DRAFTED, form, SEEN.draft(), NAMES)
    assert "choose one of the list" in caught.value.hint
