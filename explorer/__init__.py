"""Unified Explorer: look into one connection of a unified integration API, from a window or a command line."""

__version__ = "0.1.0"
