"""Export of rows to files for other programs: JSON Lines, JSON and CSV; Parquet where pyarrow is installed.

`text` has the formats that are made row by row; `parquet` is imported only when it is needed.
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
    """Whether pyarrow is installed, which `explorer.export.parquet` needs."""
    return importlib.util.find_spec("pyarrow") is not None
