"""As cURL, run by a real shell with a curl that writes down its arguments; as HAR, read back."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.api.curl_and_har import APIKEY_VARIABLE, LEGACY, TOKEN_VARIABLE, read_curl
from explorer.api.exchanges import as_curl, as_har
from explorer.api.sensitive import MASK
from tests.mirror.api.made import KEY, client, run, write
from tests.mirror.api.test_exchanges import made
from tests.recording import Recording
from tests.thorough import examples

HEADERS = (
    ("host", "h"),
    ("accept-encoding", "gzip"),
    ("x-apikey", MASK),
    ("x-connection-id", "conn_$x `y` 'z'"),
)
pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="needs a POSIX shell")


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder with a `curl` that records its arguments, and its standard input when it is asked to read it."""
    fake = tmp_path / "curl"
    code = (
        "import json, os, sys\n"
        "body = sys.stdin.buffer.read() if '@-' in sys.argv else b''\n"
        "args = [os.fsencode(a).hex() for a in sys.argv[1:]]\n"
        f"json.dump([args, body.hex()], open({str(tmp_path / 'seen')!r}, 'w'))\n"
    )
    # A first line naming the interpreter ends at its first space, which the checkout's path may hold.
    (tmp_path / "curl.py").write_text(code)
    fake.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -S {shlex.quote(str(tmp_path))}/curl.py "$@"\n'
    )
    fake.chmod(0o755)
    return tmp_path


def sent(command: str, folder: Path) -> tuple[list[str], bytes]:
    env = {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        APIKEY_VARIABLE: KEY,
        TOKEN_VARIABLE: "tok en",
    }
    subprocess.run(["sh", "-c", command], env=env, check=True, timeout=20, stdin=subprocess.DEVNULL)
    args, body = json.loads((folder / "seen").read_text())
    return [bytes.fromhex(a).decode() for a in args], bytes.fromhex(body)


def test_a_read_as_curl(shell: Path) -> None:
    command = as_curl(made(url="https://h/x?a=[1]&b=$(rm)&c='d'", request_headers=HEADERS))
    assert KEY not in command
    args, _ = sent(command, shell)
    assert args == [
        *(["curl", "-g", "--path-as-is", "--compressed", "-X", "GET", "https://h/x?a=[1]&b=$(rm)&c='d'"][1:]),
        *("-H", f"x-apikey: {KEY}", "-H", "x-connection-id: conn_$x `y` 'z'"),
    ]


def test_a_token_stands_as_its_own_variable(shell: Path) -> None:
    args, _ = sent(as_curl(made(request_headers=(("authorization", f"Bearer {MASK}"),))), shell)
    assert args[-1] == "authorization: Bearer tok en"


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\x00"))
    | st.sampled_from(["a\nb\n\n", 'it\'s "q" `x` $HOME \\ !', "@file", "\\\n", "é\u2028", ""])
)
def test_any_text_body_survives_the_shell(shell: Path, text: str) -> None:
    headers = (("content-type", "application/json"),)
    args, _ = sent(as_curl(made(method="POST", request_body=text.encode(), request_headers=headers)), shell)
    assert args[-2:] == ["--data-raw", text]
    assert "content-type: application/json" in args


@pytest.mark.parametrize("body", [b"\x00\xff\n'%s\\", bytes(range(256))])
def test_a_body_of_bytes_goes_through_a_pipe(shell: Path, body: bytes) -> None:
    args, piped = sent(as_curl(made(method="PUT", request_body=body)), shell)
    assert args[-2:] == ["--data-binary", "@-"]
    assert piped == body


def test_head_and_cut_bodies() -> None:
    assert " -I " in as_curl(made(method="HEAD"))
    assert as_curl(made(request_body=b"x", request_truncated=True)).startswith("# ")


def windows_words(line: str) -> list[str]:
    """The arguments that a program for Windows makes of its command line, by the rules of Microsoft's C library."""
    words, now, quoted, at = list[str](), None, False, 0
    while at < len(line):
        found = re.compile(r'(\\*)(")?').match(line, at)
        assert found is not None
        slashes, quote = len(found[1]), found[2]
        if quote:
            now = (now or "") + "\\" * (slashes // 2)
            if slashes % 2:
                now += '"'
            else:
                quoted = not quoted
        elif slashes:
            now = (now or "") + found[1]
        elif line[at] in " \t" and not quoted:
            words += [] if now is None else [now]
            now = None
            at += 1
            continue
        else:
            now = (now or "") + line[at]
            at += 1
            continue
        at = found.end()
    assert not quoted, "a quote is not closed"
    return words if now is None else [*words, now]


def of_cmd(text: str, environment: dict[str, str]) -> list[str]:
    """The arguments of a line that is typed into cmd: variables first, then what ^ and quotes leave to the shell."""
    text = re.sub(r"%([^%\n:]+)%", lambda m: environment.get(m[1], m[0]), text)
    line, quoted, at = "", False, 0
    while at < len(text):
        sign = text[at]
        if sign == "^" and not quoted:
            at += 2 if text[at + 1 : at + 3] == "\n\n" else 1
            sign = text[at]
        elif sign == '"':
            quoted = not quoted
        else:
            assert quoted or sign not in "&|<>\n", f"cmd would act on {sign!r}"
        line += sign
        at += 1
    return windows_words(line)


def of_powershell(text: str, environment: dict[str, str]) -> list[str]:
    """The arguments of a line of PowerShell whose words are quoted, as it hands them on in its legacy way."""
    line = ""
    for single, double, plain in re.findall(r"'((?:[^'\u2018-\u201b]|'')*)'|\"([^\"]*)\"|([^\s'\"]+)", text):
        word = single.replace("''", "'") if single else plain
        if double:
            word = re.sub(r"\$env:(\w+)", lambda m: environment[m[1]], double)
        line += f'"{word}" ' if re.search(r"\s", word) else f"{word} "
    return windows_words(line)


SHELLS = {"cmd": of_cmd, "powershell": of_powershell}
ON_WINDOWS = st.text(st.characters(codec="ascii", exclude_characters="\x00\r")) | st.sampled_from(
    [
        'it\'s "q" %PATH% ^ & | < > ( ) ! $HOME `x`',
        "a\\",
        'a b\\\\"',
        "%20%41",
        "",
        "\\",
        'a "b" \\',
        "a\n\nb\n",
    ]
)


@pytest.mark.parametrize("shell_name", SHELLS)
@settings(max_examples=examples(60), deadline=None)
@given(text=ON_WINDOWS)
def test_any_ascii_text_survives_the_shells_of_windows(
    shell_name: Literal["cmd", "powershell"], text: str
) -> None:
    headers = (*HEADERS, ("x-odd", text.replace("\n", " ")))
    call = made(
        method="POST", url="https://h/x?a=[1]&b=%20d%41", request_body=text.encode(), request_headers=headers
    )
    command = as_curl(call, shell=shell_name)
    assert KEY not in command
    first, *args = SHELLS[shell_name](command.removeprefix(LEGACY), {APIKEY_VARIABLE: KEY, "PATH": "wrong"})
    assert first == ("curl.exe" if shell_name == "powershell" else "curl")
    assert args == [
        *("-g", "--path-as-is", "--compressed", "-X", "POST", "https://h/x?a=[1]&b=%20d%41"),
        *("-H", f"x-apikey: {KEY}", "-H", "x-connection-id: conn_$x `y` 'z'"),
        *("-H", "x-odd: " + text.replace("\n", " "), "--data-raw", text),
    ]


@pytest.mark.parametrize("body", [b"\x00\xff\n'%s\\", "žluťoučký".encode(), b"a\r\nb"])
def test_what_a_shell_of_windows_would_alter_comes_from_a_file(body: bytes) -> None:
    written, command = as_curl(made(method="PUT", request_body=body), shell="powershell").split("\n", 1)
    [coded] = re.findall(r"FromBase64String\('([^']*)'\)", written)
    assert base64.b64decode(coded) == body
    assert command.endswith("--data-binary '@body.bin'")
    if b"\r" in body or b"\0" in body:
        note, command = as_curl(made(method="PUT", request_body=body), shell="cmd").split("\n", 1)
        assert note.startswith("rem ")
        assert command.endswith('--data-binary ^"@body.bin^"')


@pytest.mark.parametrize("text", ['^"', "a ^\nb", '\\\\ ^"'])
def test_what_a_posix_command_quotes_is_not_taken_for_cmds_own_signs(text: str) -> None:
    command = as_curl(made(method="POST", request_body=text.encode()), shell="posix")
    assert read_curl(command).body == text.encode()


@pytest.mark.parametrize("text", ['{"a": "it\'s 100% ^ & \\\\ (b)"}', "a\nb\n\nc"])
def test_what_was_copied_for_cmd_can_be_pasted_again(text: str) -> None:
    command = as_curl(made(method="POST", request_body=text.encode()), shell="cmd")
    assert read_curl(command).body == text.encode()


def test_another_shell_is_refused() -> None:
    with pytest.raises(ValueError, match="fish"):
        as_curl(made(), shell="fish")  # type: ignore[arg-type]


def test_the_command_of_a_real_call_says_what_was_sent(shell: Path) -> None:
    with Recording() as server:

        async def main() -> str:
            async with client(server.url) as c:
                await c.send(write(b'{"record": {"name": "O\'Neil\\n"}}'))
                return as_curl(c.exchanges.all()[0])

        args, _ = sent(run(main()), shell)
        got = server.got[0]
        assert args[args.index("-X") + 1] == got.method
        assert server.url + got.target in args
        assert args[-1].encode() == got.body
        given_headers = {
            a.partition(": ")[0]: a.partition(": ")[2] for a in args if ": " in a and a != args[-1]
        }
        assert given_headers == {n: got.header(n) for n in ("x-apikey", "x-connection-id", "content-type")}


def test_har_has_what_the_format_asks_for() -> None:
    entry = made(
        method="POST",
        url="https://h/x?a=1&b=%20&a=",
        request_headers=(("content-type", "application/json"),),
        request_body=b'{"a": "\xc3\xa9"}',
        state="answered",
        status=200,
        reason="OK",
        response_headers=(("Content-Type", "application/pdf"), ("location", "/y")),
        response_body=b"%PDF\xff",
        size=5,
        elapsed_ms=12.5,
        summary="fine",
    )
    log = json.loads(as_har([entry, made()]))["log"]
    assert (log["version"], log["creator"]["name"]) == ("1.2", "Unified Explorer")
    first, second = log["entries"]
    assert first["startedDateTime"] == "2026-01-02T03:04:05.000+00:00"
    assert first["time"] == 12.5
    request, response = first["request"], first["response"]
    assert request["queryString"] == [
        {"name": "a", "value": "1"},
        {"name": "b", "value": " "},
        {"name": "a", "value": ""},
    ]
    assert request["postData"] == {"mimeType": "application/json", "text": '{"a": "é"}'}
    assert (response["status"], response["redirectURL"]) == (200, "/y")
    content = response["content"]
    assert base64.b64decode(content["text"]) == b"%PDF\xff"
    assert (content["encoding"], content["size"], content["mimeType"]) == ("base64", 5, "application/pdf")
    assert second["response"]["status"] == 0
    assert "postData" not in second["request"]
    for each in (first, second):
        assert {"startedDateTime", "time", "request", "response", "cache", "timings"} <= set(each)
        assert {"cookies", "headers", "headersSize", "bodySize", "httpVersion"} <= set(each["request"])
        assert {"cookies", "headers", "content", "redirectURL", "statusText"} <= set(each["response"])


def test_a_body_cut_inside_a_letter_is_still_text() -> None:
    entry = made(
        response_body="aé".encode()[:-1], body_truncated=True, response_headers=(("content-type", "x/y"),)
    )
    content = json.loads(as_har([entry]))["log"]["entries"][0]["response"]["content"]
    assert content["text"].startswith("a")
    assert "encoding" not in content


def test_each_secret_of_a_connection_is_a_variable_of_its_own() -> None:
    def command(*headers: tuple[str, str]) -> str:
        return as_curl(dataclasses.replace(made(), request_headers=headers))

    token = '"X-Account-Token: $UNIFIED_EXPLORER_CONNECTION_X_ACCOUNT_TOKEN"'
    both = command(("x-api-key", MASK), ("X-Account-Token", MASK))
    assert f'-H "x-api-key: ${APIKEY_VARIABLE}" -H {token}' in both
    bearer = command(("authorization", f"Bearer {MASK}"), ("X-Account-Token", MASK))
    assert f'-H "authorization: Bearer ${TOKEN_VARIABLE}" -H {token}' in bearer
    basic = command(("authorization", f"Basic {MASK}"), ("X-Account-Token", MASK))
    assert f'-u "${APIKEY_VARIABLE}" -H {token}' in basic
