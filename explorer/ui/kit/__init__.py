"""Widgets, tables and services of the window that know nothing of sessions or pages."""
