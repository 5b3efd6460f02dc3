"""Ends a run over several workers in which nothing goes on, with what failed so far and what was running.

Each test has a limit of its own. This is for what lies between tests: a worker that was lost without a word, or work
that is given to nobody. pytest gets the interruption that Ctrl+C would be, so its own list of failures follows.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Iterator

import pytest

_SETTING = "longest_silence"
_STARTING = 300.0
"""Seconds at least until the first test: workers that start and collect say nothing on the way."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(_SETTING, "seconds without any word from a worker after which a run is ended", default="0")


def pytest_configure(config: pytest.Config) -> None:
    longest = float(config.getini(_SETTING))
    if longest and config.getoption("dist", "no") != "no":
        config.pluginmanager.register(_Silence(longest), "silence")


class _Silence:
    """Listens where the workers' words arrive."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._heard, self._over = threading.Event(), threading.Event()
        self._running: dict[str, None] = {}
        self._said = ""
        self._begun = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        waiting = threading.Thread(target=self._wait, daemon=True)
        waiting.start()
        try:
            return (yield)
        finally:
            self._over.set()
            self._heard.set()
            waiting.join()

    def _wait(self) -> None:
        while self._heard.wait(self._longest if self._begun else max(self._longest, _STARTING)):
            if self._over.is_set():
                return
            self._heard.clear()
        running = ", ".join(self._running) or "no test"
        self._said = f"Nothing went on for {self._longest:g} s, so the run was ended; running: {running}"
        _thread.interrupt_main()

    def pytest_testnodeready(self) -> None:
        self._heard.set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._begun = True
        self._running[nodeid] = None
        self._heard.set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when not in ("setup", "call"):  # its end, or that its worker is gone
            self._running.pop(report.nodeid, None)
        self._heard.set()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._said:
            terminalreporter.write_sep("=", "no test goes on")
            terminalreporter.write_line(self._said)
