"""An editor of a length of time that is sent in seconds: typed as people write it, with its end in words below."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from explorer.api.durations import DurationFault, duration_text, end_of, read_duration
from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms import exact
from explorer.ui.forms.editor import Hint, Place, same
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.faults import Fault
from explorer.ui.forms.text_editor import NumberEditor

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TICK_MS = 20_000  # the end moves on with the clock, and is shown to the minute


def moment_text(at: datetime) -> str:
    """A moment in this computer's zone: ``20 Dec 2026, 12:04``."""
    try:
        here = at.astimezone()
    except (OverflowError, ValueError, OSError):  # the ends of the calendar have no zone
        here = at
    return f"{here.day} {_MONTHS[here.month - 1]} {here.year}, {here:%H:%M}"


class DurationEditor(NumberEditor):
    """``30 days``, ``90 min`` or plain seconds. The contract's default is shown when it is left out, and not sent.

    What is no length of time goes as it was typed where the user wants that, and its fault says what is asked.
    """

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        clock = QTimer(self, interval=_TICK_MS)
        clock.timeout.connect(self.hint_changed)
        clock.start()

    @property
    def left_out_words(self) -> str:
        default = self.field.default
        if isinstance(default, int | float):
            return f"{duration_text(default)} if left out"
        return super().left_out_words

    def read(self, text: str) -> Any:
        try:
            return read_duration(text)
        except DurationFault:
            found = exact.number(text.strip())  # seconds in JSON's own writing, as 1e3
            return text if found is None else found

    def written(self, value: float | str | RawJson) -> str:
        if isinstance(value, int | float) and abs(value) < 10**15:
            spoken = duration_text(value)
            if same(self.read(spoken), value):
                return spoken
        return str(value)

    def faults(self) -> list[Fault]:
        value = self.value()
        if not isinstance(value, str):
            return []
        try:
            read_duration(value)
        except DurationFault as fault:
            return [Fault((), str(fault))]
        return []

    def hint(self) -> Hint | None:
        """The seconds and the end; for zero and less that such a link has ended already, as was observed."""
        value = self.value()
        if value is ABSENT and isinstance(self.field.default, int | float):
            return Hint(f"{_seconds(self.field.default)} · {_end(self.field.default)}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if value <= 0:
            seen = self.field.observed.note if self.field.observed else ""
            return Hint(f"{_seconds(value)} · Observed: {seen}" if seen else _seconds(value), "caution")
        far = end_of(value, datetime.now(UTC)) is None
        return Hint(f"{_seconds(value)} · {_end(value)}", "caution" if far else "faint")


def _seconds(value: float) -> str:
    return f"{value:,} s"


def _end(seconds: float) -> str:
    end = end_of(seconds, datetime.now(UTC))
    return f"until {moment_text(end)}" if end is not None else "ends beyond the year 9999"
