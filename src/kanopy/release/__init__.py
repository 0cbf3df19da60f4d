"""The gate: the only thing that may be written, and the only way to write it."""

from kanopy.release.destination import TREE_SUFFIXES, Destination
from kanopy.release.patterns import Patterns
from kanopy.release.record import RECORD_SUFFIXES
from kanopy.release.release import Release

__all__ = ["RECORD_SUFFIXES", "TREE_SUFFIXES", "Destination", "Patterns", "Release"]
