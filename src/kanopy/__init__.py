"""kanopy: publish tables about people that others can learn from, and keep the promise made with them."""

from kanopy._version import __version__

__all__ = ["__version__"]
