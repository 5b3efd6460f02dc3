"""The store: every page that arrived, with its cursor, in one SQLite file for each profile, and queries over its rows.

`values` imports neither SQLite nor msgspec nor zstandard: the window's start depends on that.
"""
