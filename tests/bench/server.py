"""A plain asyncio server of recorded pages, in a process of its own: it costs as little as a server can.

    python -m tests.bench.server PAGES

It makes the pages first, then prints its port and serves until its input ends. Any path gives the list; ``cursor=pN``
asks for page N.
"""

from __future__ import annotations

import asyncio
import re
import sys

from tests.bench.pages import body

_CURSOR = re.compile(rb"[?&]cursor=p(\d+)")


async def serve(last: int) -> None:
    """Serve pages 1 to ``last``."""
    heads = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    answers = [b""]
    for number in range(1, last + 1):
        made = body(number, last)
        answers.append(heads % len(made) + made)

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                found = _CURSOR.search(request.split(b"\r\n", 1)[0])
                writer.write(answers[int(found.group(1)) if found else 1])
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
    asyncio.run(serve(int(sys.argv[1])))
