"""A list on loopback whose every answer the test decides: real HTTP, one page at a time, held back on wish."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from explorer.catalog.spec import Resource
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.session import Session
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notice, Notices
from explorer.ui.kit.theme import theme
from explorer.ui.page import PageContext
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.stage import run_loop, until

__all__ = ["Kept", "ListServer", "Stage", "run", "settled", "stage", "turns", "until", "wheel"]


@dataclass
class ListServer:
    """Serves ``rows`` jobs in pages of ``size``; `fail` and `gate` are for the test to turn."""

    rows: int = 1000
    size: int = 100
    asked: list[dict[str, str]] = field(default_factory=list)
    fail: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """By cursor (empty for the first page): the status and body that are answered in its place."""
    gate: threading.Event = field(default_factory=threading.Event)
    """Answers wait until it is set."""
    record: Callable[[int], Any] = lambda i: {"id": f"{i}", "name": f"Job {i}", "confidential": i % 2 == 0}
    loop_at: int = 0
    """From this row on the first page's cursor is given again."""
    held: dict[str, threading.Event] = field(default_factory=dict)
    """By cursor (empty for the first page): an answer that waits for that event."""

    def answer(self, query: dict[str, str]) -> tuple[int, bytes]:
        self.asked.append(query)
        self.gate.wait()
        cursor = query.get("cursor", "")
        if cursor in self.held:
            self.held[cursor].wait()
        if cursor in self.fail:
            return self.fail[cursor]
        start = int(cursor or 0)
        stop = min(start + int(query.get("page_size", self.size)), self.rows)
        more = stop < self.rows
        following = "100" if self.loop_at and stop >= self.loop_at else str(stop)
        items = [self.record(i) for i in range(start, stop)]
        return 200, json.dumps(
            {"items": items, "has_next_page": more, "next_cursor": following if more else None}
        ).encode()

    @contextmanager
    def running(self) -> Iterator[str]:
        """Serve; gives the base address."""
        served = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                status, body = served.answer(dict(parse_qsl(urlsplit(self.path).query)))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                """Whoever asked has gone, killed or stopped: no matter of the server's."""

        self.gate.set()
        server = Server(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            for event in (self.gate, *self.held.values()):
                event.set()
            server.shutdown()
            server.server_close()
            thread.join()


class Kept(dict[str, Any]):
    """The layout, in memory."""

    def set(self, key: str, value: Any) -> None:
        self[key] = value


@dataclass
class Stage:
    """One session against one server, and the pages that a test opens on it."""

    session: Session
    notices: list[Notice]
    context: PageContext
    pages: list[ListPage] = field(default_factory=list)

    def open(self, resource: Resource | None = None, size: tuple[int, int] = (1000, 500)) -> ListPage:
        page = ListPage(resource or self.session.registry.resource("ats/job"), self.context)
        self.pages.append(page)
        page.resize(*size)
        theme().dress(page)
        page.show()
        return page

    async def close(self) -> None:
        for page in self.pages:
            await page.shutdown()
            page.close()
            page.deleteLater()
        await self.session.close()


async def settled(page: ListPage) -> None:
    """Wait until nothing is being fetched."""
    await until(
        lambda: page.pull is not None and not page.tasks.busy("pull") and page.model.state != "loading"
    )


async def turns(number: int = 12) -> None:
    """Let Qt and asyncio have some turns, so that what should not happen had the chance to."""
    for _ in range(number):
        await asyncio.sleep(0.002)
        QApplication.sendPostedEvents()


def wheel(view: QAbstractScrollArea, by: int = -120, times: int = 1) -> None:
    """Turn the wheel over a view."""
    for _ in range(times):
        port = view.viewport()
        at = QPointF(20, 20)
        event = QWheelEvent(
            at, QPointF(port.mapToGlobal(at.toPoint())), QPoint(0, 0), QPoint(0, by), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(port, event)


async def stage(base_url: str, folder: Path, *, in_window: bool = False) -> Stage:
    """A session against ``base_url`` with a store of its own under ``folder``; ``in_window``, it loads as the program's
    own window does, in a process of its own.
    """
    profile = Profile(
        id="test", name="Test", environment=Environment.DEVELOPMENT, base_url=base_url, connection="conn_test"
    )
    credential = Credential(Auth.APIKEY, "key-of-the-test")
    session = await Session.open(profile, credential, Folders.of_user(folder), in_window=in_window)
    notices = Notices()
    seen: list[Notice] = []
    notices.posted.connect(seen.append)

    async def no_write(_request: object) -> None:
        return None

    context = PageContext(session, notices, Commands(), theme(), Kept(), no_write)
    return Stage(session, seen, context)


def run(app: QApplication, work: Coroutine[Any, Any, Any]) -> Any:
    """Run ``work`` on the program's loop."""
    return run_loop(app, lambda: work)


Play = Callable[[ListServer, Callable[[Stage], Awaitable[None]]], None]


def playing(qapp: QApplication, folder: Path, *, in_window: bool = False) -> Play:
    """What runs a scene against a server, its store in ``folder``, with everything closed in order afterwards."""

    def played(server: ListServer, scene: Callable[[Stage], Awaitable[None]]) -> None:
        async def whole(base_url: str) -> None:
            made = await stage(base_url, folder, in_window=in_window)
            try:
                await scene(made)
            finally:
                server.gate.set()
                await made.close()

        with server.running() as base_url:
            run(qapp, whole(base_url))

    return played
