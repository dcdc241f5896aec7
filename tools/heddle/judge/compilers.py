"""The compiler line and its partners: which compiler builds C, C++ and Fortran, with the same options for all."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import UserError

C, CPP, FORTRAN = "C", "C++", "Fortran"
LANGUAGES = (C, CPP, FORTRAN)

# One row a family: the names of its C, C++ and Fortran compilers; of two, the one that is installed.
_FAMILIES = (
    (("gcc",), ("g++",), ("gfortran",)),
    (("clang",), ("clang++",), ("flang-new", "flang")),
    (("icx",), ("icpx",), ("ifx",)),
    (("nvc",), ("nvc++",), ("nvfortran",)),
)

# Options that name a folder, joined to it or followed by it.
INCLUDE_OPTIONS = ("-I", "-isystem", "-iquote", "-idirafter")
LIBRARY_OPTION = "-L"

# prefix-NAME-version, as in x86_64-linux-gnu-gcc-12
_NAME = re.compile(r"^((?:[\w.]+-)*?)([A-Za-z+]+(?:-new)?)(-[\d.]+)?$")


@dataclass(frozen=True)
class Compiler:
    """One language's compiler. Folders and files in its options are absolute, so it can work in any folder."""

    language: str
    command: str
    options: tuple[str, ...]
    version: str

    @property
    def name(self) -> str:
        return Path(self.command).name

    def build(self, source: Path, program: Path) -> list[str]:
        """The command line. Options follow the source, so that libraries among them serve it."""
        return [self.command, str(source), *self.options, "-o", str(program)]

    def folders(self, names: tuple[str, ...]) -> list[Path]:
        """The folders that its options give with one of these names."""
        found = []
        for before, option in zip(("", *self.options), self.options):
            if before in names:
                found.append(Path(option))
            else:
                found += [Path(option[len(name) :]) for name in names if option.startswith(name) and option != name]
        return found


def family(line: str) -> dict[str, Compiler]:
    """The compilers of that line's family that are installed, by language.

    Errors: UserError when the line is empty, does not parse, or starts with what is not installed.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UserError(f"--cc '{line}' does not parse as a command line: {error}") from None
    if not words:
        raise UserError("--cc is empty; give a compiler and its options, for example 'gcc -fopenmp'")
    if not shutil.which(words[0]):
        raise UserError(f"--cc '{line}': there is no compiler '{words[0]}'; install it or name another")
    # A compiler named by a relative path must be found from other folders too.
    command = os.path.abspath(words[0]) if "/" in words[0] else words[0]
    options = tuple(_absolute(before, option) for before, option in zip(words, words[1:]))
    return {
        language: Compiler(language, partner, options, _version(partner))
        for language, partner in _partners(command).items()
        if shutil.which(partner)
    }


def _absolute(before: str, option: str) -> str:
    """The option with the folder or file that it names made absolute."""
    names = (*INCLUDE_OPTIONS, LIBRARY_OPTION)
    if before in names or (not option.startswith("-") and os.path.exists(option)):
        return os.path.abspath(option)
    for name in names:
        if option.startswith(name) and option != name:
            return name + os.path.abspath(option[len(name) :])
    return option


def _partners(command: str) -> dict[str, str]:
    """language -> command. A compiler of no known family is taken for C alone."""
    path = Path(command)
    match = _NAME.match(path.name)
    for row in _FAMILIES if match else ():
        if not any(match[2] in names for names in row):
            continue
        partners = {}
        for language, names in zip(LANGUAGES, row):
            spelled = [f"{match[1]}{name}{match[3] or ''}" for name in names]
            if "/" in command:
                spelled = [str(path.with_name(name)) for name in spelled]
            partners[language] = next((name for name in spelled if shutil.which(name)), spelled[0])
        return partners
    return {C: command}


def _version(command: str) -> str:
    answer = subprocess.run([command, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    lines = (answer.stdout or answer.stderr).splitlines()
    return lines[0].strip() if lines else "unknown"
