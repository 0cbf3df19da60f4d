"""The command line: parses what was typed, calls, prints."""
