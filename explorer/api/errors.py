"""Every way in which asking can fail, as one tree. A foreign error becomes one of ours once, in error_mapping.py.

::

    ExplorerError                 one plain sentence, what can be done, an exit code
    ├── Refused                   never sent: the profile's guard said no                             exit 2
    ├── CannotSend                never sent: address, header or body cannot be made into a request   exit 2
    │   └── NoKey                 never sent: the profile has no key or token
    ├── Stopped                   the user stopped it                                                 exit 130
    ├── NetworkError              no usable answer arrived                                            exit 6
    │   ├── Unreachable           name not found, refused, no route, proxy failed
    │   ├── TlsFailed             the certificate is not trusted, or not for this name
    │   ├── ConnectionLost        the connection broke before the answer was whole
    │   └── DeadlinePassed        the whole call took longer than its deadline
    ├── OutcomeUnknown            a write was sent and no answer came: it may or may not have happened exit 6
    ├── AnswerError               an answer came, and it says no (has `status`)
    │   ├── ServiceRefused        4xx of the service itself                                           exit 4
    │   │   ├── KeyRefused        401, 403: key or token
    │   │   ├── NotFound          404: connection, record or route
    │   │   │   └── ConnectionUnknown   the connection, or it is another organization's
    │   │   ├── InvalidInput      400 with issues, or refused before routing
    │   │   │   └── OtherVertical       400: the connection is of another kind than the call
    │   │   └── NotSupported      501 NOT_IMPLEMENTED: this connector lacks the operation
    │   ├── ServiceFailed         5xx of the service itself, body or none                             exit 5
    │   │   └── DataWithheld      the third party's data came and break the unified shape
    │   ├── ThirdPartyFailed      the third party failed; the status is the third party's own         exit 5
    │   │   └── CredentialsRefused  it does not accept the connection's credentials any more
    │   ├── GatewayFailed         a gateway in front of the service answered in its place             exit 5
    │   │   └── SignInPage        2xx with a web page: a sign-in page, or another site
    │   └── Redirected            3xx: shown, not followed                                            exit 5
    ├── BadAnswer                 2xx, and not what the contract promises                             exit 5
    │   ├── NotJson               the body is no JSON
    │   ├── BadEnvelope           the list's wrapping lacks its rows
    │   └── TooLarge              more bytes than the bound, before or after inflating
    └── WalkStopped               the walk over pages cannot go on by itself (rows before are kept)   exit 5
        ├── CursorRepeated        a cursor came back that had been seen
        ├── PageRepeated          a page came back byte for byte under another cursor
        ├── TooManyEmpty          a row of empty pages that each promise more
        └── EndNotShown           the service ended the list and did not show that it is complete     exit 7

NotSupported is exit 5 when its status is 5xx; the exit code follows the class, not the number.
"""

from __future__ import annotations

from typing import ClassVar


class ExplorerError(Exception):
    """One plain sentence for a person, and what can be done about it. Never carries a secret.

    ``sentence`` says what happened and where; ``advice`` what to do now (may be empty); ``detail`` is longer
    text for those who look (an excerpt of a body, a stack trace that a service sent), already redacted.
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
        """As it comes over from a process of the program's own: what it holds, without its traceback."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class Refused(ExplorerError):
    """The profile's guard said no. Nothing was sent; the log shows the call as refused."""

    exit_code = 2

    def __init__(
        self, sentence: str, advice: str = "", *, can_confirm: bool = False, exchange: int | None = None
    ) -> None:
        super().__init__(sentence, advice, exchange=exchange)
        self.can_confirm = can_confirm
        """True when the profile asks first: the same call with a permit goes through."""


class CannotSend(ExplorerError):
    """The request could not be made: a bad address, a header with a line break, a body that is no JSON."""

    exit_code = 2


class NoKey(CannotSend):
    """The profile has no key or token: nothing was sent, so the service said nothing about one."""


class Stopped(ExplorerError):
    """The user stopped it."""

    exit_code = 130


class NetworkError(ExplorerError):
    """No usable answer arrived."""

    exit_code = 6


class Unreachable(NetworkError):
    """Nothing answers at the address: name not found, connection refused, no route, a proxy that fails."""


class TlsFailed(NetworkError):
    """The certificate is not trusted, has ended, or belongs to another name."""


class ConnectionLost(NetworkError):
    """The connection broke before the answer was whole."""


class DeadlinePassed(NetworkError):
    """The whole call took longer than its deadline."""


class OutcomeUnknown(ExplorerError):
    """A write was sent and no answer came back: it may have happened. It is not sent again by itself."""

    exit_code = 6


class AnswerError(ExplorerError):
    """An answer came, and it says no."""

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
        """The body's own code, as ``NOT_FOUND``, where it has one."""


class ServiceRefused(AnswerError):
    """The service itself refused (4xx)."""

    exit_code = 4


class KeyRefused(ServiceRefused):
    """The key or token is not accepted (401, 403)."""


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


class ServiceFailed(AnswerError):
    """The service itself failed (5xx)."""


class DataWithheld(ServiceFailed):
    """The third party's data came to the service, which withholds them: they do not fit the unified shape."""


class ThirdPartyFailed(AnswerError):
    """The third party behind the connection failed; the HTTP status is the third party's own."""


class CredentialsRefused(ThirdPartyFailed):
    """The third party does not accept the connection's credentials (its 401 or 403, 424, Provider Config Error)."""


class GatewayFailed(AnswerError):
    """A gateway in front of the service answered in its place (HTML or nothing, 502 to 504)."""


class SignInPage(GatewayFailed):
    """A web page came with a status of success: a sign-in page in front of the service, or another site."""


class Redirected(AnswerError):
    """The answer points elsewhere. It is not followed: the key would go along."""


class BadAnswer(ExplorerError):
    """A success status with something that the contract does not allow."""


class NotJson(BadAnswer):
    """The body is no JSON."""


class BadEnvelope(BadAnswer):
    """The wrapping of a list lacks its rows, or they are no array."""


class TooLarge(BadAnswer):
    """More bytes than the bound, on the wire or after inflating."""


class WalkStopped(ExplorerError):
    """The walk over pages cannot go on by itself. The rows before are kept."""


class CursorRepeated(WalkStopped):
    """A cursor came back that had been seen: going on would never end."""


class PageRepeated(WalkStopped):
    """A page came back byte for byte under another cursor: the list does not move."""


class TooManyEmpty(WalkStopped):
    """Many empty pages in a row that each promise more."""


class EndNotShown(WalkStopped):
    """The last page gives nothing to go on with, and does not show that it is the last."""

    exit_code = 7
