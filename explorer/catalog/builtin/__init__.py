"""The built-in interface: one file a group of its endpoints, put together in interface.py."""
