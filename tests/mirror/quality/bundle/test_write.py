"""Bundles made by hand: what is in them, and files that are none, damaged or hostile, each refused in one sentence."""

from __future__ import annotations

import contextlib
import io
import json
import stat
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.api.exchange import Exchange
from explorer.api.exchanges import Exchanges
from explorer.profiles.profile import Profile
from explorer.quality.bundle import read as bundle_read
from explorer.quality.bundle.choice import choose
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.bundle.parts import FILES, FORMAT, numbered
from explorer.quality.bundle.read import read_bundle
from explorer.quality.bundle.scan import Scan, Wanted
from explorer.quality.bundle.write import (
    ROW,
    BundleFault,
    BundleOrder,
    Step,
    bundle_bytes,
    outcome_of,
    write_bundle,
)
from explorer.quality.engine.check import Check, Example, Finding, Result, Run, Verdict
from explorer.quality.reports.har import exchanges_of, har_of
from explorer.quality.reports.json import as_json
from explorer.quality.reports.junit import as_junit
from explorer.quality.reports.report import report_of
from explorer.worker_main import read_message, write_message
from tests.builtin import registry
from tests.mirror.quality.made import made_run
from tests.thorough import examples

NOW = datetime(2026, 11, 20, 12, 4, tzinfo=UTC)
ODD = '{"id":"Bb", "n":1.10, "n":NaN,\n "big":12345678901234567890}'


class Log:
    """A service of which only the log counts."""

    def __init__(self, *calls: Exchange) -> None:
        self.exchanges = Exchanges()
        self.profile = Profile.sandbox("http://127.0.0.1:1")
        self.registry = registry
        for call in calls:
            self.exchanges.add(call)

    async def send(self, *_: object, **__: object) -> None:
        raise AssertionError("nothing is sent")


def page(number: int, body: str, **more: object) -> Exchange:
    values = {
        "started_at": NOW, "method": "GET", "url": "https://h.example/v0/unified/ats/job?page_size=2",
        "path": "/v0/unified/ats/job?page_size=2", "operation": "ats/job", "page": number, "state": "answered",
        "status": 200, "response_body": body.encode(), "size": len(body), "elapsed_ms": 1.5, "verdict": "ok",
        "response_headers": (("content-type", "application/json"),),
    }  # fmt: skip
    return Exchange(**{**values, **more})  # type: ignore[arg-type]


def evidence(*calls: Exchange) -> Evidence:
    return Evidence.of_log(Log(*calls), range(1, len(calls) + 1))  # type: ignore[arg-type]


def two_pages() -> tuple[Run, Evidence]:
    """Two pages whose third and fourth row are findings, and one long row."""
    long = json.dumps({"id": "c", "text": "x " * ROW})
    first = page(1, '{"items": [{"id":"a"}, {"id":""}], "has_next_page": true, "next_cursor": "n"}')
    second = page(2, f'{{"items": [{ODD}, {long}], "has_next_page": false, "next_cursor": null}}')
    examples = (
        Example(1, 2, 1, "", ""),
        Example(2, 3, 2, "Bb", "NaN"),
        Example(2, 4, 2, "c"),
        Example(9, 9, 9, "z"),
    )
    check = Check("records.types", "records", "Values have the type of their field")
    other = Check("paging.ends", "paging", "The list comes to an end", "page")
    results = (
        Result(check, "ats/job", Verdict.FAILS, "n", 4, 3, (Finding("t", "n", "n is odd", 3, examples),)),
        Result(other, "ats/job", Verdict.SUSPECT, "it does not", 1, 1, (), (2,)),
    )
    run = Run("Ours", "conn_1", ("ats/job",), NOW, 2.0, results, 4, 2, ())
    return run, evidence(first, second)


def made(path: Path) -> Path:
    run, kept = two_pages()
    write_bundle(path, [choose(run, kept)], secrets=["a-secret-of-ours"])
    return path


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_key_that_is_a_word_of_the_reports_is_refused_with_what_to_do() -> None:
    run, kept = two_pages()
    with pytest.raises(BundleFault) as caught:
        bundle_bytes([choose(run, kept)], secrets=["pseudonym"])
    said = str(caught.value)
    assert "is a plain word that README.md uses in the program's own texts" in said
    assert said.endswith("Use a key that is no word, then make it again.")
    assert "pseudonym" not in said


# ---------------------------------------------------------------- what is in it


def test_reports_are_byte_for_byte_those_of_the_run() -> None:
    run = made_run()
    files = members(bundle_bytes([choose(run, evidence())], secrets=[])[0])
    assert files["run.json"] == as_json(report_of([run]))
    assert files["junit.xml"] == as_junit(report_of([run]))
    assert list(files) == [*FILES, "exchanges-1.har"]
    for name in files:
        assert f"`{name}`" in files["README.md"].decode()


def test_rows_keep_their_bytes_where_json_can_hold_them(tmp_path: Path) -> None:
    found = read_bundle(made(tmp_path / "b.zip"))
    assert [(s.example, s.page, s.row, s.id) for s in found.rows(1)] == [
        (1, 1, 2, ""),
        (2, 2, 3, "Bb"),
        (3, 2, 4, "c"),
    ]
    empty, odd, long = (sample.record for sample in found.rows(1))
    assert empty == b'{"id":""}'
    assert odd == ODD.encode()
    assert len(long) < ROW + 10
    assert long.startswith(b'{"id": "c"')
    [one, other] = json.loads(found.files["findings.json"])
    assert (one["exchange"], one["rows"], other["exchange"]) == ([1, 2, 9], [1, 2, 3], [2])
    assert [n for n, *_ in numbered(found.runs)] == [1, 2]
    call = found.exchange(1, 2)
    assert call is not None
    assert call.page == 2
    assert found.exchange(1, 3) is found.exchange(2, 1) is None


def test_it_is_written_whole_for_its_owner_alone_or_not_at_all(tmp_path: Path) -> None:
    path = made(tmp_path / "b.zip")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="nowhere"):
        made(tmp_path / "nowhere" / "b.zip")


def test_bodies_that_are_no_text_are_left_out_and_that_is_said() -> None:
    run, _ = two_pages()
    kept = evidence(page(1, "%PDF-1.4 what is in here", operation="accounting/payment-receipt", page=None))
    [entry] = json.loads(members(bundle_bytes([choose(run, kept)], secrets=[])[0])["exchanges-1.har"])["log"][
        "entries"
    ]
    assert entry["response"]["content"]["text"] == ""
    assert "not text" in entry["response"]["content"]["comment"]


def test_calls_go_to_har_and_come_back() -> None:
    calls = [
        page(1, '{"items": []}', id=7, summary="100 items", attempt=2, connection="conn_1"),
        page(
            2,
            "",
            id=8,
            state="failed",
            status=None,
            verdict="fails",
            request_body=b'{"a": 1}',
            body_truncated=True,
        ),
    ]
    assert exchanges_of(har_of(calls)) == calls
    for bad in (b"", b"[]", b'{"log": {"entries": [1]}}', b"[" * 100_000, b'{"log": {"entries": [{}]}}'):
        with pytest.raises(ValueError, match=r"."):
            exchanges_of(bad)


# ---------------------------------------------------------------- the second look


def test_the_second_look_sees_through_packings() -> None:
    import base64
    import html

    wanted = Wanted({"ue-secret-0123456789"}, emails=True, calls=True, people=True)
    wanted.collect(b'{"phone": "030 5550100", "last_name": "Quuxington"}')
    scan = Scan(wanted)
    packings: list[Callable[[str], str]] = [
        str, lambda s: s.encode().hex(), lambda s: base64.b64encode(b"- " + s.encode()).decode(),
        lambda s: "".join(f"%{b:02x}" for b in s.encode()), lambda s: json.dumps(json.dumps({"x": s + '"'})),
        lambda s: "".join(f"\\u{ord(c):04x}" for c in s), lambda s: html.escape(s).replace("@", "&#64;"),
        lambda s: s[:5] + "\\r\\n   " + s[5:], lambda s: s[:5] + "\u200b" + s[5:],
        lambda s: base64.urlsafe_b64encode(base64.b64encode(f"the value is {s}".encode())).decode(),
    ]  # fmt: skip
    for value, kind in (
        ("ue-secret-0123456789", "a key or token"), ("someone@people.example", "an e-mail address"),
        ("0305550100", "a phone number"), ("Quuxington", "a name"), ("+49 30 5550199", "a phone number"),
    ):  # fmt: skip
        for at, packing in enumerate(packings):
            said = f"before {packing(value)} after".encode()
            assert kind in {hit.kind for hit in scan.of("x", said)}, (kind, at)
    for value in (
        "e-mail-1@masked.example",
        "phone-2.masked.example",
        "2026-11-21T10:00:00+00:00",
        "1.10",
        "@media",
    ):
        assert scan.of("x", f"before {value} after".encode()) == []
    assert [str(hit) for hit in scan.of("x.har", b'"authorization": "Bearer abc123456"')] == [
        "x.har still holds a key or token"
    ]


# ---------------------------------------------------------------- files that anybody may have sent


def refused(path: Path) -> str:
    with pytest.raises(BundleFault) as caught:
        read_bundle(path)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def rezipped(path: Path, change: Callable[[zipfile.ZipFile, dict[str, bytes]], None]) -> Path:
    files = members(made(path).read_bytes())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        change(archive, files)
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(
    "name", ["../a", "/etc/a", "a\\b", "rows.jsonl/", "C:x", "exchanges-0.har", "x" * 300]
)
def test_files_that_have_no_business_in_it(tmp_path: Path, name: str) -> None:
    path = rezipped(tmp_path / "b.zip", lambda archive, _: archive.writestr(name, b"x"))
    assert "does not belong" in refused(path)
    assert list(tmp_path.iterdir()) == [path]


def test_links_doubles_and_too_many_files(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("report.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16

    def with_link(archive: zipfile.ZipFile, files: dict[str, bytes]) -> None:
        del files["report.md"]
        archive.writestr(link, b"/etc/passwd")

    assert "does not belong" in refused(rezipped(tmp_path / "a.zip", with_link))

    def twice(archive: zipfile.ZipFile, _: dict[str, bytes]) -> None:
        archive.writestr("report.md", b"x")

    with pytest.warns(UserWarning, match="Duplicate"):
        assert "one file twice" in refused(rezipped(tmp_path / "b.zip", twice))


def bomb(path: Path, size: int, *, says: int | None = None, packing: int = zipfile.ZIP_DEFLATED) -> Path:
    """A bundle with a file of ``size`` zeros, of which both its headers say that it has ``says`` bytes."""
    files = members(made(path).read_bytes())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            if name != "report.md":
                archive.writestr(name, data)
        info = zipfile.ZipInfo("report.md")
        info.compress_type = packing
        with archive.open(info, "w") as file:
            for _ in range(size >> 20):
                file.write(bytes(1 << 20))
    if says is not None:
        whole = path.read_bytes()
        real, lie = size.to_bytes(4, "little"), says.to_bytes(4, "little")
        assert whole.count(real) == 2, "in the file's own header and in the directory"
        path.write_bytes(whole.replace(real, lie))
    return path


def taken(path: Path) -> tuple[str, int]:
    """How it is refused, and how many bytes that took at most."""
    tracemalloc.start()
    try:
        return refused(path), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


MIB = 1 << 20


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bomb(tmp_path / "b.zip", 64 * MIB)
    assert path.stat().st_size < MIB // 8
    monkeypatch.setattr(bundle_read, "LIMIT", MIB)
    sentence, most = taken(path)
    assert "too large" in sentence
    assert most < MIB
    monkeypatch.setattr(bundle_read, "FILE_LIMIT", 100)
    assert "larger than a bundle" in refused(path)


@pytest.mark.parametrize("says", [0, 1, 1000, 32 * MIB, 400 * MIB])
def test_a_bomb_that_lies_about_its_size_is_never_in_memory(tmp_path: Path, says: int) -> None:
    sentence, most = taken(bomb(tmp_path / "b.zip", 64 * MIB, says=says))
    assert "damaged" in sentence
    # What it admits to may be read, twice over while it is put together, and no more of what it is.
    assert most < 3 * min(says, 64 * MIB) + 2 * MIB


def test_reading_stops_at_the_bound_where_the_sizes_were_not_added_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_read, "LIMIT", MIB)
    monkeypatch.setattr(bundle_read, "_check", lambda members: None)
    for size in (64 * MIB, MIB):  # too much by itself, and with the files before it
        sentence, most = taken(bomb(tmp_path / "b.zip", size))
        assert "too large" in sentence
        assert most < 4 * MIB


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_whose_reading_has_no_bound_are_refused(tmp_path: Path, packing: int) -> None:
    sentence, most = taken(bomb(tmp_path / "b.zip", 64 * MIB, packing=packing))
    assert "compressed in an unknown way" in sentence
    assert most < MIB


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{}", b'{"format": "x"}', b"[" * 100_000, b"\xff"])
def test_a_manifest_that_is_none(tmp_path: Path, manifest: bytes) -> None:
    assert "not a bundle" in refused(
        rezipped(tmp_path / "b.zip", lambda _, files: files.update({"manifest.json": manifest}))
    )


def test_no_zip_an_empty_one_and_a_later_version(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    for data in (b"", b"PK\x03\x04" * 100, b"words", bytes(22)):
        path.write_bytes(data)
        assert "not a bundle" in refused(path)
    zipfile.ZipFile(path, "w").close()
    assert "not a bundle" in refused(path)

    def later(_: zipfile.ZipFile, files: dict[str, bytes]) -> None:
        files["manifest.json"] = files["manifest.json"].replace(b'"version": 1', b'"version": 2', 1)

    assert "newer version" in refused(rezipped(path, later))


def test_a_directory_that_points_before_the_file_is_told(tmp_path: Path) -> None:
    data = bytearray(made(tmp_path / "b.zip").read_bytes())
    end = data.rfind(b"PK\x05\x06")
    (directory,) = struct.unpack_from("<I", data, end + 16)
    struct.pack_into("<I", data, end + 16, directory + 1)
    (tmp_path / "b.zip").write_bytes(data)
    assert "damaged" in refused(tmp_path / "b.zip")


WHOLE: list[bytes] = []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))
@given(at=st.integers(0, 10**6), what=st.binary(min_size=1, max_size=4), cut=st.booleans())
def test_damage_gives_one_sentence_or_the_same_bundle(
    tmp_path: Path, at: int, what: bytes, cut: bool
) -> None:
    path = tmp_path / "b.zip"
    if not WHOLE:
        WHOLE.append(made(path).read_bytes())
    data = WHOLE[0]
    at %= len(data)
    path.write_bytes(data[:at] if cut else data[:at] + what + data[at + len(what) :])
    sentence = ""
    try:
        found = read_bundle(path)
        assert len(found.samples) == 3
    except BundleFault as fault:
        sentence = str(fault)
    assert sentence == "" or (sentence.endswith(".") and "\n" not in sentence)


CHOSEN = [choose(*two_pages())]


def started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "explorer", "--worker", "bundle"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def said(order: BundleOrder) -> list[object]:
    """All that it answers; its input stays open until then."""
    with started() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        write_message(process.stdin, order)
        answers: list[object] = []
        with contextlib.suppress(EOFError):
            while True:
                answers.append(read_message(process.stdout))
        assert process.wait(60) == 0
        return answers


def test_it_writes_the_same_bytes(tmp_path: Path) -> None:
    data, wanted = bundle_bytes(CHOSEN, secrets=["a-secret-of-ours"])
    path = tmp_path / "b.zip"
    answers = said(BundleOrder(path, CHOSEN, ["a-secret-of-ours"]))
    assert outcome_of(answers) == wanted
    steps = [answer for answer in answers if isinstance(answer, Step)]
    assert [one.share for one in steps] == sorted(one.share for one in steps), "it says how far it is"
    assert (steps[0].share, steps[-1]) == (0.0, Step("Writing the file", 1.0))
    assert "Masking call 1 of 2" in {one.words for one in steps}
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("folder", "secret", "sentence"),
    [(".", FORMAT, "manifest.json still holds a key or token"), ("nowhere", "x-y-z", "No such file")],
)
def test_what_stops_it_is_one_sentence(tmp_path: Path, folder: str, secret: str, sentence: str) -> None:
    answer = said(BundleOrder(tmp_path / folder / "b.zip", CHOSEN, [secret]))
    with pytest.raises(BundleFault, match=sentence) as caught:
        outcome_of(answer)
    assert secret not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_it_ends_with_its_input() -> None:
    with started() as process:
        out, _ = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, b"")
    order = io.BytesIO()
    write_message(order, "no order at all")
    with started() as process:
        out, _ = process.communicate(order.getvalue(), timeout=60)
        assert process.returncode != 0
    with pytest.raises(BundleFault, match="ended too early"):
        outcome_of([])


def test_of_two_records_with_one_id_the_one_in_its_row_is_the_evidence() -> None:
    rows = ['{"id":"a","n":1}', '{"id":"b","n":2}', '{"id":"b","n":3}', '{"id":"c","n":4}']
    third = page(3, f'{{"items": [{", ".join(rows)}], "has_next_page": false, "next_cursor": null}}')
    kept = evidence(third)  # the pages before it are not at hand
    of_second, of_first = Example(3, 11, 1, "b"), Example(3, 10, 1, "b")
    assert (kept.row(of_second), kept.namesakes(of_second)) == (rows[2].encode(), [rows[1].encode()])
    assert (kept.row(of_first), kept.namesakes(of_first)) == (rows[1].encode(), [rows[2].encode()])
    assert kept.namesakes(Example(3, 9, 1, "a")) == []


def test_the_command_names_the_address_and_no_profile_of_the_sender() -> None:
    run, kept = two_pages()
    log = Log(*kept.calls)
    log.profile = Profile(name="Ours", base_url="https://h.example")
    kept = Evidence.of_log(log, [call.id for call in kept.calls])  # type: ignore[arg-type]
    files = members(bundle_bytes([choose(run, kept)], secrets=[])[0])
    found = json.loads(files["findings.json"])
    assert {"--base-url https://h.example --connections conn_1" in one["reproduce"] for one in found} == {
        True
    }
    assert all(b"--profile" not in data for data in files.values())
