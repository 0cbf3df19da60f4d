"""The data sets of the papers, by name: where each comes from, and its rows."""

from kanopy_studies.datasets.catalogue import DataSet, describe, names
from kanopy_studies.datasets.loading import cache_folder, load

__all__ = ["DataSet", "cache_folder", "describe", "load", "names"]
