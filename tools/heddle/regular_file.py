"""Reading files that others name: on the command line, in a trace, in debug information.

Only regular files are read. A FIFO would never answer, and a device may never end.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from heddle.errors import UserError

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def kind_in_words(mode: int) -> str | None:
    """What it is in place of a regular file; None where it is one."""
    return next((words for is_kind, words in _KINDS if is_kind(mode)), None)


def opened(path: Path) -> BinaryIO:
    """The file, to be read. Errors: UserError where it cannot be read or is no regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:  # ValueError: a null character
        raise UserError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if words := kind_in_words(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UserError(f"{path} is {words}; give a regular file")
    return open(descriptor, "rb")


def text(path: Path) -> str:
    """All of it, as UTF-8; what is none is replaced. Errors: as those of opened()."""
    with opened(path) as file:
        return file.read().decode(errors="replace")


def lines(path: Path) -> list[str]:
    """Of a source file; none where it cannot be read."""
    try:
        return text(path).splitlines()
    except UserError:
        return []
