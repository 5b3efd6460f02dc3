"""The services of this exam."""

from __future__ import annotations

from tests.exam.second.shapes_books import CUSTOMER, books
from tests.exam.second.shapes_files import box, dropbox
from tests.exam.second.shapes_jobs import teamtailor, zoho
from tests.exam.second.shapes_sales import COMPANY_IDS, copper, salesloft
from tests.exam.world import Shape

MAKERS = {
    "zoho": zoho,
    "teamtailor": teamtailor,
    "box": box,
    "dropbox": dropbox,
    "salesloft": salesloft,
    "copper": copper,
    "books": books,
}
PROPERTIES = (
    "id", "name", "address", "assignee_id", "details", "phone_numbers", "websites", "custom_fields",
    "date_created", "date_modified", "date_last_contacted",
)  # fmt: skip
OPTIONS = {
    "copper": ("--ids", ",".join(COMPANY_IDS), "--properties", ",".join(PROPERTIES)),
    "books": ("--customer", CUSTOMER),
}
SHAPES = {name: Shape(name, make, OPTIONS.get(name, ())) for name, make in MAKERS.items()}
