"""The page of quality runs, and the window of an evidence bundle."""
