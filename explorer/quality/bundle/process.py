"""A bundle written in a process of its own: masking and the second look take seconds, in which a window has to paint.

In a thread they held the window up for as much as 0.8 s at a time (measured on 6 MiB of bodies).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.quality.bundle.choice import Chosen
from explorer.quality.bundle.write import BundleFault, Mask, Written, write_bundle
from explorer.worker_main import Orders, Tell


class BundleOrder(NamedTuple):
    """What to write; holds secrets, and goes through the pipe alone."""

    path: Path
    chosen: Sequence[Chosen]
    secrets: Sequence[str]
    masks: Sequence[Mask] = ()

    def __repr__(self) -> str:
        return f"<BundleOrder: {self.path.name}>"


def write(order: BundleOrder, orders: Orders, tell: Tell) -> None:
    """Writes the bundle and tells `Written`, or BundleFault. It ends when its input does."""
    orders.at_end(lambda: os._exit(1))
    try:
        tell(write_bundle(order.path, order.chosen, secrets=order.secrets, masks=order.masks))
    except BundleFault as fault:
        tell(fault)
    except OSError as error:
        tell(BundleFault(f"{error.strerror or 'The file cannot be written'}."))


def outcome_of(told: Sequence[object]) -> Written:
    """What the process told. Raises BundleFault with its sentence, or one of our own where it told nothing."""
    for answer in told:
        if isinstance(answer, BundleFault):
            raise answer
        if isinstance(answer, Written):
            return answer
    raise BundleFault("The process that writes it ended too early. Try again.")
