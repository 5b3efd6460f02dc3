"""Two states of a list against each other, and the snapshots that keep one."""
