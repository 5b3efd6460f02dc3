"""The examples for DuckDB, Polars and Spark count the same over the parts of a Parquet export; DuckDB reads a pipe.

None of them is a dependency: where one is missing its test is skipped.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cli.app import run
from explorer.cli.exits import Exit

ROOT = Path(__file__).resolve().parents[2]
COUNTED = ["1204 rows, 1204 ids", "2021 251", "2022 366", "2023 366", "2024 221", "16 departments"]


def needed(*modules: str) -> pytest.MarkDecorator:
    missing = [name for name in modules if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The jobs of the sandbox, cut into a folder of parts as an export of more than 500,000 rows is."""
    folder = tmp_path_factory.mktemp("engines")
    pull = ["pull", "ats/job", "--profile", "Sandbox", "--home", str(folder / "home")]
    assert run([*pull, "--format", "parquet", "--out", str(folder / "whole.parquet")]) == Exit.DONE
    jobs = pq.read_table(folder / "whole.parquet")
    (folder / "jobs").mkdir()
    for number in range(3):
        part = jobs.slice(number * 500, 500)
        pq.write_table(part, folder / "jobs" / f"part-{number:05d}.parquet")
    return folder / "jobs"


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("with_duckdb.py", marks=needed("duckdb")),
        pytest.param("with_polars.py", marks=needed("polars")),
        pytest.param("with_pyspark.py", marks=needed("pyspark")),
    ],
)
def test_an_engine_counts_what_was_exported(parts: Path, script: str) -> None:
    if "pyspark" in script and shutil.which("java") is None:
        pytest.skip("Java is not installed")
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "examples" / script, parts],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == COUNTED


CLEAN = [
    json.dumps({"id": str(n), "name": "Jöb", "modified_at": "2026-01-02", "departments": []})
    for n in range(3)
]
ODD = [*CLEAN, "null", '"a text"', '{"id": "9", "name": "\\ud800"}', '{"id": "10", "name": NaN}']


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("duckdb") is None, reason="not installed: duckdb")
def test_the_lines_of_the_document_give_duckdb_columns_and_each_row() -> None:
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    typed, named = re.findall(r'\| duckdb -c "(FROM .*?)"\n```', text, re.DOTALL)
    assert [sorted(row) for row in piped(typed, CLEAN)] == [["departments", "id", "modified_at", "name"]] * 3
    rows = piped(named, ODD)
    assert len(rows) == len(ODD)
    assert [row["id"] for row in rows[:3]] == ["0", "1", "2"]


def piped(query: str, lines: list[str]) -> list[dict[str, object]]:
    """The rows that DuckDB makes of lines on its standard input."""
    done = subprocess.run(
        ["duckdb", "-json", "-c", query],
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found
