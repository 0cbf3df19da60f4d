"""Drafts of a policy, and of hierarchies for it, from a table."""

from kanopy.drafting.hierarchy_draft import HierarchyDraft, draft_hierarchies, write_drafts
from kanopy.drafting.policy_draft import ColumnSuggestion, HierarchySuggestion, Suggestion, suggest

__all__ = [
    "ColumnSuggestion",
    "HierarchyDraft",
    "HierarchySuggestion",
    "Suggestion",
    "draft_hierarchies",
    "suggest",
    "write_drafts",
]
