"""The stage of the report pages' tests: a page of its own on a real session, over HTTP."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from explorer.api.guard import Permit
from explorer.catalog.request import Request
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.ui.app.application import run_with
from explorer.ui.app.page_registry import make_page
from explorer.ui.call.call_page import CallPage
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notice, Notices
from explorer.ui.kit.theme import theme
from explorer.ui.page import PageContext
from tests.gui.conftest import until


class Kept(dict[str, Any]):
    """Settings of one test, in memory."""

    def set(self, key: str, value: Any) -> None:
        self[key] = json.loads(json.dumps(value))


@dataclass
class Stage:
    """A session, the pages opened on it, and what the user was told."""

    session: Session
    pages: list[CallPage] = field(default_factory=list)
    told: list[Notice] = field(default_factory=list)

    def open(self, key: str) -> Any:
        """The page that the window would open for that resource."""

        async def never(request: Request) -> Permit | None:
            raise AssertionError(f"{request.target} is a read")

        notices = Notices()
        notices.posted.connect(self.told.append)
        page = make_page(
            self.session.registry.resource(key),
            PageContext(self.session, notices, Commands(), theme(), Kept(), never),
        )
        assert isinstance(page, CallPage)
        page.resize(1180, 780)
        theme().dress(page)
        page.show()
        self.pages.append(page)
        return page


Scene = Callable[[Stage], Awaitable[None]]


def play(
    app: QApplication,
    folders: Folders,
    address: str,
    key: str,
    scene: Scene,
    connection: str = "conn_sandbox_clean",
) -> None:
    """Run ``scene`` on a session with the service at ``address``."""

    async def whole() -> int:
        profile = Profile.sandbox(address).with_connection(connection)
        session = await Session.open(profile, Credential(Auth.APIKEY, key), folders)
        stage = Stage(session)
        try:
            await scene(stage)
        finally:
            for page in stage.pages:
                await page.shutdown()
                page.close()
                page.deleteLater()
            await session.close()
        return 0

    run_with(app, whole)


def field_of(page: CallPage, name: str) -> QLineEdit:
    """The input of a query parameter."""
    line = page.pane.form.query.grid.editors[name].input()
    assert isinstance(line, QLineEdit)
    return line


async def run(page: CallPage, **typed: str) -> None:
    """Type into the parameters, press Ctrl Enter, and wait for what comes."""
    for name, text in typed.items():
        line = field_of(page, name)
        line.selectAll()
        if not text:
            QTest.keyClick(line, Qt.Key.Key_Delete)
        elif text.isascii():
            QTest.keyClicks(line, text)
        else:
            line.insert(text)  # Qt's own typing aborts on other letters
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: not page.tasks.busy(), "the answer")


def said_below(page: CallPage, name: str) -> str:
    """What stands under a parameter."""
    row = page.pane.form.query.grid.rows[name]
    return str(row._below.whole()) if row._below.isVisibleTo(row) else ""


def banner(page: CallPage) -> str:
    """What the banner says, title and text; empty without one."""
    shown = page.pane.banner
    return f"{shown.title} {shown.text}".strip() if shown is not None else ""
