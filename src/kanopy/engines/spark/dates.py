"""Quasi-identifiers that Spark holds as dates or timestamps: they need no line in the policy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kanopy.engines.spark.session import functions_of, spark_errors
from kanopy.errors import PolicyError
from kanopy.frames.typed_dates import undescribed
from kanopy.policy import Policy, normal_name
from kanopy.policy.reading import ColumnFormat


def with_frame_dates(policy: Policy, frame: Any) -> Policy:
    """The same as ``with_typed_dates`` for a Spark frame; a pass over its timestamps."""
    wanted, forms = set(undescribed(policy)), {}
    with spark_errors("Spark could not read the table"):
        for field in frame.schema.fields if wanted else ():
            name, kind = normal_name(field.name), field.dataType.typeName()
            if name in wanted and kind in ("date", "timestamp", "timestamp_ntz"):
                forms[name] = _form_of(frame, field.name, kind)
    known = {name: form for name, form in forms.items() if form is not None}
    return replace(policy, columns={**policy.columns, **known}) if known else policy


def _form_of(frame: Any, name: str, kind: str) -> ColumnFormat | None:
    if kind == "date":
        return ColumnFormat("date")
    functions = functions_of(frame)
    column = functions.col(f"`{name.replace('`', '``')}`")
    has_time = frame.where(functions.date_trunc("day", column) != column).limit(1).count()
    zone = "refuse" if kind == "timestamp_ntz" else frame.sparkSession.conf.get("spark.sql.session.timeZone")
    try:
        return ColumnFormat("time" if has_time else "date", zone=zone)
    except PolicyError:
        return None
