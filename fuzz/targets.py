"""The targets by name; each is imported when it is asked for, so that its imports can be watched."""

from __future__ import annotations

from importlib import import_module

from fuzz.target import Target

_HOMES = {
    "csv": ("fuzz.csv_target", "CsvTarget"),
    "draft": ("fuzz.draft_target", "DraftTarget"),
    "policy": ("fuzz.policy_target", "PolicyTarget"),
    "parquet": ("fuzz.parquet_target", "ParquetTarget"),
    "certificate": ("fuzz.certificate_target", "CertificateTarget"),
    "cells": ("fuzz.cells_target", "CellsTarget"),
    "written": ("fuzz.written_target", "WrittenTarget"),
}
NAMES = tuple(_HOMES)


def make_target(name: str) -> Target:
    """The target of this name; ``module:Class`` is one of somebody else."""
    module, class_name = _HOMES[name] if name in _HOMES else name.split(":")
    target: Target = getattr(import_module(module), class_name)()
    return target
