"""Addresses of code, as they were in a process, to lines of the source."""

from __future__ import annotations

import functools
import os
import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from heddle import regular_file
from heddle.code_places import construct, frames_of, shown
from heddle.errors import UserError

_MAPPING = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) (....) ([0-9a-f]+) \S+ \S+\s+(/[^\0]*)$")
_OF_HEDDLE = {"heddle.h", "heddle_mpi.h"}
_ABSOLUTE = re.compile(r"(?<![\w.)])/[^ :]+")
_OUTLINED = "._omp_fn"  # what construct() knows the function of a body by
_UNKNOWN = "(unknown place)"
_DIRECTIVE = re.compile(r"^\s*(#\s*pragma\s+omp|!\$omp|_Pragma)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Mapping:
    begin: int
    end: int
    offset: int
    file: str


class Places:
    """Of one process. maps: what its /proc/self/maps said."""

    def __init__(self, maps: bytes) -> None:
        self._mappings: list[_Mapping] = []
        for line in maps.decode(errors="surrogateescape").split("\n"):
            found = _MAPPING.match(line)
            if found and "x" in found[3]:
                mapping = _Mapping(int(found[1], 16), int(found[2], 16), int(found[4], 16), found[5])
                self._mappings.append(mapping)
        self._mappings.sort(key=lambda mapping: mapping.begin)
        self._begins = [mapping.begin for mapping in self._mappings]

    def lines(self, addresses: list[int], *, of_bodies: bool = False) -> dict[int, str]:
        """file:line of the call that returns to each address; a symbol or an offset where no line is known.

        of_bodies: the addresses are those of tasks' bodies; then the lines are those of their directives.
        """
        by_file: dict[str, dict[int, int]] = {}
        result = {address: _UNKNOWN for address in addresses}
        for address in addresses:
            mapping = self._mapping(address)
            if mapping is not None:
                by_file.setdefault(mapping.file, {})[address] = address - mapping.begin + mapping.offset
        for file, offsets in by_file.items():
            result |= _ask(file, offsets, of_bodies)
        # What is shown can be written wherever text can be.
        return {address: label.encode(errors="replace").decode() for address, label in result.items()}

    def _mapping(self, address: int) -> _Mapping | None:
        at = bisect_right(self._begins, address) - 1
        found = self._mappings[at] if at >= 0 else None
        return found if found is not None and address < found.end else None


def without_common_folder(labels: list[str]) -> list[str]:
    """The labels without the folder that all absolute paths in them have in common; those of the system stay."""
    folders = [
        os.path.dirname(found[0]) for found in map(_ABSOLUTE.search, labels) if found and not _is_system(found[0])
    ]
    if not folders:
        return labels
    common = os.path.commonpath(folders).rstrip("/") + "/"
    return [label.replace(common, "") if len(common) > 1 else label for label in labels]


def _is_system(path: str) -> bool:
    return path.startswith("/usr/")


def _ask(file: str, offsets: dict[int, int], of_bodies: bool) -> dict[int, str]:
    """offsets: in the file, by address."""
    name = Path(file).name
    unknown = {address: f"{name}+{offset:#x}" for address, offset in offsets.items()}
    to_virtual = _virtual_addresses(file)
    if to_virtual is None:
        return unknown
    asked = list(offsets)
    # The address is that of the instruction after the call, or of the body's first one.
    back = 0 if of_bodies else 1
    found = frames_of(file, [to_virtual(offsets[address]) - back for address in asked])
    for address, frames in zip(asked, found or []):
        unknown[address] = (_of_body if of_bodies else _of_call)(frames, unknown[address])
    return unknown


def _of_body(frames: list[tuple[str, str]], unknown: str) -> str:
    """The directive above the first line of the outermost function, which the compiler has made of the body."""
    place = _line_of(frames[-1][1]) if frames else None
    if place is None:
        return _function(frames, unknown)
    return f"{shown(place[0])}:{construct(place[0], place[1], _OUTLINED)}"


def _of_call(frames: list[tuple[str, str]], unknown: str) -> str:
    """The innermost place in which a directive stands; without any the innermost that is the program's own.

    frames: functions and places, the innermost first: compilers give a call the line of what its arguments are made of,
    which may be in a function that is inlined there. Without a line: the function, and what the place is called
    otherwise, so that no two places are one.
    """
    places = [place for place in (_line_of(where) for _, where in frames) if place is not None]
    for path, line in places:
        directive = _directive_at(path, line)
        if directive is not None:
            return f"{shown(path)}:{directive}"
    own = [place for place in places if not _is_system(place[0])] or places
    if own:
        return f"{shown(own[0][0])}:{own[0][1]}"
    return _function(frames, unknown)


def _function(frames: list[tuple[str, str]], unknown: str) -> str:
    function = frames[0][0].replace("(anonymous namespace)::", "").split("(")[0] if frames else "??"
    return f"{function} ({unknown})" if not function.startswith("?") else unknown


def _line_of(where: str) -> tuple[str, int] | None:
    path, _, line = where.rpartition(":")
    number = re.match(r"\d+", line)
    if not number or int(number[0]) == 0 or path.startswith("?") or Path(path).name in _OF_HEDDLE:
        return None
    return path, int(number[0])


def _directive_at(path: str, line: int) -> int | None:
    """The first line of the directive that this line is a part of; None: it is part of none, or cannot be read."""
    source = _source(path)
    if not 0 < line <= len(source):
        return None
    while line > 1 and source[line - 2].rstrip().endswith("\\"):
        line -= 1
    return line if _DIRECTIVE.match(source[line - 1]) else None


@functools.lru_cache(maxsize=256)
def _source(path: str) -> list[str]:
    return regular_file.lines(Path(path))


def _virtual_addresses(file: str):
    """A function from an offset in the file to the address that its debug information uses; None: it is no ELF file."""
    try:
        with regular_file.opened(Path(file)) as stream:
            parts = [
                (part["p_offset"], part["p_offset"] + part["p_filesz"], part["p_vaddr"] - part["p_offset"])
                for part in ELFFile(stream).iter_segments("PT_LOAD")
            ]
    except (UserError, OSError, ELFError):
        return None

    def convert(offset: int) -> int:
        return next((offset + add for begin, end, add in parts if begin <= offset < end), offset)

    return convert
