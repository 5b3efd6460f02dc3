"""The third exam about calls: what is lost between one answer and the next, and what a call answers wrongly."""
