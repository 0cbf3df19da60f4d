"""A generated table about people, which may be shown to anyone."""

from kanopy.datasets.patients import patients, patients_policy_text

__all__ = ["patients", "patients_policy_text"]
