"""A plain asyncio server of a list of files with raw data, in a process of its own; it counts what it is asked.

    python -m tests.bench.files_server ROWS PAGE_SIZE

It makes the rows first, then prints its port and serves until its input ends. It takes ``page_size``, ``sync_mode``,
``drive_id`` and ``folder_id``, and refuses a call without the key ``k`` and the connection ``c``. ``/calls`` answers
how many calls came since it was asked that last.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import defaultdict
from urllib.parse import parse_qsl, urlsplit

KEY, CONNECTION = "k", "c"
MOST = 1000
"""Rows of a page, however many are asked for."""
_INCREMENTAL = 500
_WORDS = (
    "Quarterly",
    "Vertrag",
    "scan",
    "Übersicht",
    "Invoice",
    "Brief",
    "draft",
    "Protokoll",
    "案内",
    "plan",
)
_KINDS = (
    ("pdf", "application/pdf"),
    ("txt", "text/plain"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("png", "image/png"),
)
_PEOPLE = ("Ingrid de Souza", "Priya वर्मा", "Ada Brandt", "José Álvarez", "Mei 王", "Tom O'Neil")


def file(number: int, chance: random.Random) -> dict[str, object]:
    """One file, of about 1.3 kB."""
    ending, mime = chance.choice(_KINDS)
    ident = f"1{chance.getrandbits(120):030x}"
    name = f"{chance.choice(_WORDS)} {chance.choice(_WORDS)} {number:06d}.{ending}"
    folder = f"10{number // 40:06d}Zk_3rQ"
    drive = f"0A{number // 20_000:06d}Uk9PVA"
    path = f"/Team {number // 20_000}/Folder {number // 40}"
    day = f"{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}"
    created = f"20{chance.randrange(18, 25)}-{day}T08:{number % 60:02d}:05.{chance.randrange(1000):03d}Z"
    updated = f"2025-{day}T{number % 24:02d}:01:30.{chance.randrange(1000):03d}Z"
    size = chance.randrange(1_000, 10**9)
    text = f"We answer within {chance.randrange(2, 30)} working days." if number % 5 else None
    readable = chance.random() < 0.9
    return {
        "id": ident,
        "name": name,
        "description": text,
        "type": "file",
        "path": path,
        "mime_type": mime,
        "downloadable": readable,
        "size": size,
        "permissions": {"download": readable},
        "updated_at": updated,
        "created_at": created,
        "raw_data": {
            "kind": "drive#file",
            "id": ident,
            "name": name,
            "mimeType": mime,
            "parents": [folder],
            "folderNames": [path],
            "driveId": drive,
            "starred": chance.random() < 0.1,
            "trashed": False,
            "version": str(9_007_199_254_740_992 + number * 4),
            "webViewLink": f"https://drive.example.com/file/d/{ident}/view?usp=drivesdk",
            "createdTime": created,
            "modifiedTime": updated,
            "lastModifyingUser": {
                "displayName": chance.choice(_PEOPLE), "photoLink": None, "me": chance.random() < 0.5,
            },
            "capabilities": {"canDownload": readable, "canEdit": chance.random() < 0.5, "canCopy": True},
            "permissionIds": [f"{chance.randrange(10**12):020d}" for _ in range(3)],
            "properties": {},
            "description": text,
            "size": str(size),
            "md5Checksum": f"{chance.getrandbits(128):032x}",
        },
    }  # fmt: skip


class Files:
    """The rows as bytes, and the pages made of them."""

    def __init__(self, rows: int, size: int) -> None:
        chance = random.Random(1)
        self._size, self._lists = size, defaultdict[str, list[bytes]](list)
        for number in range(rows):
            one = file(number, chance)
            raw = one["raw_data"]
            assert isinstance(raw, dict)
            row = json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode()
            for name in ("", raw["driveId"], *raw["parents"]):
                self._lists[name].append(row)
        self._lists["incremental"] = self._lists[""][-_INCREMENTAL:]

    def page(self, query: dict[str, str]) -> bytes:
        """The answer to one request."""
        name = "incremental" if query.get("sync_mode") == "incremental" else ""
        rows = self._lists.get(query.get("folder_id") or query.get("drive_id") or name, [])
        start, size = 0, min(MOST, int(query.get("page_size", self._size)))
        if "cursor" in query:
            start, size = map(int, query["cursor"].split("~"))
        end = start + size
        more = end < len(rows)
        tail = json.dumps({"has_next_page": more, "next_cursor": f"{end}~{size}" if more else None})[1:]
        return b'{"items":[' + b",".join(rows[start:end]) + b"]," + tail.encode()


async def serve(rows: int, size: int) -> None:
    """Serve ``rows`` files, ``size`` a page where none is asked for."""
    files, calls = Files(rows, size), 0

    def answer(head: str) -> tuple[int, bytes]:
        nonlocal calls
        target = urlsplit(head.split(" ", 2)[1])
        if target.path == "/calls":
            asked, calls = calls, 0
            return 200, str(asked).encode()
        calls += 1
        given = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if line)
        if given.get("x-apikey") != KEY:
            return 401, b'{"message":"Invalid API key","code":"UNAUTHORIZED"}'
        if given.get("x-connection-id") != CONNECTION:
            return 404, b'{"message":"Connection not found","code":"NOT_FOUND"}'
        try:
            return 200, files.page(dict(parse_qsl(target.query)))
        except ValueError:  # a cursor or a page size that it never gave: a run tries that too
            return 400, b'{"message":"A parameter is not valid","code":"BAD_REQUEST"}'

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                status, body = answer(request.decode("latin-1"))
                kind = "application/json"
                head = f"HTTP/1.1 {status} OK\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(one, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
