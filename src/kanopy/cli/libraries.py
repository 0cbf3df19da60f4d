"""NumPy and pyarrow, loaded for a command in the least time."""

from __future__ import annotations

from importlib import import_module


def load_libraries() -> None:
    """Import both before whoever needs them does.

    Deep inside of other imports, CPython 3.11 may take memory for its stack and give it back with each of
    thousands of calls.
    """
    import_module("numpy")
    import_module("pyarrow.compute")
