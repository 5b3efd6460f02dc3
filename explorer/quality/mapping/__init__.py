"""Where unified fields come from in raw_data."""
