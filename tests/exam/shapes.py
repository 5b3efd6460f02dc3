"""The third parties of the exam: six that differ strongly from each other."""

from __future__ import annotations

from tests.exam.shapes_files import GOOGLE_SHAPE, SHAREPOINT
from tests.exam.shapes_jobs import GREENHOUSE, LEVER
from tests.exam.shapes_sales import OUTREACH, SALESFORCE

SHAPES = {one.name: one for one in (GREENHOUSE, LEVER, GOOGLE_SHAPE, SHAREPOINT, OUTREACH, SALESFORCE)}
