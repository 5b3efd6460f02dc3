"""The command line, and the composition root, which connects the other packages.

A command's module is imported when the command is called (`app.COMMANDS`), so it imports at its top what that command
needs. Modules that several commands share import session and sandbox inside functions. Qt is imported only to open a
window.
"""
