"""The stage of the tests of pages that write: the window's own page on a real session, over HTTP, with real secrets."""

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QWidget,
)

from explorer.api.exchanges import as_curl, as_har
from explorer.api.guard import Permit
from explorer.catalog.request import Request
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.profiles.secrets import Secrets
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from explorer.ui.app.page_registry import make_page
from explorer.ui.call.call_page import CallPage
from explorer.ui.frame.layout import Layout
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notice, Notices
from explorer.ui.kit.theme import theme
from explorer.ui.own_pages import page_resources
from explorer.ui.page import PageContext
from tests.gui.stage import run_loop, until

CONTROL = Qt.KeyboardModifier.ControlModifier


@dataclass
class Stage:
    """A session, the pages opened on it, and what the user was told."""

    session: Session
    layout: Layout
    secrets: Secrets | None
    pages: list[CallPage] = field(default_factory=list)
    told: list[Notice] = field(default_factory=list)

    def open(self, key: str) -> Any:
        """The page that the window would open for that resource."""
        notices = Notices()
        notices.posted.connect(self.told.append)
        context = PageContext(
            self.session, notices, Commands(), theme(), self.layout, self._confirm, self.secrets
        )
        page = make_page(page_resources(self.session.registry)[key], context)
        assert isinstance(page, CallPage)
        page.resize(1208, 810)
        theme().dress(page)
        page.show()
        self.pages.append(page)
        return page

    async def _confirm(self, request: Request) -> Permit | None:
        return Permit.for_request(self.session.profile, request)

    async def close(self, page: CallPage) -> None:
        """Close a page as the window does."""
        self.pages.remove(page)
        await page.shutdown()
        page.close()
        page.deleteLater()


Scene = Callable[[Stage], Awaitable[None]]


def play(
    app: QApplication,
    folders: Folders,
    profile: Profile,
    key: str,
    scene: Scene,
    secrets: Secrets | None = None,
) -> None:
    """Run ``scene`` on a session of ``profile``."""

    async def whole() -> None:
        session = await Session.open(profile, Credential(Auth.APIKEY, key), folders)
        stage = Stage(
            session, Layout(folders.state), Secrets(folders, environ={}) if secrets is None else secrets
        )
        try:
            await scene(stage)
        finally:
            for page in list(stage.pages):
                await stage.close(page)
            await session.close()
            stage.layout.save()

    run_loop(app, whole)


def on_service(service: SandboxProcess, **fields: Any) -> Profile:
    """The built-in profile, open for writes, on that sandbox."""
    return Profile.sandbox(service.base_url, **{"guard": Guard.OPEN, **fields})


def editor(page: CallPage, name: str) -> Any:
    """The editor of ``body:view`` or ``path:connector_name``."""
    place, _, inner = name.partition(":")
    return getattr(page.pane.form, place).grid.editors[inner]


def type_in(page: CallPage, **typed: str) -> None:
    """Type into fields of the body, or of the path where they stand there, as a person does."""
    for name, text in typed.items():
        place = "body" if page.pane.form.body is not None else "path"
        widget = editor(page, f"{place}:{name}").input()
        if isinstance(widget, QComboBox):
            widget.setFocus()
            QTest.keyClicks(widget, text)
        else:
            widget.clear()
            QTest.keyClicks(widget, text)


async def send(page: CallPage) -> None:
    """Ctrl Enter, and what comes of it."""
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)
    await until(lambda: not page.pane.busy, "the answer")


def below(page: CallPage, name: str) -> str:
    """What stands under a field."""
    place, _, inner = name.partition(":")
    row = getattr(page.pane.form, place).grid.rows[inner]
    return str(row._below.whole()) if row._below.isVisibleTo(row) else ""


def banner(page: CallPage) -> str:
    """What the banner says, title and text; empty without one."""
    shown = page.pane.banner
    return f"{shown.title} {shown.text}".strip() if shown is not None else ""


def stored(service: SandboxProcess) -> list[dict[str, Any]]:
    """What the sandbox was asked, oldest first."""
    answer = httpx.get(
        f"{service.base_url}/_sandbox/state", headers={"x-apikey": service.apikey}, trust_env=False
    )
    return list(answer.json()["requests"])


def cells(table: QTableView) -> list[list[str]]:
    """What a table shows, row by row."""
    model = table.model()
    return [
        [str(model.index(row, column).data() or "") for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def texts(root: QWidget) -> Iterator[str]:
    """Every word that a widget below ``root`` shows, names or carries as a tip; a password's dots hide it."""
    for widget in (root, *root.findChildren(QWidget)):
        yield from (
            widget.toolTip(),
            widget.accessibleName(),
            widget.accessibleDescription(),
            widget.windowTitle(),
        )
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QLineEdit) and widget.echoMode() is QLineEdit.EchoMode.Normal:
            yield from (widget.text(), widget.placeholderText())
        elif isinstance(widget, QPlainTextEdit):
            yield widget.toPlainText()
        elif isinstance(widget, QTableView) and widget.model() is not None:
            yield from (cell for row in cells(widget) for cell in row)


def everywhere(stage: Stage, home: Path) -> str:
    """All that could hold a secret by accident: the log in each of its forms, notices, and every file under HOME."""
    log = list(stage.session.exchanges.all())
    files = "".join(
        path.read_bytes().decode("utf-8", "replace") for path in sorted(home.rglob("*")) if path.is_file()
    )
    assert log
    assert files
    shared = as_har(log).decode() + "".join(map(as_curl, log))
    return repr(log) + shared + files + repr(stage.told)


def object_of(text: str) -> dict[str, Any]:
    """A logged body, which is an object."""
    value = json.loads(text)
    assert isinstance(value, dict)
    return value
