"""What must hold of every release, in a few seconds per method."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def _hasty_sketch(hasty_sketch: None) -> None:
    """In every module here."""
