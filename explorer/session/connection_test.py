"""The connection test: which of address, key, connection and third-party credentials of a profile are right.

It sends reads from the catalog until one shows data: first lists without parameters, then batch reads and reports with
a made-up id. Nothing is ever written. The error classes say what an answer proves, and a step holds only when an answer
showed it: "not implemented" and "another vertical" show that the connection is known, not that it works.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from explorer import words
from explorer.api import guard
from explorer.api.answer import Answer
from explorer.api.errors import (
    AnswerError,
    ConnectionUnknown,
    CredentialsRefused,
    DataWithheld,
    ExplorerError,
    GatewayFailed,
    InvalidInput,
    KeyRefused,
    NetworkError,
    NotFound,
    NotJson,
    NoToken,
    NotSupported,
    OtherVertical,
    Redirected,
    Refused,
    ServiceFailed,
    ThirdPartyFailed,
)
from explorer.api.interface import registry_for
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.request import PARAMETER, Request, build
from explorer.catalog.spec import Input, Listing, Operation
from explorer.jsontext.pointer import path_of, value_at
from explorer.profiles.profile import Profile

SECONDS = 20.0
"""Time limit of the whole test."""
REQUESTS = 12
"""The most requests of one test. The first that returns data of the third party ends it."""
MADE_UP = "no-such-id-of-the-connection-test"
"""The id that is sent where a read requires one."""

Send = Callable[[Request], Awaitable[Answer]]
StepName = Literal["address", "key", "connection", "third party"]
Verdict = Literal["holds", "fails", "caution", "unknown"]
STEPS: tuple[StepName, ...] = ("address", "key", "connection", "third party")
_RANK: dict[Verdict, int] = {"unknown": 0, "caution": 1, "fails": 2, "holds": 3}
"""Which of two verdicts on one step counts: what an answer showed outweighs what another did not show."""


@dataclass(frozen=True, slots=True)
class TestStep:
    """The result of one step."""

    __test__ = False  # pytest looks for classes of this name

    name: StepName
    verdict: Verdict
    """``caution``: no answer contradicts it and none proves it. ``unknown``: no answer said anything about it."""
    sentence: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class TestResult:
    """The four steps, in order."""

    __test__ = False

    steps: tuple[TestStep, ...]
    connection: str = ""
    """The one that was tried; empty where the service chose it."""
    requests: int = 0
    """How many were made."""

    @property
    def wrong(self) -> TestStep | None:
        """The first step that fails, or None."""
        return next((step for step in self.steps if step.verdict == "fails"), None)

    @property
    def ok(self) -> bool:
        """True when the service was reached and no step fails; a step may still be ``caution`` or ``unknown``."""
        return self.wrong is None and self.steps[0].verdict != "unknown"

    @property
    def sentence(self) -> str:
        """One sentence for a status line: that of the first step that fails or does not hold, else that all hold."""
        found = self.wrong or next((step for step in self.steps if step.verdict != "holds"), None)
        return found.sentence if found else "Address, key, connection and third-party credentials are right."

    def tried(self, profile: Profile) -> str:
        """``Tried conn_1 alone, of 3 connections, with 2 requests.``"""
        whom = self.connection or "the connection that the service chose"
        if len(profile.connections) > 1:
            whom += f" alone, of {words.count(len(profile.connections), 'connection')}"
        return f"Tried {whom}, with {words.count(self.requests, 'request')}."


@dataclass(frozen=True, slots=True)
class Probe:
    """One read that the test may send."""

    request: Request
    operation: Operation
    vertical: str
    made_up: bool
    """It asks for a made-up id, so that "not found" proves nothing."""


def probes(profile: Profile) -> list[Probe]:
    """Every read of the profile's interface that goes to a connection. Lists come first: they need no made-up id."""
    found = [
        probe
        for vertical in registry_for(profile).interface.verticals
        for resource in vertical.resources
        for operation in resource.operations
        if (probe := _probe(profile, operation, vertical.key)) is not None
    ]
    return sorted(found, key=lambda probe: probe.made_up)


def _probe(profile: Profile, operation: Operation, vertical: str) -> Probe | None:
    if operation.writes != "never" or operation.bearer or PARAMETER.search(operation.path):
        return None
    query = _made_up(operation.query)
    body = (
        _made_up(operation.body) if operation.body is not None and issubclass(operation.body, Input) else None
    )
    request = build(operation, query=query, body=body)
    if guard.effect(profile, request) != "read":
        return None
    return Probe(request, operation, vertical, made_up=bool(query or body))


def _made_up(model: type[Input]) -> dict[str, Any]:
    """A value for each field that is required, by the contract or as observed."""
    needed = [f for f in fields_of(model) if f.required or (f.observed is not None and f.observed.required)]
    values: dict[str, Any] = {}
    for field in needed:
        values[field.name] = _value(field, first=not values)
    return values


def _value(field: Field, *, first: bool) -> Any:
    # Only the first field gets the made-up id. A further array names fields, and every record has an id field.
    text = MADE_UP if first or field.kind != "array" else "id"
    return [text] if field.kind == "array" else text


async def run_connection_test(
    profile: Profile, send: Send, *, has_credential: bool = True, seconds: float = SECONDS
) -> TestResult:
    """Tests ``profile`` with ``send`` within ``seconds``.

    Raises CancelledError, and ProfileFault when the profile names an interface that does not exist.
    """
    findings = _Findings(profile, has_credential)
    try:
        async with asyncio.timeout(seconds):
            for probe in probes(profile)[:REQUESTS]:
                if probe.vertical not in findings.other_verticals:
                    await findings.ask(probe, send)
                if findings.done:
                    break
    except TimeoutError:
        findings.timed_out(seconds)
    return findings.result()


class _Findings:
    """What the answers so far prove, step by step."""

    def __init__(self, profile: Profile, has_credential: bool) -> None:
        self._profile = profile
        self._has_credential = has_credential
        self._what = profile.auth.sent
        self._steps: dict[StepName, TestStep] = {}
        self._requests = 0
        self.other_verticals: set[str] = set()
        self.done = False
        """No further request would prove more."""

    def result(self) -> TestResult:
        """The four steps with their present verdicts."""
        if self._verdict("connection") == "holds":
            sentence = "No read that its connector supports was found: the third party was not tested."
            self._note("third party", "unknown", sentence, "Try a write that it supports.")
        open_ = "Not checked, because an earlier step failed."
        steps = tuple(self._steps.get(name) or TestStep(name, "unknown", open_) for name in STEPS)
        return TestResult(steps, self._profile.connection, self._requests)

    def timed_out(self, seconds: float) -> None:
        """The time limit ended the test during a request."""
        if "address" not in self._steps:
            self._note(
                "address",
                "fails",
                f"{self._profile.origin} did not answer within {seconds:g} s.",
                "Check the address and the network. A slow third party may need longer: load a list.",
            )
        elif self._verdict("connection") == "holds":
            self._note(
                "third party",
                "unknown",
                f"No data arrived within {seconds:g} s.",
                "Load a list to wait longer.",
            )

    async def ask(self, probe: Probe, send: Send) -> None:
        """Sends one request and notes what its answer shows."""
        self._requests += 1
        try:
            answer = await send(probe.request)
        except ExplorerError as error:
            self._judge(error, probe)
        else:
            self._judge_answer(answer, probe)

    def _judge_answer(self, answer: Answer, probe: Probe) -> None:
        operation = probe.operation
        try:
            rows = _rows(operation, answer.json())
        except NotJson:
            if operation.answer is not None or isinstance(operation, Listing):
                self._not_the_service(f"answers {answer.status} with something that is not JSON")
                self.done = True
            return
        if rows is None:
            shown = (
                f"{self._profile.origin} answers, but its response to {operation.title} is not what "
                "this service returns."
            )
            self._note("address", "caution", shown)
            self._note("key", "caution", f"The {self._what} was not refused.")
            self._note("connection", "caution", "The connection was not refused.")
            if operation.answer is None and not isinstance(operation, Listing):
                form = f"{operation.title} was answered, in a form that the contract does not show."
                self._note("third party", "caution", form, "Whether its credentials work is not known.")
            return
        self._connection_known("answers")
        if rows:
            self._note("third party", "holds", f"It returned data ({operation.title}).")
            self.done = True
        else:
            what = "for an id made up for this test" if probe.made_up else "in it"
            sentence = (
                f"{operation.title} was answered, but with nothing {what}: its credentials were not refused."
            )
            self._note(
                "third party",
                "caution",
                sentence,
                "Whether they work is known only when a record is returned.",
            )

    def _judge(self, error: ExplorerError, probe: Probe) -> None:
        if isinstance(error, NoToken):
            self._note("key", "fails", error.sentence, error.advice)
            self.done = True
        elif isinstance(error, KeyRefused):
            self._key_refused(error)
        elif isinstance(error, ThirdPartyFailed):
            self._connection_known("was used")
            verdict: Verdict = "fails" if isinstance(error, CredentialsRefused) else "caution"
            self._note("third party", verdict, error.sentence, error.advice)
        elif isinstance(error, DataWithheld):
            self._connection_known("was used")
            self._note("third party", "caution", error.sentence, error.advice)
        elif isinstance(error, GatewayFailed | Redirected) or not isinstance(error, AnswerError):
            self._no_answer(error)
        elif not error.code:
            self._not_in_its_form(error)
        else:
            self._judge_service(error, probe)

    def _judge_service(self, error: AnswerError, probe: Probe) -> None:
        """An error in one of the service's own known forms."""
        if isinstance(error, OtherVertical | NotSupported):
            self._connection_known("is known to the service")
            if isinstance(error, OtherVertical):
                self.other_verticals.add(probe.vertical)
        elif isinstance(error, ConnectionUnknown):
            self._key_accepted()
            self._connection_wrong(error)
            self.done = True
        elif isinstance(error, NotFound):
            if not probe.made_up:
                self._not_the_service("does not find what is requested (404)")
        elif isinstance(error, InvalidInput):
            self._invalid(error, probe)
        else:
            self._reached()
            self._note("key", "caution", error.sentence, error.advice)
            if "before it looked" not in error.sentence:
                self._note("connection", "caution", "The connection was not refused.")

    def _invalid(self, error: InvalidInput, probe: Probe) -> None:
        self._reached()
        if "before looking" in error.sentence:
            # Refused before routing, because of a malformed key or an id that matches several connections.
            name: StepName = (
                "connection" if "connection" in error.sentence.partition(":")[2].lower() else "key"
            )
            self._note(name, "fails", error.sentence, error.advice)
            self.done = True
        elif probe.made_up and self._profile.connection:
            self._note("key", "caution", f"The {self._what} was not refused.")
            self._note("connection", "caution", "The connection was not refused.")
            self._note("third party", "unknown", error.sentence, "A value was made up for this test.")
        else:
            self._key_accepted()
            self._connection_wrong(error)

    def _key_refused(self, error: KeyRefused) -> None:
        if error.code:
            self._reached()
        else:
            sentence = (
                f"{self._profile.origin} refuses the {self._what}, but not in the way this service does."
            )
            advice = "Check the address: a gateway in front may ask for its own key."
            self._note("address", "caution", sentence, advice)
        if self._has_credential:
            self._note("key", "fails", error.sentence, error.advice)
        else:
            advice = f"Enter the {self._what} of this profile."
            self._note("key", "fails", f"No {self._what} is given.", advice)
        # A 403 may be about this read alone.
        self.done = error.status != 403 or not self._has_credential

    def _not_in_its_form(self, error: AnswerError) -> None:
        """A failed answer that any other web server could have given too."""
        if not isinstance(error, ServiceFailed) or error.detail or error.status != 500:
            self._note("address", "fails", error.sentence, error.advice)
            return
        # Observed: an unknown organization in the key, or an unreadable connection id, ends in 500 without a body.
        self._note("address", "caution", f"{self._profile.origin} answers only 500, without details.")
        if self._profile.connection.startswith("conn_"):
            self._note("key", "fails", error.sentence, error.advice)
        else:
            self._note("key", "caution", f"Whether the {self._what} is right is not known.")
            self._connection_wrong(error)

    def _no_answer(self, error: ExplorerError) -> None:
        """No answer of the service itself. What earlier answers proved stays."""
        if isinstance(error, Refused):
            self._note("address", "unknown", error.sentence, error.advice)
            self.done = True
            return
        self._note("address", "fails", error.sentence, error.advice)
        self.done = self._verdict("address") == "fails" or isinstance(error, NetworkError)

    def _key_accepted(self) -> None:
        self._reached()
        if self._has_credential:
            self._note("key", "holds", f"The {self._what} is accepted.")
        else:
            self._note("key", "caution", f"The service answers without a {self._what}; none is set.")

    def _connection_known(self, how: str) -> None:
        self._key_accepted()
        self._note(
            "connection",
            "holds",
            f"The connection {self._profile.connection or 'that the service chose'} {how}.",
        )

    def _connection_wrong(self, error: AnswerError) -> None:
        if self._profile.connection:
            self._note("connection", "fails", error.sentence, error.advice)
        else:
            advice = "Set the id of a connection; it begins with conn_."
            self._note("connection", "fails", "No connection is set.", advice)

    def _not_the_service(self, how: str) -> None:
        first = registry_for(self._profile).example_path.split("/")[1]
        advice = f"Check the address: leave out /{first} and what follows."
        self._note("address", "fails", f"{self._profile.base_url} is not this service: it {how}.", advice)

    def _reached(self) -> None:
        self._note("address", "holds", f"{self._profile.origin} answers as the service does.")

    def _verdict(self, name: StepName) -> Verdict | None:
        step = self._steps.get(name)
        return step.verdict if step is not None else None

    def _note(self, name: StepName, verdict: Verdict, sentence: str, advice: str = "") -> None:
        before = self._verdict(name)
        if before is None or _RANK[verdict] > _RANK[before]:
            self._steps[name] = TestStep(name, verdict, sentence, advice)


def _rows(operation: Operation, value: Any) -> list[Any] | None:
    """The records or documents of an answer; None when it lacks the form that the contract shows for ``operation``."""
    if isinstance(operation, Listing):
        value = value_at(value, path_of(operation.envelope.items))
        return value if isinstance(value, list) else None
    if operation.answer_is_array:
        return value if isinstance(value, list) else None
    if operation.answer is None or not isinstance(value, dict):
        return None
    return [value] if operation.answer.model_fields.keys() & value.keys() else None
