"""``kanopy serve``: what is refused before anything starts, and how it ends."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from command import PATIENCE, spawn
from web_client import serving


def test_wrong_places_and_settings_are_told_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "choices.json").write_text(json.dumps({"decisions": {"k": "x"}}), "utf-8")
    for arguments, code, said in (
        ((tmp_path / "none.csv",), 3, "no file"),
        ((tmp_path / "project",), 2, "cannot be read"),
        (("--root", tmp_path / "none"), 2, "does not exist"),
        (("--host", "0.0.0.0"), 2, "others could reach"),
        (("--tls-key", "x"), 2, "come together"),
        (("--upload-limit", "0"), 2, "at least 1"),
        (("--port", "99999"), 2, "0 to 65535"),
        (("--port", "-1"), 2, "0 to 65535"),
    ):
        outcome = spawn("serve", "--no-browser", *arguments)
        assert outcome.code == code, arguments
        assert said in outcome.err
        assert "Traceback" not in outcome.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_stops_the_page_is_told_that_it_stopped(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "people.csv").write_text("age,sex\n" + "41,f\n42,m\n" * 20, "utf-8")
    with serving(tmp_path / "people.csv") as server:
        assert server.client.cookie  # a page was shown: it has begun to listen for signals
        server.process.send_signal(number)
        assert server.process.wait(timeout=PATIENCE) == 0
    said = "".join(server.said)
    assert "stopped: uploads and releases were removed" in said
    assert "error" not in said
    assert "published" not in said


def test_without_the_extra_the_error_says_what_to_install(tmp_path: Path) -> None:
    prelude = "import sys; sys.modules['starlette'] = None"
    outcome = spawn("serve", "--no-browser", prelude=prelude)
    assert outcome.code == 6
    assert 'pip install "kanopy[web]"' in outcome.err
