"""Writes a bundle in a process of its own: masking and the final scan take seconds, during which a window must paint.

In a thread they blocked the window for up to 0.8 s at a time (measured on 6 MiB of bodies).
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
    """What to write; it holds secrets, and is sent through the pipe only."""

    path: Path
    chosen: Sequence[Chosen]
    secrets: Sequence[str]
    masks: Sequence[Mask] = ()

    def __repr__(self) -> str:
        return f"<BundleOrder: {self.path.name}>"


def write(order: BundleOrder, orders: Orders, tell: Tell) -> None:
    """Writes the bundle and tells each `Step`, then `Written` or BundleFault. It ends when its input does."""
    orders.at_end(lambda: os._exit(1))
    try:
        tell(write_bundle(order.path, order.chosen, secrets=order.secrets, masks=order.masks, tell=tell))
    except BundleFault as fault:
        tell(fault)
    except OSError as error:
        tell(BundleFault(f"{error.strerror or 'The file cannot be written'}."))


def outcome_of(told: Sequence[object]) -> Written:
    """The reported result. Raises BundleFault with the reported sentence, or a general one where there is none."""
    for answer in told:
        if isinstance(answer, BundleFault):
            raise answer
        if isinstance(answer, Written):
            return answer
    raise BundleFault("The process that writes it ended too early. Try again.")
