"""Every option of every method: the written file keeps the promise and tells no lies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from effort import in_turn
from nasty_tables import KINDS
from written_files import CASES, EVERYTHING, METHODS, check


@pytest.mark.parametrize(("method", "options"), CASES)
def test_every_option(method: str, options: dict[str, Any]) -> None:
    check(EVERYTHING, method, options)


@pytest.mark.parametrize(("method", "kind", "k"), in_turn(METHODS, KINDS, [2, 5, 8]))
def test_every_kind_of_frame_and_k(method: str, kind: str, k: int) -> None:
    check(replace(EVERYTHING, k=k, kind=kind), method, {})
