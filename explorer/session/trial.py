"""Is this profile right? Address, then key, then connection: which of the three is wrong, and how, in sentences.

Only lists are read, three at most, once each, without a parameter. What each failure proves is taken from the tree
of errors: an answer of the service proves the address, any answer but a refused key proves the key, and a connection
of another kind is a connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from explorer.api.answer import Answer
from explorer.api.errors import (
    AnswerError,
    BadAnswer,
    CannotSend,
    ConnectionLost,
    DeadlinePassed,
    ExplorerError,
    GatewayFailed,
    InvalidInput,
    KeyRefused,
    NotFound,
    NotJson,
    NotSupported,
    Redirected,
    ServiceFailed,
    ThirdPartyFailed,
    TlsFailed,
    Unreachable,
)
from explorer.catalog import registry
from explorer.catalog.request import Request, build
from explorer.profiles.profile import Auth, Profile

SECONDS = 20.0
"""For the whole trial."""
REQUESTS = 3

Send = Callable[[Request], Awaitable[Answer]]
StepName = Literal["address", "key", "connection"]
Verdict = Literal["holds", "fails", "caution", "unknown"]


@dataclass(frozen=True, slots=True)
class TestStep:
    """What was found about one of the three."""

    __test__ = False  # pytest looks for classes of this name

    name: StepName
    verdict: Verdict
    """``unknown``: it could not be looked at, as a step before it fails."""
    sentence: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class TestResult:
    """The three steps, in order."""

    __test__ = False

    steps: tuple[TestStep, ...]

    @property
    def wrong(self) -> TestStep | None:
        """The first step that fails, or None when the profile can be used."""
        return next((step for step in self.steps if step.verdict == "fails"), None)

    @property
    def ok(self) -> bool:
        """True when none fails and none is unknown; a step may still ask for care."""
        return all(step.verdict in ("holds", "caution") for step in self.steps)

    @property
    def sentence(self) -> str:
        """The one sentence for a status line: the first step that does not hold, or that all do."""
        found = self.wrong or next((step for step in self.steps if step.verdict != "holds"), None)
        return found.sentence if found else "Address, key and connection are right."


async def try_profile(
    profile: Profile, send: Send, *, has_credential: bool = True, seconds: float = SECONDS
) -> TestResult:
    """Tries ``profile`` through ``send``, within ``seconds``. Raises nothing but CancelledError."""
    trial = _Trial(profile, has_credential)
    try:
        async with asyncio.timeout(seconds):
            for request in _requests():
                if await trial.ask(request, send):
                    break
    except TimeoutError:
        trial.timed_out(seconds)
    return trial.result()


def _requests() -> Sequence[Request]:
    lists = [resource.listing for resource in registry.listings()]
    return [build(listing) for listing in lists if listing is not None][:REQUESTS]


class _Trial:
    """What the answers so far prove."""

    def __init__(self, profile: Profile, has_credential: bool) -> None:
        self._profile = profile
        self._has_credential = has_credential
        self._what = "token" if profile.auth is Auth.BEARER else "key"
        self._steps: dict[StepName, TestStep] = {}

    def result(self) -> TestResult:
        names: tuple[StepName, ...] = ("address", "key", "connection")
        open_ = "Not looked at, as a step before it does not hold."
        return TestResult(tuple(self._steps.get(n) or TestStep(n, "unknown", open_) for n in names))

    def timed_out(self, seconds: float) -> None:
        if "address" not in self._steps:
            self._say(
                "address",
                "fails",
                f"{self._profile.origin} gave no answer within {seconds:g} s.",
                "Check the address and the network. A service whose third party is slow may need longer: load a list.",
            )

    async def ask(self, request: Request, send: Send) -> bool:
        """Sends one request and judges what came. True when no further one would say more."""
        try:
            answer = await send(request)
        except ExplorerError as error:
            return self._judge(error)
        return self._judge_answer(answer, request)

    def _judge_answer(self, answer: Answer, request: Request) -> bool:
        try:
            value = answer.json()
        except NotJson:
            self._not_the_service(f"answers {answer.status} with something that is no JSON")
            return True
        listing = request.operation
        items = getattr(getattr(listing, "envelope", None), "items", "items")
        if not isinstance(value, dict) or items not in value:
            self._say(
                "address",
                "caution",
                f"{self._profile.origin} answers, but not with a list as this service does.",
            )
            self._say("key", "caution", f"The {self._what} was not refused.")
            self._say("connection", "caution", "The connection was not refused.")
            return True
        self._reached()
        self._key_holds()
        self._connection("holds", f"The connection {self._shown()} answers.")
        return True

    def _judge(self, error: ExplorerError) -> bool:
        if isinstance(error, KeyRefused):
            self._reached()
            none = f"There is no {self._what}: give one." if not self._has_credential else error.sentence
            self._say("key", "fails", none, error.advice if self._has_credential else "")
        elif isinstance(error, NotFound):
            return self._not_found(error)
        elif isinstance(error, NotSupported):
            self._reached()
            self._key_holds()
            self._connection("holds", f"The connection {self._shown()} is known; it lacks this one list.")
        elif isinstance(error, ThirdPartyFailed):
            self._reached()
            self._key_holds()
            self._connection("caution", error.sentence, error.advice)
        elif isinstance(error, InvalidInput):
            self._invalid(error)
        elif isinstance(error, ServiceFailed):
            self._failed(error)
        elif isinstance(error, AnswerError):
            self._other_answer(error)
        else:
            self._no_answer(error)
        return True

    def _not_found(self, error: NotFound) -> bool:
        """404: the connection is unknown, or the route, and then perhaps the whole address is of something else."""
        if error.code and "no connection" in error.sentence:
            self._reached()
            self._key_holds()
            self._connection("fails", error.sentence, error.advice)
            return True
        self._not_the_service("finds none of the lists (404)")
        return False

    def _invalid(self, error: InvalidInput) -> None:
        self._reached()
        self._key_holds()
        if "of another kind" in error.sentence:
            self._connection(
                "holds", f"The connection {self._shown()} is known; it is of another kind than this list."
            )
        elif "before looking" in error.sentence:
            # Refused before routing: a malformed key does that as well as a connection id that matches several.
            self._say("key", "fails", error.sentence, error.advice)
            self._steps.pop("connection", None)
        else:
            self._connection("fails", error.sentence, error.advice)

    def _failed(self, error: ServiceFailed) -> None:
        self._reached()
        if error.code:
            self._key_holds()
            self._connection("caution", error.sentence, error.advice)
            return
        # Observed: an unknown organization in the key, and an unreadable connection id, both end in 500 without a body.
        suspect = not self._profile.connection.startswith("conn_")
        if suspect:
            self._say("key", "caution", f"Whether the {self._what} is right was not seen.")
            self._connection("fails", error.sentence, error.advice)
        else:
            self._say("key", "fails", error.sentence, error.advice)

    def _other_answer(self, error: AnswerError) -> None:
        if isinstance(error, GatewayFailed | Redirected) or not error.code:
            self._say("address", "fails", error.sentence, error.advice)
            return
        self._reached()
        self._key_holds()
        self._connection("caution", error.sentence, error.advice)

    def _no_answer(self, error: ExplorerError) -> None:
        if isinstance(
            error, Unreachable | TlsFailed | ConnectionLost | DeadlinePassed | BadAnswer | CannotSend
        ):
            self._say("address", "fails", error.sentence, error.advice)
        else:
            self._say("address", "unknown", error.sentence, error.advice)

    def _not_the_service(self, how: str) -> None:
        advice = "Check the address: it ends where /v0 begins."
        self._say("address", "fails", f"{self._profile.base_url} is no such service: it {how}.", advice)

    def _reached(self) -> None:
        self._say("address", "holds", f"{self._profile.origin} answers as the service does.")

    def _key_holds(self) -> None:
        if not self._has_credential:
            self._say("key", "caution", f"The service answers without a {self._what}; none is set.")
        else:
            self._say("key", "holds", f"The {self._what} is accepted.")

    def _connection(self, verdict: Verdict, sentence: str, advice: str = "") -> None:
        if not self._profile.connection and verdict != "holds":
            verdict, sentence = "fails", "No connection is set."
            advice = "Set the id of a connection; it begins with conn_."
        self._say("connection", verdict, sentence, advice)

    def _shown(self) -> str:
        return self._profile.connection or "that the service chose"

    def _say(self, name: StepName, verdict: Verdict, sentence: str, advice: str = "") -> None:
        self._steps[name] = TestStep(name, verdict, sentence, advice)
