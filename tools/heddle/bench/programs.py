"""Compiles a set's program, of C and C++, once with each compiler and keeps what came of it.

The key of a kept program covers the sources, the command line and the compiler's version.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from heddle import clang, paths
from heddle.errors import CheckFailed, UserError

STORE = paths.OUT / "bench" / "programs"
_OPTIONS = ("-fopenmp",)
_STANDARDS = {".c": "-std=gnu11", ".cpp": "-std=c++20"}
_HEADER_SUFFIXES = (".h", ".hpp")
COMMON = paths.ROOT / "bench" / "kernels" / "common"  # what the programs share
_COMPILE_TIMEOUT_S = 300
_SHOWN_LINES = 20


@dataclass(frozen=True)
class Sources:
    """A program: all C and C++ files of a folder, of those that it shares with other sets, and the common ones."""

    folder: Path
    name: str
    options: tuple[str, ...]
    libraries: tuple[str, ...]
    shared: tuple[Path, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        return (self.folder, *self.shared, COMMON)


@dataclass(frozen=True)
class Compiler:
    """An installed compiler."""

    name: str  # gcc or clang
    command: str
    version: str


def compilers() -> list[Compiler]:
    """Those that are installed. Errors: UserError when there is none."""
    found = []
    for name, command in (("gcc", "gcc"), ("clang", clang.c())):
        if shutil.which(command):
            answer = subprocess.run([command, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            found.append(Compiler(name, command, (answer.stdout.splitlines() or ["unknown"])[0].strip()))
    if not found:
        raise UserError(f"there is no compiler here; install gcc or clang, {paths.COMMAND} doctor says which and how")
    return found


def compiler(name: str) -> Compiler:
    """That of the name. Errors: UserError where it is not installed, or there is none of that name."""
    found = {each.name: each for each in compilers()}
    if name not in found:
        raise UserError(f"--compiler {name}: there are {', '.join(found)}")
    return found[name]


def build(compiler: Compiler, sources: Sources) -> Path:
    """The program, made now or by an earlier call. Errors: CheckFailed when it does not compile."""
    files = sorted(file for folder in sources.folders for file in folder.iterdir() if _is_source(file))
    options = (*_OPTIONS, *sources.options)
    headers = [paths.HEADERS / "heddle.h"]
    words = (compiler.command, compiler.version, *options, *_STANDARDS.values(), *sources.libraries)
    digest = hashlib.sha256("\0".join(words).encode())
    for file in [*files, *headers]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    made = STORE / digest.hexdigest()[:32] / sources.name
    if made.exists():
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{folder}" for folder in (*sources.folders, paths.HEADERS)]
    with tempfile.TemporaryDirectory(dir=made.parent, prefix=".building-") as scratch:
        objects = []
        for file in files:
            if file.suffix in _STANDARDS:
                objects.append(str(Path(scratch, f"{file.name}.o")))
                command = [_STANDARDS[file.suffix], *options, *includes, "-c", str(file), "-o", objects[-1]]
                _call(compiler, command, sources)
        is_cpp = any(file.suffix == ".cpp" for file in files)
        fresh = Path(scratch, sources.name)
        libraries = (*(("-lstdc++",) if is_cpp else ()), *sources.libraries)
        _call(compiler, [*options, *objects, *libraries, "-o", str(fresh)], sources)
        fresh.replace(made)
    return made


def _is_source(file: Path) -> bool:
    return file.suffix in _STANDARDS or file.suffix in _HEADER_SUFFIXES


def _call(compiler: Compiler, arguments: list[str], sources: Sources) -> None:
    command = [compiler.command, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_COMPILE_TIMEOUT_S)
    if done.returncode != 0:
        said = "\n".join(done.stderr.splitlines()[:_SHOWN_LINES])
        raise CheckFailed(f"{compiler.command} does not compile {paths.shown(sources.folder)}:\n{said}")
