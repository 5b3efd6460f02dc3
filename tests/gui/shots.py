"""Pictures of every page and dialog of the window, light and dark, in two sizes, or in the looks that are named.

./dev shots DIR [--size WxH] [--theme light|dark] [--type POINTS] [--scale PER_CENT]; --size and --theme once or more.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from explorer.catalog.request import build
from explorer.catalog.spec import Resource
from explorer.profiles.profile import Environment, Guard, Profile
from explorer.quality.bundle.masking_kinds import Mask
from explorer.quality.compare.aligned import SAME
from explorer.ui.app.application import application
from explorer.ui.app.tour import CLEAN, FIRST, LOOKS, MESSY, Looks, Tour, TourFault, take
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.write_dialog import WriteDialog
from explorer.ui.own_pages import HOME, INTERFACE, RUNS, SNAPSHOTS
from explorer.ui.page import Page
from explorer.ui.pages.interface.interface_page import InterfacePage
from explorer.ui.pages.list.column_summary import ColumnSummary
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.accepting import AcceptDialog
from explorer.ui.pages.quality.bundle_open import open_bundle
from explorer.ui.pages.quality.bundle_window import BundleWindow
from explorer.ui.pages.quality.quality_page import RUN, QualityPage
from explorer.ui.pages.snapshots.snapshots_page import FIELDS_TAB, SnapshotsPage
from explorer.ui.profiles.plain_http import PlainHttpDialog

P = TypeVar("P", bound=Page)
_KEPT = "sales-engagement/mailbox"
_LONG = "conn_sandbox_large"
_ALIKE = f"{MESSY}.mailbox-email-malformed"
"""The records of the clean connection, with one thing wrong in them."""
_TOLD = "records.types"
"""A check whose findings on the messy connection are several, each with its rows."""
_UNIFIED = ("crm", "ats", "file-storage", "sales-engagement")
_TYPED = Path(__file__).with_name("shots.json")
"""What is typed on the way: for each page its calls, and below ``interface`` an OpenAPI document."""


def _samples() -> dict[str, Any]:
    samples: dict[str, Any] = json.loads(_TYPED.read_text(encoding="utf-8"))
    return samples


class FullTour(Tour):
    """The tour that ships with the program, through all other pages and dialogs as well."""

    def parts(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """Everything stands between the main job and the failures."""
        job, failures = super().parts()
        return job, self._everything, failures

    def _front(self, kind: type[P]) -> P:
        """The page in front. Raises TourFault for one of another kind."""
        page = self._window.tabs.current
        if not isinstance(page, kind):
            raise TourFault(f"no {kind.__name__} is in front")
        return page

    @property
    def areas(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All that is looked at beside the main job, in parts that begin at the list in front and end there."""
        return {
            "unified": partial(self._pages, lambda vertical: vertical in _UNIFIED),
            "other pages": partial(self._pages, lambda vertical: vertical not in _UNIFIED),
            "mapping": self._mapping_and_summary,
            "quality": self._quality,
            "live run": self._live_run,
            "bundle": self._evidence,
            "snapshots": self._snapshots,
            "side by side": self._side_by_side,
            "interface": self._interface,
            "dialogs": self._dialogs,
        }

    async def _everything(self) -> None:
        for area in self.areas.values():
            await area()
        self._window.open_page(FIRST)
        await self._until(lambda: self._rows() > 0, "Jobs did not come back")

    async def _pages(self, wanted: Callable[[str], bool]) -> None:
        """Every page of some verticals, and the answers of its calls."""
        samples = _samples()
        for resource in self._window.registry.resources():
            if not wanted(resource.key.partition("/")[0]):
                continue
            self._window.open_page(resource.key)
            if resource.listing is not None:
                await self._until(lambda: self._rows() > 0, f"no rows of {resource.title} came")
            await self._each_look(resource.key.replace("/", "-"))
            for sample in samples.get(resource.key, ()):
                await self._call(resource, sample)
            self._window.tabs.close_current()

    async def _dialogs(self) -> None:
        """Home and every dialog."""
        await self._each_look("home", partial(self._window.open_page, HOME.key))
        for name, command in (("profiles", "profiles.open"), ("new-profile", "profiles.new")):
            await self._dialog(name, partial(self._window.commands.run, command))
        await self._dialog("stored-data", partial(self._window.commands.run, "storage.open"))
        await self._dialog("shortcuts", partial(self._window.commands.run, "help.shortcuts"))
        await self._dialog("about", partial(self._window.commands.run, "help.about"))
        await self._dialog("switch-profile", self._window.show_switcher)
        await self._confirmations()

    async def _call(self, resource: Resource, sample: dict[str, Any]) -> None:
        """Fill the form of one operation, send it, and look at the page with its answer."""
        page = self._front(CallPage)
        page.choose(sample["operation"])
        page.pane.form.restore(sample["form"])
        before = len(self._exchanges())
        self._run("request.send")
        await self._until(
            lambda: len(self._exchanges()) > before and not page.tasks.busy(),
            f"{resource.title} got no answer",
        )
        await self._each_look(f"{resource.operations[sample['operation']].key.replace('/', '-')}-answered")

    async def _quality(self) -> None:
        """A run over two connections: what to check, one that is clean and one that is not, and a finding."""
        self._window.open_page(RUNS.key)
        page = self._front(QualityPage)
        await self._each_look("quality-runs")
        page.setup.resources.choose(("ats/job", "file-storage/drive"))
        page.setup.connections.choose((CLEAN, MESSY))
        self._run("request.send")
        await self._until(lambda: page.runs and not page.tasks.busy(), "the quality run did not end")
        await self._each_look("quality-grid")
        page.tools.connection_chosen.emit(1)
        await self._until(lambda: not page.tasks.busy(), "the run before was not found")
        await self._each_look("quality-run-answered")
        page.shown.results.go_to(_TOLD, FIRST)
        await self._each_look("quality-finding")
        await self._accepted(page)
        self._window.tabs.close_current()

    async def _accepted(self, page: QualityPage) -> None:
        """The open finding accepted with a reason, where it stands then, and taken back."""
        page.accept_finding()
        await self._until(lambda: page.findChildren(AcceptDialog), "nobody asked why it is accepted")
        [dialog] = page.findChildren(AcceptDialog)
        QTest.keyClicks(dialog.reason, "known to the vendor, ticket CRM-12")
        await self._dialog("quality-accept", lambda: None, Qt.Key.Key_Return)
        await self._until(lambda: page.accepting.baseline.accepted, "the finding was not accepted")
        table = page.shown.results
        table.choose(table.results.first(lambda line: bool(line.result.accepted)))
        await self._each_look("quality-accepted")
        page.accept_finding()
        await self._until(lambda: not page.accepting.baseline.accepted, "the finding was not taken back")

    async def _live_run(self) -> None:
        """A run over whole lists while it goes on, then what is kept of it when it is stopped."""
        await self._connect(_LONG)
        self._window.open_page(RUNS.key)
        page = self._front(QualityPage)
        page.setup.resources.choose(())
        page.setup.connections.choose((_LONG,))
        page.setup.extent.choose(quick=False)
        self._run("request.send")
        await self._until(
            lambda: page.runs and page.tasks.busy(RUN), "nothing was found while the run went on"
        )
        await self._each_look("quality-live")
        if not page.tasks.busy(RUN):
            raise TourFault("the run ended before its pictures were taken")
        self._run("request.stop")
        await self._until(lambda: page.runs[0].stopped and not page.tasks.busy(), "the run did not stop")
        await self._each_look("quality-stopped")
        self._window.tabs.close_current()
        await self._connect(CLEAN)

    async def _evidence(self) -> None:
        """The evidence of a run over one list: what is masked in it, the file, and what opens that."""
        self._window.open_page(RUNS.key)
        page = self._front(QualityPage)
        page.setup.resources.choose((FIRST,))
        page.setup.connections.choose((MESSY,))
        self._run("request.send")
        await self._until(lambda: page.runs and not page.tasks.busy(), "the quality run did not end")
        await self._dialog("bundle-masks", partial(self._run, "quality.bundle"))
        with tempfile.TemporaryDirectory(prefix="unified-explorer-tour-") as made:
            await self._bundle(page, Path(made) / "evidence.zip")
        self._window.tabs.close_current()

    async def _bundle(self, page: QualityPage, path: Path) -> None:
        """The evidence of the run as a file, and what opens it on any machine."""
        page.save_bundle(path, tuple(Mask))
        await self._until(lambda: path.exists() and not page.unfinished, "the bundle was not saved")
        open_bundle(self._window, page.tasks, self._app.notices, path)
        await self._until(lambda: self._window.findChildren(BundleWindow), "the bundle was not opened")
        [window] = self._window.findChildren(BundleWindow)
        await self._until(window.isVisible, "the bundle was not shown")
        window.results.go_to(_TOLD, FIRST)
        QTest.keyClick(window.results, Qt.Key.Key_Return)
        for _ in self._each_scheme():
            await self._shot("bundle-window", window)
        window.close()

    async def _mapping_and_summary(self) -> None:
        """A row's mapping in the inspector, then the summary of a column over it."""
        self._window.open_page(FIRST)
        page = await self._list_in_front()
        page.table.setCurrentIndex(page.model.index(1, 2))
        inspector = self._window.inspector
        await self._until(lambda: inspector.view is not None, "the inspector did not follow")
        inspector.show_tab("Mapping")
        await self._until(self._mapped, "the mapping did not come")
        if inspector.mapping is not None:
            inspector.mapping.table.setFocus()
            QTest.keyClick(inspector.mapping.table, Qt.Key.Key_Down)
        await self._each_look("mapping")
        inspector.show_tab("Fields")
        for _ in self._each_scheme():
            self._run("rows.summary")
            await self._until(self._summary_filled, "the summary did not come")
            await self._shot("column-summary")
            QTest.keyClick(self._window.findChildren(ColumnSummary)[-1], Qt.Key.Key_Escape)
        self._window.tabs.close_current()

    def _summary_filled(self) -> bool:
        return any(
            one.found is not None and one.isVisible() for one in self._window.findChildren(ColumnSummary)
        )

    async def _list_in_front(self) -> ListPage:
        page = self._front(ListPage)
        await self._until(
            lambda: self._rows() > 0 and self._state() == "ready", f"no rows of {page.title} came"
        )
        return page

    async def _snapshots(self) -> None:
        """A list kept, loaded further, and what it is now held against what it was."""
        self._window.open_page(_KEPT)
        rows = await self._list_in_front()
        rows.keep()
        page = self._front(SnapshotsPage)
        await self._until(lambda: page.findChildren(QInputDialog), "no name was asked for")
        await self._dialog("keep-snapshot", lambda: None, Qt.Key.Key_Return)
        await self._until(lambda: page.kept.model.rows, "the snapshot was not kept")
        await self._each_look("snapshots-kept")
        self._window.open_page(_KEPT)
        before = self._rows()
        QTest.keyClick(rows.table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        await self._until(partial(self._steps_beyond, rows.table, before), "no second page came")
        self._window.open_page(SNAPSHOTS.key)
        await self._until(lambda: not page.tasks.busy(), "the snapshots were not listed")
        self._run("request.send")
        await self._until(
            lambda: page.differences.made and not page.tasks.busy(), "the comparison did not end"
        )
        await self._each_look("snapshots-differences")
        page.tabs.setCurrentIndex(FIELDS_TAB)
        await self._until(lambda: page.fields.model.rows, "the fields were not counted")
        QTest.keyClick(page.fields.table, Qt.Key.Key_Down)
        await self._each_look("snapshots-fields")
        self._window.tabs.close_current()

    async def _side_by_side(self) -> None:
        """One list of two connections, row beside row."""
        for connection in (_ALIKE, CLEAN):
            await self._connect(connection)
            self._window.open_page(_KEPT)
            # After a switch a list that is in front asks for nothing by itself.
            self._run("request.load_all")
            await self._until(lambda: self._state() == "complete", "the list was not read to its end")
        self._run("request.beside")
        page = self._front(SnapshotsPage)
        await self._until(lambda: page.differences.made and not page.tasks.busy(), "nothing was beside it")
        other = next(one for one in page.choice.before.offered if one.about.connection == _ALIKE)
        _, mine = page.choice.chosen
        if mine is not None:  # a snapshot of this connection was nearer
            page.choice.choose(other, mine)
            page.differences.drop()
            page.show_sides()
        await self._until(
            lambda: page.sides.pairs and page.sides.pairs.aligned.lines((SAME,)) and not page.tasks.busy(),
            "no rows of one id came together",
        )
        self._run("sides.next")
        await self._each_look("side-by-side")
        self._window.tabs.close_current()

    async def _interface(self) -> None:
        """Another document of the sandbox's service: nothing read yet, what it says, and its first page tried."""
        self._window.open_page(INTERFACE.key)
        page = self._front(InterfacePage)
        await self._each_look("interface-empty")
        with tempfile.TemporaryDirectory(prefix="unified-explorer-tour-") as made:
            document = Path(made) / "openapi.json"
            document.write_text(json.dumps(_samples()["interface"]), encoding="utf-8")
            page.read_file(document)
            await self._until(lambda: page.draft, "the document was not read")
        await self._each_look("interface-read")
        page.save_pack()
        await self._until(lambda: page.draft and page.draft.name, "the pack was not saved")
        saved = page.draft.name if page.draft is not None else ""
        self._app.open(self._app.profiles.get("sandbox").changed(interface=saved))
        await self._until(
            lambda: self._app.session is not None, "the sandbox did not open as that document says"
        )
        self._window.open_page(INTERFACE.key)
        page = self._front(InterfacePage)
        await self._until(lambda: page.draft, "the saved document was not read")
        self._run("interface.try")
        await self._until(lambda: page.tried and not page.tasks.busy(), "its first page was not tried")
        await self._each_look("interface-tried")
        self._app.open(self._app.profiles.get("sandbox"))
        await self._until(lambda: self._app.session is not None, "the sandbox did not open")

    async def _confirmations(self) -> None:
        operation = self._window.registry.operation("crm/contact/upsert")
        body = {
            "upsert_on": {"key": "email", "values": ["ada@lovelace.dev"]},
            "record": {"first_name": "Ada"},
        }
        request = build(operation, body=body)
        for environment in (Environment.STAGING, Environment.PRODUCTION):
            profile = Profile(
                name=f"Acme {environment.value}",
                base_url="https://api.example.com",
                environment=environment,
                guard=Guard.ASK,
                connection="conn_example",
            )
            dialog = WriteDialog(request, profile, self._window)
            await self._dialog(f"confirm-{environment.value}", dialog.open)
        plain = Profile(name="Acme", base_url="http://api.example.com", connection="conn_example")
        await self._dialog("confirm-plain-http", PlainHttpDialog(plain, self._window).open)


def main(arguments: Sequence[str]) -> int:
    """Takes the pictures; 0 when that was possible."""
    parser = argparse.ArgumentParser(prog="./dev shots", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=_size, action="append", metavar="WxH")
    parser.add_argument("--theme", choices=LOOKS.schemes, action="append")
    parser.add_argument("--type", type=partial(_number, 1, 200), default=0, metavar="POINTS")
    parser.add_argument("--scale", type=partial(_number, 50, 400), default=100, metavar="PER_CENT")
    chosen = parser.parse_args(arguments)
    looks = Looks(tuple(chosen.size or LOOKS.sizes), tuple(chosen.theme or LOOKS.schemes))
    app = application(chosen.scale)
    if chosen.type:
        font = app.font()
        font.setPointSize(chosen.type)
        app.setFont(font)
    return take(app, lambda folders: FullTour(chosen.folder, folders, looks))


def _size(text: str) -> tuple[int, int]:
    if not (found := re.fullmatch(r"(\d{3,4})x(\d{3,4})", text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no size of a window, as 1024x640 is.")
    return int(found[1]), int(found[2])


def _number(least: int, most: int, text: str) -> int:
    if not (text.isdecimal() and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to {most}.")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
