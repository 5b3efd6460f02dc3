"""The task guides (resources/guides), read in the window: offline, and with F1 the one for the page in front."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QListWidget, QPushButton, QTextBrowser, QWidget

from explorer.paths import resource
from explorer.ui.kit.layout import STRETCH, column, row, split

TITLES = {
    "new-connection": "See a new connection in a minute",
    "mapping-change": "Did my mapping change do what I meant?",
    "prove-a-defect": "Prove a defect",
    "support-question": "Answer a support question",
}
"""The titles of the guides by file name, in order."""
_OF_PAGES = {
    "quality/runs": "prove-a-defect",
    "quality/snapshots": "mapping-change",
    "connect/": "support-question",
    "crm/account": "support-question",
}
"""The guide for a page whose key begins so; of all others the first guide."""
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n*", re.MULTILINE)


def guide_for(page: str) -> str:
    """The name of the guide for the page of that key; an empty key means that no page is open."""
    found = (guide for start, guide in _OF_PAGES.items() if page.startswith(start))
    return next(found, next(iter(TITLES)))


class Guides(QDialog):
    """The guides, one of them shown. Their pictures are left out: the window itself is beside them."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """``name``: the guide that is shown first."""
        super().__init__(parent)
        self.setWindowTitle("Guides")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.list = QListWidget()
        self.list.setAccessibleName("Guides")
        self.list.addItems(list(TITLES.values()))
        self.text = QTextBrowser()
        self.text.setAccessibleName("Guide")
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(16)
        close = QPushButton("Close")
        close.clicked.connect(self.reject)
        both = split(Qt.Orientation.Horizontal, (self.list, 320), (self.text, 660), shares=(0, 1))
        column((both, 1), row(STRETCH, close), of=self, margins=16, spacing=12)
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(list(TITLES).index(name))
        self.list.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(1000, 600)

    def _show(self, place: int) -> None:
        text = resource(f"guides/{list(TITLES)[place]}.md").read_text("utf-8")
        self.text.setMarkdown(_PICTURE.sub("", text))
