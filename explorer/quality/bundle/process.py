"""A bundle written in a process of its own: masking and the second look take seconds, in which a window has to paint.

In a thread they held the window up for as much as 0.8 s at a time (measured on 6 MiB of bodies). The order comes by
standard input from the program's own window, secrets included, and is nobody else's: it is a pickle.
"""

from __future__ import annotations

import json
import os
import pickle
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from explorer.quality.bundle.choice import Chosen
from explorer.quality.bundle.write import BundleFault, Mask, Written, write_bundle
from explorer.store.frames import read_frame, write_frame


def order_of(
    path: Path, chosen: Sequence[Chosen], *, secrets: Iterable[str], masks: Iterable[Mask] = ()
) -> bytes:
    """What `write` is to do: the arguments of `write_bundle`."""
    return pickle.dumps((path, tuple(chosen), tuple(secrets), tuple(masks)))


def write(orders: IO[bytes], told: IO[bytes]) -> int:
    """Writes the bundle that the first frame of ``orders`` is about, and says on ``told`` how it went.

    It ends when its input does. Returns the exit code.
    """
    first = read_frame(orders)
    if first is None:
        return 0
    threading.Thread(target=_end_with, args=(orders,), name="orders", daemon=True).start()
    path, chosen, secrets, masks = pickle.loads(first)  # noqa: S301 - from the program's own window
    try:
        written = write_bundle(path, chosen, secrets=secrets, masks=masks)
    except BundleFault as fault:
        answer: dict[str, object] = {"fault": str(fault)}
    except OSError as error:
        answer = {"fault": f"{error.strerror or 'The file cannot be written'}."}
    else:
        answer = {"size": written.size, "files": written.files, "masked": written.masked}
        answer["searched"] = written.searched
    write_frame(told, json.dumps(answer).encode())
    # A thread still waits for the end of the input; nothing is open any more.
    os._exit(0)


def outcome_of(frames: Sequence[bytes]) -> Written:
    """What the process said. Raises BundleFault with its sentence, or one of our own where it said nothing."""
    if not frames:
        raise BundleFault("The process that writes it ended too early. Try again.")
    answer = json.loads(frames[0])
    if "fault" in answer:
        raise BundleFault(answer["fault"])
    return Written(answer["size"], tuple(answer["files"]), answer["masked"], answer["searched"])


def _end_with(orders: IO[bytes]) -> None:
    read_frame(orders)
    os._exit(1)
