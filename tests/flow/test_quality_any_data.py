"""Laws: clean data of any shape has no finding, and no data whatever ends a run or a report in the middle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.quality.reports.html import as_html
from explorer.quality.reports.json import as_json
from explorer.quality.reports.junit import as_junit
from explorer.quality.reports.markdown import as_markdown
from explorer.quality.reports.report import report_of
from tests.flow.listed import Listed, Serving, bad, job, serving
from tests.thorough import examples


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


# ---------------------------------------------------------------- clean data

_words = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), exclude_characters="\u2028\u2029"),
    min_size=1,
    max_size=30,
).filter(lambda text: text.strip() == text and text != "")
_moments = st.datetimes(datetime(1902, 1, 1), datetime(2150, 1, 1))  # noqa: DTZ001 - hypothesis wants them without
_hours = st.integers(-14, 14)
_FORMS = ("Z", "offset", "space-less", "millis", "micros", "date")
FIELDS: dict[str, dict[str, str]] = {
    "ats/job": {"name": "text", "confidential": "bool", "created_at": "made", "modified_at": "changed"},
    "file-storage/file": {
        "name": "text",
        "description": "text",
        "path": "text",
        "mime_type": "text",
        "size": "count",
        "downloadable": "bool",
        "exportable": "bool",
        "created_at": "made",
        "updated_at": "changed",
    },
    "file-storage/drive": {
        "name": "text",
        "description": "text",
        "created_at": "made",
        "updated_at": "changed",
    },
    "sales-engagement/mailbox": {
        "email": "mail",
        "user_id": "text",
        "is_deleted": "bool",
        "created_at": "made",
        "updated_at": "changed",
        "last_modified_at": "changed",
    },
    "sales-engagement/sequence_state": {
        "state": "text",
        "sequence_id": "text",
        "contact_id": "text",
        "is_deleted": "bool",
        "created_at": "made",
        "updated_at": "changed",
    },
}


def written(moment: datetime, form: str, hours: int) -> str:
    """A moment in one of the forms of ISO 8601."""
    if form == "date":
        return moment.date().isoformat()
    if form == "offset":
        there = moment.replace(tzinfo=UTC).astimezone(timezone(timedelta(hours=hours)))
        return there.isoformat(timespec="seconds")
    parts = {"millis": "milliseconds", "micros": "microseconds"}.get(form, "seconds")
    return moment.isoformat(timespec=parts) + "Z"


@st.composite
def clean(draw: st.DrawFn) -> Listed:
    key = draw(st.sampled_from(sorted(FIELDS)))
    wanted = {name: kind for name, kind in FIELDS[key].items() if draw(st.booleans())}
    sparse = {name for name in wanted if draw(st.integers(0, 3)) == 0}
    inner = {
        name: draw(st.sampled_from((name, f"raw {name}", f"{name}Of/~it", name.upper()))) for name in wanted
    }
    form, hours, epoch = draw(st.sampled_from(_FORMS)), draw(_hours), draw(st.booleans())
    count = draw(st.integers(0, 60))
    ids: list[Any] = draw(
        st.lists(st.integers(0, 10**9), min_size=count, max_size=count, unique=True)
        if draw(st.booleans())
        else st.lists(_words, min_size=count, max_size=count, unique=True)
    )
    values: dict[str, st.SearchStrategy[Any]] = {
        "text": _words,
        "bool": st.booleans(),
        "count": st.integers(0, 2**60),
        "mail": st.from_regex(r"[a-z]{1,9}@[a-z]{2,9}\.example", fullmatch=True),
    }
    pool = {kind: draw(st.lists(one, min_size=1, max_size=12)) for kind, one in values.items()}
    moments = draw(st.lists(_moments, min_size=1, max_size=9))
    rng = draw(st.randoms(use_true_random=False))
    rows = []
    for ident in ids:
        raw: dict[str, Any] = {
            "key": ident,
            "kind": "thing",
            "nothing": None,
            "some": rng.choice([1, "x", [], {}]),
        }
        row: dict[str, Any] = {"id": str(ident), "raw_data": raw}
        made = rng.choice(moments)
        for name, kind in wanted.items():
            if name in sparse and rng.random() < 0.5:
                continue
            if kind in ("made", "changed"):
                moment = made if kind == "made" else made + timedelta(days=rng.randrange(1, 900))
                row[name] = written(moment, form, hours)
                passed = (moment - datetime(1970, 1, 1)) // timedelta(milliseconds=1)  # noqa: DTZ001 - as the moments
                raw[inner[name]] = passed if epoch and form == "millis" else row[name]
            else:
                row[name] = rng.choice(pool[kind])
                raw[inner[name]] = row[name]
        rows.append(row)
    end = draw(st.sampled_from([None, "", ...]))
    prefix = draw(st.sampled_from(["c", "é&=+ %/", "\U0001f600" * 40, "x" * 3000, '"\\']))
    return Listed(key, rows, draw(st.integers(1, 70)), prefix, end, draw(st.booleans()), draw(st.booleans()))


@settings(max_examples=examples(30))
@given(clean())
def test_clean_data_of_any_shape_has_no_finding(service: Serving, listed: Listed) -> None:
    run = service.run(listed)
    found = [(one.check.id, one.seen, one.findings[:1]) for one in run.bad]
    assert not found
    assert run.records == len(listed.rows)
    assert not run.stopped


def test_what_lies_between_pages_of_one_record_shows_no_loss_at_their_borders(service: Serving) -> None:
    """Incremental has a third of the records, in the order of their dates: each of the others is at a border."""
    rows = sorted((job(11 * number) for number in range(36)), key=lambda one: str(one["modified_at"]))
    assert bad(service.run(Listed(rows=rows, size=1))) == set()


# ---------------------------------------------------------------- anything at all

_scalars = (
    st.none() | st.booleans() | st.integers(-(10**400), 10**400) | st.floats() | st.text(max_size=12)
    | st.sampled_from(["", " ", "0001-01-01", "1e999", "\ud800", "\x00", "<b>", "]]>", "2016-12-31T23:59:60Z"])
)  # fmt: skip
_names = st.sampled_from(
    [
        "id",
        "name",
        "created_at",
        "modified_at",
        "departments",
        "offices",
        "raw_data",
        "parent_id",
        "",
        "²",
        "a/b~",
    ]
)
_anything = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_names, inner, max_size=6),
    max_leaves=20,
)
_rows = st.lists(
    st.dictionaries(_names, _anything, max_size=8)
    | st.fixed_dictionaries(
        {"id": st.sampled_from(["a", "b", 1]), "raw_data": st.dictionaries(_names, _anything)}
    )
    | _anything,
    max_size=12,
)


@settings(max_examples=examples(40))
@given(_rows, st.integers(1, 5))
def test_no_data_ends_a_run_or_a_report_in_the_middle(service: Serving, rows: list[Any], size: int) -> None:
    def change(_: int, body: dict[str, Any]) -> Any:
        from tests.recording import Reply

        return Reply(body=json.dumps(body).encode())

    run = service.run(Listed("ats/job", rows, size, change=change))
    checks = {(one.check.id, one.resource) for one in run.results}
    assert len(checks) == len(run.results)
    json.loads(as_json(report_of([run])))
    ET.fromstring(as_junit(report_of([run])))
    assert as_html(report_of([run])).decode().count("<section>") == 1
    as_markdown(report_of([run])).decode()
