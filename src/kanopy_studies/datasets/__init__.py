"""The data sets of the papers, by name: where each comes from, its roles, and its rows."""

from kanopy_studies.datasets.catalogue import describe, names
from kanopy_studies.datasets.dataset import DataSet
from kanopy_studies.datasets.loading import cache_folder, load

__all__ = ["DataSet", "cache_folder", "describe", "load", "names"]
