"""The text of an issue: what was sent, expected and received, masked, and Markdown that stays what it quotes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from explorer import __version__
from explorer.api.exchange import Exchange
from explorer.api.redact import MASK
from explorer.quality.bundle.masking import Mask
from explorer.quality.checks.paging import CURSOR
from explorer.quality.engine.check import Example, Finding, Result, SourceValue, Verdict
from explorer.quality.reports.issue import Subject, issue_text
from tests.mirror.quality.made import HOSTILE, made_run

KEY = "key-of-the-test-5b1e77"


def call(**more: object) -> Exchange:
    values = {
        "id": 7, "started_at": datetime(2026, 11, 20, 9, 12, tzinfo=UTC), "method": "POST",
        "url": "https://h/v0/contact", "path": "/v0/contact", "operation": "crm/contact/create",
        "request_headers": (("x-apikey", MASK), ("content-type", "application/json")),
        "request_body": b'{"email":"ann@acme.example"}', "state": "answered", "status": 502, "reason": "Bad Gateway",
        "response_body": b'{"message":"ann@acme.example is not ```known```"}', "size": 48, "verdict": "fails",
        "summary": "The service could not reach the third party.", "connection": "conn_1",
    }  # fmt: skip
    return Exchange(**(values | more))  # type: ignore[arg-type]


def test_a_call_says_what_was_sent_expected_and_received() -> None:
    made = issue_text(Subject(call=call()), [])
    assert made.text.splitlines()[0] == r"# POST /v0/contact: 502 Bad Gateway (conn_1)"
    assert re.findall("^## (.*)$", made.text, re.M) == ["Sent", "Expected", "The answer"]
    assert '-H "x-apikey: $UNIFIED_EXPLORER_APIKEY"' in made.text
    assert '--data-raw \'{"email":"ann@acme.example"}\' https' not in made.text
    assert "An answer with a status of 2xx." in made.text
    assert "2026-11-20 09:12:00 UTC, connection conn\\_1." in made.text
    assert '````json\n{"message":"ann@acme.example is not ```known```"}\n````' in made.text
    assert (made.name, made.masked_words) == ("call-crm-contact-create-502", "Masked: nothing.")
    good = issue_text(Subject(call=call(verdict="ok", status=200)), [])
    assert "(what the answer should be)" in good.text


def test_what_is_chosen_is_masked_and_named() -> None:
    made = issue_text(
        Subject(call=call(response_body=b'{"link":"' + KEY.encode() + b'"}')), [KEY], [Mask.EMAILS]
    )
    assert "ann@acme.example" not in made.text
    assert KEY not in made.text
    assert "e-mail-1@masked.example" in made.text
    assert made.masked["keys, tokens and links"] >= 1
    assert made.masked["e-mail addresses"] >= 1
    assert made.masked_words.startswith("Masked: keys, tokens and links (1), ")


def test_a_finding_has_its_examples_its_command_and_its_call() -> None:
    run = made_run()
    made = issue_text(Subject(call=call(), run=run, result=run.results[0]), [])
    assert re.findall("^## (.*)$", made.text, re.M) == [
        "Expected", "What came", "Sent", "The answer", "See it again",
    ]  # fmt: skip
    assert "Values have the type of their field (rule records.types)." in made.text
    assert "312 of 21,400 records" in made.text
    assert "page 2, row 105, id id-1" in made.text
    assert "  - and 310 more\n" in made.text, "two places are listed of 312"
    assert "unified-explorer check ats/job" in made.text
    assert made.name == "records-types-ats-job"
    assert not {"\u202e", "\x00", "\x1b"} & set(made.text)
    outside = re.sub(r"^(`{3,}).*?^\1$", "", made.text, flags=re.M | re.S)
    assert "<script>" not in outside.replace("\\<", "")


def test_records_beyond_the_examples_are_named_up_to_fifty() -> None:
    run = made_run()

    def said(of: int, known: int) -> str:
        ids = tuple(f"job-{number}" for number in range(known))
        examples = tuple(Example(1, at + 1, 17, ident) for at, ident in enumerate(ids[:5]))
        finding = Finding("null", "name", "name is null", of, examples, ids=ids)
        made = issue_text(Subject(run=run, result=replace(run.results[0], findings=(finding,))), [KEY])
        return next(line for line in made.text.splitlines() if line.startswith("  - and "))

    assert said(10, 10) == "  - and 5 more, in 5 further records: job-5, job-6, job-7, job-8, job-9"
    assert said(12, 10).startswith("  - and 7 more, in 5 further records: job-5, ")
    many = said(700, 500)
    assert many.startswith("  - and 695 more, the next 45 records of 500 that a JSON report names: job-5, ")
    assert many.endswith(", job-49")


def test_all_findings_of_a_result_are_named_and_the_title_is_not_said_again() -> None:
    run = made_run()
    [first] = run.results[0].findings
    others = [replace(first, rule=f"r{n}", sentence=f"field {n} is null", count=n) for n in (3, 7)]
    result = replace(run.results[0], findings=(first, *others), seen=f"{first.sentence}; 2 more")
    text = issue_text(Subject(run=run, result=result), []).text
    for sentence in ("field 3 is null: 3 times", "field 7 is null: 7 times"):
        assert f"- {sentence}\n  - page 2, row 105, id id-1" in text
    assert "; 2 more" not in text, "what the finding says in one line"
    title, expected = text.splitlines()[0], text.partition("## Expected\n\n")[2].splitlines()[0]
    assert title.startswith("# ats/job: size is text")
    assert title.endswith("; field 3 is null; field 7 is null (conn_one two)")
    assert expected == "Values have the type of their field (rule records.types)."
    many = replace(
        result, findings=(first, *(replace(first, sentence=f"field {n} is null") for n in range(40)))
    )
    title = issue_text(Subject(run=run, result=many), []).text.splitlines()[0]
    assert title.endswith("; 40 more findings, all below (conn_one two)")


def test_what_is_masked_is_counted_in_what_is_quoted() -> None:
    people = [{"email": f"ann{number}@acme.example"} for number in range(500)]
    body = json.dumps({"items": people}).encode()
    made = issue_text(Subject(call=call(response_body=body)), [], [Mask.EMAILS])
    assert "@acme.example" not in made.text
    assert made.masked["e-mail addresses"] == made.text.count("@masked.example")
    assert 0 < made.masked["e-mail addresses"] < 250
    assert "only the beginning of the body" in made.text


def test_a_finding_quotes_its_records_in_place_of_the_page_around_them() -> None:
    run = made_run()
    records = [b'{"id": "id-1", "name": 7, "key": "' + KEY.encode() + b'"}', b'{"id": "id-2"}']
    subject = Subject(call=call(), run=run, result=run.results[0], find_rows=lambda: records)
    made = issue_text(subject, [KEY])
    assert '{"id": "id-1", "name": 7' in made.text
    assert '{"id": "id-2"}' in made.text
    assert KEY not in made.text
    assert "ann@acme.example is not" not in made.text, "the page's beginning"
    assert "## The answer" in made.text


def test_it_is_said_where_a_mask_hides_the_value_that_the_text_is_about() -> None:
    row = b'{"id": "1", "first_name": "Annegr", "email": "a@firm.example", "raw_data": {"first_name": "Annegret"}}'
    source = (SourceValue("raw_data.first_name", '"Annegret"'),)
    cut = Finding(
        "cut", "first_name", "first_name is cut", 1, (Example(1, 1, None, "1", '"Annegr"', source),)
    )
    result = replace(made_run().results[0], findings=(cut,))
    subject = Subject(run=made_run(), result=result, rows=[row])
    assert issue_text(subject, [], Mask).about == (Mask.NAMES,)
    shown = issue_text(subject, [], [Mask.EMAILS])
    assert (shown.about, "a@firm.example" in shown.text) == ((), False)
    assert '"Annegr"' in shown.text
    chosen = Subject(
        rows=[row], of=1, where="crm/contact, conn_1", field="first_name", among="email contains “a”"
    )
    masked, plain = issue_text(chosen, [], Mask), issue_text(chosen, [], [Mask.EMAILS])
    assert masked.about == (Mask.NAMES,)
    assert masked.text.startswith("# 1 record of crm/contact, conn_1: first_name")
    assert "Chosen among the rows with: email contains “a”." in masked.text
    assert '"1": "Annegr"' in plain.text
    assert plain.about == ()
    assert issue_text(replace(chosen, field="email"), [], Mask).about == (Mask.EMAILS,)
    assert issue_text(replace(chosen, field="none"), [], Mask).about == ()
    assert '"1": absent' in issue_text(replace(chosen, field="none"), [], Mask).text


def test_rows_are_quoted_as_far_as_there_is_room_and_the_rest_is_counted() -> None:
    rows = [json.dumps({"id": n, "key": KEY, "text": "x" * 900}).encode() for n in range(10)]
    command = ("unified-explorer", "pull", "ats/job", "--param=q=a b")
    made = issue_text(Subject(rows=rows, of=25, where="ats/job, conn_1", command=command), [KEY])
    assert made.text.startswith("# 25 records of ats/job, conn_1\n")
    assert '"id": 0' in made.text
    assert KEY not in made.text
    quoted = made.text.count('{"id"')
    assert 1 < quoted < 10
    assert f"{25 - quoted} more records not shown." in made.text
    assert "'--param=q=a b'" in made.text
    assert made.name == "rows-ats-job-conn-1"


def test_a_finding_says_what_its_value_should_be_and_how_each_page_is_asked_for_again() -> None:
    run = replace(made_run(), quick=True)
    source = (SourceValue("raw_data.attributes.status", '"bounced"'),)
    places = (Example(1, 3, 7, "9002", '"active"', source), Example(2, 68, 9, "9067", '"active"', source))
    words = "state is another word than raw data has in 2 of 180 records"
    finding = Finding("exchanged", "state", words, 2, places)
    result = replace(
        run.results[0],
        resource="sales-engagement/sequence_state",
        measured=180,
        affected=2,
        findings=(finding,),
    )
    first = call(method="GET", url="https://h/v0/list", request_body=None, summary="60 items", page=1)
    second = replace(first, id=9, url="https://h/v0/list?cursor=60", page=2)
    subject = Subject(
        call=first,
        calls=(first, second),
        run=run,
        result=result,
        address="https://h.example",
        find_rows=lambda: [b'{"id": "9002", "lead": "t.ito"}'],
    )
    made = issue_text(subject, [], [Mask.NAMES])
    assert made.text.startswith("# sales-engagement/sequence_state: state is another word"), "no escapes"
    expected = made.text.partition("## Expected")[2].partition("## What came")[0]
    assert (
        'state by its source: raw\\_data.attributes.status is "bounced" (page 1, row 3, id 9002)' in expected
    )
    came = made.text.partition("## What came")[2].partition("## The first")[0]
    assert "2 of 180 records. The run was a quick one: it looked at the first 3 pages of each list" in came
    assert ": 2 times" not in came, "the sentence says it"
    assert made.text.count("https://h/v0/list?cursor=60") == 1
    assert "Page 2:" in made.text
    assert "60 items" not in made.text
    assert "--base-url https://h.example --connections" in made.text
    assert "--profile" not in made.text
    assert made.masked_words.endswith("look through the raw data for others.")
    again = issue_text(replace(subject, address="", whose="It is Ann's."), []).text.partition(
        "## See it again"
    )[2]
    assert again.strip().startswith("It is Ann's.")
    assert "--profile" in again


@given(st.text(max_size=200), st.binary(max_size=200))
def test_no_text_of_the_service_ends_a_block_or_makes_a_heading(summary: str, body: bytes) -> None:
    made = issue_text(Subject(call=call(summary=summary, response_body=body, reason=HOSTILE[:40])), [])
    rest, headings = made.text, []
    while rest:
        line, _, rest = rest.partition("\n")
        if fence := re.match("`{3,}", line):
            rest = rest.partition(f"\n{fence[0]}\n")[2] if f"\n{fence[0]}\n" in f"\n{rest}" else ""
        elif line.startswith("## "):
            headings.append(line[3:])
    assert headings == ["Sent", "Expected", "The answer"]


def test_a_finding_about_the_envelope_has_its_members_of_each_call_though_the_rows_are_cut() -> None:
    finding = Finding(
        "cursor again", "", "Page 3 leads back", 1, (Example(3, None, 7, "", '"c2"'),), exchange=(5, 7)
    )
    result = Result(CURSOR, "ats/job", Verdict.FAILS, "", 3, 1, (finding,))
    rows = ", ".join(f'{{"id": "{n}", "raw_data": {{}}}}' for n in range(400))
    body = f'{{"items": [{rows}], "has_next_page": true, "next_cursor": "c2"}}'.encode()
    first, last = (call(id=n, page=p, response_body=body, size=len(body)) for n, p in ((5, 1), (7, 3)))
    made = issue_text(Subject(call=last, run=made_run(), result=result, calls=[first, last]), [])
    words = '{"items": "… 400 entries", "has_next_page": true, "next_cursor": "c2"}'
    assert made.text.count(words) == 2, "of each call"
    assert "Page 1:" in made.text
    assert '"id": "399"' not in made.text
    cut = replace(last, response_body=body[:9000], body_truncated=True)
    assert words not in issue_text(Subject(call=cut, run=made_run(), result=result), []).text
    secret = replace(last, response_body=body.replace(b"c2", KEY.encode()))
    assert KEY not in issue_text(Subject(call=secret, run=made_run(), result=result), [KEY]).text


def test_the_title_says_of_whom_it_is_and_the_end_what_made_it() -> None:
    run = made_run()
    text = issue_text(Subject(run=run, result=run.results[0], connector="Salesloft"), []).text
    assert text.splitlines()[0].endswith(" (Salesloft, conn_one two)")
    assert text.endswith(f"\n\nMade with Unified Explorer {__version__}.\n")
