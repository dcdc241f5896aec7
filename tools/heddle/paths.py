"""Where things lie in a checkout. Every other module asks here and builds no path of its own."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
TESTS = ROOT / "tests"
BUILD = ROOT / "build"
OUT = ROOT / "out"
GDB_SCRIPT = ROOT / "tools" / "gdb" / "heddle-gdb.py"
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


def runtime_library(preset: str = "release") -> Path:
    """libheddle.so of a preset, built or not."""
    return build_dir(preset) / "lib" / "libheddle.so"


def shim_dir(preset: str = "release") -> Path:
    """The folder in which libheddle bears the names of the stock runtimes."""
    return build_dir(preset) / "shims"


def program(name: str, compiler: str = "gcc") -> Path:
    """One of ours (AMR, WAVE) as built by that compiler, built or not."""
    return build_dir(COMPILER_PRESETS[compiler]) / "bin" / name


def shown(path: Path) -> str:
    """The path as a person reads it: relative to the checkout where it lies inside."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
