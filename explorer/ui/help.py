"""Help: the guides and the reference of the checks (resources/guides), the keyboard shortcuts, and about the program.

Guides are read in the window, offline; F1 opens the one for the page in front or for the finding that is open.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, qVersion
from PySide6.QtGui import QKeySequence, QShowEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QWidget,
)

from explorer import __version__
from explorer.paths import resource
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.dialogs import press_on_enter
from explorer.ui.kit.layout import STRETCH, column, dressed, row, split
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import icon

TITLES = {
    "new-connection": "See a new connection in a minute",
    "mapping-change": "Did my mapping change do what I meant?",
    "prove-a-defect": "Prove a defect",
    "support-question": "Answer a support question",
    "keep-watch": "Keep watch in CI",
    "checks": "What each check looks at",
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


def reference() -> dict[str, str]:
    """The reference of the checks as Markdown: what holds for all by its title, then each group, with how to accept."""
    above, *groups = re.split(r"^## ", resource("guides/checks.md").read_text("utf-8"), flags=re.MULTILINE)
    accepted = above[above.index("**To accept") :]
    made = {f"Checks: {text.splitlines()[0]}": f"# Checks: {text}{accepted}" for text in groups}
    return {TITLES["checks"]: above, **made}


def _declared(text: str) -> str:
    """A text of `reference` with what is declared of each check below its id."""
    from explorer.quality.engine.all_checks import CHECKS  # the window opens without quality

    for check in CHECKS:
        needs = f"; needs {check.needs}" if check.needs else ""
        said = f"*{check.sentence}.* Counted in {check.measured}s{needs}."
        text = text.replace(f"\n### {check.id}\n", f"\n### {check.id}\n\n{said}\n")
    return text


def guide_for(page: str) -> str:
    """The name of the guide for the page of that key; an empty key means that no page is open."""
    found = (guide for start, guide in _OF_PAGES.items() if page.startswith(start))
    return next(found, next(iter(TITLES)))


class Guides(QDialog):
    """The guides, one of them shown. Their pictures are left out: the window itself is beside them."""

    def __init__(self, name: str, parent: QWidget | None = None, *, check: str = "") -> None:
        """``name``: the guide that is shown first; of "checks" the section of ``check``, an id, where it has one."""
        super().__init__(parent)
        texts = {title: _text(one) for one, title in TITLES.items() if one != "checks"} | reference()
        self._texts, self._check = list(texts.values()), check
        self.setWindowTitle("Guides")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.list = QListWidget()
        self.list.setAccessibleName("Guides")
        self.list.addItems(list(texts))
        self.text = QTextBrowser()
        self.text.setAccessibleName("Guide")
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(16)
        close = QPushButton("Close")
        close.clicked.connect(self.reject)
        both = split(Qt.Orientation.Horizontal, (self.list, 320), (self.text, 660), shares=(0, 1))
        column((both, 1), row(STRETCH, close), of=self, margins=16, spacing=12)
        self.list.currentRowChanged.connect(self._show)
        first = (at for at, text in enumerate(self._texts) if check and f"\n### {check}\n" in text)
        self.list.setCurrentRow(next(first, list(TITLES).index(name)))
        (self.text if check else self.list).setFocus()

    def sizeHint(self) -> QSize:
        return QSize(1000, 600)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._go_to_check()  # only now the text has its width, and so each line its place

    def _go_to_check(self) -> None:
        block = next((one for one in self._blocks() if one.text() == self._check), None)
        if block is not None and self._check:
            self.text.setTextCursor(QTextCursor(block))
            top = self.text.document().documentLayout().blockBoundingRect(block).top()
            self.text.verticalScrollBar().setValue(int(top))

    def _show(self, place: int) -> None:
        text = self._texts[place]
        self.text.setMarkdown(_declared(text) if "\n### " in text else text)
        for block in self._blocks():
            form = block.blockFormat()
            form.setNonBreakableLines(False)  # an example is read without scrolling to the side
            QTextCursor(block).setBlockFormat(form)

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.text.document().begin()
        while block.isValid():
            yield block
            block = block.next()


def _text(name: str) -> str:
    return _PICTURE.sub("", resource(f"guides/{name}.md").read_text("utf-8"))


_BETWEEN_KEYS = re.compile(r"\+(?=.)")
"""Not the plus that is a key itself, as in ``Ctrl++``."""


class Shortcuts(QDialog):
    """All commands with a shortcut, by menu, those of the page in front included."""

    def __init__(self, commands: Commands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._body = dressed(QWidget(), ground="surface")
        self._list(commands)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(self._body)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setAccessibleName("Keyboard shortcuts")
        column((area, 1), _foot(self), of=self)
        for label in self._body.findChildren(PlainLabel):
            label.ensurePolished()  # a label knows its font only then, and the window's only in the dialog
        # Nothing is to be scrolled aside.
        area.setMinimumWidth(self._body.sizeHint().width() + area.verticalScrollBar().sizeHint().width())

    def _list(self, commands: Commands) -> None:
        grid = QGridLayout(self._body)
        grid.setContentsMargins(20, 12, 20, 16)
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(4)
        group = None
        for command in sorted(commands, key=lambda c: _GROUPS.get(c.group, 9)):
            keys = commands.action(command.id).shortcuts()
            if not keys:
                continue
            at = grid.rowCount()
            if command.group != group:
                group = command.group
                head = PlainLabel(group or "This page", role="caption")
                head.setContentsMargins(0, 10, 0, 2)
                grid.addWidget(head, at, 0, 1, 2)
                at += 1
            words = "  or  ".join(
                _BETWEEN_KEYS.sub(" ", k.toString(QKeySequence.SequenceFormat.NativeText)) for k in keys
            )
            grid.addWidget(PlainLabel(command.text), at, 0)
            grid.addWidget(PlainLabel(words, role="path"), at, 1)
        grid.setColumnStretch(0, 1)
        grid.setRowStretch(grid.rowCount(), 1)

    def sizeHint(self) -> QSize:
        return QSize(460, 560)


class About(QDialog):
    """Name, version, licence, and the libraries in use."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Unified Explorer")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        drawing = QLabel(pixmap=icon("app").pixmap(QSize(56, 56)))
        drawing.setAccessibleName("The program's sign")
        machine = f"Qt {qVersion()}, Python {platform.python_version()}, {platform.system()}"
        terms = "MIT licence. No account, nothing is sent to anyone but the service you name."
        words = column(
            PlainLabel("Unified Explorer", role="title"),
            PlainLabel(f"Version {__version__}", role="muted"),
            8,
            PlainLabel("For testing the connectors of a unified integration API.", wrap=True),
            PlainLabel(machine, role="muted", selectable=True),
            PlainLabel(terms, role="muted", wrap=True),
            STRETCH,
            spacing=4,
        )
        top = row((drawing, Qt.AlignmentFlag.AlignTop), (words, 1), margins=(24, 24, 24, 16), spacing=20)
        column((top, 1), _foot(self), of=self, spacing=-1)

    def sizeHint(self) -> QSize:
        return QSize(440, 260)


_GROUPS = {"Go": 0, "Request": 1, "Edit": 2, "View": 3, "File": 4, "Help": 5}


def _foot(dialog: QDialog) -> QWidget:
    foot = QWidget(dialog)
    close = QPushButton("Close")
    close.clicked.connect(dialog.accept)
    row(STRETCH, close, of=foot, margins=(20, 12, 20, 12), spacing=-1)
    press_on_enter(close)
    return foot
