"""The same run by window and by command line: the same JSON but for times and numbers in the log."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from explorer.ui.app.application import Application
from explorer.ui.own_pages import RUNS
from explorer.ui.pages.quality.quality_page import RUN, QualityPage
from tests.flow.runs import run
from tests.gui.conftest import RunWindow, dressed, folders, run_window
from tests.gui.stage import until

__all__ = ["dressed", "folders", "run_window"]

RESOURCES = ("file-storage/drive", "sales-engagement/mailbox")
CONNECTIONS = ("conn_sandbox_clean", "conn_sandbox_messy")


def without_times(document: Any) -> Any:
    """What must be the same."""
    if isinstance(document, dict):
        return {n: without_times(v) for n, v in document.items() if n not in ("when", "exchange")}
    return [without_times(one) for one in document] if isinstance(document, list) else document


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_window_and_command_line_make_the_same_report(run_window: RunWindow, tmp_path: Path) -> None:
    made: list[bytes] = []

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page(RUNS.key)
        page = app.window.tabs.current
        assert isinstance(page, QualityPage)
        page.setup.extent.choose(quick=False)
        page.setup.resources.choose(RESOURCES)
        page.setup.connections.choose(CONNECTIONS)
        page.setup.told["customer"].setText("all")
        page.start()
        await until(lambda: page.runs and not page.tasks.busy(RUN), "the run")
        page.save(tmp_path / "window.json", "json")
        await until(lambda: not page.tasks.busy("save"), "the report")
        made.append((tmp_path / "window.json").read_bytes())
        assert page.earlier.shown is not None
        made.append(await page.kept.read(page.earlier.shown))

    run_window(body, connection=CONNECTIONS[0])
    arguments = ["check", *RESOURCES, "--profile", "Sandbox", "--connections", ",".join(CONNECTIONS)]
    arguments += ["--customer", "all", "--json", str(tmp_path / "line.json")]
    outcome = run(arguments, {**os.environ, "UNIFIED_EXPLORER_HOME": str(tmp_path / "other")})
    assert outcome.returncode == 1, outcome.stderr.decode()
    line = without_times(json.loads((tmp_path / "line.json").read_bytes()))
    assert [one["connection"] for one in line["runs"]] == list(CONNECTIONS)
    assert any(result["verdict"] == "fails" for result in line["runs"][1]["results"])
    for document in made:
        assert without_times(json.loads(document)) == line
