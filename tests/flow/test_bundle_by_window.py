"""Evidence saved from the window's own page, and opened there: nothing secret, nothing of other pages, nobody waits."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog

from explorer.api.errors import ExplorerError
from explorer.catalog.request import Request
from explorer.cli.app import run
from explorer.cli.exits import Exit
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile, Profiles
from explorer.quality.bundle.masking import Mask
from explorer.quality.bundle.parts import FORMAT
from explorer.quality.bundle.read import read_bundle
from explorer.quality.bundle.write import write_bundle
from explorer.quality.engine.check import Result
from explorer.quality.engine.run import run as quality_run
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.read import read_runs
from explorer.session import Session
from explorer.session.connection_client import secrets_of
from explorer.ui.app.application import Application
from explorer.ui.handover import HandOver
from explorer.ui.kit.notices import Notice
from explorer.ui.own_pages import RUNS
from explorer.ui.pages.quality import quality_page, quality_save
from explorer.ui.pages.quality.bundle_open import open_bundle
from explorer.ui.pages.quality.bundle_window import BundleWindow
from explorer.ui.pages.quality.finding_proof import proof_of
from explorer.ui.pages.quality.quality_page import QualityPage
from explorer.ui.pages.quality.quality_save import BundleDialog
from explorer.ui.pages.quality.quality_state import BUNDLE, NO_BUNDLE
from explorer.work import in_thread
from tests.flow.quality_runs import quick_sandbox
from tests.flow.telltale import Telltale
from tests.gui.conftest import RunWindow, dressed, folders, run_window
from tests.gui.stage import until
from tests.gui.test_quality_page import NULL, click, only_drives, opened, ran
from tests.mirror.quality.made import made_run

__all__ = ["dressed", "folders", "run_window"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

BOTH = ("sales-engagement/mailbox", "sales-engagement/sequence_state")


def asked(page: QualityPage) -> BundleDialog:
    """The dialog, from the entry of the menu."""
    page.head.save_menu.aboutToShow.emit()
    assert page.head.bundle.isEnabled()
    page.head.bundle.trigger()
    [dialog] = [one for one in page.findChildren(BundleDialog) if one.isVisible()]
    return dialog


async def saved(page: QualityPage, path: Path, masked: Sequence[Mask] | None = None) -> Notice:
    """What the window says once ``path`` is chosen in the dialog; ``masked`` are the ticks, as offered if None."""
    told: list[Notice] = []
    page.context.notices.posted.connect(told.append)
    dialog = asked(page)
    for mask, box in dialog.kinds.items():
        if masked is not None and box.isChecked() is not (mask in masked):
            QTest.keyClick(box, Qt.Key.Key_Space)
            assert box.isChecked() is (mask in masked)
    click(dialog.save)
    files = dialog.findChild(QFileDialog)
    assert isinstance(files, QFileDialog)
    files.fileSelected.emit(str(path))
    assert page.tasks.busy(quality_page.BUNDLE)
    assert page.head.save.text() == "Saving bundle…"
    await until(lambda: not page.tasks.busy(quality_page.BUNDLE), "the bundle")
    assert page.head.save.text() == "Save report…"
    [notice] = told
    return notice


def told(result: Result) -> list[tuple[str, str, int, list[int | None]]]:
    """Of each finding: rule, field, count, rows."""
    return [(f.rule, f.field, f.count, [e.row for e in f.examples]) for f in result.findings]


def found_again(
    bundle: Path, check: str, folder: Path, lists: Sequence[str]
) -> list[tuple[str, str, int, list[int | None]]]:
    """What that check finds where the bundle stands for the service."""
    report = folder / "again.json"
    with contextlib.redirect_stdout(io.StringIO()):
        code = run(["check", *lists, "--only", check, "--against", str(bundle), "--json", str(report)])
    assert code == Exit.FINDINGS
    [again] = read_runs(report.read_bytes())
    [result] = [one for one in again.results if one.is_bad]
    return told(result)


def forget_calls(path: Path, numbers: Sequence[int]) -> None:
    """As if the oldest calls had gone by the log's budget."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for table in ("call", "body"):
            database.executemany(f"DELETE FROM {table} WHERE number = ?", [(n,) for n in numbers])


def windows(qapp: QApplication) -> list[BundleWindow]:
    return [w for w in qapp.topLevelWidgets() if isinstance(w, BundleWindow) and w.isVisible()]


def test_a_run_is_saved_opened_and_leads_to_its_rows(
    run_window: RunWindow, qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "evidence.zip"
    keys: list[str] = []
    written: list[bytes] = []

    async def body(app: Application) -> None:
        page = await opened(app)
        assert page.head.bundle.text() == NO_BUNDLE
        only_drives(page)
        assert app.session is not None
        keys.extend(secrets_of(app.session))
        before = {e.id for e in app.session.exchanges.all()}
        await ran(page)
        notice = await saved(page, path)
        assert notice.kind == "holds", notice
        found = read_bundle(path)
        written.extend(found.files.values())
        assert {c.id for c in found.exchanges[0]}.isdisjoint(before)
        assert {c.operation for c in found.exchanges[0]} == {"file-storage/drive"}

        # From the notice it opens, and leads from the finding to its row and its call.
        dict(notice.actions)["Open it"]()
        await until(lambda: windows(qapp), "the window of the bundle")
        [shown] = windows(qapp)
        assert shown.results.go_to("records.nulls", "file-storage/drive")
        QTest.keyClick(shown.results, Qt.Key.Key_Return)
        assert shown.row.isVisible()
        [sample] = [s for s in shown.bundle.samples if s.finding == 1]
        assert json.loads(sample.record)["name"] is None
        assert shown.finding.request_button.isEnabled()
        shown.close()

        # One finding alone is handed over, as text and as a bundle of the calls that show it.
        # From the open window: Quality run, Run, the finding, Hand this over, Save bundle, Save.
        index = page.shown.results.index_of("records.nulls", "file-storage/drive")
        at = page.shown.results.visualRect(index).center()
        assert page.shown.results.viewport().rect().contains(at), "the finding is in sight"
        QTest.mouseClick(page.shown.results.viewport(), Qt.MouseButton.LeftButton, pos=at)
        over = page.finding.hand_over_button
        assert (
            page.finding.viewport().rect().contains(over.mapTo(page.finding.viewport(), over.rect().center()))
        )
        click(over)
        [dialog] = page.findChildren(HandOver)
        await until(lambda: dialog.made is not None, "the text")
        assert "unified-explorer check file-storage/drive" in dialog.text.toPlainText()
        assert f'"id":"{json.loads(sample.record)["id"]}"' in dialog.text.toPlainText().replace(" ", "")
        assert "The first 4" not in dialog.text.toPlainText(), (
            "the record is there, and not the page's beginning"
        )
        assert "curl " in dialog.text.toPlainText()
        written.append(dialog.text.toPlainText().encode())
        click(dialog.zip)
        files = dialog.findChild(QFileDialog)
        assert isinstance(files, QFileDialog)
        files.setDirectory(str(tmp_path))
        [name] = files.selectedFiles()
        small = tmp_path / Path(name).name
        assert small.name == "records-nulls-file-storage-drive.zip", "the name is proposed"
        box = files.findChild(QDialogButtonBox)
        assert isinstance(box, QDialogButtonBox)
        click(box.button(QDialogButtonBox.StandardButton.Save))
        await until(lambda: not page.tasks.busy(quality_page.BUNDLE), "the small bundle")
        handed = read_bundle(small)
        assert [r.check.id for r in handed.runs[0].results] == ["records.nulls"]
        assert [s.record for s in handed.samples] == [sample.record]
        assert sample.exchange in [c.id for c in handed.exchanges[0]]
        # What its check looked at is there, so that the same finding comes again of the bundle alone.
        again = await in_thread(found_again, small, "records.nulls", tmp_path, ["file-storage/drive"])
        assert again == told(handed.runs[0].results[0])
        written.extend(handed.files.values())

        # A run of an earlier day has its calls in the request log, and the same bundle is made of them.
        await ran(page)
        assert page.head.bundle.isEnabled()
        page._choose_run(1)
        await until(lambda: not page.tasks.busy(), "the earlier run")
        assert (page.head.bundle.isEnabled(), page.head.bundle.text()) == (True, BUNDLE)
        app.session.exchanges.clear()  # as after another start
        later = tmp_path / "later.zip"
        assert (await saved(page, later)).kind == "holds"
        earlier = read_bundle(later)
        assert [[c.id for c in run] for run in earlier.exchanges] == [
            [c.id for c in run] for run in found.exchanges
        ]
        assert earlier.exchanges == found.exchanges
        assert [s.record for s in earlier.samples] == [s.record for s in found.samples]
        written.extend(earlier.files.values())

        # Where their space was needed, both bundle and page say so.
        archive = app.session.archive
        assert archive is not None
        gone = {c.id for c in found.exchanges[0]}
        await in_thread(forget_calls, archive.path, sorted(gone)[:1])
        notice = await saved(page, later)
        assert notice.text.endswith("Missing: 1 call that the request log no longer has.")
        assert "## What is missing\n\n1 call of these runs." in read_bundle(later).files["README.md"].decode()
        await in_thread(forget_calls, archive.path, sorted(gone))
        page._choose_run(1)
        await until(lambda: not page.tasks.busy(), "the earlier run")
        assert (page.head.bundle.isEnabled(), page.head.bundle.text()) == (False, NO_BUNDLE)
        heard: list[Notice] = []
        app.notices.posted.connect(heard.append)
        assert page.ask_bundle() is None
        assert [one.text for one in heard] == [quality_save.NO_EVIDENCE]
        page._choose_run(0)
        await until(lambda: not page.tasks.busy(), "the last run")
        assert (page.head.bundle.isEnabled(), page.head.bundle.text()) == (True, BUNDLE)

        # What cannot be written, and what is no bundle, is told in one sentence.
        assert (await saved(page, tmp_path / "nowhere" / "b.zip")).text == "No such file or directory."
        path.write_bytes(b"no zip")
        heard.clear()
        open_bundle(app.window, app.window.tasks, app.notices, path)
        await until(lambda: heard, "the refusal")
        assert heard[0].text == "The file is not a bundle, or it is damaged."

        # Nothing of it outlives its page.
        running = page.running
        app.window.tabs.close_current()
        await until(
            lambda: all(p.chosen is p.evidence is None for p in running._parts), "the end of the page"
        )

    run_window(body, connection=NULL)
    [key] = keys
    assert written
    assert not any(key.encode() in data for data in written)


def test_a_bundle_of_a_finding_between_two_lists_has_both(tmp_path: Path) -> None:
    async def handed_over() -> list[tuple[str, str, int, list[int | None]]]:
        profile = Profile.sandbox(sandbox.base_url).with_connection(
            "conn_sandbox_messy.sequence-mailbox-dangling"
        )
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(tmp_path / "home"))
        try:
            asked = RunOptions(resources=BOTH, only=("records.references",))
            found = await quality_run(session, asked, credential=credential)
            numbers = [call.id for call in session.exchanges.all()]
            [result] = [one for one in found.results if one.is_bad]
            mapped = replace(found, mappings=made_run().mappings)
            [alone] = await in_thread(proof_of, mapped, result, session)
            assert (alone.run.head.coverage, alone.run.head.little) == (mapped.head.coverage, ())
            assert alone.run.of == mapped.head.looked_at
            proof = await in_thread(proof_of, found, result, session, numbers)
            write_bundle(bundle, proof, secrets=secrets_of(session))
            return told(result)
        finally:
            await session.close()

    bundle = tmp_path / "one.zip"
    with quick_sandbox() as sandbox:
        before = asyncio.run(handed_over())
    with zipfile.ZipFile(bundle) as files:
        assert b"1 finding of a run that made " in files.read("report.md")
        [run] = read_runs(files.read("run.json"))
    assert run.of
    assert found_again(bundle, "records.references", tmp_path, BOTH) == before


# ---------------------------------------------------------------- a service that tells on people


@pytest.fixture
def telling(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> Iterator[Telltale]:
    """The service, with a profile of the user's own on it."""
    service = Telltale()
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", service.key)
    with service.running() as server:
        profile = Profile(
            name="Mine", base_url=server.url, connection="conn_1", guard=Guard.OPEN, proxy="none",
            auth=Auth.APIKEY,
        )  # fmt: skip
        Profiles(folders).save(profile)
        yield service


async def look(session: Session, page: QualityPage) -> None:
    """What another page asks while the run is under way."""
    await until(
        lambda: (step := page.running.step) and step.progress and step.progress.pages, "the first page"
    )
    with contextlib.suppress(ExplorerError):
        await session.send(Request("GET", "/v0/unified/crm/contact/7"))


def whole(path: Path) -> bytes:
    return path.read_bytes() + b"\n".join(read_bundle(path).files.values())


def test_nothing_of_anybody_leaves_by_the_window(
    run_window: RunWindow, telling: Telltale, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page(RUNS.key)
        page = app.window.tabs.current
        assert isinstance(page, QualityPage)
        page.setup.resources.choose(("ats/job", "sales-engagement/mailbox", "file-storage/drive"))
        page.setup.groups.choose(("records", "paging", "transport"))
        assert app.session is not None
        session = app.session
        # What the user does on other pages meanwhile stands in the same log, and is nobody's business.
        app.window.tasks.start("other", look(session, page))
        await ran(page)
        assert any(e.path.endswith("/contact/7") for e in session.exchanges.all())
        everything, bare = tmp_path / "all.zip", tmp_path / "none.zip"
        assert (await saved(page, everything)).kind == "holds"
        dialog = asked(page)
        assert len(dialog.masks) == 3
        dialog.close()
        assert (await saved(page, bare, masked=())).kind == "holds"
        data = whole(everything)
        assert len(data) > 100_000
        assert telling.secrets_in(data) | telling.people_in(data) == set()
        assert telling.secrets_in(whole(bare)) == set()
        assert telling.people_in(whole(bare)) == {"e-mail", "phone", "name"}
        found = read_bundle(everything)
        assert any(sample.id == "row-1" for sample in found.samples)
        assert not any("contact" in call.path for call in found.exchanges[0])
        dialog = asked(page)
        assert dialog.masks == (), "what was chosen last is offered again"
        dialog.close()

        # A secret that stands where nothing is masked is seen by the second look: one sentence, no file.
        monkeypatch.setattr(quality_page, "secrets_of", lambda _: (FORMAT,))
        broken = tmp_path / "broken.zip"
        notice = await saved(page, broken)
        assert (notice.kind, notice.title) == ("fails", "The bundle was not saved")
        assert "manifest.json still holds a key or token" in notice.text
        assert FORMAT not in notice.text

    run_window(body, profile="Mine")
    assert sorted(path.name for path in tmp_path.glob("*.zip*")) == ["all.zip", "none.zip"]
