"""``kanopy attack``."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from typing import Any, NamedTuple

from kanopy._arrow_start import start_pyarrow
from kanopy.attacks import (
    AttackFigures,
    Composition,
    Downcoding,
    Inference,
    KnownMethod,
    Linking,
    MethodRuns,
    attack,
)
from kanopy.certificate import certificate_path, read_certificate
from kanopy.cli.prepare import options_from, policy_from
from kanopy.cli.terminal import Terminal, printable, standard_error, standard_output
from kanopy.errors import PolicyError
from kanopy.policy import Policy

_WHO = (
    "The attacker in these figures has the release and knows everybody's quasi-identifiers in the source.",
    "The figures are counted on the source and meant for its custodian.",
)


class _Unit(NamedTuple):
    """What the figures count, in words: where a person may have several rows, rows and not people."""

    one: str
    many: str
    who: str
    whom: str

    def number(self, number: int) -> str:
        return f"1 {self.one}" if number == 1 else f"{number:,} {self.many}"


_PEOPLE = _Unit("person", "people", "who", "whom")
_ROWS = _Unit("row of the source", "rows of the source", "that", "that")


def run(given: Namespace) -> int:
    # Without a policy one is drafted from the source: a release says less about its columns.
    policy = policy_from(Namespace(**{**vars(given), "input": given.source}))
    start_pyarrow()
    terminal = standard_error()
    terminal.progress("measuring attacks", None)
    reading = {"delimiter": given.delimiter, "encoding": given.encoding}
    known = _known_method(given, policy, terminal) if given.method_known else None
    others: Any = {"strangers": given.strangers, "known": known, **reading}
    figures = attack(given.input, given.source, policy, given.other, **others)
    terminal.clear_progress()
    if given.json:
        print(json.dumps(figures.to_dict(), indent=2))
    else:
        _say(standard_output(), figures, _PEOPLE if policy.person is None else _ROWS)
    return 0


def _known_method(given: Namespace, policy: Policy, terminal: Terminal) -> MethodRuns:
    """The method of the flags; else that of the certificate beside the release; else that of the policy."""
    if given.source == "-":
        raise PolicyError("--method-known reads the source twice", "give a file and not -")
    if given.simulations < 1:
        raise PolicyError("--simulations takes a number above 0", "for example --simulations 100")
    from kanopy.engines.again import method_again  # loads the methods
    from kanopy.frames.typed_dates import with_typed_dates

    name, options = given.method, dict[str, Any](options_from(given))
    beside = certificate_path(given.input)
    if name is None and beside.is_file():
        told = read_certificate(beside).contents["method"]
        name, options = told["name"], {**told["options"], **options}
    again = method_again(with_typed_dates(policy, given.source), name, **options)
    return MethodRuns(again, given.simulations, given.seed, watch=terminal.progress)


def _say(terminal: Terminal, figures: AttackFigures, unit: _Unit) -> None:
    """Every figure in a sentence of its own."""
    in_source = " in the source" if unit is _PEOPLE else ""
    shown = f"{figures.rows:,} published rows in {figures.groups:,} groups"
    terminal.say_labelled("rows", f"{shown}; {unit.number(figures.people)}{in_source}")
    for sentence in _linking(figures.linking, figures.k, unit):
        terminal.say_labelled("link", sentence)
    for column in figures.inference:
        for sentence in _inference(column, unit):
            terminal.say_labelled("infer", sentence)
    if figures.sizes is not None:
        exact = f"{figures.sizes.exact_groups:,} of {figures.sizes.groups:,} groups have exactly"
        share = f"{_percent(figures.sizes.exact_rows)} of the rows are in them"
        terminal.say_labelled("sizes", f"{exact} k = {figures.sizes.k} rows; {share}.")
    terminal.say_labelled("cells", _downcoding(figures.downcoding))
    if figures.composition is not None:
        for sentence in _composition(figures.composition, figures.k, unit):
            terminal.say_labelled("both", sentence)
    if figures.known_method is not None:
        for sentence in _known(figures.known_method):
            terminal.say_labelled("known", sentence)
    for note in (*figures.notes, *_WHO):
        terminal.say_note(note)


def _linking(found: Linking, k: int | None, unit: _Unit) -> Iterator[str]:
    if found.smallest:
        whom = "a person whom a group covers" if found.uncovered else "a person"
        rows = "1 published row" if found.smallest == 1 else f"{found.smallest:,} published rows"
        yield (
            f"Whoever looks for {whom} finds at least {rows} that could be that "
            f"person's. Picking one of them is right in {_percent(found.expected)} of all cases on average, "
            f"and in {_percent(found.largest)} for the person who is found most easily."
        )
    yield f"{_percent(found.one_group)} of the {unit.many} fit one group only."
    if found.below_k:
        yield f"Fewer than k = {k} rows could be theirs: {unit.number(found.below_k)}."
    if found.uncovered:
        yield (
            f"Covered by no group: {unit.number(found.uncovered)}. Their rows were dropped, or their values "
            "were swapped or averaged, or the release is made up."
        )


def _inference(found: Inference, unit: _Unit) -> Iterator[str]:
    name = printable(repr(found.column))
    yield (
        f"Column {name} is guessed right for {_percent(found.members)} of the {unit.many} by looking at the "
        f"group that fits them best, and for {_percent(found.majority)} by always guessing the most "
        "frequent value."
    )
    share = _percent(found.certain)
    yield f"Column {name} is certain for {share} of the {unit.many}: all rows that could be theirs agree."
    if found.strangers is not None and found.excess is not None:
        than = "more" if found.excess >= 0 else "less"
        yield (
            f"Column {name} is guessed right for {_percent(found.strangers)} of those who are not in the "
            f"release ({unit.number(found.n_strangers)}): {100 * abs(found.excess):.1f} points {than} for "
            "those who are in it."
        )


def _downcoding(found: Downcoding) -> str:
    said = (
        f"In {found.told:,} of {found.groups:,} groups, a cell together with the size of the group tells the "
        "values that it should hide, if no cell is wider than its group needs."
    )
    checked = f" Of {found.checked:,} that can be checked on the source, {found.right:,} are true."
    return said + checked if found.told else said


def _composition(found: Composition, k: int | None, unit: _Unit) -> Iterator[str]:
    yield (
        f"With the other release, {_percent(found.alone)} of the {found.people:,} {unit.many} {unit.whom} "
        "both cover are alone: nobody else fits the two groups that they are in."
    )
    if found.below_k is not None:
        few = f"fewer than k = {k} {unit.many} {unit.who} fit both groups"
        yield f"{_percent(found.below_k)} of them are among {few}."
    among = ""
    if found.below_k_in_groups is not None:
        among = f", and {_percent(found.below_k_in_groups)} among fewer than k"
    alone = _percent(found.alone_in_groups)
    placed = f"{unit.many} count {unit.who} probably are in both groups"
    yield f"If only {placed}, {alone} of them are alone{among}."
    for column, shares in found.certain.items():
        yield (
            f"Column {printable(repr(column))} is certain for {_percent(shares['first'])} of them from this "
            f"release, {_percent(shares['second'])} from the other, {_percent(shares['both'])} from both."
        )


def _known(found: KnownMethod) -> Iterator[str]:
    if found.told is None or found.told_between is None:
        yield "No two rows of a group can exchange a value so that the table changes."
    else:
        between = f"{_percent(found.told_between[0])} to {_percent(found.told_between[1])}"
        yield (
            f"Whoever knows the method rules out {_percent(found.told)} of {found.swaps:,} swaps, which "
            f"exchange a value between two rows of a group (95% interval: {between}): the method would have "
            "given another release."
        )
    yield (
        f"{found.pinned:,} of {found.values:,} values whose cell allows others are pinned: none of those "
        f"that were tried in their place, at most {found.alternatives} each, gives this release."
    )
    drawn = f" that were drawn of {found.source_rows:,}" if found.rows < found.source_rows else ""
    seeds = "1 seed" if found.seeds == 1 else f"{found.seeds} seeds"
    yield (
        f"Measured on {found.rows:,} rows{drawn}, released in {found.groups:,} groups, then again with one "
        f"change at a time and {seeds}."
    )
    if found.is_release is False:
        yield (
            "The method and seed do not give RELEASE from this source: the figures are about what they give. "
            "Check --method, --option and --seed."
        )


def _percent(share: float) -> str:
    return "under 0.1%" if 0 < share < 0.0005 else f"{100 * share:.1f}%"
