"""Every file that a command writes for its user: checked before the work, and afterwards whole or not there at all.

Data goes to a file with a random name in the same folder, which then replaces the old one; its permissions stay. A
symbolic link is followed: what it leads to is replaced, and the link stays. A FIFO, a character device and what is open
already, as /dev/stdout, are written in place. Folders, sockets and block devices are refused.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from heddle.errors import UserError
from heddle.regular_file import kind_in_words

_MOST_LINKS = 40  # as Linux has it
_OPEN_FILES = re.compile(r"/proc/(\d+)(/task/\d+)?/fd")


@dataclass(frozen=True)
class _Target:
    """Where the data goes. descriptor: to what is open already; is_in_place: without a file that replaces it.

    mode: the permissions of what is replaced; None where there is nothing.
    """

    path: Path
    descriptor: int | None = None
    is_in_place: bool = False
    mode: int | None = None


def check(option: str, file: Path) -> None:
    """Errors: UserError when the file could not be written at the end. Leaves no file behind."""
    target = _target(f"{option} {file}", file)
    if target.descriptor is not None or target.is_in_place:
        return
    try:
        fresh, descriptor = _fresh(target)
        os.close(descriptor)
        fresh.unlink()
    except OSError as error:
        folder = target.path.parent
        raise UserError(f"{option} {file}: the folder {folder} cannot be written: {error.strerror}") from None


def put(file: Path, data: bytes) -> None:
    """Puts the data in the place of what was there. Errors: as those of writing()."""
    with writing(file) as stream:
        stream.write(data)


@contextmanager
def writing(file: Path) -> Iterator[BinaryIO]:
    """A stream whose data is in the place of what was there when the block ends well.

    Errors: UserError where it cannot be written; what was there stays.
    """
    try:
        with _stream(_target(str(file), file)) as stream:
            yield stream
    except BrokenPipeError:  # of standard output: nobody wants more
        raise
    except OSError as error:
        raise UserError(f"{file} cannot be written: {error.strerror}; make room, or choose another path") from None


@contextmanager
def _stream(target: _Target) -> Iterator[BinaryIO]:
    if target.descriptor is not None:
        sys.stdout.flush()
        with open(os.dup(target.descriptor), "wb") as stream:
            yield stream
        return
    if target.is_in_place:
        with open(target.path, "wb") as stream:
            yield stream
        return
    fresh, descriptor = _fresh(target)
    try:
        with open(descriptor, "wb") as stream:
            if target.mode is not None:
                os.fchmod(descriptor, target.mode)
            yield stream
        fresh.replace(target.path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _fresh(target: _Target) -> tuple[Path, int]:
    """A new file beside the target, under a name that nobody can have foreseen, and its descriptor."""
    fresh = target.path.with_name(f".heddle-{os.urandom(8).hex()}.part")
    return fresh, os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)


def _target(words: str, file: Path) -> _Target:
    """words: how messages call the file. Errors: UserError where it cannot be written."""
    if (descriptor := _descriptor(file)) is not None:
        return _Target(file, descriptor=descriptor)
    try:
        found = os.stat(file)
    except FileNotFoundError:
        return _Target(_in_a_folder(words, Path(os.path.realpath(file))))
    except (OSError, ValueError) as error:  # ValueError: a null character
        raise UserError(f"{words} cannot be written: {getattr(error, 'strerror', None) or error}") from None
    if stat.S_ISFIFO(found.st_mode) or stat.S_ISCHR(found.st_mode):
        if not os.access(file, os.W_OK):
            raise UserError(f"{words} cannot be written; give a path that you may write")
        return _Target(file, is_in_place=True)
    if kind := kind_in_words(found.st_mode):
        raise UserError(f"{words} is {kind}; name a file")
    try:
        # The system has a say in which links are followed, and in what may be written.
        os.close(os.open(file, os.O_WRONLY | os.O_CLOEXEC))
    except OSError as error:
        raise UserError(f"{words} cannot be overwritten: {error.strerror}; give a path that you may write") from None
    target = _in_a_folder(words, Path(os.path.realpath(file)))
    return _Target(target, mode=stat.S_IMODE(found.st_mode))


def _in_a_folder(words: str, file: Path) -> Path:
    if not file.parent.is_dir():
        raise UserError(f"{words}: there is no folder {file.parent}; make it first")
    return file


def _descriptor(file: Path) -> int | None:
    """Of the file that this process has open under that name, as /dev/stdout or /dev/fd/3."""
    path = os.path.abspath(file)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        found = _OPEN_FILES.fullmatch(os.path.realpath(folder))
        if found is not None and name.isdigit():
            return int(name) if int(found[1]) == os.getpid() and os.path.lexists(path) else None
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None
