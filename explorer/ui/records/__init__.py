"""The table of records, and what can be done with its rows."""
