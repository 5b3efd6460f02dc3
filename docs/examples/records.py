"""What of a connection's jobs is open, counted and as a table: for a notebook, cell by cell, or run as a script.

It asks the sandbox, which needs no key; name a profile of yours in its place.
"""

# %%
from collections import Counter

from explorer import open_connection

# %% [markdown]
# Records come as dicts, one page at a time. They are stored too: the window has them, and `stored=True` asks nothing.

# %%
with open_connection("Sandbox") as connection:
    print(", ".join(connection.lists))
    by_status = Counter(job.get("status") for job in connection.records("ats/job", page_size=200))
    again = sum(1 for job in connection.records("ats/job", page_size=200, stored=True))

print(dict(by_status), again)

# %% [markdown]
# As Arrow, for DuckDB, Polars, pandas and others: dates are timestamps beside the text as received.

# %%
import pyarrow as pa  # noqa: E402 - a cell of its own

with open_connection("Sandbox") as connection:
    jobs = pa.Table.from_batches(connection.batches("ats/job"))

print(jobs.num_rows, jobs.schema.field("modified_at_time").type)
