"""What a binary asks of the dynamic linker, as readelf tells it.

Words: a *need* is an undefined symbol with the version it is bound to; a *node* is a symbol version a library defines.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from heddle.errors import UserError

_FILE = re.compile(r"^File: (.*)$")
_DYNAMIC = re.compile(r"^ 0x[0-9a-f]+ \((NEEDED|RPATH|RUNPATH|SONAME)\)\s+.*\[(.*)\]$")
_INTERPRETER = re.compile(r"^\s+\[Requesting program interpreter: (.*)\]$")
_NEED_FILE = re.compile(r"^  [0-9a-fx]+: Version: \d+  File: (\S+)  Cnt: \d+$")
_NEED_NODE = re.compile(r"^  0x[0-9a-f]+:\s+Name: (\S+)  Flags: (.*?)  Version: \d+$")
_RELOCATION = re.compile(r"^[0-9a-f]+\s+[0-9a-f]+ (R_\S+)\s+[0-9a-f]+ ([^\s@]+)")
_SYMBOL = re.compile(r"^\s*\d+: [0-9a-f]+\s+\S+ \S+\s+(GLOBAL|WEAK|UNIQUE|LOCAL)\s+\S+\s+(\S+) ([^\s@]+)(@{0,2})(\S*)")


@dataclass(frozen=True, order=True)
class Need:
    """An undefined symbol and the version it is bound to ('' for none)."""

    name: str
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name}@{self.version}" if self.version else self.name


@dataclass
class Binary:
    """The dynamic section and dynamic symbols of one program or library."""

    path: Path
    needed: list[str] = field(default_factory=list)
    rpath: list[str] = field(default_factory=list)
    has_runpath: bool = False
    interpreter: str = ""  # the dynamic linker it starts with; none for a library or a static program
    needs: set[Need] = field(default_factory=set)
    weak_needs: set[Need] = field(default_factory=set)
    exports: set[Need] = field(default_factory=set)
    # library name -> nodes the dynamic linker insists on at start
    version_needs: dict[str, set[str]] = field(default_factory=dict)

    @property
    def export_nodes(self) -> set[str]:
        return {export.version for export in self.exports}

    def exports_need(self, need: Need) -> bool:
        """Whether the dynamic linker would bind this need to this library."""
        if not need.version:  # the default version of that name serves it
            return any(export.name == need.name for export in self.exports)
        return need in self.exports or Need(need.name) in self.exports


def is_elf(path: Path) -> bool:
    """Whether the file starts like an ELF file."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def read(paths: Iterable[Path]) -> list[Binary]:
    """Reads several binaries with one call of readelf, in their order."""
    wanted = [Path(path) for path in paths]
    if not wanted:
        return []
    text = _readelf("-l", "-d", "-V", "--dyn-syms", *map(str, wanted))
    binaries = [Binary(wanted[0])] if len(wanted) == 1 else []
    need_file = ""
    for line in text.splitlines():
        if match := _FILE.match(line):
            binaries.append(Binary(Path(match[1])))
        elif match := _DYNAMIC.match(line):
            _take_dynamic(binaries[-1], match[1], match[2])
        elif match := _NEED_FILE.match(line):
            need_file = match[1]
        elif match := _NEED_NODE.match(line):
            if "WEAK" not in match[2]:
                binaries[-1].version_needs.setdefault(need_file, set()).add(match[1])
        elif match := _SYMBOL.match(line):
            _take_symbol(binaries[-1], match)
        elif match := _INTERPRETER.match(line):
            binaries[-1].interpreter = match[1]
    return binaries


def library(path: Path) -> Binary:
    """Reads one library, once as long as it stays the same: programs in one process share most of theirs."""
    state = path.stat()
    return _library(path, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=64)
def _library(path: Path, _mtime_ns: int, _size: int) -> Binary:
    return read([path])[0]


def static_symbols(path: Path) -> set[str]:
    """Names the whole symbol table defines; empty for a stripped binary."""
    names = set()
    for line in _readelf("-s", str(path)).splitlines():
        match = _SYMBOL.match(line)
        if match and match[2] != "UND":
            names.add(match[3])
    return names


def only_called(path: Path) -> set[str]:
    """Symbols that the binary calls without ever looking at their addresses: it cannot tell whether they are there.

    Calls have relocations of their own (JUMP_SLOT), as long as the code was not compiled with -fno-plt.
    """
    called: set[str] = set()
    addressed: set[str] = set()
    for line in _readelf("-r", str(path)).splitlines():
        if match := _RELOCATION.match(line):
            (called if "JUMP_SL" in match[1] else addressed).add(match[2])
    return called - addressed


def _take_dynamic(binary: Binary, tag: str, value: str) -> None:
    if tag == "NEEDED":
        binary.needed.append(value)
    elif tag == "RPATH":
        binary.rpath += [part for part in value.split(":") if part]
    elif tag == "RUNPATH":
        binary.has_runpath = True


def _take_symbol(binary: Binary, match: re.Match[str]) -> None:
    binding, section, name, _, version = match.groups()
    symbol = Need(name, version)
    if section == "UND":
        (binary.weak_needs if binding == "WEAK" else binary.needs).add(symbol)
    elif binding != "LOCAL":
        binary.exports.add(symbol)


def _readelf(*arguments: str) -> str:
    try:
        result = subprocess.run(
            ["readelf", "-W", *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
        )
    except FileNotFoundError:
        raise UserError("readelf is missing; install the Debian package binutils") from None
    return result.stdout
