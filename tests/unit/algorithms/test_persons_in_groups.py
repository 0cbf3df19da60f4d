"""Persons with rows in several groups: what each group keeps can break where the recount joins them."""

from __future__ import annotations

import pyarrow as pa
import pytest

import kanopy
from kanopy.errors import UnsatisfiableError
from kanopy.policy import Policy
from kanopy.privacy import Template

FRAME = pa.table(
    {
        "a": [*"uuuuzzzz"],
        "b": [*"vvwwvvww"],
        "who": [1, 2, 3, 2, 4, 5, 6, 7],
        "d": [*"xyxyyyyy"],
        "class": [*"AABBCCDD"],
    }
)
"""Of a = u and b = v half of the persons have x, likewise with b = w; of a = u two of three do."""
POLICY = Policy(
    quasi_identifiers=["a", "b"],
    target="class",
    sensitive=["d"],
    person="who",
    k=2,
    privacy=[Template(["a"], "d", "x", "0.5")],
)


def test_groups_that_break_a_template_together_are_refused_as_such() -> None:
    with pytest.raises(UnsatisfiableError, match="persons have rows in several") as caught:
        kanopy.anonymize(FRAME, POLICY, method="mondrian")
    assert caught.value.exit_code == 4


@pytest.mark.parametrize("method", ["bottomup", "tdd", "tds", "tdr"])
def test_methods_that_count_the_groups_of_every_promise_publish(method: str) -> None:
    release = kanopy.anonymize(FRAME, POLICY, method=method)
    assert release.audit.kept
    assert release.audit.promises[1].level == 2 / 7
