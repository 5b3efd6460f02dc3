"""What is seen: the window and its parts. Qt lives here and nowhere else."""
