"""Releases: the only thing that is written, and the only way to write it."""

from kanopy.release.certifying import date_of_writing
from kanopy.release.describing import BesidePlaces, Style, check_style
from kanopy.release.destination import TREE_SUFFIXES, Destination, Inputs
from kanopy.release.patterns import Patterns
from kanopy.release.record import RECORD_SUFFIXES
from kanopy.release.release import Release
from kanopy.release.telling import Manifest
from kanopy.release.transaction import Transaction, write_file

__all__ = [
    "RECORD_SUFFIXES", "TREE_SUFFIXES", "BesidePlaces", "Destination", "Inputs", "Manifest", "Patterns",
    "Release", "Style", "Transaction", "check_style", "date_of_writing", "write_file",
]  # fmt: skip
