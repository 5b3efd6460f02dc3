"""Findings accepted in the window: out of the counts, listed and taken back, in the file that `check` takes as well."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from explorer.quality.baseline.baseline_file import read_baseline
from explorer.quality.engine.check import Verdict
from explorer.quality.engine.identity import identified
from explorer.quality.reports.report import found_of
from explorer.ui.app.application import Application
from explorer.ui.kit.notices import Notice, Notices
from explorer.ui.pages.quality.accepting import AcceptDialog, Accepting
from explorer.ui.pages.quality.quality_page import RUN, QualityPage
from explorer.ui.pages.quality.quality_words import sections_of
from tests.flow.runs import run
from tests.gui.conftest import RunWindow, until
from tests.gui.test_quality_page import NULL, click, only_drives, opened, ran, titles
from tests.mirror.quality.made import made_run

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
RUN_MADE = made_run()
DAY = RUN_MADE.started_at.date()


def dialog_of(page: QualityPage) -> AcceptDialog:
    [dialog] = page.findChildren(AcceptDialog)
    return dialog


def choose(page: QualityPage, check: str) -> None:
    assert page.shown.results.go_to(check, "file-storage/drive")
    assert page.finding.isVisible()


def test_an_accepted_finding_is_no_finding_until_it_is_taken_back(
    run_window: RunWindow, tmp_path: Path
) -> None:
    baseline = tmp_path / "baseline.json"

    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        await ran(page)
        choose(page, "records.nulls")
        click(page.finding.accept_button)
        dialog = dialog_of(page)
        assert not dialog.accept_button.isEnabled()  # it needs a reason
        QTest.keyClicks(dialog.reason, "they mend it, CRM-12")
        QTest.keyClicks(dialog.until, "31.12.2026")
        assert not dialog.accept_button.isEnabled()
        dialog.until.clear()
        click(dialog.accept_button)

        assert page.shown.cards.checks.number.whole() == "Nothing else found · 1 accepted"
        assert titles(page) == ["Accepted", "Records", "Paging"]
        assert page.status_text.startswith("nothing else found · 1 accepted")
        assert page.tools.runs.currentText().endswith("nothing else found · 1 accepted")
        assert not page.tools.again.isEnabled()
        [entry] = json.loads(page.accepting.path.read_bytes())["accepted"]
        assert (entry["check"], entry["list"], entry["field"], entry["reason"]) == (
            "records.nulls",
            "file-storage/drive",
            "name",
            "they mend it, CRM-12",
        )
        assert entry["of"] == 40
        page.accepting.save(baseline)
        assert baseline.read_bytes() == page.accepting.path.read_bytes()

        # The next run finds it again: it is accepted there too.
        click(page.head.primary_button)
        await until(lambda: not page.tasks.busy(RUN), "the end of the run")
        await until(lambda: not page.tasks.busy(), "the run before")
        assert page.shown.cards.checks.number.whole() == "Nothing else found · 1 accepted"
        assert page.tools.difference.whole().startswith("The same findings")

        choose(page, "records.nulls")
        assert page.finding.badge.text() == "Accepted"
        assert "they mend it, CRM-12" in page.finding.seen.text()
        click(page.finding.accept_button)
        assert page.shown.cards.checks.number.whole() == "1 fail"
        assert json.loads(page.accepting.path.read_bytes())["accepted"] == []

        # The run before says so as well, as soon as it is looked at again.
        page.tools.runs.setCurrentIndex(1)
        page.tools.runs.activated.emit(1)
        await until(lambda: page.tools.runs.currentIndex() == 1 and not page.tasks.busy(), "the run before")
        assert page.shown.cards.checks.number.whole() == "1 fail"
        assert "accepted" not in page.tools.runs.currentText()

    run_window(body, connection=NULL)
    command = ["check", "file-storage/drive", "--profile", "Sandbox", "--connections", NULL]
    command += ["--only", "records", "--baseline", str(baseline)]
    environment = {**os.environ, "UNIFIED_EXPLORER_HOME": str(tmp_path / "other")}
    assert run(command, environment).returncode == 0
    assert run([*command, "--baseline-update"], environment).returncode == 0
    written: list[bytes] = [baseline.read_bytes()]

    async def back(app: Application) -> None:
        page = await opened(app)
        await until(lambda: page.shown.runs and not page.tasks.busy(), "the last run")
        assert page.shown.cards.checks.number.whole() == "1 fail"
        page.accepting.take_over(baseline)
        assert page.shown.cards.checks.number.whole() == "Nothing else found · 1 accepted"
        assert page.accepting.path.read_bytes() == written[0]

    run_window(back, connection=NULL)


def test_no_secret_is_written_and_a_damaged_file_stays(dressed: object, tmp_path: Path) -> None:
    path, notices, page = tmp_path / "ours.accepted.json", Notices(), QWidget()
    told: list[Notice] = []
    notices.posted.connect(told.append)
    accepting = Accepting(path, lambda text: text.replace("s3cret", "•••"), notices, page)
    found = found_of(RUN_MADE, RUN_MADE.bad[1])
    accepting.accept(DAY, found, "they have the key s3cret", None)
    assert b"s3cret" not in path.read_bytes()
    assert [one.reason for one in read_baseline(path.read_bytes()).accepted.values()] == [
        "they have the key •••"
    ]
    assert accepting.judged([RUN_MADE])[0].head.accepted == 1
    assert not told

    whole = identified(replace(RUN_MADE.bad[1], findings=()))[0][0]
    fixed = replace(RUN_MADE, results=(replace(RUN_MADE.bad[1], verdict=Verdict.HOLDS),))
    assert [one.identity for one in accepting.unseen([fixed])] == [whole], "what is fixed can be taken back"
    [section, *_] = sections_of(fixed, unseen=accepting.unseen([fixed]))
    assert (section.title, section.words) == ("Accepted", "1 · 1 not in this run")
    accepting.take_back(section.lines[0].result)
    assert not accepting.baseline.accepted
    accepting.accept(DAY, found, "known", None)

    path.write_bytes(b"damaged")
    accepting.accept(DAY, found, "again", None)
    assert path.read_bytes() == b"damaged"
    assert [one.title for one in told] == ["The accepted findings cannot be read"]
