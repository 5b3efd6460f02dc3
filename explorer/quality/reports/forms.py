"""The forms in which a report is written to a file, by the name of their option."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.quality.reports.html import as_html
from explorer.quality.reports.json import as_json
from explorer.quality.reports.junit import as_junit
from explorer.quality.reports.markdown import as_markdown, as_summary
from explorer.quality.reports.report import Report
from explorer.quality.reports.sarif import as_sarif


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a report."""

    title: str
    suffix: str
    render: Callable[[Report], bytes]


FORMS = {
    "html": Form("HTML", "html", as_html),
    "json": Form("JSON", "json", as_json),
    "junit": Form("JUnit XML", "xml", as_junit),
    "markdown": Form("Markdown", "md", as_markdown),
    "sarif": Form("SARIF", "sarif", as_sarif),
    "summary": Form("Short Markdown", "md", as_summary),
}
