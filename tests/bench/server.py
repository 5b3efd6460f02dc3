"""A plain asyncio server of recorded pages, in a process of its own: it costs as little as a server can.

    python -m tests.bench.server PAGES

It makes the pages first, then prints its port and serves until its input ends. Any path gives the list; ``cursor=pN``
asks for page N. Of more than `MADE` pages each later one is an earlier one with other ids and cursors, so that ten
thousand take no more memory and no more time to make.
"""

from __future__ import annotations

import asyncio
import re
import sys

from tests.bench.pages import body

MADE = 400
_CURSOR = re.compile(rb"[?&]cursor=p(\d+)")


async def serve(last: int) -> None:
    """Serve pages 1 to ``last``."""
    heads = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    made = [body(number, MADE + 1) for number in range(1, min(last, MADE) + 1)]

    def answer(number: int) -> bytes:
        whole = made[(number - 1) % MADE]
        if number > MADE:  # all ids of the made pages begin with these five digits
            whole = whole.replace(b"40000", b"4%04d" % ((number - 1) // MADE))
        end = b'], "has_next_page": true, "next_cursor": "p%d"}' % (number + 1)
        if number >= last:
            end = b'], "has_next_page": false, "next_cursor": null}'
        whole = whole[: whole.rindex(b"]")] + end
        return heads % len(whole) + whole

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                found = _CURSOR.search(request.split(b"\r\n", 1)[0])
                writer.write(answer(int(found.group(1)) if found else 1))
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
