"""The engine without coverage: mutate what is known, keep what led to something new."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

from fuzz.mutation import mutated
from fuzz.session import Session
from fuzz.target import Target

_MOST_KEPT = 5000


def run_loop(session: Session, seed: int, corpus: Path | None) -> None:
    """Run seeds, then mutations of them, until the session is over.

    An input is kept where its outcome, refusals by their message, was not seen before.
    """
    rng, target = Random(seed), session.target
    pool = [*target.seeds(), *known_inputs(corpus)]
    for data in pool:
        if session.is_over:
            break
        session.run(data)
    while not session.is_over:
        data = next_input(target, rng.choice(pool), pool, rng)
        if session.run(data) and len(pool) < _MOST_KEPT:
            pool.append(data)
            keep_input(corpus, data)
    session.note()


def next_input(target: Target, data: bytes, pool: list[bytes], rng: Random) -> bytes:
    """Either what the target makes itself, as it is or changed, or a known input, changed."""
    made = target.make(rng) if target.always_makes or rng.random() < 0.5 else None
    if made is not None and (target.always_makes or rng.random() < 0.5):
        return made
    return mutated(data if made is None else made, pool, rng, target.max_length)


def known_inputs(corpus: Path | None) -> list[bytes]:
    """What earlier runs kept."""
    return [] if corpus is None else [path.read_bytes() for path in sorted(corpus.iterdir())]


def keep_input(corpus: Path | None, data: bytes) -> None:
    """Keep an input for later runs."""
    if corpus is not None:
        (corpus / hashlib.sha1(data).hexdigest()).write_bytes(data)
