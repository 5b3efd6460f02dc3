"""A run made by hand, with text in it that no report may take for its own."""

from __future__ import annotations

from datetime import UTC, datetime

from explorer.quality.engine.check import Check, Example, Finding, Latency, Result, Run, Verdict
from explorer.quality.engine.mapping_result import FieldSource, MappingResult, RawPath

HOSTILE = "<script>alert(1)</script> ]]> & \"'| `x` \u202e\x00\x1b \ud83d"
TYPES = Check("records.types", "records", "Values have the type of their field")
ENDS = Check("paging.ends", "paging", "The list comes to an end", "page")


def made_run() -> Run:
    examples = (Example(2, 105, 17, "id-1", HOSTILE), Example(page=3))
    findings = (Finding("text", HOSTILE, f"size is text {HOSTILE}", 312, examples),)
    return Run(
        profile=f"Ours {HOSTILE[:20]}",
        connection="conn_one two",
        resources=("ats/job",),
        started_at=datetime(2026, 11, 20, 12, 4, tzinfo=UTC),
        seconds=31.2,
        results=(
            Result(TYPES, "ats/job", Verdict.FAILS, HOSTILE, 21_400, 312, findings),
            Result(ENDS, "ats/job", Verdict.HOLDS, "", 1),
            Result(ENDS, "file-storage/file", Verdict.SKIPPED, HOSTILE),
            Result(ENDS, "file-storage/drive", Verdict.OBSERVED, HOSTILE, 2),
            Result(TYPES, "file-storage/drive", Verdict.SUSPECT, "odd", 2, 1),
        ),
        records=21_400,
        pages=214,
        latencies=(Latency("ats/job", 1, 20.0), Latency("ats/job", 2, 300.0)),
        mappings=(
            MappingResult(
                "ats/job",
                100,
                (
                    FieldSource("name", ("/title",), "equal", 100, 99),
                    FieldSource("offices", (), "", 10, 0),
                    FieldSource("recruiters", (), "", 0, 0),
                ),
                (RawPath(f"/{HOSTILE}", 0.75),),
            ),
        ),
        options=("--customer", "all ones"),
    )
