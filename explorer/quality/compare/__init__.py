"""Compares two states of a list, and keeps such states as snapshots."""
