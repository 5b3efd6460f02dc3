"""How much the tests try: what a change needs, or with ``UNIFIED_EXPLORER_THOROUGH=1`` in the environment all there is.

Laws that hypothesis tries draw other examples at every run, so what one run leaves out the next ones try.
"""

import os
from typing import TypeVar

T = TypeVar("T")

THOROUGH = os.environ.get("UNIFIED_EXPLORER_THOROUGH", "") not in ("", "0")
EXAMPLES = 400 if THOROUGH else 20
"""Examples of a law that names no number of its own."""


def examples(most: int) -> int:
    """Examples of a law that names how many show all of it: so many, or the usual number of a run."""
    return most if THOROUGH else min(most, EXAMPLES)


def some(these: tuple[T, ...], every: int) -> tuple[T, ...]:
    """Each ``every``-th of them, or all."""
    return these if THOROUGH else these[::every]
