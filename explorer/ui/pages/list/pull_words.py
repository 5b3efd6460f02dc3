"""What a pull says of itself on its page: the count, the banner, the status bar. Words only; no widget is touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from explorer import words
from explorer.api.errors import AnswerError, EndNotShown, ExplorerError, SignInPage, WalkStopped
from explorer.session import PageDamaged, PullPhase
from explorer.ui.kit.notices import Kind

Act = Literal["show", "again", "past", "pages", "profile", "go_on", "drop", "front", "back", "compare"]

_NOTES_SAID = 3
_CUT_ADVICE = "Try another page size, if the list takes one, and compare."
_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}


class PullFacts(Protocol):
    """What is read of a pull."""

    @property
    def rows(self) -> int: ...
    @property
    def pages(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def error(self) -> ExplorerError | None: ...
    @property
    def next_cursor(self) -> str | None: ...
    @property
    def may_be_cut(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class BannerWords:
    """A banner: what happened, what is kept, what can be done now."""

    kind: Kind
    title: str
    text: str
    acts: tuple[tuple[str, Act], ...] = ()


def count_words(
    state: PullPhase,
    rows: int,
    pages: int,
    *,
    bulk: bool = False,
    seconds: float = 0.0,
    new: int = 0,
    ended: bool = False,
) -> str:
    """``1,200 loaded, more to come``; while many pages are loaded, how fast. Never a total that nobody gave.

    ``ended``: see `is_ended`.
    """
    loaded = words.count(rows)
    if state == "loading":
        if not rows:
            return "Loading the first page…"
        if bulk and seconds >= 1:
            return f"{loaded} loaded  ·  {new / seconds:,.0f} rows/s  ·  {words.duration(seconds * 1000)}"
        return f"{loaded} loaded, loading…"
    if state == "complete":
        return f"{loaded}, complete"
    if state == "stopped" and ended:
        return f"{loaded}, ended by the service, not shown to be complete"
    if state in ("failed", "stopped"):
        return f"{loaded}, stopped at page {pages + 1 if state == 'failed' else max(pages, 1)}"
    return f"{loaded} loaded, more to come" if pages else "Nothing loaded yet"


def empty_words(state: PullPhase, pages: int) -> str:
    """What stands in a table without rows."""
    if state == "loading":
        return "Loading the first page…"
    if state == "complete":
        return "No rows: the service answered with an empty list"
    if state == "failed":
        return "No rows yet: the first page failed"
    if state == "stopped":
        return "No rows, though the list promised more"
    return "No rows yet" if not pages else "No rows so far, more may come"


def status_words(
    rows: int, pages: int, stored: int, kept: bool, unfit: int | None = None, with_key: int = 0
) -> str:
    """For the status bar: ``1,200 rows · 12 pages · 1.8 MB stored · all fit the contract``.

    ``unfit``: rows that do not fit the contract; None where that is not known, and then it is not spoken of.
    ``with_key``: rows that hold the profile's key or token.
    """
    if not pages:
        return ""
    said = [words.count(rows, "row"), words.count(pages, "page") + (" kept" if kept else "")]
    if stored:
        said.append(f"{words.size(stored)} stored")
    if unfit is not None and rows:
        said.append(
            f"{words.count(unfit, 'record does', 'records do')} not fit the contract"
            if unfit
            else "all fit the contract"
        )
    if with_key:
        said.append(f"{words.count(with_key, 'record holds', 'records hold')} this profile's key")
    return "  ·  ".join(said)


def banner_of(
    state: PullPhase,
    pull: PullFacts,
    exchange: Any,
    notes: Sequence[str],
    *,
    anew: bool = False,
    noted: int = 1,
    at: int = 0,
) -> BannerWords | None:
    """The banner for a pull in ``state``, or None when there is nothing to say.

    ``exchange`` is the failed call, where the log still has it: its attempts and its status' own words are said.
    ``notes`` is what was odd about page ``at``, the last of ``noted`` such pages; ``anew`` says that a pull begun
    anew has no page yet.
    """
    error = pull.error
    if isinstance(error, PageDamaged) and state == "failed":
        text = f"{error.sentence} {error.advice}"
        again: tuple[tuple[str, Act], ...] = ((f"Fetch page {error.page:,} again", "again"),)
        return BannerWords(
            "fails", f"Page {error.page:,} is damaged in the store", text, (*_show(exchange), *again)
        )
    if state == "failed":
        return _failed(pull, error, exchange, anew)
    if state == "stopped":
        sentence = error.sentence if error is not None else "The pull stopped by itself."
        advice = (error.advice if error is not None else "") or f"{_kept(pull)}"
        past: tuple[tuple[str, Act], ...] = () if is_ended(error) else (("Go on anyway", "past"),)
        return BannerWords("caution", sentence, advice, (*_show(exchange), *past))
    notes = list(dict.fromkeys(notes))
    cut = _cut_words(pull.rows) if state == "complete" and pull.may_be_cut else ""
    if not notes:
        return BannerWords("info", cut, _CUT_ADVICE) if cut else None
    more = f" (and {len(notes) - _NOTES_SAID:,} more)" if len(notes) > _NOTES_SAID else ""
    acts: list[tuple[str, Act]] = []
    title, where = "The list breaks the contract", ""
    if pull.pages > 1 and at:
        title = f"{noted:,} of {pull.pages:,} pages {'breaks' if noted == 1 else 'break'} the contract"
        where = f"Page {at:,}: "
        acts.append(("Show pages", "pages"))
    if state == "complete" and pull.next_cursor:
        acts.append(("Go on anyway", "past"))
    said = where + " ".join(notes[:_NOTES_SAID]) + more + (f" {cut}. {_CUT_ADVICE}" if cut else "")
    return BannerWords("caution", title, said, tuple(acts))


def _cut_words(rows: int) -> str:
    return f"The list ended after one page of exactly {words.count(rows, 'row')}: it may be cut off there"


def _failed(pull: PullFacts, error: ExplorerError | None, exchange: Any, anew: bool) -> BannerWords:
    page = 1 if anew else pull.pages + 1
    attempts = getattr(exchange, "attempt", 1) or 1
    times = f" {_TIMES.get(attempts, f'{attempts} times')}" if attempts > 1 else ""
    reason = getattr(exchange, "reason", "")
    again: tuple[tuple[str, Act], ...] = ((f"Try page {page} again", "again"),)
    if isinstance(error, SignInPage):
        why, text = "received a web page, no rows", error.sentence
        again = (("Edit profile", "profile"), *again)
    elif isinstance(error, AnswerError):
        why = f"{error.status} {reason}".strip()
        text = error.sentence
    else:
        why = error.sentence if error is not None else "no answer"
        text = ""
    kept = "" if anew else _kept(pull)
    said = " ".join(filter(None, (text, kept, error.advice if error is not None else "")))
    return BannerWords("fails", f"Page {page} failed{times}: {why}", said, (*_show(exchange), *again))


def _show(exchange: Any) -> tuple[tuple[str, Act], ...]:
    if exchange is None:
        return ()
    return (("Show response" if getattr(exchange, "status", 200) else "Show request", "show"),)


def _kept(pull: PullFacts) -> str:
    if not pull.rows:
        return ""
    before = f"The {words.count(pull.rows, 'row')} before it {'is' if pull.rows == 1 else 'are'} kept."
    return f"{before} The pull can continue from here."


def is_ended(error: ExplorerError | None) -> bool:
    """Whether the service ended the list without a cursor to go on with, and did not show that it is complete."""
    return isinstance(error, EndNotShown)


def is_walk_stop(error: ExplorerError | None) -> bool:
    """Whether the walk stopped by its own rules, rather than a call failing."""
    return isinstance(error, WalkStopped)
