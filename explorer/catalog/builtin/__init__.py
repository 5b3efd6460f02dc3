"""The built-in interface: one file for each group of endpoints, assembled in interface.py."""
