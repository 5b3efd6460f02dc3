"""Jobs counted with Polars: ``python with_polars.py jobs.parquet``, a Parquet export, file or folder of parts."""

import sys
from pathlib import Path

import polars as pl

path = Path(sys.argv[1])
jobs = pl.scan_parquet(path / "*.parquet" if path.is_dir() else path)

rows, ids = jobs.select(pl.len(), pl.col("id").drop_nulls().n_unique()).collect().row(0)
print(f"{rows} rows, {ids} ids")

# A date has a column of timestamps beside its text, and a list one of texts.
year = pl.col("modified_at_time").dt.year().alias("year")
for known, count in jobs.select(year).drop_nulls().group_by("year").len().sort("year").collect().rows():
    print(known, count)
items = jobs.select(pl.col("departments_items").list.explode().drop_nulls().n_unique())
print(f"{items.collect().item()} departments")
