"""The program with a store that is broken on purpose: it commits the rows, and the cursor in a second transaction.

Only for test_kills.py, which must see what a kill between the two does.
"""

import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from explorer.__main__ import main
from explorer.store.store import Store


class TornApart:
    """A connection that commits each page's rows before the cursor after them is written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        made = self._connection.execute(sql, *values)
        if sql.startswith("INSERT INTO page"):
            self._connection.execute("COMMIT")
            # As wide as the time within which the kills fall, so that some of them fall here.
            threading.Event().wait(0.1)
            self._connection.execute("BEGIN IMMEDIATE")
        return made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


opened = Store.__init__


def torn(self: Store, *arguments: Any, **named: Any) -> None:
    opened(self, *arguments, **named)
    self._writer = TornApart(self._writer)  # type: ignore[assignment]


Store.__init__ = torn  # type: ignore[method-assign]

if __name__ == "__main__":
    sys.exit(main())
