"""Options are checked, not guessed; methods are found by their names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import kanopy
from kanopy.algorithms import Method, Option, find_method, methods
from kanopy.errors import PolicyError


def nothing(*_: Any, **__: Any) -> Any:
    raise AssertionError("no option is worth running a method for")


SOME = Method(
    name="some",
    title="does nothing",
    paper="none",
    run=nothing,
    options={
        "style": Option("range", "how", ("range", "members")),
        "strict": Option(True, "whether"),
        "rounds": Option(10, "how many"),
        "threshold": Option(0.5, "how much"),
        "label": Option("x", "what"),
    },
)
PRESET = replace(SOME, presets={"paper": {"style": "members", "rounds": 3}, "quick": {"rounds": 1}})
DEFAULTS = {"style": "range", "strict": True, "rounds": 10, "threshold": 0.5, "label": "x"}


def test_defaults() -> None:
    assert SOME.settle({}) == DEFAULTS


@pytest.mark.parametrize(
    ("name", "given", "settled"),
    [
        ("style", "members", "members"),
        ("strict", False, False),
        ("strict", "false", False),
        ("strict", "TRUE", True),
        ("rounds", 3, 3),
        ("rounds", "3", 3),
        ("rounds", 3.0, 3),
        ("rounds", np.int64(3), 3),
        ("threshold", 0.25, 0.25),
        ("threshold", "0.25", 0.25),
        ("threshold", 1, 1.0),
        ("label", "y", "y"),
    ],
)
def test_accepted(name: str, given: Any, settled: Any) -> None:
    chosen = SOME.settle({name: given})
    assert chosen == DEFAULTS | {name: settled}
    assert type(chosen[name]) is type(DEFAULTS[name])


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("style", "Range"),
        ("style", True),
        ("style", None),
        ("strict", 1),
        ("strict", "yes"),
        ("strict", None),
        ("rounds", 3.5),
        ("rounds", "3.5"),
        ("rounds", "many"),
        ("rounds", True),
        ("rounds", None),
        ("rounds", float("inf")),
        ("rounds", [3]),
        ("threshold", "much"),
        ("threshold", True),
        ("threshold", "nan"),
        ("threshold", float("nan")),
        ("threshold", "inf"),
        ("label", 5),
        ("label", None),
    ],
)
def test_refused(name: str, given: Any) -> None:
    with pytest.raises(PolicyError) as caught:
        SOME.settle({name: given})
    assert f"option {name!r} of method 'some'" in caught.value.message
    assert caught.value.exit_code == 2


def test_choices_are_named_in_the_message() -> None:
    with pytest.raises(PolicyError, match="range, members") as caught:
        SOME.settle({"style": "member"})
    assert caught.value.hint == "did you mean 'members'?"


def test_unknown_options_are_refused() -> None:
    with pytest.raises(PolicyError) as caught:
        SOME.settle({"stirct": True})
    assert caught.value.message == "method 'some' has no option 'stirct'"
    assert caught.value.hint == "did you mean 'strict'?"
    with pytest.raises(PolicyError) as caught:
        Method("bare", "", "", nothing).settle({"anything": 1})
    assert caught.value.hint == "options: none"


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(PolicyError) as caught:
        find_method("mondrain")
    assert caught.value.hint == "did you mean 'mondrian'?"
    with pytest.raises(PolicyError) as caught:
        find_method("")
    assert "mondrian" in caught.value.hint


def test_every_method_has_what_every_method_has() -> None:
    names = [method.name for method in methods()]
    assert len(set(names)) == len(names)
    assert kanopy.methods() == methods()
    for method in methods():
        assert find_method(method.name) is method
        assert method.name.isalnum()
        assert method.name == method.name.lower()
        assert method.title
        assert method.paper
        assert method.settle({}) == {name: option.default for name, option in method.options.items()}
        for option in method.options.values():
            assert option.meaning
            assert not option.choices or option.default in option.choices


# --- Presets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "differs"),
    [
        ({"preset": "default"}, {}),
        ({"preset": "paper"}, {"style": "members", "rounds": 3}),
        ({"preset": "quick"}, {"rounds": 1}),
        ({"rounds": "7", "preset": "paper"}, {"style": "members", "rounds": 7}),
        ({"preset": "paper", "style": "range"}, {"rounds": 3}),  # also where it is the default
    ],
)
def test_a_preset_is_several_options_and_yields_to_those_that_are_given(
    given: dict[str, Any], differs: dict[str, Any]
) -> None:
    assert PRESET.settle(given) == DEFAULTS | differs


def test_without_an_entry_the_defaults_are_those_of_the_paper() -> None:
    assert SOME.settle({"preset": "paper"}) == DEFAULTS


@pytest.mark.parametrize("name", ["papers", 3, True])
def test_unknown_presets_are_refused(name: Any) -> None:
    with pytest.raises(
        PolicyError, match="option 'preset' of method 'some' takes one of default, paper, quick"
    ):
        PRESET.settle({"preset": name})


def test_a_method_may_have_an_option_of_that_name() -> None:
    own = replace(SOME, options={"preset": Option("a", "its own", ("a", "b"))})
    assert own.settle({"preset": "b"}) == {"preset": "b"}


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
def test_presets_say_what_differs_from_the_defaults(method: Method) -> None:
    for name, chosen in method.presets.items():
        settled = method.settle({"preset": name})
        assert chosen
        assert settled == method.settle({}) | dict(chosen)
        assert all(settled[option] != method.options[option].default for option in chosen)
