"""Drafting a policy, and hierarchies to go with it, from a table."""

from kanopy.suggest.draft_files import write_drafts
from kanopy.suggest.hierarchy_draft import HierarchyDraft, draft_hierarchies
from kanopy.suggest.policy_draft import ColumnSuggestion, HierarchySuggestion, Suggestion, suggest

__all__ = [
    "ColumnSuggestion",
    "HierarchyDraft",
    "HierarchySuggestion",
    "Suggestion",
    "draft_hierarchies",
    "suggest",
    "write_drafts",
]
