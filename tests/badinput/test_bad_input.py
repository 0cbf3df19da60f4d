"""What a user sees when the input is bad: the right exit code, what to do, no cell, and nothing written."""

import re
from pathlib import Path

import pytest
from accepted_tables import ACCEPTED
from cases import Case
from command import OLD, Outcome, assert_clean, content, run
from wrong_requests import WRONG_POLICIES, WRONG_REQUESTS
from wrong_tables import WRONG_CELLS, WRONG_FILES


def anonymize(case: Case, folder: Path, *more: str) -> Outcome:
    for name, data in {case.file: case.table, **case.others}.items():
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    flags = list(case.flags)
    if case.policy is not None:
        raw = case.policy if isinstance(case.policy, bytes) else case.policy.encode()
        (folder / "policy.toml").write_bytes(raw)
        flags = ["--policy", str(folder / "policy.toml")]
    return run("anonymize", folder / case.file, "-o", folder / "out.csv", *flags, *case.more, *more)


@pytest.mark.parametrize("case", [*WRONG_FILES, *WRONG_CELLS, *WRONG_REQUESTS, *WRONG_POLICIES], ids=str)
def test_refused(case: Case, tmp_path: Path):
    outcome = anonymize(case, tmp_path)
    assert (outcome.code, bool(re.search(case.says, outcome.err))) == (case.code, True), outcome.err
    assert_clean(outcome)
    assert not [name for name in content(tmp_path) if "out.csv" in name]

    (tmp_path / "out.csv").write_bytes(OLD)
    before = content(tmp_path)
    assert anonymize(case, tmp_path, "--force").code == case.code
    assert content(tmp_path) == before


@pytest.mark.parametrize("case", ACCEPTED, ids=str)
def test_accepted(case: Case, tmp_path: Path):
    outcome = anonymize(case, tmp_path)
    assert (outcome.code, bool(re.search(case.says, outcome.err))) == (0, True), outcome.err
    assert_clean(outcome)
    assert (tmp_path / "out.csv").read_bytes().decode() == case.expected
