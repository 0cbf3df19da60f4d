"""What everything works on: tables as integers, cells, groups and counts. NumPy only."""

from kanopy.data.cell import Cell, CellKind
from kanopy.data.counts import GroupCounts, Histogram
from kanopy.data.hierarchy import Hierarchy, ValueTree
from kanopy.data.partition import STYLES, Partition, RecodedColumn, Recoding
from kanopy.data.reading import PublishedReading, Reading, pooled_correlation
from kanopy.data.sketch import sketched, tally_of_chunks
from kanopy.data.table import CodedColumn, Domain, EncodedTable, Split

__all__ = [
    "STYLES", "Cell", "CellKind", "CodedColumn", "Domain", "EncodedTable", "GroupCounts", "Hierarchy",
    "Histogram", "Partition", "PublishedReading", "Reading", "RecodedColumn", "Recoding", "Split",
    "ValueTree", "pooled_correlation", "sketched", "tally_of_chunks",
]  # fmt: skip
