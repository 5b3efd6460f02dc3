"""Laws of a recording: the same request gets its own answers in their order, and nothing else gets any."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from urllib.parse import quote, urlencode

from hypothesis import given
from hypothesis import strategies as st

from explorer.api.exchange import Exchange
from explorer.api.sensitive import MASK
from explorer.replay.recordings import Asked, Pairs, RecordedCalls
from tests.builtin import registry

PATHS = ("/v0/unified/ats/job", "/v0/unified/file-storage/drive", "/elsewhere")
SIGNS = st.text("ab/+&= é%", max_size=3)
QUERIES = st.lists(st.tuples(st.sampled_from(("cursor", "page_size", "x")), SIGNS), max_size=3).map(tuple)
CONNECTIONS = st.sampled_from(("", "conn_1", "conn_2"))
CALLS = st.tuples(
    st.sampled_from(PATHS), QUERIES, CONNECTIONS, st.booleans(), st.sampled_from((200, 401, 429))
)


def exchange(
    number: int, path: str, query: Pairs, connection: str, keyed: bool, status: int, base: str = ""
) -> Exchange:
    headers = [("X-Connection-Id", connection)] if connection else []
    headers += [("X-ApiKey", MASK)] if keyed else []
    return Exchange(
        id=number,
        started_at=datetime(2026, 11, 20, tzinfo=UTC),
        method="GET",
        url=f"https://api.example.com{base}{path}{'?' if query else ''}{urlencode(query, quote_via=quote)}",
        path=path,
        request_headers=tuple(headers),
        state="answered",
        status=status,
        response_body=b"%d" % number,
    )


def asked(path: str, query: Pairs, connection: str, keyed: bool, status: int) -> Asked:
    credential = "none" if not keyed else "wrong" if status == 401 else "right"
    return Asked(method="GET", path=path, query=query, connection=connection, credential=credential)  # type: ignore[arg-type]


@given(st.lists(CALLS, max_size=12), st.lists(CALLS, max_size=12), st.sampled_from(("", "/api", "/a/b")))
def test_the_same_request_gets_its_answers_in_order_and_others_none(
    recorded: list[tuple[str, Pairs, str, bool, int]],
    others: list[tuple[str, Pairs, str, bool, int]],
    base: str,
) -> None:
    known = [call for call in recorded if call[0] != "/elsewhere"]
    base = base if known else ""
    calls = RecordedCalls((exchange(n, *call, base) for n, call in enumerate(recorded, 1)), registry)
    expected = defaultdict(list)
    for number, call in enumerate(recorded, 1):
        expected[key(asked(*call))].append(b"%d" % number)
    for call in recorded:
        again = asked(*call)
        found = calls.reply(again)
        answers = expected[key(again)]
        assert found is not None
        assert found.body == answers[0]
        if len(answers) > 1:
            answers.pop(0)
    for call in others:
        request = asked(*call)
        if key(request) not in expected:
            assert calls.reply(request) is None


def key(request: Asked) -> tuple[object, ...]:
    return request.path, tuple(sorted(request.query)), request.connection, request.credential


def test_a_body_that_was_not_kept_whole_is_not_served() -> None:
    whole = exchange(1, PATHS[0], (), "conn_1", True, 200)
    cut = Exchange(**{**{name: getattr(whole, name) for name in Exchange.__slots__}, "body_truncated": True})
    calls = RecordedCalls([cut], registry)
    assert calls.reply(asked(PATHS[0], (), "conn_1", True, 200)) is None
    assert calls.words == "0 calls; 1 more without their whole body"
