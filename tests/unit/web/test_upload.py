"""Uploads: checked before the first byte is written, within limits, never all in memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_client import Client

from kanopy.errors import PolicyError
from kanopy.web.upload import Upload

PART = b'--e\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'


def body(*parts: tuple[bytes, bytes, bytes]) -> bytes:
    return b"".join(PART % part for part in parts) + b"--e--\r\n"


def taken(folder: Path, raw: bytes, step: int = 7) -> Upload:
    def may_write(fields: dict[str, str]) -> None:
        if fields.get("csrf") != "right":
            raise PolicyError("not ours")

    upload = Upload(folder, may_write)
    parser = upload.parser(b"e")
    try:
        for at in range(0, len(raw), step):
            parser.write(raw[at : at + step])
    finally:
        upload.close()
    return upload


def test_a_file_is_written_as_it_comes_and_is_private(tmp_path: Path) -> None:
    content = bytes(range(256)) * 10
    raw = body((b"csrf", b"", b"right"), (b"file", b'; filename="a.csv"', content))
    upload = taken(tmp_path, raw)
    assert upload.file is not None
    assert upload.file.read_bytes() == content
    assert upload.file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "parts",
    [
        [(b"csrf", b"", b"wrong"), (b"file", b'; filename="a.csv"', b"x")],
        [(b"file", b'; filename="a.csv"', b"x"), (b"csrf", b"", b"right")],
        [(b"csrf", b"", b"right"), (b"file", b'; filename="a.exe"', b"x")],
        [(b"csrf", b"", b"right"), (b"f", b'; filename="a.csv"', b"x"), (b"g", b'; filename="b.csv"', b"x")],
        [(b"csrf", b"", b"x" * 20_000)],
    ],
)
def test_what_is_not_our_form_is_refused_before_it_is_written(tmp_path: Path, parts) -> None:
    with pytest.raises(PolicyError):
        taken(tmp_path, body(*parts), 1 << 16)
    assert len(list(tmp_path.iterdir())) <= 1
    assert not (tmp_path / "a.exe").exists()


def test_a_file_above_the_limit_is_refused(client: Client) -> None:
    client.get("/?new=1")
    answer = client.upload("large.csv", b"a,b\n" + b"1,2\n" * (9 << 18))
    assert answer.status == 400
    assert "larger than 8 MB" in answer.seen()


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=", "text/plain", ""])
def test_malformed_forms_are_refused(client: Client, kind: str) -> None:
    answer = client.send("/new", b"--edge\r\nnonsense", kind)
    assert answer.status in (400, 403)
    answer = client.send("/new", b"no such edge here", "multipart/form-data; boundary=edge")
    assert answer.status in (400, 403)
    assert "Traceback" not in answer.text
