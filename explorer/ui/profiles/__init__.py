"""The profiles dialog."""
