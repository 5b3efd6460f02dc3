"""Dialogs that are awaited: none of them runs an event loop of its own."""

from __future__ import annotations

import asyncio

from PySide6.QtWidgets import QDialog


async def answered(dialog: QDialog) -> bool:
    """Opens ``dialog`` and waits for its answer without blocking the loop. Returns whether it was accepted."""
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
