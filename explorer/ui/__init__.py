"""What is seen: the window and its parts. Qt lives here and nowhere else."""

import sys

if sys.version_info < (3, 12):
    from explorer.ui.kit.overrides import catch_errors

    catch_errors()
