"""Inputs made from others by random changes, for use without a coverage-guided engine."""

from __future__ import annotations

from random import Random

_WORDS = (
    *(b'"', b",", b"\n", b"\r", b"\r\n", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"[", b"]", b"{", b"}", b"\\"),
    *(b"*", b"?", b"-", b"=", b"'", b"'''", b'"""', b"nan", b"inf", b"1e999", b"-0", b"0x1", b"1_0", b"#"),
    *(b"PAR1", b"\x1f", b", ", b"\xe2\x80\x8b", b"\xcc\x81", b"true", b"[[", b"]]", b"9" * 30, b" ", b"\t"),
    *(b"\xff\xff\xff\xff\x0f", b"\x80\x80\x80\x80\x08", b"\x7f", b"\x80", b"\xed\xa0\x80", b"\xd9\xa3"),
)


def mutated(data: bytes, others: list[bytes], rng: Random, max_length: int) -> bytes:
    """The bytes with one to a few changes."""
    changed = bytearray(data)
    for _ in range(min(1 + int(rng.expovariate(0.7)), 12)):
        _change(changed, others, rng)
    return bytes(changed[:max_length])


def _change(data: bytearray, others: list[bytes], rng: Random) -> None:
    place = rng.randrange(len(data) + 1)
    end = min(len(data), place + 1 + int(rng.expovariate(0.2)))
    kind = rng.randrange(9)
    if kind == 0:
        del data[place:end]
    elif kind == 1:
        data[place:place] = rng.choice(_WORDS)
    elif kind == 2:
        data[place:end] = rng.choice(_WORDS)
    elif kind == 3 and place < len(data):
        data[place] ^= 1 << rng.randrange(8)
    elif kind == 4 and place < len(data):
        data[place] = rng.randrange(256)
    elif kind == 5:
        data[place:place] = data[place:end] * rng.choice((1, 1, 2, 5, 40))
    elif kind == 6:
        other = rng.choice(others)
        start = rng.randrange(len(other) + 1)
        data[place:end] = other[start : start + 1 + int(rng.expovariate(0.05))]
    elif kind == 7 and place < len(data):
        data[place] = (data[place] + rng.choice((-1, 1))) % 256
    else:
        target = rng.randrange(len(data) + 1)
        data[target:target] = data[place:end]
