"""Evaluation: what a release is worth to those who learn from it, measured without leaks."""

from __future__ import annotations

from kanopy.evaluation.evaluate import evaluate
from kanopy.evaluation.evaluation import Area, Comparison, Evaluation, Score

__all__ = ["Area", "Comparison", "Evaluation", "Score", "evaluate"]
