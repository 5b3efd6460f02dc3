"""One result in full: its findings by rule and field, where each shows, and the command that reproduces it. Its buttons
lead to the evidence: the row or page in its list, the call in the request log.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QWidget,
)

from explorer import words
from explorer.api.exchange import Exchange
from explorer.api.exchanges import as_curl
from explorer.quality.engine.check import Example, Finding, Result, Run
from explorer.session import Session, StoreFault
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.guides import Guides
from explorer.ui.kit.clipboard import CURL, copy_text
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.kit.theme import icon, restyle
from explorer.ui.page import Navigator
from explorer.ui.pages.quality.quality_table import ResultsTable
from explorer.ui.pages.quality.quality_words import Line, where

_MOST_ROWS = 6
_LEAST, _MOST = 320, 440
"""Bounds of the finding's width, in pixels at 100 %."""
ListPlace = tuple[str, str, int | None, int | None]
"""A place in a list that the page leads to: connection, list, row and page. Row and page count from 1; one is None."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding shows, and what a click leads to."""

    run: Run
    resource: str
    page: int | None
    row: int | None
    exchange: int | None


class FindingView(QScrollArea):
    """Shows one `Line`. Its buttons only emit signals; `EvidenceNavigator` follows them."""

    closed = Signal()
    row_wanted = Signal(object)
    page_wanted = Signal(object)
    request_wanted = Signal(object)
    """These three carry a `Place`."""
    hand_over_wanted = Signal()

    def __init__(
        self,
        exchange_of: Callable[[Run, int | None], Exchange | None],
        reloaded: Callable[[Run, str], bool] = lambda *_: False,
    ) -> None:
        """``exchange_of`` gives a run's call by its number, while the log still has it; ``reloaded`` says whether a
        list was loaded after a run.
        """
        super().__init__()
        self._exchange_of, self._reloaded = exchange_of, reloaded
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
        self.hand_over_button = self._button("Hand this over…", self.hand_over_wanted.emit)
        self.hand_over_button.setProperty("kind", "primary")
        self.hand_over_button.setToolTip(tooltip("As the text of an issue, or as a bundle that proves it"))
        self.about_button = self._button("About this check", self.explain)
        self.copy_button = self._button("Copy command", self.copy_command)

    def _button(self, text: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text)
        button.clicked.connect(lambda *_: run())
        return button

    def _build(self, inside: QWidget) -> None:
        above = Qt.AlignmentFlag.AlignTop
        top = row((self.badge, above), (self.title, 1), (self.close_button, above), spacing=8)
        ways = QWidget()
        flow = FlowLayout(ways, gap=8, line_gap=4)
        shown_at = (self.row_button, self.page_button, self.request_button, self.curl_button)
        for button in (self.hand_over_button, *shown_at, self.about_button):
            flow.addWidget(button)
        self._again = PlainLabel("Reproduce it in a shell", role="caption")
        # What can be done stands above the tables, which may be longer than the page is high.
        shown = (self.about, self.seen, ways, self.hint, self.findings, self.examples)
        again = (self._again, self.command, (self.copy_button, Qt.AlignmentFlag.AlignLeft))
        column(top, *shown, *again, STRETCH, of=inside, margins=(16, 10, 12, 12), spacing=8)

    # ---------------------------------------------------------------- what is shown

    def show_line(self, run: Run, line: Line, *, here: bool) -> None:
        """Show ``line`` of ``run``; ``here`` is whether the run was made on the connection in use."""
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
        # A single finding is already said in full above.
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

    @property
    def result(self) -> Result | None:
        """The result that is shown, the chosen finding before its others; None before the first."""
        if self._line is None:
            return None
        result, chosen = self._line.result, self.findings.row()
        return replace(result, findings=tuple(sorted(result.findings, key=lambda one: one is not chosen)))

    def place(self) -> Place | None:
        """The place of the chosen example, or None."""
        example = self.examples.row()
        if self._run is None or self._line is None or not isinstance(example, Example):
            return None
        return Place(self._run, self._line.result.resource, example.page, example.row, example.exchange)

    def exchange(self) -> Exchange | None:
        """The call of the chosen example, while the log still has it."""
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
        elif place is not None and place.page is not None and self._reloaded(place.run, place.resource):
            said = f"{said} The list was loaded after this run: its rows may stand elsewhere now.".strip()
        self.hint.setText(said)
        self.hint.setVisible(bool(said))

    # ---------------------------------------------------------------- what is done

    def open_first(self) -> None:
        """Open the chosen example: its row, else its page, else its request."""
        place = self.place()
        if place is None:
            return
        if place.row is not None:
            self.row_wanted.emit(place)
        elif place.page is not None:
            self.page_wanted.emit(place)
        else:
            self.request_wanted.emit(place)

    def explain(self) -> bool:
        """Open what the reference says of the check; False before the first finding."""
        if self._line is not None:
            Guides("checks", self.window(), check=self._line.result.check.id).open()
        return self._line is not None

    def copy_command(self) -> None:
        """Copy the command that reproduces the finding, as a line for a shell."""
        if self._run is not None and self._line is not None:
            copy_text(shlex.join(self._run.command(self._line.result)), "command")

    def copy_curl(self) -> None:
        """Copy the chosen example's call as a cURL command, with a variable in place of the key."""
        call = self.exchange()
        if call is not None:
            copy_text(as_curl(call), CURL)


class FindingSplit(QSplitter):
    """The results of a run, and beside them the finding that is open, with its share of the width."""

    def __init__(self, results: ResultsTable, finding: FindingView, left: QWidget | None = None) -> None:
        """``left`` is the widget that contains the results, where there is more than them on that side."""
        super().__init__()
        self.run: Run | None = None
        """The run whose results are shown; without one no finding can be opened."""
        self.here = True
        """Whether the run was made on the connection in use."""
        self._results, self._finding = results, finding
        self._share = 0.0
        """The finding's width as the user set it; None until then."""
        self.setChildrenCollapsible(False)
        self.addWidget(left or results)
        self.addWidget(finding)
        self.setStretchFactor(0, 1)
        finding.hide()
        self.splitterMoved.connect(self._moved)
        results.chosen.connect(self.open)
        results.taken.connect(self._open_evidence)
        finding.closed.connect(self.close_finding)

    def open(self, line: Line | None) -> None:
        """Open the finding of a line; None closes it."""
        if line is None or self.run is None:
            self._finding.hide()
            return
        self._finding.show_line(self.run, line, here=self.here)
        if not self._finding.isVisible():
            self._finding.show()
            self._give_room()

    def _open_evidence(self, line: Line) -> None:
        if line.need:
            return  # its link leads to what it needs, which the page opens
        self.open(line)
        self._finding.open_first()

    def close_finding(self) -> None:
        """Close the finding; the results get the focus if it was inside."""
        focus: QWidget | None = self.window().focusWidget()
        inside = focus is not None and self._finding.isAncestorOf(focus)
        self._finding.hide()
        if inside:
            self._results.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def _give_room(self) -> None:
        """Give the finding its share of the width, also where it was opened before the page was laid out."""
        room = self.width()
        share = int(room * self._share) or max(_LEAST, min(_MOST, room * 2 // 5))
        if not self._finding.isHidden():
            self.setSizes([max(room - share, 1), share])

    def _moved(self, at: int, _: int) -> None:
        self._share = 1 - at / max(self.width(), 1)


class EvidenceNavigator:
    """What the buttons of a `FindingView` do."""

    def __init__(self, session: Session, elsewhere: Navigator | None) -> None:
        self._session, self._elsewhere = session, elsewhere
        self.going: ListPlace | None = None
        """The place to go to once the window has changed to the finding's connection."""

    def follow(self, view: FindingView) -> None:
        """Connect the signals of ``view``."""
        view.row_wanted.connect(self.open_row)
        view.page_wanted.connect(self.open_page)
        view.request_wanted.connect(self.show_request)

    def open_row(self, place: Place) -> None:
        """Open the list at that row."""
        self._list_at(place, place.row, None)

    def open_page(self, place: Place) -> None:
        """Open the list at the first row of that page."""
        self._list_at(place, None, place.page)

    def _list_at(self, place: Place, row: int | None, page: int | None) -> None:
        if self._elsewhere is None or not place.resource:
            return
        if place.run.connection != self._session.connection:
            self.going = (place.run.connection, place.resource, row, page)
            self._elsewhere.switch_connection(place.run.connection)
        else:
            self.go((place.run.connection, place.resource, row, page))

    def go(self, going: ListPlace) -> None:
        """Open that place of a list, if its connection is the one in use."""
        connection, resource, row, page = going
        if self._elsewhere is None or connection != self._session.connection:
            return
        found = self._elsewhere.open_page(resource)
        if found is not None:
            found.show_place(row, page)

    def show_request(self, place: Place) -> None:
        """Show the call in the request log; nothing happens for a call of an earlier start of the program."""
        if self._elsewhere is not None and self.exchange_of(place.run, place.exchange) is not None:
            self._elsewhere.show_request(place.exchange or 0)

    def reloaded(self, run: Run, resource: str) -> bool:
        """Whether the rows of that list on the connection in use are newer than the run."""
        listing = next((r.listing for r in self._session.registry.listings() if r.key == resource), None)
        if listing is None or run.connection != self._session.connection:
            return False
        with contextlib.suppress(StoreFault):
            return self._session.is_newer(listing, run.started_at + timedelta(seconds=run.seconds))
        return False

    def exchange_of(self, run: Run, number: int | None) -> Exchange | None:
        """The call of that number if it is from the time of that run, as numbers begin again at each start."""
        found = self._session.exchanges.get(number) if number is not None else None
        if found is None:
            return None
        away = (found.started_at - run.started_at).total_seconds()
        return found if -1 <= away <= run.seconds + 1 else None


def list_place_of(kept: object) -> ListPlace | None:
    """A `ListPlace` from what the layout saved; None for anything else."""
    if not isinstance(kept, list) or len(kept) != 4 or not all(isinstance(one, str) for one in kept[:2]):
        return None
    row, page = (place if isinstance(place, int) else None for place in kept[2:])
    return (kept[0], kept[1], row, page)


def _fit(table: RowsTable) -> None:
    """Make a table as high as its rows, up to a bound."""
    table.setFixedHeight(table.height_of(_MOST_ROWS) + 2)
