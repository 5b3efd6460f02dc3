"""The command line, and the composition root, which connects the other packages.

A command imports quality, sandbox and ui inside its functions and not at the top of its module: all commands are
imported to build the parser, and importing quality alone takes as long as all the rest. Qt is imported only to open a
window.
"""
