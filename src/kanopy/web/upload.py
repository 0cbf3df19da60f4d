"""A table that is uploaded: its bytes go from the network to a private file, and are never all in memory."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from kanopy.errors import InputError, PolicyError
from kanopy.web.names import check_table_name, safe_name
from kanopy.web.pages import size_words
from kanopy.web.settings import Settings

_LONGEST_FIELD = 10_000
_SLOWEST = 60.0  # seconds without a byte


class Upload:
    """Takes the parts of a form as they come: short fields, and one file, which is written at once."""

    def __init__(self, folder: Path, may_write: Callable[[dict[str, str]], None]) -> None:
        self._folder, self._may_write = folder, may_write
        self.fields: dict[str, str] = {}
        self.file: Path | None = None
        self.name = ""
        self._headers: dict[bytes, bytes] = {}
        self._header, self._value = b"", b""
        self._field: tuple[str, bytearray] | None = None
        self._out: int | None = None

    def parser(self, boundary: bytes) -> MultipartParser:
        """What divides the body into parts, and hands them to this."""
        callbacks: Any = {
            "on_part_begin": self._begin,
            "on_header_field": self._on_header,
            "on_header_value": self._on_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._open,
            "on_part_data": self._data,
            "on_part_end": self._end,
        }
        return MultipartParser(boundary, callbacks)

    def close(self) -> None:
        """Close the file, whether it is whole or not."""
        if self._out is not None:
            os.close(self._out)
            self._out = None

    def _begin(self) -> None:
        self._headers, self._field = {}, None

    def _on_header(self, data: bytes, start: int, end: int) -> None:
        self._header = _longer(self._header, data[start:end])

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value = _longer(self._value, data[start:end])

    def _header_end(self) -> None:
        self._headers[self._header.lower()] = self._value
        self._header, self._value = b"", b""

    def _open(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        name = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" not in options:
            self._field = (name[:100], bytearray())
            return
        given = options[b"filename"].decode("utf-8", "replace")
        if not given:
            return  # the form was sent without a file
        if self.file is not None:
            raise PolicyError("one table at a time can be uploaded", "choose one file")
        # PRIVACY: before the first byte is written: is it our own form? (tests/unit/web/test_upload.py).
        self._may_write(self.fields)
        self.name = check_table_name(safe_name(given))
        self.file = self._folder / self.name
        self._out = os.open(self.file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._out is not None:
            os.write(self._out, data[start:end])
        elif self._field is not None:
            if len(self._field[1]) + end - start > _LONGEST_FIELD:
                raise PolicyError("a field of the form is too long", "use the form of the page")
            self._field[1].extend(data[start:end])

    def _end(self) -> None:
        self.close()
        if self._field is not None:
            self.fields[self._field[0]] = self._field[1].decode("utf-8", "replace")


def _longer(text: bytes, more: bytes) -> bytes:
    if len(text) + len(more) > _LONGEST_FIELD:
        raise PolicyError("a header of the form is too long", "use the form of the page")
    return text + more


async def receive_upload(
    request: Request, folder: Path, settings: Settings, may_write: Callable[[dict[str, str]], None]
) -> Upload:
    """Read a form with a file from the network; O(bytes) in time, one block in memory."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise PolicyError("this is not the form of the page", "use the form of the page")
    limit = settings.upload_limit
    if (said := request.headers.get("content-length", "")).isdigit() and int(said) > limit + _LONGEST_FIELD:
        raise _too_large(limit)
    taken = Upload(folder, may_write)
    parser = taken.parser(options[b"boundary"])
    try:
        async with asyncio.timeout(settings.upload_seconds):
            n_bytes, blocks = 0, request.stream().__aiter__()
            while True:
                block = await asyncio.wait_for(anext(blocks, None), _SLOWEST)
                if block is None:
                    break
                n_bytes += len(block)
                if n_bytes > limit + _LONGEST_FIELD:
                    raise _too_large(limit)
                parser.write(block)
    except TimeoutError:
        raise InputError("the upload took too long", "put the file under --root instead") from None
    except ClientDisconnect:
        raise InputError("the upload was interrupted", "try again") from None
    except ValueError:  # what python-multipart raises for a malformed body
        raise PolicyError("the form is not well-formed", "use the form of the page") from None
    finally:
        taken.close()
    return taken


def _too_large(limit: int) -> InputError:
    hint = "start kanopy serve with the file, with --root, or with a larger --upload-limit"
    return InputError(f"the file is larger than {size_words(limit)}", hint)
