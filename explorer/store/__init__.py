"""What has been seen: every page that arrived, with its cursor, in one file a profile; and the questions to it."""

from __future__ import annotations

from explorer.store.find import QuestionFault
from explorer.store.narrow import Field, Shape
from explorer.store.question import Filter, Question
from explorer.store.store import Store
from explorer.store.summary import Summary
from explorer.store.values import PageInfo, PullInfo, PullKey, PullMoved, PullState, StoreFault

__all__ = [
    "Field",
    "Filter",
    "PageInfo",
    "PullInfo",
    "PullKey",
    "PullMoved",
    "PullState",
    "Question",
    "QuestionFault",
    "Shape",
    "Store",
    "StoreFault",
    "Summary",
]
