"""The role of every column of a draft, where some are decided."""

from __future__ import annotations

from collections.abc import Mapping

from kanopy.content import Content
from kanopy.drafting.decisions import ONE_COLUMN, DraftDecisions
from kanopy.drafting.roles import DraftedRole, decide_roles


def decided_roles(
    contents: Mapping[str, Content], decisions: DraftDecisions, target: str | None
) -> dict[str, DraftedRole]:
    """The role of every column, decided or drafted; O(columns)."""
    chosen = {role: name for name, role in decisions.roles.items() if role in ONE_COLUMN}
    drafted = decide_roles(contents, target or chosen.get("target"))
    found = {}
    for name, made in drafted.items():
        role = decisions.roles.get(name, made.role)
        if role == "person" != decisions.roles.get(name) and "person" in chosen:
            role = "identifiers"  # another column tells persons apart, and this one is dropped as well
        if role == made.role:
            found[name] = made
        else:
            found[name] = DraftedRole(role, f"decided; the draft was {made.role}: {made.reason}", "sure")
    return found
