"""An error in an override is an error to the caller, and never the end of the process."""

import subprocess
import sys

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QStringListModel,
)

import explorer.ui.app  # noqa: F401  what is made under QObject from here on is caught
from tests.house.sources import ROOT

NOWHERE = QModelIndex()
RAISES = """
import explorer.ui.app
from PySide6.QtCore import QCoreApplication, QEvent, QObject
class Raises(QObject):
    def event(self, event):
        return int("x%d" % 7)
app = QCoreApplication([])
try:
    QCoreApplication.sendEvent(Raises(), QEvent(QEvent.Type.User))
except ValueError as error:
    print(error)
"""


def test_an_error_that_was_raised_in_c_does_not_end_the_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", RAISES], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "'x7'" in ended.stdout


class Heard(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[QEvent.Type] = []

    def event(self, event: QEvent) -> bool:
        """Notes the kind."""
        self.kinds.append(event.type())
        return super().event(event)

    def own(self) -> str:
        return "own"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python carries an instance anyway")
def test_overrides_alone_are_caught_and_keep_name_and_words() -> None:
    assert hasattr(Heard.event, "__wrapped__")
    assert Heard.event.__doc__ == "Notes the kind."
    assert not hasattr(Heard.own, "__wrapped__")
    assert not hasattr(Heard.__init__, "__wrapped__")


def test_what_an_override_gives_back_is_given_back(qapp: QCoreApplication) -> None:
    class Rows(QStringListModel):
        def rowCount(self, parent: QModelIndex | QPersistentModelIndex = NOWHERE) -> int:
            return 3

    heard = Heard()
    QCoreApplication.sendEvent(heard, QEvent(QEvent.Type.User))
    assert heard.kinds == [QEvent.Type.User]
    assert heard.own() == "own"
    assert Rows().rowCount() == 3
