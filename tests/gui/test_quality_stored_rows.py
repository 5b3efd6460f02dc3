"""A quality run in the window on the rows that are stored: nothing is asked, and the page says which rows they are."""

from __future__ import annotations

import pytest

from explorer.ui.app.application import Application
from tests.gui.conftest import RunWindow
from tests.gui.test_quality_page import CLEAN, click, only_drives, opened, ran

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
DRIVES = "file-storage/drive"


def test_a_run_on_stored_rows_asks_nothing_and_says_of_when_they_are(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        page.setup.offline.setChecked(True)
        assert page.setup.recipe().asked.offline
        await ran(page)
        assert "nothing is stored of this list: pull it first" in page.shown.cards.looked.text()
        assert page.runs[0].records == 0

        session = page.session
        pull = session.pull(session.registry.listing(DRIVES), {})
        await pull.load_all()
        calls = len(session.exchanges)
        click(page.head.setup)
        await ran(page)
        assert len(session.exchanges) == calls
        assert page.runs[0].records == pull.rows
        said = page.shown.cards.looked.text()
        assert f"it made no request, and looked at {pull.rows} rows of {DRIVES} as pulled at 20" in said
        assert page.shown.cards.checks.number.whole() == "Little was judged"

    run_window(body, connection=CLEAN)
