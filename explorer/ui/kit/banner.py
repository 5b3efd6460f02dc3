"""What the user is told inside the window: a banner on a page, and the strip of notices at the bottom right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.ui.kit.layout import row
from explorer.ui.kit.notices import Kind, Notice
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import icon, restyle

WORDS: dict[Kind, str] = {"info": "Note", "holds": "Done", "caution": "Caution", "fails": "Failed"}
"""The word for the sign at the left, for those who do not see its colour."""


class Banner(QFrame):
    """A strip that says what happened, what is kept and what can be done now. It never takes the focus by itself."""

    closed = Signal()

    def __init__(
        self,
        kind: Kind = "info",
        title: str = "",
        text: str = "",
        *,
        closable: bool = False,
        stacked: bool = False,
    ) -> None:
        super().__init__()
        self.subject = ""
        """As `Notice.subject`."""
        self.passes = self.stays = False
        """As those of `Notice`."""
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._sign = QLabel()
        self._title = PlainLabel("", role="heading")
        self._text = PlainLabel("", wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._words = QBoxLayout(
            QBoxLayout.Direction.TopToBottom if stacked else QBoxLayout.Direction.LeftToRight
        )
        self._words.setSpacing(2 if stacked else 12)
        top = Qt.AlignmentFlag.AlignTop
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | top)
        self._words.addWidget(self._title)
        self._words.addWidget(self._text, 1)
        self._stacked = stacked
        said = row((self._sign, top), (self._words, 1), spacing=8)
        self._buttons = row(spacing=8)
        self._close = QToolButton()
        self._close.setAccessibleName("Close this notice")
        self._close.setToolTip("Close")
        self._close.clicked.connect(self._dismiss)
        row((said, 1), self._buttons, (self._close, top), of=self, margins=(12, 8, 12, 8), spacing=8)
        self._close.setVisible(
            closable
        )  # not before it has a parent: it would be a window of its own until then
        self.show_(kind, title, text)

    def show_(
        self, kind: Kind, title: str, text: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()
    ) -> None:
        """Show another message in the same strip."""
        self.kind = kind
        self.setProperty("kind", kind)
        self.setAccessibleName(f"{WORDS[kind]}: {title}. {text}".strip())
        self._sign.setPixmap(icon(_SIGNS[kind], f"on_{kind}").pixmap(QSize(16, 16)))
        self._sign.setAccessibleName(WORDS[kind])
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._close.setIcon(icon("close", f"on_{kind}"))
        while self._buttons.count():
            item = self._buttons.takeAt(0)
            if item is not None and (gone := item.widget()) is not None:
                gone.hide()
                gone.deleteLater()
        before: QWidget = self._close
        for label, run in actions:
            button = QPushButton(label)
            button.setAccessibleDescription(f"{title}. {text}".strip())
            button.clicked.connect(lambda _=False, run=run: run())
            button.ensurePolished()
            self._buttons.addWidget(button)
            QWidget.setTabOrder(before, button)  # else behind all that its window had before it
            before = button
        QWidget.setTabOrder(before, self._close)
        # What stands inside is styled by the kind of the strip around it.
        for part in (self, self._title, self._text, *self.buttons()):
            restyle(part)
        self._place_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_words()

    def _place_words(self) -> None:
        """Puts the text beside its title where both have room for some words a line, else below it."""
        if self._stacked:
            self._title.setWordWrap(True)
            return
        taken = [w.sizeHint().width() + 8 for w in (self._sign, *self.buttons())]
        room = self.width() - sum(taken) - 24
        title = self._title.fontMetrics().horizontalAdvance(self._title.whole())
        text = self._text.fontMetrics().horizontalAdvance(self._text.whole())
        beside = title + 12 + min(text, max(_BESIDE, room // 2)) <= room
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._words.setDirection(way)
        self._words.setSpacing(12 if beside else 2)
        self._title.setWordWrap(not beside)

    def let_close(self, on: bool) -> None:
        """Whether it has a cross."""
        self._close.setVisible(on)

    @property
    def title(self) -> str:
        """The title, shown first."""
        return self._title.whole()

    @property
    def text(self) -> str:
        """The text after the title."""
        return self._text.whole()

    def buttons(self) -> list[QPushButton]:
        """The buttons of its actions, in order."""
        return [b for b in _widgets(self._buttons) if isinstance(b, QPushButton)]

    def _dismiss(self) -> None:
        self.hide()
        self.closed.emit()


_LINGER = 10_000
"""Milliseconds for which a notice that only confirms is shown."""
_ABOVE = 8
"""Pixels between the notices and what they must not cover."""
_BESIDE = 280
"""Pixels that a text needs at least beside its title."""
_SIGNS: dict[Kind, str] = {"info": "info", "holds": "holds", "caution": "warning", "fails": "fails"}


class NoticeStrip(QWidget):
    """Notices of the window, newest on top, over the lower right of ``host``, above its ``floor``.

    What went wrong, or may have, stays until it is closed. One that only confirms (``info``, ``holds``) makes room when
    another comes, and goes by itself once it could be read and neither mouse nor keys are in it. Never more than three
    are shown.
    """

    MOST = 3

    def __init__(self, host: QWidget, floor: QWidget | None = None, *, linger: int = _LINGER) -> None:
        """``floor``: what must not be covered where it reaches the lower edge; ``linger`` is in milliseconds."""
        super().__init__(host)
        self._host, self._floor, self._linger = host, floor, linger
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.setAccessibleName("Notices")
        self.hide()
        for one in (host, floor):
            if one is not None:
                one.installEventFilter(self)

    def show_notice(self, notice: Notice) -> None:
        """Adds a notice and announces it to screen readers."""
        for old in self.banners():
            same = (old.title, old.text) == (notice.title, notice.text)
            same = same or (notice.subject != "" and old.subject == notice.subject)
            if old.passes or same:
                self._drop(old)
        while len(self.banners()) >= self.MOST:
            self._drop(self.banners()[-1])
        banner = Banner(notice.kind, notice.title, notice.text, closable=True, stacked=True)
        banner.subject, banner.passes, banner.stays = notice.subject, notice.passes, notice.stays
        actions = [(label, self._then_drop(run, banner)) for label, run in notice.actions]
        banner.show_(notice.kind, notice.title, notice.text, actions)
        banner.setFrameShape(QFrame.Shape.NoFrame)
        banner.closed.connect(lambda: self._drop(banner))
        self._column.insertWidget(0, banner)
        self.show()
        self.raise_()
        self.place()
        # Once more when the style sheet has said how high its parts are.
        QTimer.singleShot(0, self, self.place)
        _announce(self, banner.accessibleName())
        if notice.passes:
            self._go_later(banner)

    def _go_later(self, banner: Banner) -> None:
        def go() -> None:
            if banner.underMouse() or any(button.hasFocus() for button in banner.findChildren(QWidget)):
                self._go_later(banner)
            else:
                self._drop(banner)

        QTimer.singleShot(self._linger, banner, go)

    def banners(self) -> list[Banner]:
        """The banners that are shown, newest first."""
        return [b for b in _widgets(self._column) if isinstance(b, Banner)]

    def leave_page(self) -> None:
        """Removes what stays for the page that it was about: another one is in front now."""
        for banner in self.banners():
            if banner.stays:
                self._drop(banner)

    def clear(self) -> None:
        """Removes all notices."""
        for banner in self.banners():
            self._drop(banner)

    def place(self) -> None:
        """Moves the strip to its corner of the host."""
        width = min(640, self._host.width() - 32)
        self.setFixedWidth(max(width, 200))
        heights = [self._height_of(banner) for banner in self.banners()]
        self.resize(self.width(), sum(heights) + self._column.spacing() * max(0, len(heights) - 1))
        self.move(self._host.width() - self.width() - 16, self._lowest() - self.height())

    def _lowest(self) -> int:
        """Where it ends: over the status bar, or over the floor where that lies at the bottom and leaves room."""
        low, floor = self._host.height() - 42, self._floor
        if floor is None or not floor.isVisible():
            return low
        top = floor.mapTo(self._host, floor.rect().topLeft()).y()
        across = floor.width() * 2 > self._host.width()
        return min(low, top - _ABOVE) if across and top - _ABOVE > self.height() else low

    def _height_of(self, banner: Banner) -> int:
        layout = banner.layout()
        if layout is not None:
            layout.invalidate()
        # Where words wrap the size hint is that of a narrow block, higher than they are in this width.
        height = banner.heightForWidth(self.width()) if banner.hasHeightForWidth() else -1
        return max(height if height > 0 else banner.sizeHint().height(), 44)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type
        if event.type() in (kinds.Resize, kinds.Move, kinds.Show, kinds.Hide) and self.isVisible():
            QTimer.singleShot(0, self, self.place)  # what is told of a dock comes before it has moved
        return False

    def _then_drop(self, run: Callable[[], object], banner: Banner) -> Callable[[], None]:
        def act() -> None:
            self._drop(banner)
            run()

        return act

    def _drop(self, banner: Banner) -> None:
        self._column.removeWidget(banner)
        banner.hide()
        banner.deleteLater()
        if self._column.count():
            self.place()
        else:
            self.hide()


def _widgets(layout: QLayout) -> list[QWidget]:
    items = (layout.itemAt(i) for i in range(layout.count()))
    return [w for item in items if item is not None and (w := item.widget()) is not None]


def _announce(widget: QWidget, words: str) -> None:
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
