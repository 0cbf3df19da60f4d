"""Evaluation: what a release is worth to those who learn from it, measured without leaks."""

from __future__ import annotations

# First of all, as it tells what to install where scikit-learn is missing.
from kanopy.learners import Learner as _needs_scikit_learn  # noqa: F401

# isort: split
from kanopy.evaluation.evaluate import evaluate
from kanopy.evaluation.evaluation import Evaluation
from kanopy.evaluation.scores import Area, Comparison, Disclosure, Score
from kanopy.evaluation.verdicts import Verdict

__all__ = ["Area", "Comparison", "Disclosure", "Evaluation", "Score", "Verdict", "evaluate"]
