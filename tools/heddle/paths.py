"""Where things lie, in a checkout or in an installed package: every other module asks here.

A checkout has sources and builds what it runs. A package that pip has installed has a folder "files" beside this module
instead, in which libheddle and what goes with it lie ready (cmake/HeddleInstall.cmake); what is made at use goes into
the user's cache.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_FILES = Path(__file__).resolve().parent / "files"
IS_INSTALLED = _FILES.is_dir()


def _cache() -> Path:
    """A folder for each installed package: links in it name files of the package."""
    import hashlib  # a checkout, whose cc starts for each source file, needs neither
    import tempfile

    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        root = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    except RuntimeError:  # a user without a home, as in containers
        root = Path(tempfile.gettempdir()) / f"heddle-of-{os.getuid()}"
    return root / "heddle" / hashlib.sha256(str(_FILES).encode()).hexdigest()[:12]


ROOT = _FILES if IS_INSTALLED else Path(__file__).resolve().parents[2]


def _command() -> str:
    """How one starts this heddle from the current folder, for messages."""
    launcher = ROOT / "heddle"
    places = (os.path.join(folder, "heddle") for folder in os.environ.get("PATH", "").split(":") if folder)
    if IS_INSTALLED or os.path.realpath(next(filter(os.path.isfile, places), "")) == str(launcher):
        return "heddle"
    try:
        return "./heddle" if Path.cwd() == ROOT else str(launcher)
    except OSError:  # the folder is gone
        return str(launcher)


COMMAND = _command()
TOOLS = ROOT / "tools"
TESTS = ROOT / "tests"
BUILD = _cache() if IS_INSTALLED else ROOT / "build"
OUT = BUILD / "out" if IS_INSTALLED else ROOT / "out"
# Libraries of others that came with the package: libheddle needs them.
BROUGHT_ALONG = _FILES.parents[1] / "heddle.libs"
GDB_SCRIPT = ROOT / "gdb" / "heddle-gdb.py" if IS_INSTALLED else TOOLS / "gdb" / "heddle-gdb.py"
HEADERS = ROOT / "include" if IS_INSTALLED else ROOT / "runtime" / "include"  # heddle.h and its kin
VARIABLES = ROOT / "environment.json" if IS_INSTALLED else ROOT / "runtime" / "icv" / "environment.json"
ORACLES = TESTS / "data" / "oracle"

# Our programs, by the names of their files, which are those of their CMake targets too.
AMR = "heddle-amr"
WAVE = "heddle-wave"
PROGRAMS = {"amr": AMR, "wave": WAVE}

# The preset whose programs GCC built, the one whose programs Clang built.
COMPILER_PRESETS = {"gcc": "release", "clang": "release-clang"}


def build_dir(preset: str) -> Path:
    """The folder CMake builds a preset in."""
    return BUILD / preset


def configured(preset: str, variable: str) -> str | None:
    """What a preset was configured with: a variable of CMake's; None where it has none or never was."""
    try:
        cache = (build_dir(preset) / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(rf"^{variable}:\w+=(.+)$", cache, re.MULTILINE)
    return found[1] if found else None


def runtime_library(preset: str = "release") -> Path:
    """libheddle.so of a preset, built or not."""
    return library("libgomp-heddle.so.0" if IS_INSTALLED else "libheddle.so", preset)


def library(file: str, preset: str = "release") -> Path:
    """A library of a preset, built or not."""
    return (ROOT if IS_INSTALLED else build_dir(preset)) / "lib" / file


def shim_dir(preset: str = "release") -> Path:
    """The folder in which libheddle bears the names of the stock runtimes."""
    return BUILD / "shims" / "heddle" if IS_INSTALLED else build_dir(preset) / "shims"


def program(name: str, compiler: str = "gcc") -> Path:
    """One of ours (AMR, WAVE) as built by that compiler, built or not."""
    return build_dir(COMPILER_PRESETS[compiler]) / "bin" / name


def shown(path: Path) -> str:
    """The path as a person reads it: relative to the checkout where it lies inside."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) and not IS_INSTALLED else str(path)
