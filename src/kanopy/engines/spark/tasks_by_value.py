"""How the functions of ``tasks`` reach the workers."""

from __future__ import annotations

from typing import Any

from kanopy.engines.spark import tasks


def tasks_by_value() -> Any:
    """The functions for workers, which are sent along: workers need not have kanopy."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(tasks)
    return tasks
