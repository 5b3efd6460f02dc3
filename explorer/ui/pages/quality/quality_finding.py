"""One result opened: its findings by rule and field, where each shows, and the command that makes it again."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer import words
from explorer.api.exchange import Exchange
from explorer.api.exchanges import as_curl
from explorer.quality.engine.check import Example, Finding, Run
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.kit.theme import HEADER, ROW, icon, restyle
from explorer.ui.pages.quality.quality_words import Line, where

_MOST_ROWS = 6


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding shows: what a click leads to."""

    run: Run
    resource: str
    page: int | None
    row: int | None
    exchange: int | None


class FindingView(QScrollArea):
    """Shows one `Line`. What it leads to it only says: the page knows the way."""

    closed = Signal()
    row_wanted = Signal(object)
    page_wanted = Signal(object)
    request_wanted = Signal(object)
    """A `Place` each."""

    def __init__(self, exchange_of: Callable[[Run, int | None], Exchange | None]) -> None:
        """``exchange_of`` gives the call of that number if it is of that run and still in the log."""
        super().__init__()
        self._exchange_of = exchange_of
        self._run: Run | None = None
        self._line: Line | None = None
        self._here = True
        self.setObjectName("finding")
        self.setAccessibleName("Finding")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(300)
        self._labels()
        self._tables()
        self._buttons()
        inside = QWidget()
        inside.setProperty("ground", "surface")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build(inside)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        return QSize(400, 300)

    def _labels(self) -> None:
        self.badge = PlainLabel("")
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.title = PlainLabel("", role="heading", wrap=True)
        self.about = PlainLabel("", role="muted", wrap=True)
        self.seen = PlainLabel("", wrap=True, selectable=True)
        self.seen.setAccessibleName("What was seen")
        self.hint = PlainLabel("", role="muted", wrap=True)
        self.command = PlainLabel("", role="mono", wrap=True, selectable=True)
        self.command.setAccessibleName("The command that reproduces it")
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "muted"))
        self.close_button.setAccessibleName("Close the finding")
        self.close_button.setToolTip("Close (Escape)")
        self.close_button.clicked.connect(self.closed)

    def _tables(self) -> None:
        self.findings = RowsTable(
            RowsModel[Finding](
                (
                    Column("What was found", lambda f: f.sentence, share=5),
                    Column("Field", lambda f: f.field or "the whole", "mono", share=3),
                    Column("Times", lambda f: words.count(f.count), "muted", fit=True),
                )
            ),
            "Findings by rule and field",
        )
        self.examples = RowsTable(
            RowsModel[Example](
                (
                    Column("Page", lambda e: words.count(e.page) if e.page else "", fit=True),
                    Column("Row", lambda e: words.count(e.row) if e.row else "", "link", fit=True),
                    Column("Id", lambda e: e.id, "mono"),
                    Column("Value", lambda e: e.value, "mono"),
                    Column("Request", lambda e: f"{e.exchange}" if e.exchange else "", "muted", fit=True),
                )
            ),
            "Where it shows",
        )
        self.findings.chosen.connect(self._show_examples)
        self.examples.chosen.connect(lambda _: self._say_buttons())
        self.examples.taken.connect(lambda _: self.open_first())
        self.examples.link_clicked.connect(lambda _: self.open_first())

    def _buttons(self) -> None:
        self.row_button = self._button("Open row", lambda: self.row_wanted.emit(self.place()))
        self.page_button = self._button("Open page", lambda: self.page_wanted.emit(self.place()))
        self.request_button = self._button("Show request", lambda: self.request_wanted.emit(self.place()))
        self.curl_button = self._button("Copy as cURL", self.copy_curl)
        self.copy_button = self._button("Copy command", self.copy_command)

    def _button(self, text: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text)
        button.clicked.connect(lambda *_: run())
        return button

    def _build(self, inside: QWidget) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.title, 1)
        top.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        ways = QWidget()
        flow = FlowLayout(ways, gap=8, line_gap=4)
        for button in (
            self.row_button,
            self.page_button,
            self.request_button,
            self.curl_button,
        ):
            flow.addWidget(button)
        self._again = PlainLabel("Reproduce it in a shell", role="caption")
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 10, 12, 12)
        column.setSpacing(8)
        column.addLayout(top)
        for widget in (self.about, self.seen, self.findings, self.examples, ways, self.hint, self._again):
            column.addWidget(widget)
        column.addWidget(self.command)
        column.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)

    # ---------------------------------------------------------------- what is shown

    def show_line(self, run: Run, line: Line, *, here: bool) -> None:
        """Show ``line`` of ``run``; ``here``: it was made on the connection in use."""
        self._run, self._line, self._here = run, line, here
        result = line.result
        self.badge.setText(line.word)
        self.badge.setProperty("badge", line.badge)
        restyle(self.badge)
        self.title.setText(result.check.sentence)
        alone = result.findings[0] if len(result.findings) == 1 else None
        field = f"field {visible(alone.field)}" if alone is not None and alone.field else ""
        self.about.setText(" · ".join(filter(None, (where(result.resource), field, result.measured_on))))
        self.seen.setText(line.seen)
        self.seen.setVisible(bool(line.seen))
        self.findings.show_rows(result.findings)
        # Of a single finding all is said above.
        self.findings.setVisible(len(result.findings) > 1)
        _fit(self.findings)
        if result.findings:
            self.findings.selectRow(0)
        self._show_examples()
        self.command.setText(shlex.join(run.command(result)))
        for widget in (self._again, self.command, self.copy_button):
            widget.setVisible(not line.gone)
        self.verticalScrollBar().setValue(0)

    def _show_examples(self) -> None:
        if self._line is None:
            return
        finding = self.findings.row()
        calls = [Example(exchange=number) for number in self._line.result.exchanges]
        shown = list(finding.examples) if isinstance(finding, Finding) else calls
        self.examples.show_rows(shown)
        for place, has in enumerate(
            any(getattr(example, name) for example in shown) for name in ("page", "row", "id", "value")
        ):
            self.examples.leave_out(place, not has)
        self.examples.setVisible(bool(shown))
        _fit(self.examples)
        if shown:
            self.examples.selectRow(0)
        self._say_buttons()

    def place(self) -> Place | None:
        """Where the chosen example is."""
        example = self.examples.row()
        if self._run is None or self._line is None or not isinstance(example, Example):
            return None
        return Place(self._run, self._line.result.resource, example.page, example.row, example.exchange)

    def exchange(self) -> Exchange | None:
        """The call of the chosen example, if it is still in the log."""
        place = self.place()
        return self._exchange_of(place.run, place.exchange) if place else None

    def _say_buttons(self) -> None:
        place, call = self.place(), self.exchange()
        self.row_button.setVisible(place is not None and place.row is not None)
        self.page_button.setVisible(place is not None and place.page is not None)
        has_call = place is not None and place.exchange is not None
        for button in (self.request_button, self.curl_button):
            button.setVisible(has_call)
            button.setEnabled(call is not None)
            button.setToolTip(tooltip("" if call else "The request log no longer holds this request"))
        said = ""
        if has_call and call is None:
            said = "Its request is no longer in the log: run it again to see it."
        if not self._here and place is not None and place.page is not None:
            said = f"It was found on {visible(place.run.connection)}: opening it goes to that connection."
        self.hint.setText(said)
        self.hint.setVisible(bool(said))

    # ---------------------------------------------------------------- what is done

    def open_first(self) -> None:
        """Go where the chosen example leads: to its row, its page or its request."""
        place = self.place()
        if place is None:
            return
        if place.row is not None:
            self.row_wanted.emit(place)
        elif place.page is not None:
            self.page_wanted.emit(place)
        else:
            self.request_wanted.emit(place)

    def copy_command(self) -> None:
        """The command, as a line for a shell."""
        if self._run is not None and self._line is not None:
            QGuiApplication.clipboard().setText(shlex.join(self._run.command(self._line.result)))

    def copy_curl(self) -> None:
        """The chosen example's call as a cURL command, its key as the name of a variable."""
        call = self.exchange()
        if call is not None:
            QGuiApplication.clipboard().setText(as_curl(call))


def _fit(table: RowsTable) -> None:
    """As high as its rows, to a bound."""
    rows = min(table.model().rowCount(), _MOST_ROWS)
    table.setFixedHeight(HEADER + ROW * max(rows, 1) + 2)
