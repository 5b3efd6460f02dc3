"""Whoever wants to hear of something, and how they are told. Belongs to one event loop's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Listeners(Generic[P]):
    """Callbacks, in the order in which they came; one that came twice is told twice."""

    def __init__(self) -> None:
        self._callbacks: dict[object, Callable[P, object]] = {}

    def subscribe(self, callback: Callable[P, object]) -> Callable[[], None]:
        """``callback`` hears from now on. Returns how to end it, which may be called twice."""
        token = object()
        self._callbacks[token] = callback

        def end() -> None:
            self._callbacks.pop(token, None)

        return end

    def __iter__(self) -> Iterator[Callable[P, object]]:
        """As they are now: one that comes or goes while they are told makes no difference."""
        return iter(tuple(self._callbacks.values()))

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls each. What one raises keeps it from those behind it."""
        for callback in self:
            callback(*args, **kwargs)

    def clear(self) -> None:
        """Nobody hears any more."""
        self._callbacks.clear()
