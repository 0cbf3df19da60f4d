"""What was asked for, checked before any work starts: method, options, random seed, time limit."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from kanopy.algorithms import Method, Progress
from kanopy.errors import PolicyError
from kanopy.policy import Policy, shown_name

Watch = Callable[[str, float | None], None]
"""Called with the current step and, where it is known, the share of it that is done."""


def unwatched(_stage: str, _share: float | None) -> None:
    """The watch of a run without a progress display."""


def never() -> bool:
    """The ``stop`` of a run that goes to its end."""
    return False


class Request(NamedTuple):
    """A method with all its options, which suits the policy."""

    method: Method
    options: Mapping[str, Any]
    seed: int
    deadline: float  # on the clock of time.monotonic
    allow_empty: bool  # whether every quasi-identifier may be suppressed in every row

    @classmethod
    def of(
        cls,
        method: Method,
        policy: Policy,
        options: Mapping[str, Any],
        seed: int,
        time_limit: float | None,
        *,
        allow_empty: bool,
    ) -> Request:
        """Check everything that can be checked without the table; given options precede the policy's."""
        check_method(method, policy, seed)
        if time_limit is not None and not method.is_anytime:
            hint = "leave the time limit out, or use a method that can: tds, optimal, koptimize, genetic"
            raise PolicyError(f"method {method.name!r} cannot be stopped half-way", hint)
        is_number = isinstance(time_limit, int | float) and not isinstance(time_limit, bool)
        if time_limit is not None and not (is_number and time_limit > 0):
            raise PolicyError("the time limit is a number of seconds above 0", "for example time_limit = 60")
        deadline = math.inf if time_limit is None else time.monotonic() + min(time_limit, 1e9)
        of_policy = policy.options if method.name == policy.method_name else {}
        return cls(method, method.settle({**of_policy, **options}), seed, deadline, allow_empty)

    def counts_tuples(self, policy: Policy) -> bool:
        """Whether equal rows may be counted before anything is decided: not where rows are told apart, by the
        person or the leaf of a published tree, or by their originals in value statistics."""
        is_told_apart = policy.person is not None or bool(policy.value_statistics)
        takes_weights = self.method.takes_weights(self.options) and not self.method.publishes_tree
        return takes_weights and not is_told_apart

    def progress(self, watch: Watch, stop: Callable[[], bool]) -> Progress:
        """What the method reports to, and what tells it when to stop."""

        def report(n_settled: int, n_all: int) -> bool:
            watch(self.method.name, n_settled / n_all)
            return stop() or time.monotonic() > self.deadline

        return report


def check_method(method: Method, policy: Policy, seed: Any) -> Method:
    """The method, if it suits the policy: some need a class, some publish nothing but quasi-identifiers."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise PolicyError("the seed must be a whole number, and not negative", "for example seed = 0")
    if method.needs_target and policy.target is None:
        raise PolicyError(
            f"method {method.name!r} learns from a class, and the policy has no target",
            "declare the target, or choose another method",
        )
    others = [*policy.sensitive, *policy.keep]
    if method.is_synthetic and others:
        raise PolicyError(
            f"method {method.name!r} makes up its rows and cannot publish {shown_name(others[0])}",
            "declare it as an identifier, which is dropped, or choose another method",
        )
    return method


def check_tuple_limit(limit: Any, *, is_spark: bool) -> bool:
    """Whether the table is one of Spark; refuse a limit for its driver that is none, or is not used."""
    if limit is None:
        return is_spark
    if not is_spark:
        raise PolicyError("tuple_limit is for Spark frames", "leave it out")
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise PolicyError("tuple_limit is a number of rows above 0", "for example tuple_limit = 5_000_000")
    return is_spark
