"""All errors of requests, as one tree of classes. Exceptions of libraries are mapped to them in http_exchange.py.

::

    ExplorerError                 one plain sentence, what can be done, an exit code
    ├── Refused                   never sent: the profile's guard refused it                          exit 2
    ├── CannotSend                never sent: address, header or body cannot be made into a request   exit 2
    │   ├── NoKey                 never sent: the profile has no key or token
    │   └── LeadsElsewhere        never sent: a page's next address is another origin's               exit 5
    ├── Stopped                   the user stopped it                                                 exit 130
    ├── NetworkError              no usable answer arrived                                            exit 6
    │   ├── Unreachable           name not found, refused, no route, proxy failed
    │   ├── TlsFailed             the certificate is not trusted, or not for this name
    │   ├── ConnectionLost        the connection broke before the answer was whole
    │   └── DeadlinePassed        the whole call took longer than its deadline
    ├── OutcomeUnknown            a write was sent and no answer came: it may or may not have happened exit 6
    ├── AnswerError               the answer reports an error (has `status`)
    │   ├── ServiceRefused        4xx of the service itself                                           exit 4
    │   │   ├── KeyRefused        401, 403: key or token
    │   │   │   └── NoToken       the token call gave none
    │   │   ├── NotFound          404: connection, record or route
    │   │   │   └── ConnectionUnknown   the connection, or it is another organization's
    │   │   ├── InvalidInput      400 with issues, or refused before routing
    │   │   │   └── OtherVertical       400: the connection is of another kind than the call
    │   │   └── NotSupported      501 NOT_IMPLEMENTED: this connector lacks the operation
    │   │       └── NotRecorded   a replay has no answer to this call
    │   ├── ServiceFailed         5xx of the service itself, body or none                             exit 5
    │   │   └── DataWithheld      the third party's data does not fit the unified shape
    │   ├── ThirdPartyFailed      the third party failed; the status is the third party's own         exit 5
    │   │   └── CredentialsRefused  it does not accept the connection's credentials any more
    │   ├── GatewayFailed         a gateway in front of the service answered in its place             exit 5
    │   │   └── SignInPage        2xx with a web page: a sign-in page, or another site
    │   └── Redirected            3xx: shown, not followed                                            exit 5
    ├── BadAnswer                 2xx, but not what the contract requires                             exit 5
    │   ├── NotJson               the body is not JSON
    │   ├── BadEnvelope           the list's envelope lacks the rows
    │   └── TooLarge              more bytes than the limit, before or after decompression
    └── WalkStopped               the walk over pages cannot go on by itself (rows before are kept)   exit 5
        ├── CursorRepeated        a cursor came back that was used before
        ├── PageRepeated          the same page, byte for byte, came under another cursor
        ├── TooManyEmpty          many empty pages in a row, each with a next cursor
        └── EndNotShown           the service ended the list without showing that it is complete      exit 7

The exit code follows the class, not the status: NotSupported is 5.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import ClassVar


def place_of(error: BaseException) -> str:
    """The class of an exception of the program itself, and its place; not its text, which may quote a secret."""
    ours = [f for f in traceback.extract_tb(error.__traceback__) if "explorer" in Path(f.filename).parts]
    place = f" in {Path(ours[-1].filename).name}, line {ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}{place}"


class ExplorerError(Exception):
    """The base of all errors that are shown to the user. Never contains a secret.

    ``sentence``: what happened and where, in one plain sentence. ``advice``: what to do now; may be empty. ``detail``:
    longer text (an excerpt of a body, a stack trace of the service), already redacted.
    """

    exit_code: ClassVar[int] = 5

    def __init__(
        self, sentence: str, advice: str = "", *, detail: str = "", exchange: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.advice = advice
        self.detail = detail
        self.exchange = exchange
        """The number of the exchange in the log, if one was made."""

    def __reduce__(self) -> tuple[object, ...]:
        """For pickling between processes: the attributes, without the traceback and without calling __init__."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class Refused(ExplorerError):
    """The profile's guard refused the request. Nothing was sent; the log shows it as refused."""

    exit_code = 2

    def __init__(
        self, sentence: str, advice: str = "", *, can_confirm: bool = False, exchange: int | None = None
    ) -> None:
        super().__init__(sentence, advice, exchange=exchange)
        self.can_confirm = can_confirm
        """Whether the user can confirm it: the same request with a permit is sent."""


class CannotSend(ExplorerError):
    """The request cannot be made: a bad address, a header with a line break, a body that is not JSON."""

    exit_code = 2


class NoKey(CannotSend):
    """The profile has no key or token. Nothing was sent."""


class LeadsElsewhere(CannotSend):
    """A page gave an address of another origin for the next one. It is not followed, as the key would go there."""

    exit_code = 5


class Stopped(ExplorerError):
    """The user stopped the call."""

    exit_code = 130


class NetworkError(ExplorerError):
    """No usable answer arrived."""

    exit_code = 6


class Unreachable(NetworkError):
    """Nothing answers at the address: unknown name, connection refused, no route, failing proxy."""


class TlsFailed(NetworkError):
    """The certificate is not trusted, has expired, or is for another name."""


class ConnectionLost(NetworkError):
    """The connection broke before the answer was complete."""


class DeadlinePassed(NetworkError):
    """The whole call took longer than its deadline."""


class OutcomeUnknown(ExplorerError):
    """A write was sent and its answer was lost: it may have been carried out. It is never retried automatically."""

    exit_code = 6


class AnswerError(ExplorerError):
    """An answer came, and it reports an error."""

    def __init__(
        self,
        sentence: str,
        advice: str = "",
        *,
        status: int,
        code: str = "",
        detail: str = "",
        exchange: int | None = None,
    ) -> None:
        super().__init__(sentence, advice, detail=detail, exchange=exchange)
        self.status = status
        self.code = code
        """The error code in the body, such as ``NOT_FOUND``; empty when it has none."""


class ServiceRefused(AnswerError):
    """The service itself refused (4xx)."""

    exit_code = 4


class KeyRefused(ServiceRefused):
    """The key or token is not accepted (401, 403)."""


class NoToken(KeyRefused):
    """The token call gave no token: nothing of the call itself was sent."""


class NotFound(ServiceRefused):
    """There is no such connection, record or route (404)."""


class ConnectionUnknown(NotFound):
    """The service knows no such connection, or not for this key (404)."""


class InvalidInput(ServiceRefused):
    """The input breaks the contract, or was refused before routing (400).

    ``issues`` are (path of the field, message), redacted.
    """

    issues: tuple[tuple[str, str], ...] = ()


class OtherVertical(InvalidInput):
    """The connection is known and belongs to another vertical than the call (400)."""


class NotSupported(ServiceRefused):
    """This connector lacks the operation (501 NOT_IMPLEMENTED)."""

    exit_code = 5


class NotRecorded(NotSupported):
    """A replay has no answer to this call (501 NOT_RECORDED): it says nothing about the connector."""


class ServiceFailed(AnswerError):
    """The service itself failed (5xx)."""


class DataWithheld(ServiceFailed):
    """The service withholds the third party's data because it does not fit the unified shape."""


class ThirdPartyFailed(AnswerError):
    """The third party behind the connection failed; the HTTP status is the third party's own."""


class CredentialsRefused(ThirdPartyFailed):
    """The third party does not accept the connection's credentials (its 401 or 403, 424, Provider Config Error)."""


class GatewayFailed(AnswerError):
    """A gateway in front of the service answered instead of it (HTML, or no body with 502 to 504)."""


class SignInPage(GatewayFailed):
    """A web page with a success status: a sign-in page in front of the service, or another site."""


class Redirected(AnswerError):
    """A redirect. It is not followed, as that would send the key to another address."""


class BadAnswer(ExplorerError):
    """A success status with a body that the contract does not allow."""


class NotJson(BadAnswer):
    """The body is not JSON."""


class BadEnvelope(BadAnswer):
    """The envelope of a list lacks the rows, or they are not an array."""


class TooLarge(BadAnswer):
    """More bytes than the limit, as received or after decompression."""


class WalkStopped(ExplorerError):
    """The walk over pages stopped by itself. The rows so far are kept."""


class CursorRepeated(WalkStopped):
    """A cursor came back that was used before: the walk would never end."""


class PageRepeated(WalkStopped):
    """The same page, byte for byte, came under another cursor: the list does not advance."""


class TooManyEmpty(WalkStopped):
    """Many empty pages in a row, each with a next cursor."""


class EndNotShown(WalkStopped):
    """The last page has no usable next cursor, and does not show that it is the last."""

    exit_code = 7
