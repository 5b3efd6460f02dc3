"""The inspector: the chosen record's fields checked against the contract, its JSON as received, and its mapping."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QStackedWidget, QTabBar, QWidget

from explorer import words
from explorer.ui.inspector.compared_view import ComparedView
from explorer.ui.inspector.fields_view import FieldsView
from explorer.ui.inspector.mapping_view import MappingView
from explorer.ui.kit.clipboard import Copying
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.visible import COPY_BOUND, encodable_octets
from explorer.ui.records.record_view import RecordView

_TABS = ("Fields", "JSON", "Mapping")
_MAPPING = 2


class Inspector(QWidget):
    """Shows the record of the row that the user is on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAccessibleName("Record inspector")
        self.setProperty("ground", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._view: RecordView | None = None
        self._stale = self._untraced = False
        self._copying = Copying(self)
        self.label = PlainLabel("", role="title", elide=True)
        self.place = PlainLabel("", role="path", elide=True)
        self.tabs = QTabBar(expanding=False, drawBase=False)
        self.tabs.setObjectName("facets")
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setAccessibleName("Fields, JSON or mapping")
        for name in _TABS:
            self.tabs.addTab(name)
        self.tabs.currentChanged.connect(self._tab_changed)
        self._copy = QPushButton("Copy")
        self._copy.setProperty("kind", "quiet")
        self._copy.setAccessibleName("Copy the record's JSON as received")
        self._copy.clicked.connect(self.copy_record)
        self.fields = FieldsView()
        self.compared = ComparedView()
        self._first = QStackedWidget()
        self._first.addWidget(self.fields)
        self._first.addWidget(self.compared)
        self.json = JsonView(name="JSON of the record")
        self.mapping: MappingView | None = None
        self._body = QStackedWidget()
        self._body.addWidget(self._first)
        self._body.addWidget(self.json)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(_nothing())
        self._pages.addWidget(self._record())
        column(self._pages, of=self)
        self.setMinimumWidth(220)

    def _record(self) -> QWidget:
        page = QWidget()
        tabs = row(self.tabs, STRETCH, self._copy, margins=(0, 6, 0, 0), spacing=-1)
        head = column(self.label, self.place, tabs, margins=(12, 10, 8, 0), spacing=2)
        line = QFrame(frameShape=QFrame.Shape.HLine)
        line.setFixedHeight(1)
        column(head, line, (self._body, 1), of=page)
        return page

    @property
    def view(self) -> RecordView | None:
        """The record that is shown, or None."""
        return self._view

    def show_record(self, view: RecordView | None) -> None:
        """Show another record; None shows that no row is chosen."""
        self._view = view
        self._pages.setCurrentIndex(0 if view is None else 1)
        if view is None:
            self.fields.show_record(None)
            self.json.clear()
            if self.mapping is not None:
                self.mapping.show_record(None)
            return
        self.label.setText(view.label)
        self.place.setText(view.place)
        if view.among:
            self.label.setText(f"{words.count(len(view.among), 'record')} compared")
            self.place.setText(f"{view.label}  ·  {view.place}")
            self.compared.show_records(view.among)
        self._first.setCurrentIndex(1 if view.among else 0)
        self._stale = True
        if view.explain:
            self.show_tab("Fields")
        self._fill()

    def show_tab(self, name: str) -> None:
        """Switch to the tab ``Fields``, ``JSON`` or ``Mapping``."""
        self.tabs.setCurrentIndex(_TABS.index(name) if name in _TABS else 0)

    def copy_record(self) -> None:
        """Copy the record's JSON, exactly as received."""
        if self._view is None:
            return
        if len(self._view.raw) > COPY_BOUND:
            self.place.setText(f"{words.size(len(self._view.raw))} is too much for the clipboard")
            return
        self._copying.start(encodable_octets(self._view.raw), "record")

    def _tab_changed(self, number: int) -> None:
        if number == _MAPPING and self.mapping is None:
            # Made when it is first looked at, so that it costs nothing at the start.
            self.mapping = MappingView()
            self._body.addWidget(self.mapping)
        self._body.setCurrentIndex(number)
        self._fill()

    def _fill(self) -> None:
        """Fill the fields, and the JSON tree and the mapping only while they are visible."""
        if self._view is None:
            return
        if self._stale:
            self.fields.show_record(self._view)
            self.json.model.set_bytes(b"")
            self._stale, self._untraced = False, True
        if self.tabs.currentIndex() == 1 and self.json.model.data_bytes is not self._view.raw:
            self.json.show_bytes(self._view.raw, self._view.label)
        if self.tabs.currentIndex() == _MAPPING and self.mapping is not None and self._untraced:
            self._untraced = False
            self.mapping.show_record(self._view)


def _nothing() -> QWidget:
    page = QWidget()
    labels = (
        PlainLabel("No row chosen", role="heading"),
        PlainLabel("Choose a row to see its fields,", role="muted"),
        PlainLabel("its JSON as received, and its mapping", role="muted"),
    )
    for label in labels:
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    column(STRETCH, *labels, STRETCH, of=page, margins=12, spacing=8)
    return page
