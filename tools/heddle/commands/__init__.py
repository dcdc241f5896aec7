"""One command a file. A command parses, asks the modules above it, and says what came out.

These files do not postpone annotations: Typer reads them, and on Python 3.9 it takes them as they stand.
"""
