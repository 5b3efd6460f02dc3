"""The command line and the composition root: it puts the rooms together. Qt is imported only when a window opens."""
