"""What a list's page says of a reload and of the previous pull. Words only; no widget is touched."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from explorer import words
from explorer.session import PullPhase
from explorer.ui.pages.list.pull_words import BannerWords, PullFacts, banner_of


def reload_count_words(front: int, new: int) -> str:
    """While a reload runs: what is shown meanwhile, and how many rows the new pull has."""
    return f"{words.count(front)} kept  ·  reloading: {words.count(new)} so far"


def reload_banner(
    state: PullPhase, new: PullFacts, exchange: Any, front: PullFacts, at: datetime, *, anew: bool
) -> BannerWords | None:
    """What is to be said of a reload that does not run: ``new`` so far, and ``front`` of the moment ``at``.

    ``anew``: its first page has not come, so that ``new`` still is the pull before.
    """
    stays = f"The pull of {words.day_and_time(at)} with {words.count(front.rows, 'row')} is still shown"
    if state == "failed":
        said = banner_of(state, new, exchange, (), anew=anew)
        if said is None:
            return None
        title = f"Reload: {said.title[:1].lower()}{said.title[1:]}"
        text = f"{stays}. {said.text}".strip()
        return replace(said, title=title, text=text, acts=(*said.acts, ("Drop it", "drop")))
    if state == "stopped":
        why = new.error.sentence if new.error is not None else "The pull stopped by itself."
        text = f"{stays}: the new pull with {words.count(new.rows, 'row')} is not complete."
        return BannerWords(
            "caution",
            f"Reload: {why}",
            text,
            (("Show the new one", "front"), ("Go on anyway", "past"), ("Drop it", "drop")),
        )
    if state == "ready":
        title = f"Reload under way: {words.count(new.rows, 'row')} of {words.count(new.pages, 'page')} so far"
        text = f"{stays} until the new one is complete."
        return BannerWords("info", title, text, (("Continue", "go_on"), ("Drop it", "drop")))
    return None


def previous_banner(rows: int, at: datetime) -> BannerWords:
    """While the previous pull is looked at."""
    text = f"{words.count(rows, 'row')} as they were before the last reload, read only."
    title = f"Previous pull, {words.day_and_time(at)}"
    return BannerWords(
        "info", title, text, (("Back to the newest", "back"), ("Compare with the newest", "compare"))
    )
