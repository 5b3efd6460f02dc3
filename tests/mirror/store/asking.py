"""Asking a store as the window does, through the runner of queries: it does not matter how they are answered."""

from __future__ import annotations

import asyncio

from explorer.session.query_result import QueryRunner
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.query import Query
from explorer.store.store import Store
from explorer.store.summary import Summary
from explorer.work import StoreThreads


def answer(store: Store, pull: int, shape: IndexedColumns, question: Query) -> list[int]:
    """The rows of a pull that answer ``question``, in order. Raises QueryFault, StoreFault."""

    async def main() -> list[int]:
        threads = StoreThreads()
        runner = QueryRunner(store, threads, shape)
        try:
            found = await runner.ask(question, store.pull(pull))
            return list((await found.done()).settled())
        finally:
            runner.close()
            await threads.close(lambda: None)

    return asyncio.run(main())


def summary(
    store: Store, pull: int, shape: IndexedColumns, column: str, question: Query | None = None
) -> Summary:
    """What ``column`` holds in the rows that answer ``question``. Raises StoreFault."""

    async def main() -> Summary:
        threads = StoreThreads()
        runner = QueryRunner(store, threads, shape)
        try:
            found = await runner.ask(question or Query(), store.pull(pull))
            await found.done()
            return await found.summary(column)
        finally:
            runner.close()
            await threads.close(lambda: None)

    return asyncio.run(main())
