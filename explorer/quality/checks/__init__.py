"""The checks, a file for each group: those that watch one walk of a list, and those that make calls of their own."""
