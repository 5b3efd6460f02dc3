"""A sitting of an exam about data and calls, the fifth or a later one: what is put to the program of a service."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from tests.exam.calls3.__main__ import Plain, asked
from tests.exam.frame import Case, Expected, Serve
from tests.exam.sitting import Line

Service = TypeVar("Service")
Made_co = TypeVar("Made_co", covariant=True)


class Kind(Protocol[Made_co]):
    """A defect of one service."""

    @property
    def name(self) -> str: ...
    @property
    def resource(self) -> str: ...
    @property
    def service(self) -> str: ...
    @property
    def writes(self) -> bool: ...
    def spoilt(self, seed: int) -> tuple[Made_co, Expected]: ...


class Sound(Protocol[Made_co]):
    """A service without a defect."""

    @property
    def name(self) -> str: ...
    @property
    def service(self) -> str: ...
    @property
    def writes(self) -> bool: ...
    @property
    def make(self) -> Callable[[int], Made_co]: ...


def the_one(one: Kind[Any], seed: int) -> tuple[Expected, ...]:
    """What a report has to say of a kind that stands in one place."""
    return (one.spoilt(seed)[1],)


@dataclass(frozen=True, slots=True)
class Sitting(Generic[Service]):
    """What is known while the exam is held."""

    given: argparse.Namespace
    serving: Callable[[Callable[[], Service]], Serve]
    plain: Callable[[str, int], Service]
    """The sound service of a name, for a seed."""
    options_of: Callable[[str, int], tuple[str, ...]]
    """What the program has to be told to ask it."""
    accepted: Callable[[Any, int], tuple[Expected, ...]] = the_one
    """What a report may say of a kind: any one counts."""
    known: Plain = field(default_factory=Plain)

    def options(self, service: str) -> tuple[str, ...]:
        """The options of a run on a service."""
        return (
            *self.options_of(service, self.given.seed),
            *(("--prove",) if self.given.prove else ()),
        )

    def kind(self, one: Kind[Service]) -> Line:
        """Puts a defect to the program."""
        seed = self.given.seed
        serve = self.serving(lambda: one.spoilt(seed)[0])
        clean = self.serving(lambda: self.plain(one.service, seed))
        case = Case(one.name, serve, clean, self.accepted(one, seed), self.options(one.service), one.writes)
        return asked("defects", one.name, one.resource or "any", one.service, case, self.known)

    def sound(self, one: Sound[Service]) -> Line:
        """Puts a sound service to the program, of which it may say nothing."""
        serve = self.serving(lambda: one.make(self.given.seed))
        case = Case(one.name, serve, serve, (), self.options(one.service), one.writes)
        return asked("clean", one.name, one.service, one.service, case, None)
