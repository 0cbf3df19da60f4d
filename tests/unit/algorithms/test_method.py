"""Options are checked, not guessed; methods are found by their names."""

from __future__ import annotations

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
