"""The gate: the only thing that may be written, and the only way to write it."""

from kanopy.release.destination import Destination
from kanopy.release.release import Release

__all__ = ["Destination", "Release"]
