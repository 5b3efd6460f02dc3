r"""One exchange as a curl command, many as a HAR file, both without secrets; and a curl command read back.

Reading takes what shells and browsers write (POSIX quotes, ``$'…'``, line ends after ``\\`` or, in a Windows command
prompt, ``^``). Nothing is run, no file is opened, and credentials are left out and named.
"""

from __future__ import annotations

import base64
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl, quote_plus, urlsplit, urlunsplit

from explorer import __version__
from explorer.api.exchange import Exchange, header_of
from explorer.api.sensitive import MASK, is_sensitive
from explorer.profiles.credential import PART_VARIABLE, part_key

APIKEY_VARIABLE = "UNIFIED_EXPLORER_APIKEY"
TOKEN_VARIABLE = "UNIFIED_EXPLORER_TOKEN"  # noqa: S105 - the name of a variable
Shell = Literal["posix", "cmd", "powershell"]
SHELLS: dict[Shell, str] = {"posix": "bash", "cmd": "cmd", "powershell": "PowerShell"}
"""The shells that a command can be written for, as people call them; bash stands for all of POSIX."""
OWN_SHELL: Shell = "cmd" if sys.platform == "win32" else "posix"
LEGACY = "$PSNativeCommandArgumentPassing = 'Legacy'; "
"""Before a PowerShell command with quotes within a word: newer versions add the backslashes that older ones need."""
_OWN = frozenset({"host", "content-length", "accept-encoding", "connection", "user-agent", "accept"})


def as_curl(exchange: Exchange, *, shell: Shell = OWN_SHELL) -> str:
    """The curl command that sends the same request from that shell.

    The key is written as the variable ``UNIFIED_EXPLORER_APIKEY``, a bearer token as ``UNIFIED_EXPLORER_TOKEN``, a
    secret part of the connection as its variable. A body that the shell's line cannot hold is piped from printf or
    comes from a file, with a line before the command that writes it or asks for it. Raises ValueError for another.
    """
    if shell not in _WORDS:
        raise ValueError(f"no such shell: {shell}")
    word = _WORDS[shell]
    # -g: brackets in an address are not a pattern; --path-as-is: dot segments stay as they were sent.
    parts = ["curl.exe" if shell == "powershell" else "curl", "-g", "--path-as-is", "--compressed"]
    parts += ["-I"] if exchange.method == "HEAD" else ["-X", word(exchange.method)]
    parts.append(word(exchange.url))
    # The key comes first of the headers that are masked; what follows are secret parts of the connection.
    keyed = any(name.lower() == "authorization" for name, _ in exchange.request_headers)
    for name, value in exchange.request_headers:
        if name.lower() not in _OWN:
            variable = APIKEY_VARIABLE if not keyed else PART_VARIABLE + part_key(name)
            parts += _header(name, value, variable, shell)
            keyed = keyed or value == MASK
    before = ""
    if exchange.request_body is not None:
        before, after = _body(exchange.request_body, shell)
        parts += after
    note = "The log no longer holds the whole body: what follows is its beginning.\n"
    noted = ("rem " if shell == "cmd" else "# ") + note if exchange.request_truncated else ""
    legacy = LEGACY if shell == "powershell" and any('\\"' in part for part in parts) else ""
    return noted + before + legacy + " ".join(parts)


def _header(name: str, value: str, variable: str, shell: Shell) -> list[str]:
    """One header, quoted for the shell. ``variable`` stands for a value that is masked as a whole."""
    if value == f"Basic {MASK}":
        return ["-u", _VARIABLES[shell].format("", APIKEY_VARIABLE)]
    if name.lower() == "authorization" and MASK in value:
        return ["-H", _VARIABLES[shell].format(f"{name}: Bearer ", TOKEN_VARIABLE)]
    if value == MASK:
        return ["-H", _VARIABLES[shell].format(f"{name}: ", variable)]
    return ["-H", _WORDS[shell](f"{name}: {value}")]


def _windows_quotes(text: str) -> str:
    """What stands between the quotes of a word, as Microsoft's C library reads a command line."""
    return re.sub(r'(\\*)("|$)', lambda m: m[1] * 2 + ('\\"' if m[2] else ""), text)


def _cmd_word(text: str) -> str:
    # Each quote has a ^ before it too, so that cmd is never within quotes and heeds every other ^.
    escaped = re.sub(r'[()%!^"<>&|]', r"^\g<0>", f'"{_windows_quotes(text)}"')
    return escaped.replace("\n", "^\n\n")


def _powershell_word(text: str) -> str:
    # PowerShell puts quotes only around what has a space: elsewhere backslashes at the end stay as they are.
    within_quotes = re.search(r"\s", text) is not None
    quoted = _windows_quotes(text) if within_quotes else re.sub(r'(\\*)"', r'\1\1\\"', text) or '""'
    return "'" + re.sub("['\u2018-\u201b]", r"\g<0>\g<0>", quoted) + "'"


_WORDS: dict[Shell, Callable[[str], str]] = {
    "posix": shlex.quote,
    "cmd": _cmd_word,
    "powershell": _powershell_word,
}
_VARIABLES: dict[Shell, str] = {"posix": '"{}${}"', "cmd": '"{}%{}%"', "powershell": '"{}$env:{}"'}
"""A word that ends with a variable's value."""


def _body(body: bytes, shell: Shell) -> tuple[str, list[str]]:
    """The text before ``curl`` and the arguments after it.

    ``--data-raw``: a body that begins with @ is no file name.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = "\0"
    # PowerShell hands on what its code page has, and cmd drops a carriage return.
    held = {"posix": True, "cmd": "\r" not in text, "powershell": text.isascii() and "\r" not in text}[shell]
    if "\0" not in text and held:
        return "", ["--data-raw", _WORDS[shell](text)]
    if shell == "posix":
        octal = "".join(f"\\{byte:03o}" for byte in body)
        return f"printf '{octal}' | ", ["--data-binary", "@-"]
    before = "rem Save the body as body.bin first: cmd cannot hold it.\n"
    if shell == "powershell":
        coded = base64.b64encode(body).decode()
        before = f"[IO.File]::WriteAllBytes(\"$PWD\\body.bin\", [Convert]::FromBase64String('{coded}'))\n"
    return before, ["--data-binary", _WORDS[shell]("@body.bin")]


def as_har(exchanges: Iterable[Exchange]) -> bytes:
    """The exchanges as HTTP Archive 1.2 (JSON, ASCII). Requests without an answer have status 0."""
    entries = [_entry(each) for each in exchanges]
    creator = {"name": "Unified Explorer", "version": __version__}
    log = {"log": {"version": "1.2", "creator": creator, "entries": entries}}
    return json.dumps(log, ensure_ascii=True, indent=1).encode()


def _entry(exchange: Exchange) -> dict[str, Any]:
    elapsed = exchange.elapsed_ms or 0.0
    return {
        "startedDateTime": exchange.started_at.isoformat(timespec="milliseconds"),
        "time": elapsed,
        "request": _request(exchange),
        "response": _response(exchange),
        "cache": {},
        "timings": {"send": 0, "wait": elapsed, "receive": 0},
        "comment": "; ".join(filter(None, (exchange.state, exchange.summary))),
    }


def _request(exchange: Exchange) -> dict[str, Any]:
    query = urlsplit(exchange.url).query
    made: dict[str, Any] = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(exchange.request_headers),
        "queryString": _pairs(parse_qsl(query, keep_blank_values=True)),
        "headersSize": -1,
        "bodySize": -1 if exchange.request_truncated else len(exchange.request_body or b""),
    }
    if exchange.request_body is not None:
        kind = header_of(exchange.request_headers, "content-type")
        # HAR has no base64 for request bodies: bytes that are not UTF-8 become replacement characters.
        made["postData"] = {"mimeType": kind, "text": exchange.request_body.decode("utf-8", "replace")}
    return made


def _response(exchange: Exchange) -> dict[str, Any]:
    headers = exchange.response_headers
    return {
        "status": exchange.status or 0,
        "statusText": exchange.reason,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(headers),
        "content": _content(exchange),
        "redirectURL": header_of(headers, "location"),
        "headersSize": -1,
        "bodySize": -1,
    }


def _content(exchange: Exchange) -> dict[str, Any]:
    kind = header_of(exchange.response_headers, "content-type")
    content: dict[str, Any] = {"size": exchange.size, "mimeType": kind}
    try:
        content["text"] = exchange.response_body.decode()
    except UnicodeDecodeError as error:
        cut = exchange.body_truncated and error.start >= len(exchange.response_body) - 3
        if cut or re.match(r"text/|application/json", kind):
            content["text"] = exchange.response_body.decode("utf-8", "replace")
        else:
            content["text"] = base64.b64encode(exchange.response_body).decode()
            content["encoding"] = "base64"
    if exchange.body_truncated:
        content["comment"] = "the log holds only the beginning"
    return content


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


@dataclass(frozen=True, slots=True)
class CurlCommand:
    """What a curl command would send, without its credentials."""

    method: str
    url: str = field(repr=False)
    """As it was written; it may have a secret among its parameters."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Those that carry no credential."""
    body: bytes | None = field(default=None, repr=False)
    left_out: tuple[str, ...] = ()
    """A sentence for each part that was not taken."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """The values of its credentials, for a redactor: what stands here must not be shown or kept."""


class CurlFault(ValueError):
    """The text is no curl command that can be read. The message is one plain sentence, which quotes none of it."""


_COMMAND = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*(?:[$>]\s+)?(?:printf '[^']*' \| )?curl(?:\.exe)?(?=[\s^\\]+[^\s^\\])", re.I
)
_CMD = re.compile(r"(?:[^'\"^]|\"[^\"]*\")*\^(?:[ \t]*\r?\n|\")")
"""A Windows command prompt's, where ^ stands before what is meant as it is: one before any word in single quotes."""
_WORD = re.compile(
    r"(?P<gap>\s+|\\\r?\n)|'(?P<single>[^']*)'|\$'(?P<ansi>(?:[^'\\]|\\.)*)'"
    r'|"(?P<double>(?:[^"\\]|\\.)*)"|\\(?P<one>.)|(?P<plain>[^\s\'"\\$]+|\$)',
    re.S,
)
_SHORT_WITH_VALUE = frozenset("XHdbuAeoxmFTKEcwrCDyYzQPt")
_LONG: dict[str, str] = {
    "--request": "-X", "--header": "-H", "--data": "-d", "--data-ascii": "-d", "--data-raw": "--data-raw",
    "--data-binary": "--data-binary", "--data-urlencode": "--data-urlencode", "--json": "--json", "--user": "-u",
    "--cookie": "-b", "--oauth2-bearer": "--oauth2-bearer", "--url": "--url", "--user-agent": "-A",
    "--referer": "-e", "--output": "-o", "--proxy": "-x", "--max-time": "-m", "--form": "-F",
    "--upload-file": "-T", "--config": "-K", "--cert": "-E", "--connect-timeout": "", "--cacert": "", "--key": "",
    "--retry": "", "--resolve": "", "--write-out": "", "--proxy-user": "-u", "--form-string": "-F",
}  # fmt: skip
"""Options with a value, by the short one that means the same; empty: they change nothing that is sent."""
_DATA = ("-d", "--data-raw", "--data-binary", "--data-urlencode", "--json")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


def is_curl(text: str) -> bool:
    """Whether ``text`` begins as a curl command does."""
    return _COMMAND.match(text) is not None


def read_curl(text: str, key_header: str = "") -> CurlCommand:
    """Reads a curl command. ``key_header``: the interface's, in lower case. Raises CurlFault."""
    begun = _COMMAND.match(text)
    if begun is None:
        raise CurlFault("This is not a curl command.")
    rest = text[begun.end() :]
    if _CMD.match(rest):
        # Two line ends after one ^ are one of the text, a single one goes on with the command.
        rest = re.sub(r"\^[ \t]*\r?\n(?!\r?\n)", " ", rest)
        rest = re.sub(r"\^(?:\r?\n\r?(\n)|(.))", lambda m: m[1] or m[2], rest, flags=re.S)
        # There a backslash means itself but before a quote; to a POSIX shell, whose words are read below, two mean one.
        rest = re.sub(r'\\+(?!["\\])', lambda m: m[0] * 2, rest)
    read = _CurlReader(key_header)
    read.take(_words(rest))
    return read.command()


def _words(text: str) -> list[str]:
    """The words that a POSIX shell would make of ``text``, up to the end of the command."""
    words, now, at = list[str](), None, 0
    while at < len(text):
        found = _WORD.match(text, at)
        if found is None:
            raise CurlFault("A quote of the curl command is not closed: it is not whole.")
        at = found.end()
        kind = found.lastgroup
        piece = found[kind or 0]
        if kind == "gap":
            if now is not None:
                words.append(now)
            now = None
            continue
        if kind == "plain" and now is None and re.match(r"[|;&<>]", piece):
            return words
        if kind == "double":
            piece = re.sub(r"\\(?:\r?\n|([$`\"\\]))", lambda m: m[1] or "", piece)
        elif kind == "ansi":
            piece = re.sub(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", _escaped, piece, flags=re.S)
        now = (now or "") + piece
    return words if now is None else [*words, now]


def _escaped(match: re.Match[str]) -> str:
    sign = match[1]
    if len(sign) > 1 and sign[0] in "ux":
        return chr(int(sign[1:], 16))
    return chr(int(sign, 8)) if sign.isdecimal() and sign[0] < "8" else _ESCAPES.get(sign, sign)


class _CurlReader:
    """Takes the words of a command one by one."""

    def __init__(self, key_header: str) -> None:
        self._key_header = key_header
        self._method = self._url = ""
        self._data: list[str] = []
        self._in_address = self._json = False
        self._headers: list[tuple[str, str]] = []
        self._left_out: list[str] = []
        self._secrets: list[str] = []

    def take(self, words: list[str]) -> None:
        """All words behind ``curl``."""
        waiting = list(reversed(words))
        while waiting:
            word = waiting.pop()
            if word.startswith("--"):
                name, equal, value = word.partition("=")
                if name in _LONG:
                    self._option(_LONG[name], value if equal else waiting.pop() if waiting else "", name)
                else:
                    self._switch(name)
            elif word.startswith("-") and len(word) > 1:
                self._short(word[1:], waiting)
            elif self._url:
                self._left_out.append("A second address is left out.")
            else:
                self._url = word

    def _short(self, letters: str, waiting: list[str]) -> None:
        for place, letter in enumerate(letters):
            if letter in _SHORT_WITH_VALUE:
                value = letters[place + 1 :] or (waiting.pop() if waiting else "")
                self._option(f"-{letter}", value, f"-{letter}")
                return
            self._switch(f"-{letter}")

    def _switch(self, name: str) -> None:
        if name in ("-G", "--get"):
            self._in_address = True
        elif name in ("-I", "--head"):
            self._method = self._method or "HEAD"

    def _option(self, option: str, value: str, name: str) -> None:
        if option == "-X":
            self._method = value.upper()
        elif option == "--url":
            self._url = value
        elif option == "-H":
            self._header(value)
        elif option in _DATA:
            self._take_data(option, value, name)
        elif option in ("-u", "-b", "--oauth2-bearer"):
            self._credential(name, value)
        elif option in ("-F", "-T", "-K"):
            self._left_out.append(f"{name} is left out: no file is read, and forms in parts are not sent.")

    def _header(self, text: str) -> None:
        name, _, value = (part.strip() for part in text.partition(":"))
        if is_sensitive(name) or name.lower() == self._key_header:
            self._credential(name.lower(), value)
        elif name:
            self._headers.append((name, value))

    def _credential(self, name: str, value: str) -> None:
        self._left_out.append(f"{name} is left out: it is a credential.")
        self._secrets += [value, *re.split(r"[\s:;=]+", value)]

    def _take_data(self, option: str, value: str, name: str) -> None:
        self._json = self._json or option == "--json"
        if value.startswith("@") and option != "--data-raw":
            self._left_out.append(f"{name} is left out: its body is in a file, which is not read.")
        elif option == "--data-urlencode":
            key, equal, text = value.partition("=")
            self._data.append(f"{key}={quote_plus(text)}" if equal and key else quote_plus(text or key))
        else:
            self._data.append(value)

    def command(self) -> CurlCommand:
        """What was taken. Raises CurlFault."""
        if not self._url:
            raise CurlFault("The curl command has no address.")
        url = self._url if "://" in self._url else f"http://{self._url}"
        data = ("" if self._json else "&").join(self._data) if self._data else None
        try:
            parts = urlsplit(url)
        except ValueError:
            raise CurlFault("The curl command's address cannot be read.") from None
        if parts.username or parts.password:
            self._credential("the user in the address", parts.netloc.rpartition("@")[0])
            url = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        if data is not None and self._in_address:
            url, data = f"{url}{'&' if parts.query else '?'}{data}", None
        method = self._method or ("GET" if data is None else "POST")
        body = None if data is None else data.encode("utf-8", "surrogatepass")
        secrets = tuple(dict.fromkeys(one for one in self._secrets if len(one) >= _LEAST_SECRET))
        left_out = tuple(dict.fromkeys(self._left_out))
        return CurlCommand(method, url, tuple(self._headers), body, left_out, secrets)


_LEAST_SECRET = 8
"""Characters: a shorter text stands in much that is no secret."""
