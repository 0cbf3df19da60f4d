"""The ten tables of the papers: their columns, and where they come from."""

from __future__ import annotations

from dataclasses import dataclass

from kanopy.errors import PolicyError, near_name


@dataclass(frozen=True, slots=True)
class Original:
    """Where the UCI archive keeps a table, and how it writes it."""

    archive: str
    """Path of a zip file below the address of the archive."""
    members: tuple[str, ...]
    """Its files that hold the rows, one below the other."""
    separator: str | None = ","
    """Between fields; None for any run of blanks."""
    dropped: int = 0
    """How many columns to leave out at the beginning of every row."""
    terminator: str = ""
    """Ends the last field of a row."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table as we keep it: CSV in UTF-8 with a header, missing fields empty, no blanks around a value."""

    name: str
    sha256: str
    original: Original | None = None
    """None where it cannot be fetched."""
    part: str = ""
    """The name of this part of the data set; empty where there are no parts."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """What is known of a data set without reading it; the class is the last column."""

    name: str
    n_rows: int
    columns: tuple[str, ...]
    files: tuple[TableFile, ...]
    """One below the other."""
    numeric: tuple[str, ...] = ()
    """Columns of numbers that are written like codes, with leading zeros."""

    @property
    def target(self) -> str:
        """The class: the last column."""
        return self.columns[-1]

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of its parts; none where it has no parts."""
        return tuple(file.part for file in self.files if file.part)


def names() -> tuple[str, ...]:
    """The names of all data sets that can be loaded."""
    return tuple(_DATA_SETS)


def describe(name: str) -> DataSet:
    """What is known of a data set without reading it."""
    if name not in _DATA_SETS:
        hint = near_name(name, _DATA_SETS) or f"there are {', '.join(_DATA_SETS)}"
        raise PolicyError(f"no data set is called {name!r}", hint)
    return _DATA_SETS[name]


def _columns(*words: str) -> tuple[str, ...]:
    return tuple(" ".join(words).split())


def _numbered(letter: str, count: int, digits: int) -> tuple[str, ...]:
    return (*(f"{letter}{number:0{digits}d}" for number in range(1, count + 1)), "class")


_ADULT = _columns(
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex",
    "capital-gain capital-loss hours-per-week native-country income",
)
_GERMAN = _columns(
    "checking-account-status duration-months credit-history purpose credit-amount savings-account",
    "employment-since installment-rate personal-status-sex other-debtors residence-since property age",
    "other-installment-plans housing existing-credits job num-dependents telephone foreign-worker class",
)
_GLASS = _columns("refractive-index sodium magnesium aluminum silicon potassium calcium barium iron type")
_NURSERY = _columns("parents has_nurs form children housing finance social health class")
_PIMA = _columns(
    "times-pregnant plasma-glucose diastolic-blood-pressure triceps-skin-fold serum-insulin body-mass-index",
    "diabetes-pedigree age class",
)
_BOARD = _columns(
    "top-left-square top-middle-square top-right-square middle-left-square middle-middle-square",
    "middle-right-square bottom-left-square bottom-middle-square bottom-right-square class",
)
_VEHICLE = _columns(
    "compactness circularity distance-circularity radius-ratio pr-axis-aspect-ratio max-length-aspect-ratio",
    "scatter-ratio elongatedness pr-axis-rectangularity max-length-rectangularity scaled-variance-major",
    "scaled-variance-minor scaled-radius-of-gyration skewness-about-major skewness-about-minor",
    "kurtosis-about-major kurtosis-about-minor hollows-ratio class",
)


def _one(
    name: str, n_rows: int, columns: tuple[str, ...], sha256: str, original: Original | None = None
) -> DataSet:
    return DataSet(name, n_rows, columns, (TableFile(f"{name}.csv", sha256, original),))


_ADULT_ZIP = "static/public/2/adult.zip"

# Most are from the UCI Machine Learning Repository, archive.ics.uci.edu.
_ALL = (
    # B. Becker and R. Kohavi, from the US census of 1994. 6,465 cells are missing; 45,222 rows are complete.
    DataSet(
        "adult",
        48_842,
        _ADULT,
        (
            TableFile(
                "adult_train.csv",
                "5138b5b5c98caed85f1d168fa268339cfe6e9d033c3957515ab3a00396877174",
                Original(_ADULT_ZIP, ("adult.data",)),
                "train",
            ),
            TableFile(
                "adult_test.csv",
                "db06b64a90951207cb7afb8d792ba8d327c2d8a78679ce5145157a8ec753ae4f",
                Original(_ADULT_ZIP, ("adult.test",), terminator="."),
                "test",
            ),
        ),
    ),
    # H. Hofmann.
    _one(
        "german",
        1_000,
        _GERMAN,
        "76c81d19606f910c71a2390b53b062a15808e947838b5de13b218978ed09b7da",
        Original("static/public/144/statlog+german+credit+data.zip", ("german.data",), None),
    ),
    # B. German, Home Office Forensic Science Service. Without the Id, which gives the class away.
    _one(
        "glass",
        214,
        _GLASS,
        "738f255cfe3c673b1211d6fcb925798dddd5c7720a982e32e41421d940d73e12",
        Original("static/public/42/glass+identification.zip", ("glass.data",), dropped=1),
    ),
    # V. Sigillito, Johns Hopkins University.
    _one(
        "ionosphere",
        351,
        _numbered("a", 34, 2),
        "c3c36b692d178f83a1dc212112fa2c703a8b236a60b7146bf969e43b19efd3e1",
        Original("static/public/52/ionosphere.zip", ("ionosphere.data",)),
    ),
    # J. R. Quinlan; the Japanese credit of the papers. 67 cells are missing; 653 rows are complete.
    DataSet(
        "crx",
        690,
        _numbered("A", 15, 1),
        (
            TableFile(
                "crx.csv",
                "617c62d72c4e40abe90911e0c2dddff8987ed08aa4ca380465971a2eee7990cb",
                Original("static/public/27/credit+approval.zip", ("crx.data",)),
            ),
        ),
        numeric=("A2", "A3", "A8", "A11", "A14", "A15"),
    ),
    # V. Rajkovic and others, Ljubljana.
    _one(
        "nursery",
        12_960,
        _NURSERY,
        "cfd50f92b8b65b8d398670ce13f1e78fbc0d452ff26906de8b4497f909716951",
        Original("static/public/76/nursery.zip", ("nursery.data",)),
    ),
    # National Institute of Diabetes and Digestive and Kidney Diseases; withdrawn from the UCI archive. Zeros
    # in glucose, pressure, skin fold, insulin and body mass stand for missing; they are kept.
    _one("pima", 768, _PIMA, "e382062e45cc7e947ee6e8e94d026d6c0cd80fcb9733d1a10148ce7756ba170d"),
    # D. Aha. Made by playing all games, which gives the same rows in the same order.
    _one("tic_tac_toe", 958, _BOARD, "0b2ceb1c8cb0b062bc273e91f3130ba13dd8a7813b9728fc883e166ba4fbafb5"),
    # P. Mowforth and B. Shepherd, Turing Institute, Glasgow.
    _one(
        "vehicle",
        846,
        _VEHICLE,
        "b02affeda8746c8729e5d6d9e8c8da965b0738397421b1f5086bc55ffe739c89",
        Original(
            "static/public/149/statlog+vehicle+silhouettes.zip",
            tuple(f"xa{letter}.dat" for letter in "abcdefghi"),
            None,
        ),
    ),
    # L. Breiman and others, Classification and Regression Trees, 1984, pages 49-55; the published 5,000 rows:
    # D. Aha. Where there is no file, rows are made by Breiman's rules: others than the published 5,000.
    _one(
        "waveform40",
        5_000,
        _numbered("x", 40, 2),
        "06234d9280331fe367a82a7d133becc823ce3eed670547c63cc9b1edf1ecc650",
    ),
)

_DATA_SETS = {each.name: each for each in _ALL}
