"""Export of rows to files for other programs: JSON Lines, JSON and CSV; Parquet where pyarrow is installed."""
