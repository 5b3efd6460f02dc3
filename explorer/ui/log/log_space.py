"""How much space the request log of a profile takes on the disk, and how much it may take."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.session.request_archive import RequestArchive, Usage
from explorer.ui.kit.layout import row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks

_MEGA = 10**6


class LogSpace(QWidget):
    """One line. What is set counts for every window and command of the profile."""

    def __init__(self, archive: RequestArchive, profile: str) -> None:
        """``profile`` is the name of the log's profile."""
        super().__init__()
        self._archive, self._profile = archive, profile
        self._granted = 0
        self._tasks = Tasks(self, self._failed)
        self.budget = QDoubleSpinBox(minimum=0, maximum=1_000_000, decimals=0, singleStep=50)
        self.budget.setSuffix(" MB")
        self.budget.setAccessibleName("Space for the request log, in MB")
        self.budget.setKeyboardTracking(False)
        self.budget.setFixedWidth(120)
        self.budget.setEnabled(False)
        self.budget.lineEdit().setTextMargins(6, 0, 0, 0)  # the style's padding ends at the frame
        self.budget.editingFinished.connect(self._grant)
        self.said = PlainLabel("", role="muted", wrap=True)
        label = PlainLabel("Request log")
        label.setBuddy(self.budget)
        row(label, self.budget, (self.said, 1), of=self, spacing=8)
        self._tasks.start("look", archive.usage(), done=self._show)

    def _show(self, usage: Usage) -> None:
        self._granted = usage.budget
        self.budget.setValue(usage.budget / _MEGA)
        self.budget.setEnabled(True)
        since = f" since {words.day_and_time(usage.since)}" if usage.since else ""
        taken = f"{words.count(usage.calls, 'call')}{since}, {words.size(usage.bytes)}"
        rule = "Beyond that the oldest calls are deleted first." if usage.budget else "No call is saved."
        self.said.setText(f"{self._profile}: {taken}. {rule}")

    def _grant(self) -> None:
        budget = round(self.budget.value() * _MEGA)
        if budget != self._granted:
            self._tasks.start("grant", self._change(budget), done=self._show)

    async def _change(self, budget: int) -> Usage:
        await self._archive.grant(budget)
        return await self._archive.usage()

    def _failed(self, error: BaseException) -> None:
        self.said.setText(error.sentence if isinstance(error, ExplorerError) else str(error))
