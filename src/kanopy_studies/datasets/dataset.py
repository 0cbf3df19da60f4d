"""What is known of a data set without reading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Original:
    """Where the UCI archive keeps a table, and how it writes it.

    Parameters
    ----------
    archive : str
        Path of a zip file below the address of the archive.
    members : tuple of str
        Its files that hold the rows, one below the other.
    separator : str or None
        Between fields; None for any run of blanks.
    dropped : int
        Columns to leave out at the beginning of every row.
    terminator : str
        What ends the last field of a row, besides the end of the line.
    """

    archive: str
    members: tuple[str, ...]
    separator: str | None = ","
    dropped: int = 0
    terminator: str = ""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table as we keep it: CSV in UTF-8, a header, missing fields empty, nothing around a value.

    Parameters
    ----------
    name : str
    sha256 : str
        Of its bytes.
    original : Original, optional
        None where it cannot be fetched.
    part : str
        How this part of the data set is called; empty where there are no parts.
    """

    name: str
    sha256: str
    original: Original | None = None
    part: str = ""


@dataclass(frozen=True, slots=True)
class DataSet:
    """What is known of a data set without reading it.

    Parameters
    ----------
    name, title : str
    n_rows : int
    columns : tuple of str
        The class comes last.
    origin : str
        Who made it, and where it is found.
    files : tuple of TableFile
        One below the other.
    quasi_identifiers : mapping of str to tuple of str
        The sets of columns that papers took for quasi-identifiers, by paper.
    numeric : tuple of str
        Columns of numbers that are written like codes, with leading zeros.
    note : str
        What one must know to compare with the papers.
    """

    name: str
    title: str
    n_rows: int
    columns: tuple[str, ...]
    origin: str
    files: tuple[TableFile, ...]
    quasi_identifiers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    numeric: tuple[str, ...] = ()
    note: str = ""

    @property
    def target(self) -> str:
        """The class: the last column."""
        return self.columns[-1]

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(file.part for file in self.files if file.part)
