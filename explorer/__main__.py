"""The program's entry point: ``python -m explorer`` and the command ``unified-explorer``.

Each way to run (window, command line, worker process) imports its modules in a function, so that none pays for
another's imports at its start. Without a command the window opens, and the command line is not imported.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType

JOBS = {
    "keep": "explorer.store.page_writer:keep",
    "bundle": "explorer.quality.bundle.write:write",
    "load": "explorer.session.load_process:load",
}
"""The jobs of a worker process: where the function of each is, whose module is imported when it is run."""


def main() -> int:
    """Runs what the arguments ask for and returns the exit code (see docs/command-line.md)."""
    prepare()
    if sys.argv[1:2] == ["--worker"]:
        gc.enable()
        return _run_worker(sys.argv[-1])
    _open_closed_streams()
    _redirect_in_utf8()
    _buffer_standard_output()
    try:
        from explorer.cli.window import open_window, read_window_arguments

        wanted = read_window_arguments(sys.argv[1:])
        if wanted is not None:
            return open_window(wanted)
        from explorer.cli.app import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        # Ctrl C during the imports; later each command handles it itself.
        return 130
    finally:
        gc.freeze()  # what is left goes with the process: a last collection of it takes a seventh of a short command


def prepare() -> None:
    """Makes the imports that follow cheaper, before the first of them.

    To look for plugins pydantic reads what every installed package provides, which takes a tenth of a start: it is told
    that there are none, and nothing here uses any. Garbage collections find nothing meanwhile and take another tenth;
    who runs something enables them again.
    """
    loader = ModuleType("pydantic.plugin._loader")
    vars(loader)["get_plugins"] = tuple
    sys.modules[loader.__name__] = loader
    gc.disable()


def _run_worker(job: str) -> int:
    """Runs a job as a worker process (explorer/worker_main.py); started by session/worker_process.py, not by people."""
    from explorer.worker_main import worker_main

    return worker_main(resolve_name(JOBS[job]), low_priority=job != "keep")


def _open_closed_streams() -> None:
    """Opens the null device for each standard stream that is closed.

    Otherwise the next file that is opened, perhaps a store, would get the descriptor of standard output.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest free descriptor, which is this one
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs


def _redirect_in_utf8() -> None:
    """Writes UTF-8 to a file or pipe; a terminal is written to as the system wants, or as PYTHONIOENCODING says.

    On Windows a file would else be written in a code page, and what that lacks would end the command.
    """
    if not os.environ.get("PYTHONIOENCODING"):
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
                stream.reconfigure(encoding="utf-8")


def _buffer_standard_output() -> None:
    """Makes standard output buffered, also with PYTHONUNBUFFERED.

    Unbuffered, a signal such as Ctrl C ends a write in the middle of a row, and the rest of the row is never written.
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
