"""A stage for the pages of pipelines, connections and customers: real window parts, session, journal and sandbox."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from explorer.api.guard import Permit
from explorer.catalog.request import Request
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Environment, Guard, Profile
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from explorer.ui.app.page_registry import make_page
from explorer.ui.call.call_page import CallPage
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notice, Notices
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import theme
from explorer.ui.page import PageContext
from tests.gui.stage import run_loop, until


class Kept(dict[str, Any]):
    """Settings of one test, in memory."""

    def set(self, key: str, value: Any) -> None:
        self[key] = json.loads(json.dumps(value))


@dataclass
class Stage:
    """A session on the sandbox, and pages on it. ``answer`` is what the person says to a write."""

    session: Session
    service: SandboxProcess
    settings: Kept = field(default_factory=Kept)
    asked: list[Request] = field(default_factory=list)
    told: list[Notice] = field(default_factory=list)
    answer: bool = True
    pages: list[CallPage] = field(default_factory=list)

    async def confirm(self, request: Request) -> Permit | None:
        self.asked.append(request)
        return Permit.for_request(self.session.profile, request) if self.answer else None

    def open(self, operation: str) -> Any:
        """The page that the window would open, at ``operation``."""
        resource = next(
            r for r in self.session.registry.resources() if any(o.key == operation for o in r.operations)
        )
        notices = Notices()
        notices.posted.connect(self.told.append)
        context = PageContext(self.session, notices, Commands(), theme(), self.settings, self.confirm)
        page = make_page(resource, context)
        assert isinstance(page, CallPage)
        page.choose([o.key for o in resource.operations].index(operation))
        page.resize(1208, 810)
        theme().dress(page)
        page.show()
        self.pages.append(page)
        return page

    def state(self) -> dict[str, Any]:
        """What the sandbox stored (its own address for tests)."""
        with httpx.Client(trust_env=False) as client:
            answer = client.get(
                f"{self.service.base_url}/_sandbox/state", headers={"x-apikey": self.service.apikey}
            )
        assert answer.status_code == 200
        state: dict[str, Any] = answer.json()
        return state

    def bodies(self) -> list[Any]:
        """The bodies of the calls in the log, in order."""
        return [json.loads(e.request_body or b"null") for e in self.session.exchanges.all()]


Play = Callable[[Callable[[Stage], Awaitable[None]]], None]


def player(app: QApplication, folders: Folders, service: SandboxProcess, **fields: Any) -> Play:
    """Runs a scene on the sandbox with fields of the profile as given."""

    async def whole(scene: Callable[[Stage], Awaitable[None]]) -> None:
        given = {"guard": Guard.OPEN, **fields}
        if given.get("environment") is Environment.PRODUCTION:
            profile = Profile(
                name="Acme live", base_url=service.base_url, connection="conn_sandbox_clean", **given
            )
        else:
            profile = Profile.sandbox(service.base_url, **given)
        session = await Session.open(profile, Credential(Auth.APIKEY, service.apikey), folders)
        stage = Stage(session, service)
        try:
            await scene(stage)
        finally:
            for page in stage.pages:
                await page.shutdown()
                page.close()
                page.deleteLater()
            await session.close()

    return lambda scene: run_loop(app, lambda: whole(scene))


def editor_at(page: CallPage, name: str) -> Any:
    """The input of ``body:metadata`` or ``path:id``."""
    place, _, path = name.partition(":")
    form: Any = getattr(page.pane.form, place)
    return form if isinstance(form, JsonEdit) else form.grid.editors[path].input()


def type_in(page: CallPage, typing: dict[str, str]) -> None:
    """Key by key; for a choice the number of steps down."""
    for name, text in typing.items():
        widget = editor_at(page, name)
        if isinstance(widget, QComboBox):
            for _ in range(int(text)):
                QTest.keyClick(widget, Qt.Key.Key_Down)
        elif isinstance(widget, QLineEdit):
            widget.selectAll()
            QTest.keyClick(widget, Qt.Key.Key_Delete)
            QTest.keyClicks(widget, text)
        else:
            widget.selectAll()
            widget.insertPlainText(text)


async def send(page: CallPage) -> None:
    """Ctrl Enter in the form, and wait for what becomes of it."""
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: not page.tasks.busy(), "the answer")


def sentences(page: CallPage) -> list[str]:
    """Every sentence that the pane shows now: labels that are not hidden, and the banner."""
    labels = page.pane.findChildren(PlainLabel)
    return [label.whole() for label in labels if label.isVisibleTo(page) and label.whole()]


def badge(page: CallPage) -> str:
    """``200 OK``."""
    return page.pane.panel.badge.text()


# Completion opens a popup, which the offscreen platform remarks on.
QUIET = pytest.mark.qt_log_ignore("This plugin does not support")
