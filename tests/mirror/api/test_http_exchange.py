"""The way out: what the first call imports; one origin, certificates, proxies; errors of libraries become ours."""

from __future__ import annotations

import datetime
import errno
import ipaddress
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import idna
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from explorer.api import errors as e
from explorer.api.errors import CannotSend, ExplorerError, OutcomeUnknown, TlsFailed, Unreachable
from explorer.api.http_exchange import FOREIGN, PinnedTransport, ours, transport_of
from explorer.api.proxy import proxy_of
from explorer.api.verdicts import outcome_unknown
from tests.house.sources import ROOT
from tests.mirror.api.made import KEY, caught, client, profile, read, run, write
from tests.recording import Recording, Reply

SCRIPT = """
import sys
import threading

from tests.mirror.api.made import client, read, run

on_the_loop = []


class Watch:
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread():
            on_the_loop.append(name)


async def first_call():
    async with client(sys.argv[1]) as made:
        sys.meta_path.insert(0, Watch())
        answer = await made.send(read())
        print(answer.status, "httpx" in sys.modules, "anyio._backends._asyncio" in sys.modules)


run(first_call())
print(sorted(name for name in on_the_loop if name.split(".")[0] in ("httpx", "httpcore", "anyio", "sniffio")))
"""


def test_the_first_call_imports_nothing_of_http_on_the_loop() -> None:
    with Recording() as server:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, server.url],
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["200 True True", "[]"]


NOW = datetime.datetime.now(datetime.UTC)
DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Authority:
    """A certificate authority of the test's own."""

    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @classmethod
    def new(cls, folder: Path) -> Authority:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        build = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        build = build.serial_number(1).not_valid_before(NOW - DAY).not_valid_after(NOW + DAY)
        build = build.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        usage = {"digital_signature": True, "key_cert_sign": True, "crl_sign": True}
        others = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
        flags: dict[str, Any] = {**usage, **dict.fromkeys((*others, "encipher_only", "decipher_only"), False)}
        build = build.add_extension(x509.KeyUsage(**flags), critical=True)
        certificate = build.sign(key, hashes.SHA256())
        (folder / "ca.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        return cls(folder, key, certificate)

    def server(self, address: str = "127.0.0.1", ends: datetime.datetime = NOW + DAY) -> ssl.SSLContext:
        """A server's context with a certificate for ``address``."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "server")])
        build = x509.CertificateBuilder().subject_name(name).issuer_name(self.certificate.subject)
        build = build.public_key(key.public_key()).serial_number(2)
        build = build.not_valid_before(NOW - 2 * DAY).not_valid_after(ends)
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        made = build.add_extension(names, critical=False).add_extension(issuer, critical=False)
        pem = made.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        file = self.folder / "server.pem"
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write_bytes(private + pem)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority.new(tmp_path)


def get(url: str, **fields: Any) -> int:
    async def main() -> int:
        async with client(url, **fields) as c:
            return (await c.send(read())).status

    return run(main())


# ---------------------------------------------------------------- trust


def test_a_custom_ca_is_trusted_beside_the_systems_store(authority: Authority) -> None:
    with Recording(tls=authority.server()) as server:
        assert get(server.url, ca_file=str(authority.folder / "ca.pem")) == 200


@pytest.mark.parametrize("case", ["unknown", "other name", "ended"])
def test_a_certificate_that_is_not_accepted(authority: Authority, case: str) -> None:
    contexts: dict[str, Callable[[], ssl.SSLContext]] = {
        "unknown": authority.server,
        "other name": lambda: authority.server("127.0.0.2"),
        "ended": lambda: authority.server(ends=NOW - DAY),
    }
    tls = contexts[case]()
    ca = "" if case == "unknown" else str(authority.folder / "ca.pem")
    with Recording(tls=tls) as server:

        async def main() -> None:
            async with client(server.url, ca_file=ca) as c:
                for request in (read(), write()):
                    error = await caught(c.send(request), TlsFailed)
                    assert "certificate" in error.sentence

        run(main())
        assert server.got == []


def test_https_to_a_port_that_speaks_http_is_said() -> None:
    with Recording(greeting=b"HTTP/1.1 400 Bad\r\n\r\n") as server:

        async def main() -> None:
            async with client(server.url.replace("http:", "https:")) as c:
                await caught(c.send(read()), TlsFailed)

        run(main())


@pytest.mark.parametrize("kind", ["missing", "empty", "no certificate", "folder"])
def test_a_ca_file_that_cannot_be_used_is_said_in_words(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "my-ca.pem"
    if kind == "folder":
        file.mkdir()
    elif kind != "missing":
        file.write_text(
            "" if kind == "empty" else "-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n"
        )
    with Recording() as server:

        async def main() -> None:
            async with client(server.url, ca_file=str(file)) as c:
                error = await caught(c.send(read()), CannotSend)
                assert "my-ca.pem" in error.sentence
                assert str(tmp_path) not in error.sentence
                assert c.exchanges.all()[0].state == "failed"

        run(main())
        assert server.got == []


# ---------------------------------------------------------------- one origin


class Open(httpx.AsyncBaseTransport):
    """Answers everything; the pin before it must not let anything else through."""

    def __init__(self) -> None:
        self.seen: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        return httpx.Response(200, content=b"{}")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://other.example/", None),
        ("http://api.example/", None),
        ("https://api.example:444/", None),
        ("https://api.example/", "other.example"),
        ("https://api.example.other.example/", None),
        ("https://user@api.example/", None),
        ("https://api.example@other.example/", None),
    ],
)
def test_the_pin_refuses_every_other_origin(url: str, host: str | None) -> None:
    inner = Open()
    pin = PinnedTransport("https://api.example", inner, inner)
    request = httpx.Request("GET", url, headers={"host": host} if host else {})
    run(caught(pin.handle_async_request(request), CannotSend))
    assert inner.seen == []


@pytest.mark.parametrize("url", ["https://api.example/x", "https://api.example:443/", "https://API.example/"])
def test_the_pin_lets_its_own_origin_pass(url: str) -> None:
    inner = Open()
    run(PinnedTransport("https://api.example", inner, inner).handle_async_request(httpx.Request("GET", url)))
    assert len(inner.seen) == 1


def test_even_a_client_told_to_follow_goes_nowhere_else() -> None:
    with (
        Recording() as other,
        Recording([Reply(307, headers=(("location", other.url + "/steal"),))]) as server,
    ):

        async def main() -> None:
            http = httpx.AsyncClient(transport=transport_of(profile(server.url)))
            try:
                await caught(
                    http.post(server.url, headers={"x-apikey": KEY}, follow_redirects=True), CannotSend
                )
            finally:
                await http.aclose()

        run(main())
        assert other.got == []
        assert other.connections == 0


def test_the_client_itself_keeps_no_cookie() -> None:
    with Recording([Reply(headers=(("set-cookie", "sid=abc; Path=/"),))]) as server:

        async def main() -> None:
            async with client(server.url) as asking:
                await asking.send(read())
                await asking.send(read())

        run(main())
        assert [got.header("cookie") for got in server.got] == [None, None]


# ---------------------------------------------------------------- proxies


def test_the_environments_proxy_never_catches_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    with Recording() as proxy, Recording() as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        assert get(server.url, proxy="") == 200
        assert proxy.connections == 0


def test_proxies_by_the_profiles_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "proxy.example:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_of(profile("https://api.example", proxy="")) == "http://proxy.example:3128"
    assert proxy_of(profile("https://inside.example", proxy="")) == ""
    assert proxy_of(profile("https://api.example", proxy="none")) == ""
    assert (
        proxy_of(profile("https://api.example", proxy="http://mine.example:8080"))
        == "http://mine.example:8080"
    )
    assert proxy_of(profile("http://localhost:99", proxy="")) == ""


def test_a_proxy_that_was_set_is_used() -> None:
    with Recording() as proxy:
        assert get("http://api.invalid", proxy=proxy.url, http_allowed="http://api.invalid") == 200
        got = proxy.got[0]
        assert got.target == "http://api.invalid/v0/unified/ats/job"
        assert got.header("host") == "api.invalid"


def test_a_proxy_that_refuses_is_unreachable_and_a_write_never_left() -> None:
    with Recording(
        [Reply(raw=b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")]
    ) as proxy:

        async def main() -> None:
            async with client("https://api.invalid", proxy=proxy.url) as c:
                error = await caught(c.send(write()), Unreachable)
                assert "name and password" in error.sentence

        run(main())
        assert [(got.method, got.target) for got in proxy.got] == [("CONNECT", "api.invalid:443")]
        assert proxy.got[0].header("x-apikey") is None


def test_a_socks_proxy_is_said_to_be_unfit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://proxy.example:1080")

    async def main() -> None:
        async with client("http://api.invalid", proxy="", http_allowed="http://api.invalid") as c:
            error = await caught(c.send(read()), CannotSend)
            assert "proxy" in error.sentence

    run(main())


# ---------------------------------------------------------------- what does not answer


def test_an_unknown_name_is_said() -> None:
    async def main() -> None:
        async with client("https://nobody.invalid") as c:
            error = await caught(c.send(write()), Unreachable)
            assert "nobody.invalid" in error.sentence

    run(main())


def test_a_connection_that_is_not_taken_up_ends_by_the_profiles_time() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        fillers = [socket.socket() for _ in range(3)]
        try:
            for each in fillers:
                each.setblocking(False)
                each.connect_ex(("127.0.0.1", port))

            async def main() -> None:
                async with client(f"http://127.0.0.1:{port}", connect_seconds=0.2) as c:
                    # Where the system takes more than was asked for, the call is sent and waits for its answer.
                    error = await caught(c.send(write(), deadline=2), ExplorerError)
                    assert isinstance(error, Unreachable | OutcomeUnknown)

            run(main())
        finally:
            for each in fillers:
                each.close()


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
