"""Forests of a few trees: for what must hold of every release, it does not matter how well they have learned."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from effort import IS_DEEP

from kanopy.algorithms.sketch import teachers


@pytest.fixture(autouse=True, scope="module")
def few_trees() -> Iterator[None]:
    """Of the 100 trees that method ``sketch`` plants, which take longer than all else on a dozen rows."""
    with pytest.MonkeyPatch.context() as patched:
        if not IS_DEEP:
            patched.setattr(teachers, "_TREES", 4)
        yield
