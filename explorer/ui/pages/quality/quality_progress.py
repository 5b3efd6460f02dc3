"""The progress of a run: one line for all of it, and a table with a row for each list and group."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QProgressBar, QStyleOptionViewItem

from explorer.quality.engine.progress import Part, Progress, State
from explorer.quality.engine.run_options import RunOptions
from explorer.ui.kit.columns import Column, Tone
from explorer.ui.kit.layout import column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.theme import colors
from explorer.ui.pages.quality.quality_runs import Step
from explorer.ui.pages.quality.quality_words import about_words, progress_words
from explorer.words import duration

_MOST = 7
"""Rows that are shown at once."""
_OVER = (State.DONE, State.ABSENT, State.FAILED)


class ProgressLine(QFrame):
    """The progress of a run: what is being checked, the calls made of about how many, and the time that is left."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "tools")
        self.setAccessibleName("Progress")
        self.what = PlainLabel("", role="heading", elide=True)
        self.used = PlainLabel("", role="muted")
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Share of the calls that were made, or of the limit that is used")
        self.bar.setTextVisible(False)
        words = row((self.what, 1), self.used, spacing=12)
        column(words, self.bar, of=self, margins=(12, 6, 12, 6), spacing=6)

    def say(self, step: Step, asked: RunOptions, seconds: float) -> None:
        """Show the progress of a run with the options ``asked`` that has taken ``seconds`` so far."""
        progress = step.progress
        where = f"{step.connection} ({step.number} of {step.of}): " if step.of > 1 else ""
        self.what.setText(f"{where}{progress.what if progress is not None else 'Opening'}")
        used = (
            ("page", float(progress.pages if progress else 0), None),
            ("record", float(progress.records if progress else 0), _bound(asked.records)),
            ("call", float(progress.calls if progress else 0), _bound(asked.calls)),
            ("second", seconds, asked.seconds),
        )
        about = None if progress is None or asked.calls else progress.about
        said = [progress_words(used[:2]), about_words(used[2][1], used[2][2], about, "call")]
        said += [progress_words(used[3:]), _left_words(progress) if progress is not None else ""]
        self.used.setText(" · ".join(filter(None, said)))
        shares = [amount / bound for _, amount, bound in used if bound]
        shares += [used[2][1] / about] if about else []
        # Without a limit, and before the lists are known, nobody knows how much there is to do.
        self.bar.setRange(0, 100 if shares else 0)
        if shares:
            self.bar.setValue(min(100, int(max(shares) * 100)))


def _left_words(progress: Progress) -> str:
    """``31 s left``; before enough calls were made, that it is being estimated."""
    left = progress.seconds_left
    if left is None:
        return "" if progress.is_certain else "estimating"
    return f"{_rough(left)} left"


def _rough(seconds: float) -> str:
    """An estimate of time, in whole seconds."""
    return f"{max(seconds, 1):.0f} s" if seconds < 60 else duration(seconds * 1000)


def _bound(value: int | None) -> float | None:
    return None if value is None else float(value)


class RunParts(RowsTable):
    """A row for each list and group of the run on one connection, from its first moment on."""

    again_wanted = Signal(str)
    """Carries the key of a list that failed and is to be tried again."""

    def __init__(self) -> None:
        self._progress = Progress("", 0, 0, 0)
        self.parts = RowsModel[Part](
            (
                Column("List", lambda part: part.title, spoken=self._spoken, fit=True, least=110, most=220),
                Column("What it is doing", lambda part: part.words, lambda part: _TONES[part.state], share=2),
                Column("Progress", lambda _: "", width=150, spare=900, paint=_paint_share),
                Column("Rows read", lambda part: f"{part.rows:,}" if part.rows else "–", "number", width=84),
                Column("Calls", _calls_words, "number", width=124),
                Column("Time left", self._time_left, "number", width=84, spare=560),
                Column("", _again_words, "link", fit=True),
            ),
        )
        super().__init__(self.parts, "Lists and groups of this run", most=_MOST)
        self.link_clicked.connect(self._try_again)
        self.taken.connect(self._try_again)

    def _try_again(self, place: int) -> None:
        part = self.parts.rows[place]
        if _again_words(part):
            self.again_wanted.emit(part.key)

    @property
    def has_failed(self) -> bool:
        """Whether a list of it failed, which can be tried again."""
        return any(map(_again_words, self.parts.rows))

    def shows(self, progress: Progress) -> bool:
        """Whether it has rows for the lists and groups of that run."""
        return [part.key for part in self.parts.rows] == [part.key for part in progress.parts]

    def show_progress(self, progress: Progress) -> None:
        """Show how far each list and group is; what is chosen and in sight stays."""
        self._progress = progress
        self.show_rows(progress.parts, lambda one, other: one.key == other.key)
        running = self.parts.first(lambda part: part.state is State.RUNS)
        if running >= 0 and not self.hasFocus():
            self.scrollTo(self.parts.index(running, 0))

    def _time_left(self, part: Part) -> str:
        seconds = self._progress.seconds_of(part.left)
        return "–" if not part.left or seconds is None else _rough(seconds)

    def _spoken(self, part: Part) -> str:
        left = self._time_left(part)
        said = (part.title, f"{part.words[:1].lower()}{part.words[1:]}", f"{_calls_words(part)} calls")
        return ", ".join((*said, *([f"{left} left"] if left != "–" else [])))


def _again_words(part: Part) -> str:
    """What can be done with it: a list that failed can be tried again."""
    return "Try again" if part.state is State.FAILED and "/" in part.key else ""


_TONES: dict[State, Tone] = {
    State.WAITS: "quiet",
    State.RUNS: "text",
    State.DONE: "good",
    State.ABSENT: "quiet",
    State.FAILED: "bad",
}


def _calls_words(part: Part) -> str:
    return (
        about_words(part.calls, None, part.about if part.left else None, "")
        if part.calls or part.left
        else "–"
    )


def _paint_share(painter: QPainter, option: QStyleOptionViewItem, part: Part) -> None:
    """A bar with the share of its calls that were made."""
    tokens, rect = colors(), QRectF(option.rect)
    whole = QRectF(rect.left() + 8, rect.center().y() - 3, rect.width() - 20, 6)
    share = 1.0 if part.state in _OVER else part.calls / part.about if part.about else 0.0
    ink = {State.DONE: "holds", State.FAILED: "fails", State.ABSENT: "line"}.get(part.state, "accent")
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for token, width in (("line", whole.width()), (ink, whole.width() * share)):
        painter.setBrush(tokens.color(token))
        painter.drawRoundedRect(QRectF(whole.left(), whole.top(), width, whole.height()), 3, 3)
    painter.restore()
