"""Rows of one pull into Parquet, which cannot be written on: the file is made whole at the end, from the kept rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.catalog.spec import Kind
from explorer.cli.exits import UsageFault
from explorer.export import parquet_installed
from explorer.export.parquet import ParquetOut

_AT_ONCE = 500
"""Rows that are handed on at one time."""


class ParquetOutput:
    """Takes rows as `cli.output.Output` does. A pull that does not come to its end leaves what was there before."""

    mended = left = False

    def __init__(self, fields: Sequence[tuple[str, Kind]], path: Path | None) -> None:
        """Raises UsageFault when pyarrow is not installed or no file is named."""
        if not parquet_installed():
            raise UsageFault("Parquet needs pyarrow: install unified-explorer[parquet].")
        if path is None:
            raise UsageFault("Parquet is written to a file: name it with --out FILE.")
        self._fields, self._path = fields, path
        self._out: ParquetOut | None = None
        self.rows = 0
        """Rows taken so far."""

    @property
    def marked(self) -> int:
        """Rows that could not be written as they came."""
        return self._out.marked if self._out is not None else 0

    def catch_up(self, window: Callable[[int, int], list[bytes]], total: int) -> None:
        """Takes the first ``total`` kept rows."""
        for start in range(0, total, _AT_ONCE):
            self.write(window(start, min(start + _AT_ONCE, total)))

    def write(self, records: list[bytes]) -> None:
        """Takes further rows."""
        self._opened().write(records)
        self.rows += len(records)

    def close(self, *, whole: bool) -> None:
        """Puts the file in its place when ``whole``, else leaves nothing."""
        if whole:
            self._opened().finish()
        elif self._out is not None:
            self._out.drop()

    def _opened(self) -> ParquetOut:
        if self._out is None:
            try:
                self._out = ParquetOut(self._path, self._fields)
            except FileExistsError as fault:
                raise UsageFault(f"{self._path.name}: {fault.strerror}.") from None
        return self._out
