"""Classifiers of Weka as learners of kanopy, such as ``weka:J48``."""

from kanopy_weka.classifier import WekaClassifier

__all__ = ["WekaClassifier"]
