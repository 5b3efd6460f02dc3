"""Rows to files that other programs read: JSON Lines, JSON and CSV, and Parquet where pyarrow is installed.

`text` holds what is a function of rows alone; `parquet` is imported only when it is asked for.
"""

import importlib.util

from explorer.export.text import (
    MARK,
    OTHER_FIELDS,
    Csv,
    FileForm,
    Form,
    JsonArray,
    JsonLines,
    Writer,
    chunk,
    csv_cell,
    guarded,
    one_line,
    writer,
)

__all__ = [
    "MARK",
    "OTHER_FIELDS",
    "Csv",
    "FileForm",
    "Form",
    "JsonArray",
    "JsonLines",
    "Writer",
    "chunk",
    "csv_cell",
    "guarded",
    "one_line",
    "parquet_installed",
    "writer",
]


def parquet_installed() -> bool:
    """Whether pyarrow is there, which `explorer.export.parquet` needs."""
    return importlib.util.find_spec("pyarrow") is not None
