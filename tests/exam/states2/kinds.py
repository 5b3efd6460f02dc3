"""All kinds: those of one change from the other modules, and here those of two at once and of none."""

from __future__ import annotations

from tests.exam.states2 import kinds_dates, kinds_numbers, kinds_parts, kinds_shapes, kinds_texts
from tests.exam.states2.places import BUSY, RETOUCHED, busy
from tests.exam.states2.registry import EXAM, edited_only, together

MODULES = (kinds_texts, kinds_numbers, kinds_dates, kinds_shapes, kinds_parts)
"""Importing them has entered their kinds."""
RECIPES = EXAM.recipes

together("names of jobs are cut at 20 characters", "modified_at has the offset -05:00 for the same moment")
together("names of closed jobs have the prefix CLOSED:", "only the first office is kept")
together("names are in quotes, as JSON of a text", "departments are filled from the team")
together("sizes are texts", "description is an empty text where it was null")
together("blanks in the names of files became underscores", "type url became file")
together("paths have backslashes instead of slashes", "size of folders is null")
together("email addresses lost their host", "user_id is a number")
together("the states bounced and failed are swapped", "contact_id is hexadecimal")
together("contact_id is one more than it was", "updated_at has six digits behind the second")
together("websites are the host alone", "shipping addresses are gone")
together("phone numbers are digits only", "number_of_employees is capped at 1000")
together("industry is Unknown where it was null", "created_at is one day earlier")
together("postal codes lost their leading zero", "owner_id is null in all companies")

for _place in BUSY:
    edited_only(f"nothing but edits by hand, {_place}", _place)
    edited_only(f"nothing but many edits by hand, {_place}", busy(_place))
for _place in RETOUCHED:
    edited_only(f"nothing but edits by hand, {_place}", _place)
