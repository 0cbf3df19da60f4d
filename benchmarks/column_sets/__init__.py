"""Sets of columns as people export them, with the role that an expert gives each column."""

from benchmarks.column_sets import (
    health,
    money,
    nameless,
    society,
    unseen_health,
    unseen_second,
    unseen_society,
)
from benchmarks.column_sets.labels import ROLES, SETS, UNPUBLISHED, Column, Columns, ColumnSet, Dialect

__all__ = [
    "ROLES",
    "SETS",
    "UNPUBLISHED",
    "Column",
    "ColumnSet",
    "Columns",
    "Dialect",
    "health",
    "money",
    "nameless",
    "society",
    "unseen_health",
    "unseen_second",
    "unseen_society",
]
