"""An audit where something is promised, and otherwise a profile: figures instead of a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from kanopy.auditing import Audit
from kanopy.engines import audit as engines_audit
from kanopy.engines.spark.session import is_spark_frame
from kanopy.errors import PolicyError
from kanopy.frames.tables import read_judged
from kanopy.policy import Policy
from kanopy.profiling.figures import Profile
from kanopy.profiling.measuring import profile


@overload
def audit(
    table: Any,
    policy: Policy,
    *,
    reading: str = ...,
    delimiter: str | None = ...,
    encoding: str | None = ...,
    source: Any = ...,
    manifest: Any = ...,
) -> Audit: ...


@overload
def audit(
    table: Any,
    *,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = ...,
    person: str | None = ...,
    missing: Sequence[str] = ...,
    delimiter: str | None = ...,
    encoding: str | None = ...,
    sheet: str | None = ...,
) -> Profile: ...


def audit(table: Any, policy: Any = None, **asked: Any) -> Audit | Profile:
    """Audit any table, made by kanopy or not, against a policy; O(rows * columns).

    Without a policy nothing is promised, and so nothing can be kept or broken: name the quasi-identifiers to
    get the figures of the table as it is, a ``Profile``, whose parameters are those of ``kanopy.profile``.

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or the path of a CSV or Parquet file, or of a folder of them. Equal
        rows of a Spark frame are counted on its cluster: see docs/spark.md.
    policy : Policy
    reading : str
        ``"pessimistic"`` (suppressed and missing cells count like any value) or ``"optimistic"``.
    delimiter, encoding : str
        Of a CSV file.
    source : frame or path, optional
        What the table was made from; with a manifest.
    manifest : dict or path, optional
        Of the release, whose value statistics are recounted; as a file what ``--json`` printed.
    quasi_identifiers, sensitive, person, missing
        Instead of a policy: see ``kanopy.profile``.
    """
    if policy is not None:
        return engines_audit.audit(table, policy, **asked)
    if "quasi_identifiers" not in asked:
        hint = 'give a Policy, or quasi_identifiers=["age", "sex"] for the figures of the table as it is'
        raise PolicyError("the policy must be a kanopy.Policy; there is none", hint)
    return profile(table, **asked)


def profile_without_promise(table: Any, policy: Policy, **form: str | None) -> Profile:
    """The figures of a table, a release or not, of which a policy says what its columns are.

    Costs what ``profile`` costs. Persons are counted where the table has them.
    """
    if not is_spark_frame(table):
        table = read_judged(table, policy, **form)
    person = policy.person if policy.person in getattr(table, "column_names", table.columns) else None
    return profile(table, policy.quasi_identifiers, policy.sensitive, person, policy.missing)
