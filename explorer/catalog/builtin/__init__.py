"""The built-in interface: one file for each group of endpoints, assembled in interfaces.py.

Its files do without ``from __future__ import annotations``: pydantic would evaluate every annotation from its text, and
the models would cost a quarter more at the start of each command.
"""
