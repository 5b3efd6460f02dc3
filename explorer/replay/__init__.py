"""Answers with what was recorded: the calls of a bundle or HAR file, or a stored pull, served on loopback."""
