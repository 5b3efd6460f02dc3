"""Connection profiles of the user, and the place where their keys are kept, which is never the same file."""
