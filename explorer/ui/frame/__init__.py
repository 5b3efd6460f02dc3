"""The frame around the pages: sidebar, tabs, status bar, palette, menus."""
