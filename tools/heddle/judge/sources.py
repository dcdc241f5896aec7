"""The programs of a folder: every C, C++ and Fortran source, and the files that a source includes."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import UserError
from heddle.judge import compilers

_SUFFIXES = {
    compilers.C: (".c",),
    compilers.CPP: (".cc", ".cpp", ".cxx", ".C"),
    compilers.FORTRAN: (".f", ".for", ".f90", ".f95", ".f03", ".f08", ".F", ".FOR", ".F90", ".F95", ".F03", ".F08"),
}
LANGUAGE_OF = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes}

# #include "x", #include <x> and Fortran's include 'x'
_INCLUDE = re.compile(rb"^[ \t]*#?[ \t]*include[ \t]*[\"'<]([^\"'>\n]+)[\"'>]", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Program:
    """One source file. name is its path in the folder, as reports and lists spell it."""

    name: str
    source: Path
    language: str


def find(folder: Path) -> list[Program]:
    """The folder's programs by name. Hidden folders are passed over.

    Errors: UserError when there is no such folder or no source in it.
    """
    if not folder.exists():
        raise UserError(f"{folder}: there is no such folder")
    if not folder.is_dir():
        raise UserError(f"{folder} is a file; name the folder it is in")
    found = []
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            language = LANGUAGE_OF.get(os.path.splitext(name)[1])
            if language:
                path = Path(where, name)
                found.append(Program(path.relative_to(folder).as_posix(), path, language))
    if not found:
        raise UserError(f"{folder} holds no C, C++ or Fortran source (.c, .cpp, .cc, .cxx, .f90, .F90, …)")
    return sorted(found, key=lambda program: program.name)


def choose(programs: list[Program], patterns: list[str]) -> list[Program]:
    """Those whose name matches a pattern; all of them for no pattern. Errors: UserError when that is none."""
    chosen = [program for program in programs if not patterns or matches(program.name, patterns)]
    if not chosen:
        raise UserError(f"none of the {len(programs)} programs matches --only {' or '.join(patterns)}")
    return chosen


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a program's name matches one of the shell patterns, in which * also stands for /."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def included(source: Path, folders: list[Path]) -> list[Path]:
    """Every file that the source includes, through others too, if it lies beside its includer or in those folders.

    What the preprocessor would leave out counts as well: a key made of these files changes too often, never too rarely.
    """
    found: dict[Path, None] = {}
    waiting = [source]
    while waiting:
        includer = waiting.pop()
        try:
            text = includer.read_bytes()
        except OSError:
            continue
        for match in _INCLUDE.finditer(text):
            name = os.fsdecode(match[1].strip())
            for folder in (includer.parent, *folders):
                file = folder / name
                if file.is_file():
                    if file not in found and file != source:
                        found[file] = None
                        waiting.append(file)
                    break
    return list(found)
