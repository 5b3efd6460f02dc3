"""Jobs counted with DuckDB: ``python with_duckdb.py jobs.parquet``, a Parquet export, file or folder of parts."""

import sys
from pathlib import Path

import duckdb

path = Path(sys.argv[1])
database = duckdb.connect()
database.execute("SET TimeZone = 'UTC'")
jobs = database.read_parquet(str(path / "*.parquet") if path.is_dir() else str(path))

[(rows, ids)] = database.sql("SELECT count(*), count(DISTINCT id) FROM jobs").fetchall()
print(f"{rows} rows, {ids} ids")

# A date has a column of timestamps beside its text, and a list one of texts.
for year, count in database.sql(
    "SELECT year(modified_at_time) AS year, count(*) FROM jobs WHERE year IS NOT NULL GROUP BY year ORDER BY year"
).fetchall():
    print(year, count)
[(departments,)] = database.sql(
    "SELECT count(DISTINCT item) FROM (SELECT unnest(departments_items) AS item FROM jobs)"
).fetchall()
print(f"{departments} departments")
