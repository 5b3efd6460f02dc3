"""All kinds: those of one change from the other modules, and here those of two at once and of none."""

from __future__ import annotations

from tests.exam.states import (
    kinds_arrays,
    kinds_dates,
    kinds_nulls,
    kinds_sizes,
    kinds_sources,
    kinds_texts,
    kinds_values,
)
from tests.exam.states.frame import RECIPES, Kind, edited_only, together

MODULES = (kinds_arrays, kinds_dates, kinds_nulls, kinds_sizes, kinds_sources, kinds_texts, kinds_values)
"""Importing them fills RECIPES."""

together("phone numbers lost their leading +", "created_at moved by one hour (summer time, zone)")
together("email addresses have the prefix mailto:", "user_id is base64 of a global id")
together(
    "sizes are in kilobytes instead of bytes (unit)", "name of files is now filled from originalFilename"
)
together("the milliseconds of the dates are dropped", "names of jobs are in upper case")
together("states are in upper case", "user_id is now filled from the creator")
together("names are HTML-escaped: & became &amp;", "postal codes lost their spaces and hyphens")
together(
    "names are wrongly decoded: UTF-8 read as Latin-1",
    "created_at is a Unix timestamp in milliseconds, as a text",
)
together("offices are in reverse order", "confidential is inverted: true became false and false true")
together("created_at and updated_at are swapped", "paths are percent-encoded (URL)")
together(
    "the third party no longer gives the industry: null in the raw data and in the account",
    "number_of_employees is 0 where it was null",
)
together(
    "the third party renames the state paused to on_hold",
    "contact_id has the prefix prospect:",
)
together("is_deleted is a word, yes or no, instead of a boolean", "websites lost their scheme (https://)")

edited_only("nothing but edits: jobs", "greenhouse/job")
edited_only("nothing but edits: postings", "lever/job")
edited_only("nothing but edits: files", "google/file")
edited_only("nothing but edits: items of a library", "sharepoint/file")
edited_only("nothing but edits: sequence states", "outreach/state")
edited_only("nothing but edits: accounts", "salesforce/account")
edited_only("nothing but edits: companies", "hubspot/account")


def kinds(seed: int, only: str = "") -> list[Kind]:
    """The kinds for this seed whose name or place contains the word."""
    return [one.made(seed) for one in RECIPES if only.lower() in f"{one.name} {one.place}".lower()]
