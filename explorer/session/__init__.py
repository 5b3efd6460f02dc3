"""One open profile = client + store + exchanges: what the window and the command line work with.

The values that cross into the window, such as `PageInfo`, are offered here: it never imports the store.
"""

from __future__ import annotations

from explorer.session.pull import Pull, PullPhase
from explorer.session.session import Session, test_profile
from explorer.session.trial import TestResult, TestStep
from explorer.session.view import Superseded, View
from explorer.store.find import QuestionFault
from explorer.store.marks import Marks, marks
from explorer.store.question import Filter, Question
from explorer.store.summary import Bin, Summary, Valued
from explorer.store.values import PageInfo, PullInfo, PullKey, PullMoved, StoreFault

__all__ = [
    "Bin",
    "Filter",
    "Marks",
    "PageInfo",
    "Pull",
    "PullInfo",
    "PullKey",
    "PullMoved",
    "PullPhase",
    "Question",
    "QuestionFault",
    "Session",
    "StoreFault",
    "Summary",
    "Superseded",
    "TestResult",
    "TestStep",
    "Valued",
    "View",
    "marks",
    "test_profile",
]
