"""The data sets of the papers, by name: where each comes from, and its rows."""

from kanopy_studies.datasets.catalogue import DataSet, describe, names
from kanopy_studies.datasets.loading import cache_folder, data_file, load

__all__ = ["DataSet", "cache_folder", "data_file", "describe", "load", "names"]
