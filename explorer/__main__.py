"""The program's door: ``python -m explorer`` and the command ``unified-explorer``.

Without a command the window opens, and then nothing of the command line is imported: it would cost the start.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path


def main() -> int:
    """Runs what the arguments ask for and returns the exit code (see docs/command-line.md)."""
    if sys.argv[1:2] == ["--worker"]:
        return _work_apart(sys.argv[-1])
    _fill_closed()
    _write_whole()
    try:
        from explorer.cli.window import open_window, read_window_arguments

        wanted = read_window_arguments(sys.argv[1:])
        if wanted is not None:
            return open_window(wanted)
        from explorer.cli.app import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        # While the rooms are still being imported; later each command ends by its own words.
        return 130


def _work_apart(job: str) -> int:
    """What a process that works for another one of this program does (explorer/worker_main.py): nothing for people."""
    from explorer.worker_main import worker_main

    if job == "keep":
        from explorer.store.page_writer import keep

        return worker_main(keep, stand_back=False)
    if job == "bundle":
        from explorer.quality.bundle.process import write

        return worker_main(write, stand_back=True)
    from explorer.session.load_process import load

    return worker_main(load, stand_back=True)


def _fill_closed() -> None:
    """Where a standard stream was closed by whoever started us, the next file opened would get its number: a store
    would be what others take for the standard output.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs


def _write_whole() -> None:
    """Gives standard output its buffer, where PYTHONUNBUFFERED took it away: without one a signal, such as Ctrl C, ends
    a write in the middle of a row, and nobody writes the rest.
    """
    out = sys.stdout
    if out is not None and isinstance(getattr(out, "buffer", None), io.RawIOBase):
        sys.stdout = open(  # noqa: SIM115 - for as long as the program runs
            out.fileno(),
            "w",
            buffering=1 if out.isatty() else -1,
            encoding=out.encoding,
            errors=out.errors,
            closefd=False,
        )


if __name__ == "__main__":
    sys.exit(main())
