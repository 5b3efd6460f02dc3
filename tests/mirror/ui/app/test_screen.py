"""The QApplication is made quietly."""

from PySide6.QtCore import QLoggingCategory
from PySide6.QtWidgets import QApplication

from explorer.ui.app.screen import application


def told(name: str) -> bool:
    """Whether Qt's category of that name writes anything."""
    return QLoggingCategory(name).isCriticalEnabled()  # type: ignore[arg-type]  # bytes in the stubs, a text in fact


def test_a_font_that_lacks_a_script_is_no_news(qapp: QApplication) -> None:
    QLoggingCategory.setFilterRules("")
    assert told("qt.text.font.db")
    assert application() is qapp
    assert not told("qt.text.font.db")
    assert told("qt.text"), "nothing else is silenced"
