"""Proves the exam itself over plain HTTP."""

from __future__ import annotations

from collections.abc import Sequence

from tests.exam.eighth.kinds import PROOFS, Reader
from tests.exam.seventh.verify import Prover
from tests.exam.sixth.kinds import Kind
from tests.exam.sixth.parties import Sound


def verified(kinds: Sequence[Kind], sound: Sequence[Sound], seed: int) -> int:
    """Prints what is wrong with the exam; how much."""
    return Prover(seed, Reader, PROOFS).verified(kinds, sound)
