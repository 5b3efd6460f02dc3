"""What every test shares: Qt without a screen, and per-user folders that belong to the test alone.

The platform is chosen before anything imports Qt; a caller that wants to watch sets QT_QPA_PLATFORM itself.
"""

import functools
import gc
import itertools
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pathlib import Path

if sys.dont_write_bytecode:
    # Usual in containers. The tests start hundreds of processes, and each would compile all the sources again.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / "build" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

import hypothesis
import pytest

from tests.forked import FORKS, WINDOWS, Forks, stand_in
from tests.thorough import EXAMPLES

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

# Python's collector runs in whichever thread happens to make the last straw of garbage. A widget that it frees in a
# worker thread leaves its timers behind, and Qt crashes at the next one. So it runs between tests, in this thread.
gc.disable()
# A command that runs in this process thaws at its end all that is frozen here (`_settle`), and each collection over
# all of it takes half a second.
gc.unfreeze = lambda: None

# No clock decides a test: a busy machine is not a defect.
hypothesis.settings.register_profile(
    "house",
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    print_blob=True,
)
hypothesis.settings.load_profile("house")

pytest_plugins = ("tests.silence",)

# Variables of the person at the keyboard that would reach into a run.
FOREIGN = (
    "UNIFIED_EXPLORER_HOME",
    "UNIFIED_EXPLORER_APIKEY",
    "UNIFIED_EXPLORER_TOKEN",
    "UNIFIED_EXPLORER_CLIENT",
    "UNIFIED_EXPLORER_PASSPHRASE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
)


_MANY = 10
"""Young collections after which all that is not frozen is looked at."""


def _settle() -> None:
    """What is there now stays, as what was imported and looked up once: no later look need go through that again."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """Three workers more than there are cores: a test of the window or a command waits for a process, an answer or a
    timer for half of its time, and each worker costs no more than 6 s of one core and half a gigabyte.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return cores + 3 if cores > 1 else 1


def pytest_collection_finish() -> None:
    _settle()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """At the end of a file its own fixtures are gone, and what outlives them is what modules keep."""
    yield
    if nextitem is None or nextitem.path != item.path:
        _settle()


@pytest.fixture(autouse=True)
def collected_here() -> Iterator[None]:
    """What this test leaves goes here, after it: its windows, which every later style sheet would style again, and its
    garbage, all of it where much has gathered, else the young part.
    """
    before = _windows()
    yield
    _close_windows(before)
    gc.collect(2 if gc.get_count()[2] > _MANY else 1)


def _windows() -> "list[QWidget]":
    if "PySide6.QtWidgets" not in sys.modules:
        return []
    from PySide6.QtWidgets import QApplication

    return QApplication.topLevelWidgets() if QApplication.instance() is not None else []


def _close_windows(but: "list[QWidget]") -> None:
    mine = [window for window in _windows() if window not in but]
    for window in mine:
        window.deleteLater()
    if mine:
        from PySide6.QtCore import QCoreApplication, QEvent

        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Places for homes, none of which is there."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_home(request: pytest.FixtureRequest, homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, so that no test reads or writes the user's profiles, store or layout.

    Below the folder of the test where it has one. Most have none: of thousands each takes a look at all the others.
    """
    if "explorer.cli.exits" in sys.modules:
        # A command that runs in this process leaves its secrets, and a key that is a word is found in every bundle.
        sys.modules["explorer.cli.exits"]._secrets.clear()
    for name in FOREIGN:
        monkeypatch.delenv(name, raising=False)
    home = request.getfixturevalue("tmp_path") / "home" if "tmp_path" in request.fixturenames else next(homes)
    monkeypatch.setenv("UNIFIED_EXPLORER_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """What processes are forked from; nothing runs before one is wanted."""
    yield FORKS
    FORKS.stop()
    WINDOWS.stop()


@pytest.fixture(scope="session", autouse=True)
def quick_processes(forks: Forks) -> None:
    """Services that are served and processes that load come in a moment, whoever starts them."""
    stand_in(lambda command: forks.quick(command))


@pytest.fixture
def small_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandbox that a window or a command starts has two fifths of its records: 482 jobs are five pages."""
    from explorer.sandbox import process

    monkeypatch.setattr(process, "sandbox_command", functools.partial(process.sandbox_command, scale=0.4))


@pytest.fixture
def real_processes(forks: Forks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands in for the program's own way to start one, where that is what is tested."""
    monkeypatch.setattr(forks, "quick", list)
