"""Whom a quality run asks: the connection that the window shows, or others on purpose, which the page then says."""

from __future__ import annotations

import contextlib

import pytest

from explorer.api.errors import ExplorerError
from explorer.ui.app.application import Application
from tests.gui.conftest import RunWindow, until
from tests.gui.test_quality_page import CLEAN, chip, click, only_drives, opened, ran

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
MESSY, LARGE, REVOKED = "conn_sandbox_messy", "conn_sandbox_large", "conn_sandbox_revoked"


async def switched(app: Application, connection: str) -> None:
    before = app.session
    app.switch_connection(connection)
    await until(lambda: app.session is not None and app.session is not before, "the other connection")
    assert app.session is not None
    assert app.session.connection == connection


def test_it_follows_the_connection_of_the_window(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        assert app.session is not None
        shown = app.session.connection
        assert page.setup.chosen_connections() == (shown,)
        await switched(app, MESSY)
        page = await opened(app)
        assert page.setup.chosen_connections() == (MESSY,)
        assert not page.setup.whom.isVisible()

    run_window(body)


def test_others_that_were_chosen_stay_and_are_said(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        assert page.setup.chosen_connections() == (CLEAN,)
        click(chip(page, f"Connections: {MESSY}"))
        assert page.setup.whom.whole() == f"Will ask {CLEAN} and {MESSY}."
        click(chip(page, f"Connections: {CLEAN}"))
        assert page.setup.whom.whole() == f"Will ask {MESSY}, not {CLEAN}, which the window shows."
        assert page.setup.whom.isVisible()
        await switched(app, LARGE)
        page = await opened(app)
        assert page.setup.chosen_connections() == (MESSY,), "chosen on purpose"
        assert page.setup.whom.whole() == f"Will ask {MESSY}, not {LARGE}, which the window shows."
        click(chip(page, f"Connections: {LARGE}"))
        click(chip(page, f"Connections: {MESSY}"))
        assert page.setup.chosen_connections() == (LARGE,)
        await switched(app, CLEAN)
        page = await opened(app)
        assert page.setup.chosen_connections() == (CLEAN,), "who chose the window's own follows it again"

    run_window(body)


def test_the_lists_chosen_for_one_connection_are_not_those_of_another(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Jobs"))
        page.setup.told["ids"].setText("101")
        assert page.setup.asked().resources == ("ats/job",)
        await switched(app, MESSY)
        page = await opened(app)
        assert page.setup.asked().resources == ()
        assert page.setup.asked().ids == ()
        click(chip(page, "Lists and endpoints: Files"))
        await switched(app, CLEAN)
        page = await opened(app)
        assert page.setup.asked().resources == ("ats/job",), "nothing that was chosen is lost"
        assert page.setup.asked().ids == ("101",)
        await switched(app, MESSY)
        page = await opened(app)
        assert page.setup.asked().resources == ("file-storage/file",)

    run_window(body)


def test_a_run_over_others_says_nothing_of_the_one_that_the_window_shows(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await switched(app, REVOKED)
        assert app.session is not None
        with contextlib.suppress(ExplorerError):
            await app.session.pull(app.window.registry.listing("ats/job"), {}).more()
        learning = app.window.learning
        assert learning is not None
        before = learning.known().health
        assert before is not None
        assert not before.good
        page = await opened(app)
        click(chip(page, f"Connections: {CLEAN}"))
        click(chip(page, f"Connections: {REVOKED}"))
        only_drives(page, ())
        await ran(page)
        assert learning.known().health == before

    run_window(body)
