"""Our PART beside Weka's, on tables that everybody knows: the same rules? the same predictions?

Run it as a program, with KANOPY_DATA naming the folder of the tables: it prints a Markdown table.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
from compare_j48 import halves, read_table, rows_at

from kanopy.data import EncodedTable
from kanopy.learners import GeneralizedRuleClassifier
from kanopy_weka.classifier import WekaClassifier

TITLES = (
    "tic_tac_toe", "pima, numeric", "glass, numeric", "vehicle, numeric", "german, numeric",
    "crx, all rows, numeric", "ionosphere, numeric", "tic_tac_toe, blanked", "nursery", "waveform40, numeric",
    "adult_train, numeric",
)  # fmt: skip
MOST_ROWS = 5000  # of a table, drawn by chance

Line = tuple[tuple[str, ...], tuple[float, ...]]
"""Of a printed rule: its tests and its class, without numbers; thresholds, rows, rows of other classes."""


def frame_of(table: EncodedTable) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers as numbers, categories as texts; the classes apart."""
    assert table.target is not None
    columns = {}
    for column in table.quasi:
        domain = column.domain
        values = np.append(domain.numbers, np.nan) if domain.is_numeric else np.array([*domain.labels, None])
        columns[domain.name] = values[column.codes]
    return pd.DataFrame(columns), np.array(table.target.domain.labels)[table.target.codes]


def lines_of(text: str) -> list[Line]:
    """The rules of a printed list, in which every rule ends with its rows."""
    found = []
    for rule in re.findall(r"\S[^()]*\([\de.-]+(?:/[\de.-]+)?\)", text):
        condition, verdict, n_rows, n_others = re.fullmatch(
            r"(.*?)\s*: (\S+) \(([\de.-]+)(?:/([\de.-]+))?\)", " ".join(rule.split())
        ).groups()
        tests = [] if condition == "otherwise" else re.split(" and ", condition, flags=re.IGNORECASE)
        parts = [test.split() for test in tests if test]
        words = [" ".join(test[:2] if test[1] in ("<=", ">") else test) for test in parts]
        thresholds = [float(test[2]) for test in parts if test[1] in ("<=", ">")]
        found.append(((*words, verdict), (*thresholds, float(n_rows), float(n_others or 0))))
    return found


def same_lines(ours: list[Line], theirs: list[Line]) -> bool:
    """Weka prints two decimals of rows and six of thresholds."""
    if [line[0] for line in ours] != [line[0] for line in theirs]:
        return False
    pairs = zip(ours, theirs, strict=True)
    return all(np.allclose(our[1], their[1], rtol=1e-5, atol=0.0051) for our, their in pairs)


@dataclass
class Comparison:
    """Over both halves of several divisions of one table."""

    n_times: int = 0
    same_rules: int = 0
    rules: float = 0.0
    same_predictions: float = 0.0
    our_accuracy: float = 0.0
    their_accuracy: float = 0.0

    def add(self, train: EncodedTable, test: EncodedTable) -> None:
        (inputs, classes), (new, truth) = frame_of(train), frame_of(test)
        ours = GeneralizedRuleClassifier().fit(inputs, classes)
        theirs = WekaClassifier("PART").fit(inputs, classes)
        our_rules = lines_of(ours.as_text())
        their_rules = lines_of(theirs.description_.split("------------------", 1)[1])
        told, said = ours.predict(new), theirs.predict(new)
        self.n_times += 1
        self.same_rules += same_lines(our_rules, their_rules)
        self.rules += len(ours.rules_)
        self.same_predictions += float(np.mean(told == said))
        self.our_accuracy += float(np.mean(told == truth))
        self.their_accuracy += float(np.mean(said == truth))

    def cells(self) -> list[str]:
        shares = (self.same_predictions, self.our_accuracy, self.their_accuracy)
        return [
            f"{self.rules / self.n_times:.1f}",
            f"{self.same_rules} of {self.n_times}",
            *(f"{100 * share / self.n_times:.2f}" for share in shares),
        ]


def compare(title: str, n_times: int) -> Comparison:
    """Learn from one half, predict the other, and the other way round: 5x2 cross-validation for 5 times."""
    table, found = read_table(title), Comparison()
    if table.n_rows > MOST_ROWS:
        chosen = np.random.default_rng(0).permutation(table.n_rows)[:MOST_ROWS]
        table = rows_at(table, np.sort(chosen))
    for one, other in halves(table, n_times):
        found.add(one, other)
        found.add(other, one)
    return found


def main(n_times: int = 5, *titles: str) -> None:
    print("| table | rules | same rules | same predictions, % | our accuracy, % | Weka's accuracy, % |")
    print("|---|---|---|---|---|---|")
    for title in titles or TITLES:
        print("|", " | ".join([title, *compare(title, n_times).cells()]), "|", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, *sys.argv[2:])
