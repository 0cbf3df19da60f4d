"""Drafts of a policy, and of hierarchies for it, from a table."""

from kanopy.drafting.hierarchy_draft import HierarchyDraft, draft_hierarchies, write_drafts
from kanopy.drafting.policy_draft import ColumnSuggestion, Suggestion, draft_frame, draft_policy, suggest
from kanopy.drafting.rule_draft import HierarchySuggestion

__all__ = [
    "ColumnSuggestion", "HierarchyDraft", "HierarchySuggestion", "Suggestion", "draft_frame",
    "draft_hierarchies", "draft_policy", "suggest", "write_drafts",
]  # fmt: skip
