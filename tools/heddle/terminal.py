"""Rich's console, made for output that also goes to files and pipes."""

from __future__ import annotations

from rich.console import Console

# Wide enough that a row of our widest table stays one line in a log.
_PIPED_WIDTH = 200


def console() -> Console:
    """A console on stdout: as wide as the terminal, or wide enough where there is none."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=_PIPED_WIDTH)
