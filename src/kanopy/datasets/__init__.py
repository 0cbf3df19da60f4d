"""Tables to try things on: generated ones that may be shown to anyone, and those of the papers, by name."""

from kanopy.datasets.catalogue import describe, names
from kanopy.datasets.dataset import DataSet
from kanopy.datasets.loading import cache_folder, load
from kanopy.datasets.patients import patients, patients_policy_text

__all__ = ["DataSet", "cache_folder", "describe", "load", "names", "patients", "patients_policy_text"]
