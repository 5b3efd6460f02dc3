"""Dialogs within asynchronous work: none of them is run by a loop of its own."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QDialog


async def answered(dialog: QDialog) -> bool:
    """Open ``dialog`` and wait for its answer without holding the loop. True when it was accepted."""
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def finish(result: int) -> None:
        if not future.done():
            future.set_result(result)

    dialog.finished.connect(finish)
    dialog.open()
    try:
        return await future == QDialog.DialogCode.Accepted.value
    finally:
        dialog.close()
        dialog.deleteLater()
