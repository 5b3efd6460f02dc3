"""The process that loads, run here over real pipes: what it says, and that it ends with its input."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from explorer.api.errors import ExplorerError, KeyRefused, Refused, ServiceFailed
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Profile
from explorer.session.load_process import load
from explorer.session.loading import LoadNews, LoadOrder
from explorer.store.values import PageDamaged, PullMoved
from explorer.worker_main import Orders, read_message, write_message
from tests.mirror.session.endless import endless
from tests.recording import Recording, Reply

CANARY = "canary-of-the-process"


def order(server: Recording, folder: Path) -> LoadOrder:
    profile = Profile(id="00ff", name="Test", base_url=server.url, connection="conn_1")
    folders = Folders(folder / "c", folder / "d", folder / "s")
    return LoadOrder(profile, Auth.APIKEY, CANARY, folders, "ats/job", {"page_size": 2}, [], past=False)


def told(server: Recording, folder: Path) -> list[LoadNews]:
    """What it says of one order, with the input open until it is done."""
    said = io.BytesIO()
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe, os.fdopen(writing, "wb"):
        load(order(server, folder), Orders(pipe), partial(write_message, said))
    assert CANARY.encode() not in said.getvalue()
    said.seek(0)
    return list(Orders(said))


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
    assert isinstance(last.error, KeyRefused)
    assert last.error.exchange == last.exchanges[-1].id == 1


def test_no_order_is_nothing_to_do() -> None:
    subprocess.run([sys.executable, "-m", "explorer", "--worker", "load"], check=True, input=b"")


@pytest.mark.parametrize(
    "error",
    [
        ServiceFailed("It failed.", "Wait.", status=500, code="X", detail="more", exchange=3),
        PullMoved("Another window went on."),
        PageDamaged("Page 3 is damaged.", page=3),
        Refused("No.", can_confirm=True, exchange=2),
        ExplorerError("So.", detail="d"),
    ],
)
def test_an_error_comes_over_as_what_it_is(error: ExplorerError) -> None:
    pipe = io.BytesIO()
    write_message(pipe, error)
    pipe.seek(0)
    again = read_message(pipe)
    assert type(again) is type(error)
    assert (again.args, vars(again)) == (error.args, vars(error))


def test_an_order_does_not_show_its_key(tmp_path: Path) -> None:
    with Recording() as server:
        assert "canary" not in repr(order(server, tmp_path))
