"""Speaks: parses what the user typed, calls, prints."""
