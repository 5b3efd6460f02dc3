"""A list of callbacks to notify of changes. Use it on one event loop's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Listeners(Generic[P]):
    """Callbacks in the order in which they were added; one that was added twice is called twice."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callable[P, object]] = {}

    def subscribe(self, callback: Callable[P, object]) -> Callable[[], None]:
        """Adds ``callback``. Returns a function that removes it, which may be called twice."""
        token = object()
        self._callbacks[token] = callback

        def end() -> None:
            self._callbacks.pop(token, None)

        return end

    def __iter__(self) -> Iterator[Callable[P, object]]:
        """The present callbacks: adding or removing one during the iteration does not change it."""
        return iter(tuple(self._callbacks.values()))

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls each callback. An exception of one is raised, and the callbacks after it are not called."""
        for callback in self:
            callback(*args, **kwargs)

    def clear(self) -> None:
        """Removes all callbacks."""
        self._callbacks.clear()
