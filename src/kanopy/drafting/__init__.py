"""Drafts of a policy, and of hierarchies for it, from a table."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used
from kanopy.drafting.decisions import AS_DRAFTED, ROLES, Bound, DraftDecisions

if TYPE_CHECKING:
    from kanopy.drafting.hierarchy_draft import HierarchyDraft, draft_hierarchies, write_drafts
    from kanopy.drafting.policy_draft import (
        ColumnSuggestion,
        SeenTable,
        Suggestion,
        draft_frame,
        draft_policy,
        suggest,
    )
    from kanopy.drafting.rule_draft import HierarchySuggestion
else:  # decisions alone need no table
    _DRAFTS = ("ColumnSuggestion", "SeenTable", "Suggestion", "draft_frame", "draft_policy", "suggest")
    __getattr__ = loaded_when_used(
        __name__,
        {
            "kanopy.drafting.policy_draft": _DRAFTS,
            "kanopy.drafting.hierarchy_draft": ("HierarchyDraft", "draft_hierarchies", "write_drafts"),
            "kanopy.drafting.rule_draft": ("HierarchySuggestion",),
        },
    )

__all__ = [
    "AS_DRAFTED", "ROLES", "Bound", "ColumnSuggestion", "DraftDecisions", "HierarchyDraft",
    "HierarchySuggestion", "SeenTable", "Suggestion", "draft_frame", "draft_hierarchies", "draft_policy",
    "suggest", "write_drafts",
]  # fmt: skip
