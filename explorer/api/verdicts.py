"""Classifies failed answers: whose failure it is, in one plain sentence, and what the user can do about it.

A 401, 404 or 429 can come from the service or from the third party; the sentence says from which. Retrying is advised
only for a read that failed with 5xx, and the log is mentioned only where it has more than the sentence.
"""

from __future__ import annotations

import http
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from explorer.api.error_body import ErrorBody, is_page, parse_error_body, plain, sentence_of
from explorer.api.errors import (
    AnswerError,
    BadAnswer,
    ConnectionUnknown,
    CredentialsRefused,
    DataWithheld,
    DeadlinePassed,
    ExplorerError,
    GatewayFailed,
    InvalidInput,
    KeyRefused,
    NotFound,
    NotRecorded,
    NotSupported,
    OtherVertical,
    OutcomeUnknown,
    Redirected,
    ServiceFailed,
    ServiceRefused,
    SignInPage,
    ThirdPartyFailed,
)
from explorer.catalog.interface import ErrorFormat
from explorer.profiles.profile import Auth

_GATEWAY = frozenset({502, 503, 504})
_KEY_FORM = re.compile(r"\bauthorization bearer token\b", re.IGNORECASE)
"""In the message by which a malformed key is refused, with status 500, although no bearer token was sent (observed)."""
_PERHAPS_DONE = "It may have been done anyway: check before you send it again."
_REFUSED = "The same call will be refused again: change what it sends."
_IN_LOG = " Its whole response is in the request log."


@dataclass(frozen=True, slots=True)
class CallContext:
    """What the sentences need to know of the call."""

    host: str
    """Host and port, for the sentence."""
    connection: str
    """The connection id that was sent; may be empty."""
    auth: Auth
    writes: bool
    redact: Callable[[str], str] = str
    redact_url: Callable[[str], str] = str
    exchange: int | None = None
    errors: ErrorFormat | None = None
    """Where the interface says that the words of a failure stand."""

    @property
    def key(self) -> str:
        """``key`` or ``token``."""
        return self.auth.sent


def failure(
    status: int, headers: Iterable[tuple[str, str]], body: bytes, asked: CallContext
) -> AnswerError | None:
    """The error that an answer means; None for a good one, which is any 2xx that is not a web page.

    An answer of the webhook with status ``error`` in its body (contract 6) is a good one: the call itself succeeded.
    """
    pairs = {name.lower(): value for name, value in headers}
    kind_of_body = pairs.get("content-type", "")
    good = 200 <= status < 300
    if good and not is_page(body, kind_of_body):
        return None
    if 300 <= status < 400:
        return _redirected(status, pairs.get("location", ""), asked)
    said = parse_error_body(body, "text/html" if good else kind_of_body, asked.redact, asked.errors)
    judge = {"third": _third_party, "page": _page, "nothing": _nothing, "early": _early}.get(
        said.shape, _service
    )
    kind, sentence, advice = _sign_in(status, said, asked) if good else judge(status, said, asked)
    error = kind(sentence, advice, status=status, code=said.code, detail=said.detail, exchange=asked.exchange)
    if isinstance(error, InvalidInput):
        error.issues = said.issues
    return error


def words_of(status: int) -> str:
    """A status with its reason phrase: ``429 Too Many Requests``."""
    try:
        return f"{status} {http.HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


Judgement = tuple[type[AnswerError], str, str]


def _redirected(status: int, location: str, asked: CallContext) -> AnswerError:
    where = plain(asked.redact_url(location), 200)
    return Redirected(
        (
            f"{asked.host} answers {status} and redirects to {where or 'nowhere'}: not followed, as it "
            f"would send the {asked.key} along."
        ),
        "If that is the service's right address, put it into the profile.",
        status=status,
        exchange=asked.exchange,
    )


def _third_party(status: int, said: ErrorBody, asked: CallContext) -> Judgement:
    shown = said.third_status or words_of(status)
    behind = f" behind {asked.connection}" if asked.connection else ""
    words = said.message.removeprefix(f"[{said.third_status}]").strip() if said.third_status else said.message
    rest = f": {words}" if words else ""
    sentence = f"The third party{behind}, not the service, answered {shown}{rest}"
    if "provider config error" in said.message.lower() or status in (401, 403, 424):
        advice = "Its credentials no longer work: reconnect the connection."
        return CredentialsRefused, _end(sentence), advice
    if status == 429:
        advice = "It asks for fewer calls: wait a while before the next one."
    elif status == 404:
        advice = "It did not find this: check the id, and that the connection may access it."
    elif status < 500:
        advice = f"It does not accept this request: change what is sent.{_in_log(said)}"
    else:
        advice = _later(asked) + _in_log(said)
    return ThirdPartyFailed, _end(sentence), advice


def _page(status: int, said: ErrorBody, asked: CallContext) -> Judgement:
    titled = f" with a page titled “{said.message}”" if said.message else " with a web page"
    sentence = f"A gateway in front of the service answered {words_of(status)}{titled}."
    if status in (401, 403, 407):
        return (
            GatewayFailed,
            sentence,
            "It blocks this call: ask whoever runs it, or check the proxy.",
        )
    if status < 500:
        return (
            GatewayFailed,
            sentence,
            f"Check the base address: the server at {asked.host} may not be the service.",
        )
    return GatewayFailed, sentence, f"The service may be down or busy. {_later(asked)}"


def _sign_in(status: int, said: ErrorBody, asked: CallContext) -> Judgement:
    titled = f" titled “{said.message}”" if said.message else ""
    sentence = (
        f"{asked.host} answered {words_of(status)} with a web page{titled}: this looks like a sign-in page."
    )
    advice = (
        "Check the address in the profile. A gateway that asks for a sign-in has to let this program through."
    )
    return SignInPage, sentence, f"{advice} {_PERHAPS_DONE}" if asked.writes else advice


def _nothing(status: int, said: ErrorBody, asked: CallContext) -> Judgement:
    if status in _GATEWAY:
        return (
            GatewayFailed,
            f"A gateway answered {words_of(status)} in place of the service.",
            _later(asked),
        )
    if status >= 500:
        what = f"The service failed with {words_of(status)} and said nothing more."
        hint = f"It does so for a {asked.key} of an unknown organization and for a connection id that it cannot read"
        return ServiceFailed, what, f"{hint} (empty, or without conn_ in front): check both."
    return _service(status, said, asked)


def _early(status: int, said: ErrorBody, asked: CallContext) -> Judgement:
    rest = f": {said.message}" if said.message else ""
    if _KEY_FORM.search(said.message):
        sentence = f"The service does not accept this {asked.key}: its form is not valid."
        return KeyRefused, sentence, _key_advice(asked)
    if status in (401, 403):
        return KeyRefused, _end(f"The service does not accept this {asked.key}{rest}"), _key_advice(asked)
    if status < 500:
        sentence = _end(f"The service refused the call before looking at it{rest}")
        return InvalidInput, sentence, f"Check the {asked.key} and the connection id."
    return ServiceFailed, _end(f"The service failed before it looked at the call{rest}"), _later(asked)


def _service(status: int, said: ErrorBody, asked: CallContext) -> Judgement:
    rest = f": {said.message}" if said.message else ""
    if status == 401:
        own = rest if said.message.upper() not in ("", "UNAUTHORIZED") else ""
        return KeyRefused, _end(f"The service does not accept this {asked.key}{own}"), _key_advice(asked)
    if status == 403:
        sentence = _end(f"The service does not allow this {asked.key} to do that{rest}")
        return KeyRefused, sentence, f"Use a {asked.key} with the right to do it."
    if status == 404:
        return _not_found(said, asked)
    if status == 501 and said.code == "NOT_RECORDED":
        return NotRecorded, said.message, "Only what was recorded can be answered."
    if status == 501 or said.code == "NOT_IMPLEMENTED":
        sentence = f"The connector of {asked.connection or 'this connection'} does not support this{rest}"
        return NotSupported, _end(sentence), "Another connection may."
    if status == 429:
        return (
            ServiceRefused,
            _end(f"The service itself asks for fewer calls (429){rest}"),
            "Wait a while before the next call.",
        )
    if status in (400, 422):
        return _invalid(said, asked)
    if status < 500:
        sentence = _end(f"The service refuses the call with {words_of(status)}{rest}")
        return ServiceRefused, sentence, _REFUSED + _in_log(said)
    if "output validation failed" in said.message.lower():
        return (
            DataWithheld,
            (
                "The service withholds the third party's data, because it does not fit the unified "
                "schema (Output validation failed)."
            ),
            f"The mapping of this connector is wrong: tell its maintainer.{_in_log(said)}",
        )
    if status in _GATEWAY and said.shape == "other":
        return (
            GatewayFailed,
            _end(f"A gateway answered {words_of(status)} in place of the service{rest}"),
            _later(asked),
        )
    return ServiceFailed, _end(f"The service itself failed with {words_of(status)}{rest}"), _later(asked)


def _not_found(said: ErrorBody, asked: CallContext) -> Judgement:
    message = said.message.lower()
    if message.startswith("conn") and "not found" in message:
        # In a connection check the unknown connection is the one in the path, not the profile's.
        missed = re.search(r"\bconn_[^\s\"',;]{1,200}", plain(said.message))
        name = missed[0].rstrip(".") if missed else asked.connection
        who = (
            f"The service does not know the connection {name}"
            if name
            else "The service does not know this connection"
        )
        return (
            ConnectionUnknown,
            f"{who} for this {asked.key}.",
            f"Check the connection id, and that the {asked.key} belongs to its organization.",
        )
    if message in ("", "not found", "not_found"):
        return (
            NotFound,
            f"The service at {asked.host} has nothing at this address and method (404).",
            "Check the base address, the path and the method.",
        )
    return NotFound, _end(f"The service does not find it: {said.message}"), "Check the id."


def _invalid(said: ErrorBody, asked: CallContext) -> Judgement:
    if said.issues:
        return (
            InvalidInput,
            _end(f"The service refuses the input: {sentence_of(said.issues)}"),
            "Correct it and send it again.",
        )
    if said.code == "PARSE_ERROR":
        return InvalidInput, "The service cannot read the body as JSON.", "Correct the body."
    if said.message.lower().startswith("adapter ") and "not found" in said.message.lower():
        sentence = f"The connection {asked.connection} does not fit this kind of call".replace("  ", " ")
        return (
            OtherVertical,
            _end(f"{sentence}: {said.message}"),
            "Choose a connection that fits, or another resource.",
        )
    if not asked.connection and "connection" in said.message.lower():
        return (
            InvalidInput,
            _end(f"The service asks for a connection: {said.message}"),
            "Set one in the profile.",
        )
    rest = f": {said.message}" if said.message else ""
    return InvalidInput, _end(f"The service refuses the input{rest}"), _REFUSED + _in_log(said)


def _later(asked: CallContext) -> str:
    """The advice after a temporary failure. A write may have been carried out all the same."""
    return _PERHAPS_DONE if asked.writes else "Try again later."


def _in_log(said: ErrorBody) -> str:
    return _IN_LOG if said.more else ""


def _key_advice(asked: CallContext) -> str:
    return f"Check the {asked.auth.kept} in the profile, and that it belongs to {asked.host}."


def _end(sentence: str) -> str:
    return sentence if sentence.endswith((".", "…", "!", "?")) else sentence + "."


def outcome_unknown(error: ExplorerError, host: str) -> OutcomeUnknown:
    """The error of a write that was sent and whose answer was lost because of ``error``."""
    if isinstance(error, DeadlinePassed):
        why = "the deadline passed before a response arrived"
    else:
        why = (
            "its response could not be read"
            if isinstance(error, BadAnswer)
            else "its response was lost on the way"
        )
    return OutcomeUnknown(
        f"The call was sent to {host}, and {why}: it may or may not have happened.",
        "Check whether it did before you send it again. It was not resent automatically.",
        detail=error.sentence,
        exchange=error.exchange,
    )
