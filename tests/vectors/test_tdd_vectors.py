"""Top-Down Disclosure: the example of Wang, Fung and Yu, and their counts of inferences; with near misses."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from command import assert_clean, run
from plain_tables import column_of

import kanopy
from kanopy.algorithms.cut_columns import DisclosureColumn
from kanopy.algorithms.tds import _gain_per_privacy_loss, tdd
from kanopy.algorithms.topdown import Step, TopDown
from kanopy.data import CodedColumn, EncodedTable, GroupCounts, Recoding
from kanopy.data.keys import group_rows
from kanopy.errors import UnsatisfiableError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.privacy import AllOf, PrivacyModel, Template

ROWS = (
    ("Cook", "US", "No", "Current", 0, 4),
    ("Artist", "France", "No", "Current", 1, 3),
    ("Doctor", "US", "Yes", "Never", 4, 2),
    ("Trader", "UK", "No", "Discharged", 4, 0),
    ("Trader", "UK", "No", "Never", 1, 0),
    ("Trader", "Canada", "No", "Never", 1, 0),
    ("Clerk", "Canada", "No", "Never", 3, 0),
    ("Clerk", "Canada", "No", "Discharged", 1, 0),
)
"""Job, country, child, bankruptcy; how many of class G and of class B."""
NAMES = ("Job", "Country", "Child")


def example(names: Sequence[str] = NAMES, rows: Sequence[tuple[object, ...]] = ROWS) -> EncodedTable:
    lines = [line for line in rows for _ in range(line[4] + line[5])]
    classes = [label for line in rows for label in "G" * line[4] + "B" * line[5]]
    quasi = tuple(column_of(name, [line[NAMES.index(name)] for line in lines]) for name in names)
    secret = {"Bankruptcy": column_of("Bankruptcy", [line[3] for line in lines])}
    return EncodedTable(len(lines), quasi, column_of("class", classes), secret)


def bounded(at_most: str, *given: str) -> Template:
    return Template(given, "Bankruptcy", "Discharged", at_most)


def state_of(table: EncodedTable, promise: PrivacyModel) -> TopDown:
    return TopDown.of(table, promise, lambda column: DisclosureColumn(column, table.target))


def taken(state: TopDown, limit: int = 99) -> list[tuple[str, float, list[Fraction]]]:
    """All winners with their scores, and the confidences after each."""
    found = []
    while (step := state.best_step(_gain_per_privacy_loss, needs_gain=False)) and len(found) < limit:
        state.take(step)
        found.append((name_of(state, step), round(step.score, 6), confidences(state)))
    return found


def name_of(state: TopDown, step: Step) -> str:
    domain = state.table.quasi[step.column].domain
    return f"{domain.name}={domain.labels[step.candidate]}"


def confidences(state: TopDown) -> list[Fraction]:
    return [exact(share) for view in state.views for share in view.confidence]


def exact(share: float) -> Fraction:
    """The fraction of small counts that a share stands for."""
    fraction = Fraction(float(share)).limit_denominator(2000)
    assert float(fraction) == pytest.approx(share, abs=1e-15)
    return fraction


def outlooks(state: TopDown) -> dict[str, tuple[float, Fraction, float, bool, Fraction]]:
    """Of every candidate: gain, loss, score, validity, confidence after."""
    (view,) = state.views
    found = {}
    for place, cut in enumerate(state.cuts):
        scores = _gain_per_privacy_loss(state, place, cut)
        outlook = view.outlook[place]
        for code in np.flatnonzero(cut.candidate >= 0).tolist():
            after = exact(outlook.confidence[0, code])
            found[name_of(state, Step(place, code, 0))] = (
                round(float(cut.gain[code]), 6),
                after - exact(view.confidence[0]),
                round(float(scores[code]), 6),
                bool(outlook.holds[code]),
                after,
            )
    return found


def printed(table: EncodedTable, recoding: Recoding) -> Counter[tuple[str, ...]]:
    """The rows of every combination of cells, bankruptcy and class."""
    secret, target = table.confidential["Bankruptcy"], table.target
    return Counter(
        (
            *(column.texts[column.ids[row]] for column in recoding.columns),
            secret.domain.labels[secret.codes[row]],
            target.domain.labels[target.codes[row]],
        )
        for row in range(table.n_rows)
    )


# --- X1: one template ------------------------------------------------------------------------------------

X1 = bounded("0.75", "Job", "Country")
FIRST = {
    "Job=Artist": (0.084812, "1/24", 0.081419, True, "1/4"),
    "Job=Clerk": (0.127122, "1/24", 0.122037, True, "1/4"),
    "Job=Cook": (0.278369, "1/24", 0.267234, True, "1/4"),
    "Job=Doctor": (0.001801, "5/72", 0.001684, True, "5/18"),
    "Job=Trader": (0.204434, "11/24", 0.140183, True, "2/3"),
    "Country=Canada": (0.164350, "1/456", 0.163990, True, "4/19"),
    "Country=France": (0.084812, "1/24", 0.081419, True, "1/4"),
    "Country=UK": (0.164350, "71/120", 0.103257, False, "4/5"),
    "Country=US": (0.112607, "25/168", 0.098021, True, "5/14"),
}
WINNERS = [
    ("Job=Cook", 0.267234, "1/4"),
    ("Job=Artist", 0.201573, "5/16"),
    ("Job=Doctor", 0.167750, "1/2"),
    ("Country=US", 0.112607, "1/2"),
    ("Country=France", 0.517802, "1/2"),
]
TABLE_2 = {
    ("Cook", "US", "Current", "B"): 4,
    ("Artist", "France", "Current", "G"): 1,
    ("Artist", "France", "Current", "B"): 3,
    ("Doctor", "US", "Never", "G"): 4,
    ("Doctor", "US", "Never", "B"): 2,
    ("*", "*", "Never", "G"): 5,
    ("*", "*", "Discharged", "G"): 5,
}


def test_the_table_of_the_first_step() -> None:
    state = state_of(example(NAMES[:2]), X1)
    assert confidences(state) == [Fraction(5, 24)]
    assert outlooks(state) == {
        name: (gain, Fraction(loss), score, valid, Fraction(after))
        for name, (gain, loss, score, valid, after) in FIRST.items()
    }


def test_the_winners_in_their_order() -> None:
    table = example(NAMES[:2])
    state = state_of(table, X1)
    assert taken(state) == [(name, score, [Fraction(after)]) for name, score, after in WINNERS]
    # Clerk and Trader would be valid, and tell nothing; Canada and UK are not even valid.
    left = outlooks(state)
    assert {name for name, (_, _, _, valid, _) in left.items() if valid} == {"Job=Clerk", "Job=Trader"}
    assert {gain for gain, *_ in left.values()} == {0}
    assert printed(table, state.recoding()) == TABLE_2
    assert printed(table, tdd(table, X1, np.random.default_rng(0))) == TABLE_2


def test_table_2_through_the_door() -> None:
    table = example(NAMES[:2])
    columns = {column.domain.name: texts(column) for column in table.quasi}
    columns |= {"Bankruptcy": texts(table.confidential["Bankruptcy"]), "class": texts(table.target)}
    policy = kanopy.Policy(
        quasi_identifiers=list(NAMES[:2]), target="class", sensitive=["Bankruptcy"], privacy=[X1]
    )
    release = kanopy.anonymize(pa.table(columns), policy, method="tdd")
    written = zip(*(release.frame[name].to_pylist() for name in columns), strict=True)
    assert Counter(written) == TABLE_2
    assert release.audit.promises[0].level == 0.5


def texts(column: CodedColumn) -> list[str]:
    return [column.domain.labels[code] for code in column.codes]


@pytest.mark.parametrize(
    ("name", "at_most", "valid"),
    [
        ("Job=Trader", "2/3", True),
        ("Job=Trader", "0.6666", False),
        ("Country=UK", "4/5", True),
        ("Country=UK", "0.7999", False),
    ],
)
def test_a_bound_is_exact(name: str, at_most: str, valid: bool) -> None:
    state = state_of(example(NAMES[:2]), bounded(at_most, "Job", "Country"))
    assert outlooks(state)[name][3] is valid


def test_one_other_class_and_more_is_disclosed() -> None:
    """A Trader in the UK of class B: what is still suppressed has two classes, and Clerk tells something."""
    rows = [*ROWS[:4], ("Trader", "UK", "No", "Never", 0, 1), *ROWS[5:]]
    table = example(NAMES[:2], rows)
    found = printed(table, tdd(table, X1, np.random.default_rng(0)))
    assert "Clerk" in {line[0] for line in found}
    assert "UK" not in {line[1] for line in found}


def test_a_lower_bound_hides_the_doctors() -> None:
    """After Doctor the confidence is 1/2: a bound just below keeps the job suppressed."""
    table = example(NAMES[:2])
    state = state_of(table, bounded("0.4999", "Job", "Country"))
    assert [name for name, _, _ in taken(state)][:2] == ["Job=Cook", "Job=Artist"]
    assert not outlooks(state)["Job=Doctor"][3]


# --- X2: two templates -----------------------------------------------------------------------------------

X2 = AllOf((bounded("0.5", "Job", "Country"), bounded("0.5", "Job", "Child")))


def test_two_templates() -> None:
    state = state_of(example(), X2)
    trader = state.table.quasi[0].domain.code_of["Trader"]
    assert not any(view.outlook[0].holds[trader] for view in state.views)
    found = taken(state)
    assert [(name, score) for name, score, _ in found[:5]] == [(name, score) for name, score, _ in WINNERS]
    assert [(name, score) for name, score, _ in found[5:]] == [("Child=No", 0.001801), ("Child=Yes", 0.0)]
    assert confidences(state) == [Fraction(1, 2), Fraction(1, 2)]
    recoding = state.recoding()
    child = recoding.columns[2]
    assert {child.texts[cell] for cell in child.ids.tolist()} == {"No", "Yes"}
    assert [line[:2] for line in printed(state.table, recoding)].count(("*", "*")) == 2


def test_the_mean_over_the_templates_of_the_column() -> None:
    """Cook raises Discharged by 1/24 and Never by 11/120; nobody's country is told by it."""
    never = Template(["Job", "Child"], "Bankruptcy", "Never", "0.9")
    current = Template(["Country"], "Bankruptcy", "Current", "0.9")
    state = state_of(example(), AllOf((bounded("0.9", "Job", "Country"), never, current)))
    cook = state.table.quasi[0].domain.code_of["Cook"]
    rises = [view.outlook[0].confidence[0, cook] - view.confidence[0] for view in state.views[:2]]
    assert rises == pytest.approx([1 / 24, 11 / 120])
    score = _gain_per_privacy_loss(state, 0, state.cuts[0])[cook]
    assert score == pytest.approx(0.278369 / (1 + 1 / 15), abs=1e-6)


def test_two_templates_just_missed() -> None:
    """With 0.4999 for the children, Doctor cannot be told from the others any more."""
    promise = AllOf((bounded("0.5", "Job", "Country"), bounded("0.4999", "Job", "Child")))
    assert [name for name, _, _ in taken(state_of(example(), promise))][:3] != [n for n, _, _ in WINNERS[:3]]


# --- X3: forced winners ----------------------------------------------------------------------------------


def test_the_structures_after_forced_winners() -> None:
    state = state_of(example(), AllOf((bounded("0.9", "Job", "Country"), bounded("0.9", "Job", "Child"))))
    force(state, "Job", "Clerk")
    assert partitions(state, NAMES) == {("Clerk", "*", "*"): (4, 1), ("*", "*", "*"): (20, 4)}
    force(state, "Country", "Canada")
    assert leaves(state, 0) == [(1, 0), (4, 1), (19, 4)]
    assert partitions(state, NAMES[:2]) == {
        ("Clerk", "Canada"): (4, 1),
        ("*", "Canada"): (1, 0),
        ("*", "*"): (19, 4),
    }
    assert leaves(state, 1) == [(4, 1), (20, 4)]  # the country is not in the second template
    assert confidences(state) == [Fraction(1, 4), Fraction(1, 4)]


def test_other_forced_winners() -> None:
    state = state_of(example(), bounded("0.9", "Job", "Country"))
    force(state, "Country", "Canada")
    force(state, "Job", "Trader")
    assert leaves(state, 0) == [(1, 0), (4, 1), (5, 4), (14, 0)]
    assert confidences(state) == [Fraction(4, 5)]


def force(state: TopDown, column: str, value: str) -> None:
    place = [quasi.domain.name for quasi in state.table.quasi].index(column)
    state.take(Step(place, state.table.quasi[place].domain.code_of[value], 0.0))


def discharged(table: EncodedTable) -> np.ndarray:
    secret = table.confidential["Bankruptcy"]
    return secret.codes == secret.domain.code_of["Discharged"]


def leaves(state: TopDown, number: int) -> list[tuple[int, int]]:
    """Rows and Discharged of every group of a template."""
    group = state.views[number].group
    found = ((group == each, discharged(state.table)) for each in np.unique(group))
    return sorted((int(rows.sum()), int((rows & told).sum())) for rows, told in found)


def partitions(state: TopDown, names: Sequence[str]) -> dict[tuple[str, ...], tuple[int, int]]:
    recoding, told = state.recoding(), discharged(state.table)
    columns = [column for column in recoding.columns if column.domain.name in names]
    found: dict[tuple[str, ...], tuple[int, int]] = {}
    for row in range(state.table.n_rows):
        line = tuple(column.texts[column.ids[row]] for column in columns)
        n_rows, n_told = found.get(line, (0, 0))
        found[line] = (n_rows + 1, n_told + int(told[row]))
    return found


# --- What cannot be promised -----------------------------------------------------------------------------


def test_below_the_share_in_the_whole_table() -> None:
    table = example()
    with pytest.raises(UnsatisfiableError) as caught:
        tdd(table, bounded("0.2083", "Job", "Country"), np.random.default_rng(0))
    error = caught.value
    assert error.exit_code == 4
    assert "Whoever knows 'Job' and 'Country'" in error.message
    assert "'Discharged' with a confidence of at most 0.2083. It is 5/24 in the whole table." in error.message
    assert 'the smallest bound that can be kept is at_most = "5/24"' in error.hint
    for at_most in ("5/24", "0.2084"):
        recoding = tdd(table, bounded(at_most, "Job", "Country"), np.random.default_rng(0))
        assert {recoding.columns[0].texts[cell] for cell in recoding.columns[0].ids.tolist()} == {"*"}


POLICY = """
quasi_identifiers = ["Job", "Country"]
target = "class"
sensitive = ["Bankruptcy"]
[[privacy.template]]
given = ["Job", "Country"]
column = "Bankruptcy"
value = "Discharged"
at_most = "{}"
[method]
name = "tdd"
"""


@pytest.mark.parametrize(("at_most", "code"), [("0.2083", 4), ("5/24", 0)])
def test_below_it_from_the_command_line(at_most: str, code: int, tmp_path: Path) -> None:
    table = example(NAMES[:2])
    columns = [*table.quasi, table.confidential["Bankruptcy"], table.target]
    lines = zip(*map(texts, columns), strict=True)
    written = "Job,Country,Bankruptcy,class\n" + "".join(",".join(line) + "\n" for line in lines)
    (tmp_path / "table.csv").write_text(written, "utf-8")
    (tmp_path / "policy.toml").write_text(POLICY.format(at_most), "utf-8")
    out = tmp_path / "out.csv"
    request = ("--policy", tmp_path / "policy.toml", "-o", out, "--json", "--allow-empty")
    outcome = run("anonymize", tmp_path / "table.csv", *request)
    assert_clean(outcome)
    assert outcome.code == code
    assert out.exists() == (code == 0)
    if code:
        told = json.loads(outcome.out)
        assert told["exit_code"] == 4
        assert "5/24" in told["error"]
        assert 'at_most = "5/24"' in told["hint"]


# --- Inferences in the tables of the paper ---------------------------------------------------------------

HS = (10, 30, 50, 70, 90)
CRX = (["A9", "A10", "A7", "A6"], ["A1", "A4", "A5", "A12", "A13"])
GERMAN = (
    [
        "checking-account-status",
        "credit-history",
        "savings-account",
        "other-installment-plans",
        "purpose",
        "other-debtors",
    ],
    ["employment-since", "personal-status-sex", "property", "housing", "job", "telephone", "foreign-worker"],
)
ADULT = (
    ["marital-status", "relationship", "education"],
    ["workclass", "occupation", "sex", "native-country"],
)
ADULT_AS_PRINTED = (
    ["marital-status", "relationship", "education", "sex"],
    ["workclass", "occupation", "race", "native-country"],
)


def complete_rows(*files: str) -> pa.Table:
    folder = os.environ.get("KANOPY_DATA")
    if not folder:
        pytest.skip(f"KANOPY_DATA is not set to a folder with {files[0]}")
    table = pa.concat_tables(read_source(Path(folder) / file) for file in files)
    is_complete = np.ones(table.num_rows, dtype=bool)
    for column in table.columns:
        is_missing = pc.is_in(column.cast(pa.string()), value_set=pa.array(["", "?", None], pa.string()))
        is_complete &= ~is_missing.to_numpy(zero_copy_only=False)
    return table.filter(pa.array(is_complete))


def rare_values(
    table: pa.Table, columns: Sequence[str], *, rounded_up: bool = False
) -> list[tuple[str, str]]:
    """The rarer half of the values of every column."""
    found = []
    for name in columns:
        counts = Counter(table[name].to_pylist())
        in_order = sorted(counts, key=lambda value: (counts[value], value))
        found += [(name, value) for value in in_order[: (len(counts) + rounded_up) // 2]]
    return found


def coded(table: pa.Table, sensitive: list[str], quasi: list[str], promise: list[Template]) -> EncodedTable:
    target = table.column_names[-1]
    policy = kanopy.Policy(
        quasi_identifiers=quasi, target=target, sensitive=sensitive, categorical=quasi, privacy=promise
    )
    return encode(table.select([*quasi, *sensitive, target]), policy).table


def n_inferences(table: pa.Table, sensitive: list[str], quasi: list[str], **how: bool) -> list[int]:
    """How many combinations and rare values break a template, for every bound."""
    values = rare_values(table, sensitive, **how)
    bounds = [[Template(quasi, name, value, Fraction(h, 100)) for name, value in values] for h in HS]
    made = coded(table, sensitive, quasi, bounds[0])
    columns = [column.codes for column in made.quasi]
    sizes = [column.domain.n_codes for column in made.quasi]
    counts = GroupCounts.of(made, *group_rows(columns, sizes, made.n_rows))
    return [sum(int((~template.holds(counts)).sum()) for template in of_h) for of_h in bounds]


def test_inferences_in_crx() -> None:
    table = complete_rows("crx.csv")
    assert table.num_rows == 653
    assert n_inferences(table, *CRX) == [40, 27, 15, 8, 6]
    assert n_inferences(table, CRX[0], CRX[1][1:]) != [40, 27, 15, 8, 6]  # A1 is known, too


def test_inferences_in_german() -> None:
    table = complete_rows("german.csv")
    assert table.num_rows == 1000
    assert n_inferences(table, *GERMAN) == [496, 337, 174, 162, 161]
    assert n_inferences(table, *GERMAN, rounded_up=True) == [770, 518, 272, 253, 252]


def test_inferences_in_adult() -> None:
    """The published counts come out without the sex among the sensitive columns, and without the race."""
    table = complete_rows("adult_train.csv", "adult_test.csv")
    assert table.num_rows == 45_222
    assert n_inferences(table, *ADULT) == [1333, 786, 365, 324, 318]
    assert n_inferences(table, *ADULT_AS_PRINTED) == [1992, 1238, 640, 537, 494]


@pytest.mark.parametrize(
    ("h", "suppressed"),
    [
        (50, {"A4": {"l", "u", "y"}, "A5": {"g", "gg", "p"}, "A12": {"f", "t"}, "A13": {"g", "p", "s"}}),
        (70, {"A4": {"l", "u"}, "A5": {"g", "gg"}, "A13": {"g", "p", "s"}}),
        (90, {"A1": {"a", "b"}, "A4": {"l", "u"}, "A5": {"g", "gg"}, "A13": {"g", "p"}}),
    ],
)
def test_what_is_suppressed_in_crx(h: int, suppressed: dict[str, set[str]]) -> None:
    source = complete_rows("crx.csv")
    sensitive, quasi = CRX
    bounds = [
        Template(quasi, name, value, Fraction(h, 100)) for name, value in rare_values(source, sensitive)
    ]
    table = coded(source, sensitive, quasi, bounds)
    recoding = tdd(table, AllOf(tuple(bounds)), np.random.default_rng(0))
    found = {}
    for before, after in zip(table.quasi, recoding.columns, strict=True):
        is_suppressed = np.array([text == "*" for text in after.texts])[after.ids]
        hidden = {before.domain.labels[code] for code in before.codes[is_suppressed].tolist()}
        if hidden:
            found[before.domain.name] = hidden
    assert found == suppressed
    counts = GroupCounts.of(table, *recoding.groups)
    worst = max(bound.level(counts) for bound in bounds)
    assert worst <= h / 100
    if h == 50:
        assert all(hidden == set(source[name].to_pylist()) for name, hidden in found.items())
    if h == 70:
        assert worst == pytest.approx(0.690, abs=5e-4)
        assert found["A13"] == set(source["A13"].to_pylist())  # as the paper says
