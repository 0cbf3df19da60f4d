"""NumPy and pyarrow, loaded for a command in the least time."""

from __future__ import annotations

import contextlib
import sys
from importlib import import_module
from types import ModuleType

_PARSER = "pyarrow.vendored.docscrape"


def load_libraries() -> None:
    """Import both before whoever needs them does.

    Deep inside of other imports, CPython 3.11 may take memory for its stack and give it back with each of
    thousands of calls.
    """
    import_module("numpy")
    if "pyarrow.compute" not in sys.modules and _PARSER not in sys.modules:
        # It writes the documentation of its 300 functions when it is imported, for which it parses that of
        # their options: a third of its time, for what no command shows.
        parser = ModuleType(_PARSER)
        vars(parser)["NumpyDocString"] = lambda _text: {"Parameters": []}
        sys.modules[_PARSER] = parser
        with contextlib.suppress(AttributeError, ImportError, LookupError, TypeError, ValueError):
            import_module("pyarrow.compute")
        del sys.modules[_PARSER]
    import_module("pyarrow.compute")  # as usual where a version of pyarrow needs more of the parser
