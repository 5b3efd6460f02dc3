"""Every foreign error becomes one of ours, and none of its text goes along."""

from __future__ import annotations

import errno
import socket
import ssl

import httpx
import idna
import pytest

from explorer.api import errors as e
from explorer.api.error_mapping import FOREIGN, ours
from explorer.api.verdicts import outcome_unknown
from tests.mirror.api.made import KEY


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


TABLE: list[tuple[BaseException, type[e.ExplorerError], str]] = [
    (httpx.ConnectTimeout(KEY), e.Unreachable, "within 10 s"),
    (httpx.PoolTimeout(KEY), e.Unreachable, "within"),
    (httpx.ReadTimeout(KEY), e.DeadlinePassed, "in time"),
    (httpx.WriteTimeout(KEY), e.DeadlinePassed, "in time"),
    (httpx.ConnectError(KEY), e.Unreachable, "cannot be reached"),
    (caused(httpx.ConnectError(KEY), socket.gaierror(8, KEY)), e.Unreachable, "was not found"),
    (
        caused(httpx.ConnectError(KEY), ConnectionRefusedError(errno.ECONNREFUSED, KEY)),
        e.Unreachable,
        "refused",
    ),
    (caused(httpx.ConnectError(KEY), OSError(errno.ENETUNREACH, KEY)), e.Unreachable, "unreachable"),
    (
        caused(
            httpx.ConnectError(KEY), ExceptionGroup(KEY, [OSError(KEY), ConnectionRefusedError(111, KEY)])
        ),
        e.Unreachable,
        "refused",
    ),
    (
        caused(httpx.ConnectError(KEY), ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER]")),
        e.TlsFailed,
        "secure connection",
    ),
    (httpx.ProxyError(KEY), e.Unreachable, "proxy"),
    (httpx.ProxyError("407 Proxy Authentication Required"), e.Unreachable, "user name and password"),
    (httpx.UnsupportedProtocol(KEY), e.CannotSend, "its address or a header"),
    (httpx.LocalProtocolError(KEY), e.CannotSend, "its address or a header"),
    (httpx.RemoteProtocolError("Server disconnected without sending a response."), e.ConnectionLost, "broke"),
    (
        httpx.RemoteProtocolError("peer closed connection without sending complete message body"),
        e.ConnectionLost,
        "broke",
    ),
    (httpx.RemoteProtocolError("illegal status line"), e.BadAnswer, "speak valid HTTP"),
    (httpx.ReadError(KEY), e.ConnectionLost, "broke"),
    (httpx.WriteError(KEY), e.ConnectionLost, "broke"),
    (httpx.CloseError(KEY), e.ConnectionLost, "broke"),
    (httpx.InvalidURL(KEY), e.CannotSend, "its address or a header"),
    (httpx.StreamConsumed(), e.ConnectionLost, "broke"),
    (UnicodeEncodeError("ascii", KEY, 0, 1, KEY), e.CannotSend, "its address or a header"),
    (idna.IDNAError(KEY), e.CannotSend, "its address or a header"),
    (RuntimeError(KEY), e.CannotSend, "closed"),
    (ConnectionResetError(errno.ECONNRESET, KEY), e.Unreachable, "reset"),
    (TimeoutError(KEY), e.DeadlinePassed, "in time"),
    (LookupError(KEY), e.CannotSend, "closed"),
]


@pytest.mark.parametrize(("error", "kind", "piece"), TABLE)
def test_each_foreign_error(error: BaseException, kind: type[e.ExplorerError], piece: str) -> None:
    assert isinstance(error, (*FOREIGN, BaseExceptionGroup))
    mine = ours(error, "api.example", 10.0)
    assert type(mine) is kind
    assert piece in mine.sentence
    assert mine.advice
    assert KEY not in mine.sentence + mine.advice + mine.detail


def test_ours_stay_as_they_are() -> None:
    error = e.TooLarge("x")
    assert ours(error, "h") is error


def test_a_chain_that_bites_its_tail_ends() -> None:
    one, two = OSError("a"), OSError("b")
    one.__cause__, two.__cause__ = two, one
    assert isinstance(ours(caused(httpx.ConnectError("x"), one), "h"), e.Unreachable)


@pytest.mark.parametrize(
    ("error", "piece"),
    [
        (e.ConnectionLost("x"), "lost"),
        (e.DeadlinePassed("x"), "deadline"),
        (e.TooLarge("x"), "could not be read"),
    ],
)
def test_a_lost_answer_says_what_is_open(error: e.ExplorerError, piece: str) -> None:
    error.exchange = 4
    mine = outcome_unknown(error, "api.example")
    assert piece in mine.sentence
    assert "may or may not have happened" in mine.sentence
    assert mine.exchange == 4
