"""Drafting a policy, and hierarchies to go with it, from a table."""

from kanopy.drafting.draft_files import write_drafts
from kanopy.drafting.hierarchy_draft import HierarchyDraft, draft_hierarchies
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
