"""The zoom: everything in the window larger at once, type, rows, icons and room alike, as Qt scales it.

Qt takes its factor when the program starts, so another zoom is in force from the next start; a notice offers that.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from PySide6.QtWidgets import QApplication

from explorer.ui.app.window import Window

KEY = "zoom"
STEPS = (100, 125, 150, 200)
"""Per cent."""
_FACTOR = "QT_SCALE_FACTOR"
_AGAIN = (
    "Start again now closes the window in order and opens it with what is open now. A key that is in memory alone \
has to be entered again."
)


def kept_zoom(value: object) -> int:
    """The stored choice of the user in per cent; anything unknown means 100."""
    return value if isinstance(value, int) and value in STEPS else STEPS[0]


@contextlib.contextmanager
def scaled(zoom: int) -> Iterator[None]:
    """A QApplication that is made within this is scaled, on top of what the user's own environment asks for."""
    before = os.environ.get(_FACTOR)
    try:
        factor = float(before or 1)
    except ValueError:
        factor = 1.0
    if zoom != STEPS[0]:
        os.environ[_FACTOR] = f"{factor * zoom / 100:g}"
    try:
        yield
    finally:  # what the program starts has its own
        if before is None:
            os.environ.pop(_FACTOR, None)
        else:
            os.environ[_FACTOR] = before


def zoom_by(window: Window, steps: int) -> None:
    """Choose the next larger (1) or smaller (-1) step; 0: 100 %."""
    at = STEPS.index(kept_zoom(window.kept.get(KEY)))
    zoom = STEPS[max(0, min(at + steps, len(STEPS) - 1))] if steps else STEPS[0]
    window.kept.set(KEY, zoom)
    app = QApplication.instance()
    if app is not None and kept_zoom(app.property(KEY)) == zoom:
        window.notices.tell("info", f"Zoom {zoom} %, as it is", subject=KEY)
    else:
        action = ("Start again now", lambda: start_again(window))
        window.notices.tell("caution", f"Zoom {zoom} % from the next start", _AGAIN, action, subject=KEY)


def start_again(window: Window) -> None:
    """Close the window as its close button does, and start the program again when all has ended."""
    window.again = True
    window.close()
