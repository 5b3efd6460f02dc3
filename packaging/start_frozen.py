"""What the frozen program starts with; PyInstaller takes a script, and explorer.__main__ has to stay a module."""

import sys

from explorer.__main__ import main

sys.exit(main())
