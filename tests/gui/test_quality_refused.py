"""A quality run where nothing can be had: nobody answers at the address, the key is wrong, the list is empty."""

from __future__ import annotations

import pytest

from explorer.profiles.profile import Environment, Profile
from explorer.quality.engine.check import Verdict
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.pages.quality.quality_page import RUN, QualityPage
from tests.gui.conftest import RunWindow, until
from tests.gui.test_quality_page import CLEAN, chip, click, front

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
SAID = {
    "nobody answers": "127.0.0.1:9",
    "wrong key": "does not accept this key",
    "unknown connection": "does not know the connection",
}
NOWHERE = "http://127.0.0.1:9"


async def ran_at(app: Application, address: str, key: str, connection: str = CLEAN) -> QualityPage:
    """The page after a run of Drives there."""
    await until(lambda: app.session is not None, "the first session")
    other = Profile(
        name="Other", base_url=address, environment=Environment.DEVELOPMENT, connection=connection
    )
    app.profiles.save(other)
    app.secrets.save(other, key)
    app.window.profile_wanted.emit(other.id)
    await until(lambda: app.session is not None and app.session.profile.id == other.id, "the other session")
    app.window.open_page("quality/runs")
    page = front(app)
    click(chip(page, "Lists and endpoints: Drives"))
    for group in ("Envelope", "Records", "Mapping"):
        click(chip(page, f"Groups of checks: {group}"))
    click(page.head.primary_button)
    await until(lambda: not page.tasks.busy(RUN), "the end of the run")
    await until(lambda: page.runs and not page.tasks.busy(), "what it found")
    return page


@pytest.mark.parametrize("how", ["nobody answers", "wrong key", "unknown connection"])
def test_a_run_that_gets_nothing_says_why(run_window: RunWindow, service: SandboxProcess, how: str) -> None:
    async def body(app: Application) -> None:
        address = NOWHERE if how == "nobody answers" else service.base_url
        key = "sbx_wrong_0000" if how == "wrong key" else service.apikey
        connection = "conn_sandbox_none" if how == "unknown connection" else CLEAN
        page = await ran_at(app, address, key, connection)
        [run] = page.runs
        assert run.records == 0
        assert {one.verdict for one in run.results} <= {Verdict.SKIPPED}
        seen = {one.seen for one in run.results if one.seen.startswith("no page came")}
        assert seen
        for sentence in seen:
            assert SAID[how] in sentence, sentence
            assert key not in sentence
        assert page.shown.results.isVisible()
        assert page.head.primary_button.text() == "Run again"

    run_window(body)
