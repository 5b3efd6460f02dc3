"""Whatever happens to the files of a store: rows are given as they were received, or it is said that they cannot be.

Never a blank or wrong row that looks whole, never a user locked out, and nothing else touched.
`UNIFIED_EXPLORER_DAMAGES` says how many random damages are tried, `UNIFIED_EXPLORER_SEED` where the chances begin.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.api.errors import ExplorerError
from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Filter, Pull, Query, Session, StoreFault
from tests.builtin import registry
from tests.flow.damages import damage
from tests.flow.runs import run
from tests.recording import Got, Recording, Reply, reply

DAMAGES = int(os.environ.get("UNIFIED_EXPLORER_DAMAGES", "40"))
SEED = int(os.environ.get("UNIFIED_EXPLORER_SEED", "0"))
LINE_EVERY = 20
"""Of so many damages one is also shown to the real command line."""
JOBS = registry.listing("ats/job")
PAGES, ROWS = 9, 20
KEY = "key-of-the-damaged"
SHORT = {"page_size": 5}
"""The parameters of the other pull."""


def row(page: int, n: int, size: str) -> dict[str, object]:
    return {
        "id": f"{size}-{page}-{n}",
        "name": f"Job {(page * 31 + n * 17) % 97}",
        "raw_data": {"x": "ä" * n},
    }


def serve(got: Got) -> Reply:
    asked = {name: values[0] for name, values in parse_qs(urlsplit(got.target).query).items()}
    size = asked.get("page_size", "all")
    try:
        page = int(asked.get("cursor", "c1").removeprefix("c"))
        assert 1 <= page <= PAGES
        assert asked.get("cursor", "c1") == f"c{page}"
    except (ValueError, AssertionError):
        return reply({"message": "unknown cursor", "code": "BAD_REQUEST", "data": {}}, 400)
    more = page < PAGES
    rows = [row(page, n, size) for n in range(ROWS)]
    return reply({"items": rows, "has_next_page": more, "next_cursor": f"c{page + 1}" if more else None})


def rows_of(size: str, pages: int = PAGES) -> list[str]:
    return [str(row(page, n, size)["id"]) for page in range(1, pages + 1) for n in range(ROWS)]


@dataclass
class Ground:
    """A home with two profiles, whose stores hold whole and half pulls."""

    service: Recording
    home: Path
    template: Path

    def profile(self, name: str = "Mine") -> Profile:
        number = {"Mine": "00aa", "Other": "00bb"}[name]
        return Profile(id=number, name=name, base_url=self.service.url, connection="conn_1", proxy="none")

    def opened(self, name: str = "Mine") -> object:
        folders = Folders.of_user(self.home)
        return Session.open(self.profile(name), Credential(Auth.APIKEY, KEY), folders)

    def fresh(self, chance: random.Random) -> Path:
        """The home as it was; the store has a WAL or none."""
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self.template / chance.choice(["folded", "wal"]), self.home)
        return self.home / "data" / "00aa.sqlite3"


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    base = tmp_path_factory.mktemp("damaged")
    with Recording(answering=serve) as service:
        made = Ground(service, base / "home", base / "template")

        async def fill() -> None:
            for name in ("Other", "Mine"):
                session = await made.opened(name)  # type: ignore[misc]
                await session.pull(JOBS, {}).load_all()
                await session.pull(JOBS, SHORT).load_all(most=4)
                if name == "Mine":
                    shutil.copytree(made.home, made.template / "wal")
                await session.close()
            shutil.copytree(made.home, made.template / "folded")

        made.home.mkdir()
        (made.home / "config").mkdir()
        (made.home / "config" / "profiles.json").write_text('{"kept": "as it is"}')
        asyncio.run(fill())
        yield made


def ids(rows: list[bytes]) -> list[str]:
    return [json.loads(one)["id"] for one in rows]


def is_right(pull: Pull, size: str) -> None:
    """Rows that are given are those that were received; all of them where it says that these are all."""
    try:
        given = pull.window(0, pull.rows)
    except StoreFault:
        return
    expected = rows_of(size)
    assert ids(given) == expected[: len(given)]
    if pull.state == "complete":
        assert len(given) == len(expected)


async def asks(pull: Pull, size: str) -> None:
    """Questions are answered from the rows that were received, or not at all."""
    if not pull.rows:
        return
    total = pull.rows
    for question in (
        Query(sort=(("name", False),)),
        Query(filters=(Filter("name", "contains", "1"),)),
        Query(find="-3-1"),
    ):
        try:
            view = await pull.view(question)
            await view.done()
            found = [json.loads(raw) for portion in [one async for one in view.stream()] for raw in portion]
        except ExplorerError:
            continue
        every = [row(page, n, size) for page in range(1, PAGES + 1) for n in range(ROWS)][:total]
        if question.sort:
            assert sorted(one["id"] for one in found) == sorted(str(one["id"]) for one in every)
            names = [one["name"] for one in found]
            assert len(names) == total
            assert names == sorted(names)
        elif question.filters:
            assert [one["id"] for one in found] == [one["id"] for one in every if "1" in str(one["name"])]
        else:
            assert [one["id"] for one in found] == [one["id"] for one in every if "-3-1" in str(one["id"])]


async def gone_on(ground: Ground, query: Mapping[str, object], size: str) -> None:
    """As a user goes on: what is damaged is fetched again, and the list read to its end. Begun anew if it must be."""
    for attempt in range(4):
        session = await ground.opened()  # type: ignore[misc]
        try:
            pull = session.pull(JOBS, query)
            is_right(pull, size)
            await asks(pull, size)
            await asyncio.sleep(0)
            pull.retry()
            await pull.load_all()
            is_right(pull, size)
            await asyncio.sleep(0)
            if pull.state == "failed":
                pull.retry()
                await pull.load_all()
            if pull.state == "complete":
                assert ids(pull.window(0, pull.rows)) == rows_of(size)
                return
            if attempt:
                await pull.restart()
                await pull.load_all()
                is_right(pull, size)
        except StoreFault:
            continue  # said; the file is set aside when it is next opened
        finally:
            await session.close()
    raise AssertionError("locked out")


def test_no_damage_gives_a_wrong_row_or_locks_anyone_out(ground: Ground, tmp_path: Path) -> None:
    said: dict[str, int] = {}
    wrong: list[str] = []
    for number in range(SEED, SEED + DAMAGES):
        chance = random.Random(number)
        store = ground.fresh(chance)
        others = {p: p.read_bytes() for p in ground.home.rglob("*") if p.is_file() and "00aa" not in p.name}
        what = damage(store, chance)
        try:
            if number % LINE_EVERY == 0:
                on_the_command_line(ground, tmp_path / "rows.jsonl", said)
            asyncio.run(gone_on(ground, {}, "all"))
            asyncio.run(gone_on(ground, SHORT, "5"))
            assert {p: p.read_bytes() for p in others} == others
        except Exception:  # noqa: BLE001 - all that went wrong is told at the end
            wrong.append(f"damage {number}: {what}\n{traceback.format_exc(limit=-4)}")
            print(wrong[-1], flush=True)
    assert not wrong, "\n".join(wrong)
    assert DAMAGES < LINE_EVERY or sum(said.values()) == len(range(0, DAMAGES, LINE_EVERY)), said


def on_the_command_line(ground: Ground, out: Path, said: dict[str, int]) -> None:
    """`pull --resume` over a good file: the file is right, or as it was and the exit code says so."""
    kept = b"".join(json.dumps({"id": one}).encode() + b"\n" for one in ("yesterday", "today"))
    copy = ground.home.with_name("line")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ground.home, copy)
    (copy / "config" / "profiles.json").unlink()
    adopt(ground, copy)
    env = {**os.environ, "UNIFIED_EXPLORER_HOME": str(copy), "UNIFIED_EXPLORER_APIKEY": KEY}
    asked = ["pull", "ats/job", "--profile", "Mine", "--out", str(out)]
    # A file that is found malformed in the middle is set aside by the run after that.
    for turn, more in enumerate((["--resume"], [], [])):
        out.write_bytes(kept)
        done = run([*asked, *more], env)
        words = done.stderr.decode()
        assert "Traceback" not in words
        assert "error in the program" not in words
        if done.returncode == 0:
            assert ids(out.read_bytes().splitlines()) == rows_of("all"), words
        else:
            assert out.read_bytes() == kept, words
            assert words
        if more:
            said[str(done.returncode)] = said.get(str(done.returncode), 0) + 1
        elif turn == 2:
            assert done.returncode == 0, words


def adopt(ground: Ground, home: Path) -> None:
    """The profile in that home's list, with the id that its store has."""
    Profiles(Folders.of_user(home)).save(ground.profile())
