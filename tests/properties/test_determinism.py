"""Same input and seed, same bytes: whatever the hash seed, the locale, the threads, the order of rows."""

import random
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest
from command import PLAIN_LOCALE, run, spawn
from effort import IS_DEEP, in_turn

from kanopy import Policy, anonymize

POLICY = """\
quasi_identifiers = ["age", "zip", "sex", "weight"]
target = "cls"
sensitive = ["ill"]
keep = ["note"]
identifiers = ["name"]
missing = ["?"]
[privacy]
k = 4
[[privacy.diversity]]
column = "ill"
l = 2
"""


def rows(n_rows: int = 400) -> list[str]:
    rng = random.Random(1)
    ills = ["flu", "cold", "Grippe", "überlastung", "HIV", ""]
    return [
        f"n{i},{rng.choice(['?', *map(str, range(20, 60))])},{rng.randrange(100):05d},"
        f"{rng.choice(['f', 'm', 'd', ''])},{rng.randrange(500, 900) / 10},"
        f"{rng.choice(ills)},{rng.choice(['a', 'Ä', 'z', ''])},{rng.choice('YN')}\n"
        for i in range(n_rows)
    ]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "policy.toml").write_text(POLICY)
    (tmp_path / "data.csv").write_text("name,age,zip,sex,weight,ill,note,cls\n" + "".join(rows()))
    return tmp_path


def locales() -> list[str]:
    """C, and one that writes decimals with a comma, where there is one."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    comma = [name for name in known if name.lower().startswith(("de_", "fr_", "es_", "it_"))]
    return [PLAIN_LOCALE, "C.UTF-8", *comma[:1]]


ENVIRONMENTS = [
    {"PYTHONHASHSEED": "0", "LC_ALL": PLAIN_LOCALE, "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LC_ALL": locales()[-1], "TZ": "Asia/Kathmandu"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "C.UTF-8", "TZ": "America/St_Johns"},
    {"ARROW_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUTF8": "0"},
    {"ARROW_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "LC_ALL": locales()[-1]},
]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_surroundings_do_not_matter(suffix: str, files: Path):
    def release(number: int, environment: dict[str, str]) -> bytes:
        out = files / f"out{number}{suffix}"
        arguments = ("anonymize", files / "data.csv", "-o", out, "--policy", files / "policy.toml")
        outcome = spawn(*arguments, env=environment)
        assert outcome.code == 0, outcome.err
        return out.read_bytes()

    some = ENVIRONMENTS if IS_DEEP or suffix == ".csv" else ENVIRONMENTS[::3]
    releases = {release(*numbered) for numbered in enumerate(some)}
    assert len(releases) == 1


@pytest.mark.parametrize(
    ("publish", "cut"), in_turn(["range", "members", "suppress", "mean"], ["gain", "median"])
)
def test_the_order_of_the_rows_does_not_matter(cut: str, publish: str, files: Path):
    releases = set()
    for seed in range(3):
        shuffled = rows()
        random.Random(seed).shuffle(shuffled)
        (files / "data.csv").write_text("name,age,zip,sex,weight,ill,note,cls\n" + "".join(shuffled))
        options = (f"--option=cut={cut}", f"--option=publish={publish}")
        out = files / f"out{seed}.csv"
        outcome = run("anonymize", files / "data.csv", "-o", out, "--policy", files / "policy.toml", *options)
        assert outcome.code == 0, outcome.err
        releases.add(out.read_bytes())
    assert len(releases) == 1


def test_chunks_do_not_matter(tmp_path: Path):
    """Arrow tables come in pieces; dictionaries of pieces number their words differently."""
    cells = [line.rstrip("\n").split(",")[1:4] for line in rows(100)]
    whole = pa.table(dict(zip(["age", "zip", "sex"], zip(*cells, strict=True), strict=True)))
    policy = Policy(quasi_identifiers=["age", "zip", "sex"], k=4, missing=["?"])
    pieces = pa.concat_tables([whole.slice(start, 7) for start in range(0, 100, 7)])
    coded = pa.table({name: pieces[name].dictionary_encode() for name in pieces.column_names})
    releases = []
    for number, table in enumerate([whole, pieces, coded]):
        anonymize(table, policy).write(tmp_path / f"out{number}.csv")
        releases.append((tmp_path / f"out{number}.csv").read_bytes())
    assert releases[0] == releases[1] == releases[2]


def test_twice_in_one_process(files: Path):
    arguments = ("anonymize", files / "data.csv", "--policy", files / "policy.toml", "--seed=3")
    first = run(*arguments, "-o", files / "a.csv", "--json")
    second = run(*arguments, "-o", files / "b.csv", "--json")
    assert first.out == second.out
    assert (files / "a.csv").read_bytes() == (files / "b.csv").read_bytes()
