"""The process that loads, run here over real pipes: what it says, and that it ends with its input."""

from __future__ import annotations

import asyncio
import io
import os
from pathlib import Path

import pytest

from explorer.api.errors import ExplorerError, Refused, ServiceFailed
from explorer.profiles.profile import Profile
from explorer.session.load_messages import Fault, News, Order, news_of
from explorer.session.load_process import _Load, load
from explorer.store import PullMoved
from explorer.store.frames import read_frame
from tests.mirror.session.endless import endless
from tests.recording import Recording, Reply

CANARY = "canary-of-the-process"


def order(server: Recording, folder: Path) -> Order:
    profile = Profile(id="00ff", name="Test", base_url=server.url, connection="conn_1").model_dump(
        mode="json"
    )
    folders = (str(folder / "c"), str(folder / "d"), str(folder / "s"))
    return Order(profile, "api key", CANARY, folders, "ats/job", {"page_size": 2}, [], past=False)


def told(server: Recording, folder: Path) -> list[News]:
    """What it says of one order, as frames."""
    reading, writing = os.pipe()
    said = io.BytesIO()
    with os.fdopen(reading, "rb") as orders, os.fdopen(writing, "wb"):
        asyncio.run(asyncio.wait_for(_Load(order(server, folder), said).run(orders), 60))
    assert CANARY.encode() not in said.getvalue()
    said.seek(0)
    return [news_of(frame) for frame in iter(lambda: read_frame(said), None)]


def test_it_tells_how_far_it_came_and_that_it_is_over(tmp_path: Path) -> None:
    with Recording() as server:
        server.answering = lambda got: endless(got, last=20)
        news = told(server, tmp_path)
    assert [each.over for each in news] == [False] * (len(news) - 1) + [True]
    assert news[-1].error is None
    assert {e.page for each in news for e in each.exchanges} == set(range(1, 21))


def test_a_failure_is_told_with_its_request(tmp_path: Path) -> None:
    with Recording([Reply(401, b'{"message":"UNAUTHORIZED","code":"UNAUTHORIZED","data":{}}')]) as server:
        last = told(server, tmp_path)[-1]
    assert last.error is not None
    assert last.error.kind == "KeyRefused"
    assert last.error.exchange == last.exchanges[-1].id == 1


def test_no_order_is_nothing_to_do() -> None:
    assert load(io.BytesIO(b""), io.BytesIO()) == 0


@pytest.mark.parametrize(
    "error",
    [
        ServiceFailed("It failed.", "Wait.", status=500, code="X", detail="more", exchange=3),
        PullMoved("Another window went on."),
        Refused("No.", exchange=2),
        ExplorerError("So.", detail="d"),
    ],
)
def test_an_error_comes_over_as_what_it_is(error: ExplorerError) -> None:
    again = Fault.of(error).error()
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert "canary" not in repr(Order({}, "", CANARY, ("", "", ""), "x", {}, [], past=True))
