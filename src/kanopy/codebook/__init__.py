"""The codebook of a release: what its cells mean, for whoever receives it; it holds what the cells say."""

from kanopy.codebook.files import (
    CODEBOOK_SUFFIXES,
    FOLDER_CODEBOOK,
    codebook_files,
    codebook_paths,
    published_reading,
)
from kanopy.codebook.meaning import Cells, ColumnMeaning, Decisions, column_meaning, field_notes, told_cells

__all__ = [
    "CODEBOOK_SUFFIXES", "FOLDER_CODEBOOK", "Cells", "ColumnMeaning", "Decisions", "codebook_files",
    "codebook_paths", "column_meaning", "field_notes", "published_reading", "told_cells",
]  # fmt: skip
