"""The ten tables of the papers: what they are, where they come from, how the papers used them."""

from __future__ import annotations

from kanopy.errors import PolicyError, near_name
from kanopy_studies.datasets.dataset import DataSet, Original, TableFile


def names() -> tuple[str, ...]:
    """The names of all data sets that can be loaded."""
    return tuple(_DATA_SETS)


def describe(name: str) -> DataSet:
    """What is known of a data set without reading it: rows, columns, class, origin, quasi-identifiers.

    Raises
    ------
    PolicyError
        Where there is none of that name.
    """
    if name not in _DATA_SETS:
        hint = near_name(name, _DATA_SETS) or f"there are {', '.join(_DATA_SETS)}"
        raise PolicyError(f"no data set is called {name!r}", hint)
    return _DATA_SETS[name]


def _columns(*words: str) -> tuple[str, ...]:
    return tuple(" ".join(words).split())


def _numbered(letter: str, count: int, digits: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number:0{digits}d}" for number in range(1, count + 1))


_ADULT = _columns(
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex",
    "capital-gain capital-loss hours-per-week native-country income",
)
_GERMAN = _columns(
    "checking-account-status duration-months credit-history purpose credit-amount savings-account",
    "employment-since installment-rate personal-status-sex other-debtors residence-since property age",
    "other-installment-plans housing existing-credits job num-dependents telephone foreign-worker class",
)
_CRX = (*_numbered("A", 15, 1), "class")
_GLASS = _columns(
    "refractive-index sodium magnesium aluminum silicon potassium calcium barium iron type",
)
_IONOSPHERE = (*_numbered("a", 34, 2), "class")
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
_WAVEFORM = (*_numbered("x", 40, 2), "class")

_TOP5 = _columns("age education-num marital-status relationship capital-gain")
_UCI = "UCI Machine Learning Repository, archive.ics.uci.edu"
_ADULT_ZIP = "static/public/2/adult.zip"

_ALL = (
    DataSet(
        "adult",
        "Adult, or Census Income: does a person earn more than 50,000 dollars a year?",
        48_842,
        _ADULT,
        f"B. Becker and R. Kohavi, from the US census of 1994; {_UCI}",
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
        {
            "kACTUS 14/14": _ADULT[:-1],
            "kACTUS 11/14": _columns(
                "age workclass fnlwgt education education-num marital-status occupation sex capital-gain",
                "hours-per-week native-country",
            ),
            "kACTUS 8/14": _columns(
                "age workclass fnlwgt occupation sex capital-gain hours-per-week native-country"
            ),
            "TDS Top5": _TOP5,
            "TDS Top7": (*_TOP5, "sex", "hours-per-week"),
            "TDS Top9": (*_TOP5, "sex", "hours-per-week", "education", "occupation"),
            "Shao and Beckford": _columns(
                "age education hours-per-week native-country capital-gain workclass"
            ),
            "clustering": _columns(
                "age workclass education marital-status occupation race sex native-country"
            ),
        },
        note="6,465 cells are missing; 45,222 rows are complete, the table of most papers.",
    ),
    DataSet(
        "german",
        "Statlog German credit: is an applicant a good risk (1) or a bad one (2)?",
        1_000,
        _GERMAN,
        f"H. Hofmann; {_UCI}",
        (
            TableFile(
                "german.csv",
                "76c81d19606f910c71a2390b53b062a15808e947838b5de13b218978ed09b7da",
                Original("static/public/144/statlog+german+credit+data.zip", ("german.data",), None),
            ),
        ),
        {
            "kACTUS": _GERMAN[:-1],
            "kACTUS-2": _columns(
                "credit-history savings-account duration-months checking-account-status credit-amount",
                "purpose property installment-rate other-debtors",
            ),
            "TDS Top5": _columns(
                "credit-amount checking-account-status duration-months credit-history savings-account"
            ),
        },
    ),
    DataSet(
        "glass",
        "Glass identification: of what kind of glass is a splinter?",
        214,
        _GLASS,
        f"B. German, Central Research Establishment, Home Office Forensic Science Service; {_UCI}",
        (
            TableFile(
                "glass.csv",
                "738f255cfe3c673b1211d6fcb925798dddd5c7720a982e32e41421d940d73e12",
                Original("static/public/42/glass+identification.zip", ("glass.data",), dropped=1),
            ),
        ),
        {"kACTUS": _GLASS[:-1]},
        note="Without the Id, which gives the class away. Six of seven classes occur.",
    ),
    DataSet(
        "ionosphere",
        "Radar returns from the ionosphere: good (g) or bad (b)?",
        351,
        _IONOSPHERE,
        f"V. Sigillito, Johns Hopkins University; {_UCI}",
        (
            TableFile(
                "ionosphere.csv",
                "c3c36b692d178f83a1dc212112fa2c703a8b236a60b7146bf969e43b19efd3e1",
                Original("static/public/52/ionosphere.zip", ("ionosphere.data",)),
            ),
        ),
        {"kACTUS": _IONOSPHERE[:-1]},
    ),
    DataSet(
        "crx",
        "Credit approval, the Japanese credit of the papers: is it granted (+) or not (-)?",
        690,
        _CRX,
        f"J. R. Quinlan; {_UCI}",
        (
            TableFile(
                "crx.csv",
                "617c62d72c4e40abe90911e0c2dddff8987ed08aa4ca380465971a2eee7990cb",
                Original("static/public/27/credit+approval.zip", ("crx.data",)),
            ),
        ),
        {
            "kACTUS": _CRX[:-1],
            "TDS Top5": _columns("A9 A11 A10 A8 A15"),
            "TDS Top7": _columns("A9 A11 A10 A8 A15 A7 A14"),
            "TDS Top9": _columns("A9 A11 A10 A8 A15 A7 A14 A6 A5"),
        },
        numeric=("A2", "A3", "A8", "A11", "A14", "A15"),
        note="67 cells are missing; 653 rows are complete. The kACTUS paper counts 125 rows.",
    ),
    DataSet(
        "nursery",
        "Nursery schools: how warmly is an application recommended?",
        12_960,
        _NURSERY,
        f"V. Rajkovic and others, Ljubljana; {_UCI}",
        (
            TableFile(
                "nursery.csv",
                "cfd50f92b8b65b8d398670ce13f1e78fbc0d452ff26906de8b4497f909716951",
                Original("static/public/76/nursery.zip", ("nursery.data",)),
            ),
        ),
        {"kACTUS": _NURSERY[:-1]},
    ),
    DataSet(
        "pima",
        "Pima Indians: signs of diabetes (1) or none (0)?",
        768,
        _PIMA,
        "National Institute of Diabetes and Digestive and Kidney Diseases; withdrawn from the UCI archive",
        (TableFile("pima.csv", "e382062e45cc7e947ee6e8e94d026d6c0cd80fcb9733d1a10148ce7756ba170d"),),
        {"kACTUS": _PIMA[:-1]},
        note="Zeros in glucose, pressure, skin fold, insulin and body mass stand for missing; they are kept.",
    ),
    DataSet(
        "tic_tac_toe",
        "Tic-tac-toe: has x, who began, won (positive) on a full or decided board?",
        958,
        _BOARD,
        f"D. Aha; {_UCI}; made by playing all games, which gives the same rows in the same order",
        (TableFile("tic_tac_toe.csv", "0b2ceb1c8cb0b062bc273e91f3130ba13dd8a7813b9728fc883e166ba4fbafb5"),),
        {"kACTUS": _BOARD[:-1]},
    ),
    DataSet(
        "vehicle",
        "Vehicle silhouettes: bus, van, Saab or Opel?",
        846,
        _VEHICLE,
        f"P. Mowforth and B. Shepherd, Turing Institute, Glasgow; {_UCI}",
        (
            TableFile(
                "vehicle.csv",
                "b02affeda8746c8729e5d6d9e8c8da965b0738397421b1f5086bc55ffe739c89",
                Original(
                    "static/public/149/statlog+vehicle+silhouettes.zip",
                    tuple(f"xa{letter}.dat" for letter in "abcdefghi"),
                    None,
                ),
            ),
        ),
        {"kACTUS": _VEHICLE[:-1]},
        note="The kACTUS paper counts 946 rows, of which 846 were ever public.",
    ),
    DataSet(
        "waveform40",
        "Waves with noise: of which two of three waves is this a mixture?",
        5_000,
        _WAVEFORM,
        "L. Breiman and others, Classification and Regression Trees, 1984, pages 49-55; "
        f"the published 5,000 rows: D. Aha, {_UCI}",
        (TableFile("waveform40.csv", "06234d9280331fe367a82a7d133becc823ce3eed670547c63cc9b1edf1ecc650"),),
        {"kACTUS": _WAVEFORM[:-1]},
        note="Where there is no file, rows are made by Breiman's rules: others than the published 5,000.",
    ),
)

_DATA_SETS = {each.name: each for each in _ALL}
