"""The saved layout: geometry, panels, tabs, columns. A JSON file of its own, written whole or not at all."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from explorer.files import rename, write_whole
from explorer.paths import private_folder

VERSION = 1
_SOON_MS = 400

_log = logging.getLogger("explorer")


class Layout(QObject):
    """Saved values by key. A file that is damaged or from a newer program is renamed and left in place."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = folder / "layout.json"
        self.set_aside: Path | None = None
        """Where an unreadable file went, if there was one."""
        self._values: dict[str, Any] = self._read()
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.save)

    def get(self, key: str, default: Any = None) -> Any:
        """The saved value of ``key``."""
        return self._values.get(key, default)

    def set(self, key: str, value: Any) -> None:
        """Save ``value`` (JSON values only); several changes are written together."""
        if self._values.get(key) == value and key in self._values:
            return
        self._values[key] = value
        self._soon.start()

    def forget(self, prefix: str = "") -> None:
        """Remove every key that begins with ``prefix``."""
        self._values = {k: v for k, v in self._values.items() if not k.startswith(prefix)}
        self._soon.start()

    def save(self) -> None:
        """Write now: to a temporary file, flushed, then renamed. A disk error does not stop the program."""
        self._soon.stop()
        try:
            private_folder(self._file.parent)
            write_whole(
                self._file, json.dumps({"version": VERSION, "values": self._values}, indent=1).encode()
            )
        except OSError as error:
            _log.warning("the layout could not be kept: %s", error.strerror)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            if found["version"] == VERSION and isinstance(found["values"], dict):
                return found["values"]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError):
            pass
        aside = self._file.with_suffix(".unreadable.json")
        try:
            rename(self._file, aside)
            self.set_aside = aside
        except OSError:
            pass
        return {}
