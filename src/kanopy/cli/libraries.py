"""NumPy and pyarrow, loaded for a command in the least time."""

import contextlib
import sys
from importlib import import_module
from types import ModuleType

_PARSER = "pyarrow.vendored.docscrape"


def load_libraries() -> None:
    """Import both before whoever needs them does: deep inside of other imports, CPython 3.11 may take memory
    for its stack and give it back with each of thousands of calls."""
    import_module("numpy")
    if "pyarrow.compute" not in sys.modules and _PARSER not in sys.modules:
        # It documents its 300 functions when it is imported, for which it parses what documents their
        # options: a third of its time, for what no command shows.
        sys.modules[_PARSER] = parser = ModuleType(_PARSER)
        vars(parser)["NumpyDocString"] = lambda _text: {"Parameters": []}
        with contextlib.suppress(AttributeError, ImportError, LookupError, TypeError, ValueError):
            import_module("pyarrow.compute")
        del sys.modules[_PARSER]
    import_module("pyarrow.compute")  # as usual where a version of pyarrow needs more of the parser
