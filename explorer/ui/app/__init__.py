"""The program's window: start, frame, commands, and the end."""
