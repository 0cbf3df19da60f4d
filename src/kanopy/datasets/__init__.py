"""Tables to try things on: generated, so that they may be shown to anyone."""

from kanopy.datasets.patients import patients, patients_policy_text

__all__ = ["patients", "patients_policy_text"]
