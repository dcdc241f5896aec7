"""The second compiler: the newest Clang that is here, from release 19 on, that can compile OpenMP programs.

Distributions install several releases side by side, of which only one has an omp.h.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess

OLDEST = 19


def release() -> int | None:
    """Its release, as 19; None where there is none."""
    found = _found()
    return found and found[0]


def c() -> str:
    """The command for C, as clang-19, whether it is there or not."""
    found = _found()
    return found[1] if found else f"clang-{OLDEST}"


def cpp() -> str:
    """The command for C++, as clang++-19."""
    return c().replace("clang", "clang++")


@functools.cache
def _found() -> tuple[int, str] | None:
    for number, command in sorted(_named(), reverse=True):
        if number >= OLDEST and _has_openmp(command):
            return number, command
    return None


def _named() -> set[tuple[int, str]]:
    """Release and command of every Clang that the search path names."""
    named = set()
    for folder in os.environ.get("PATH", "").split(":"):
        try:
            files = os.listdir(folder)
        except OSError:
            continue
        named |= {(int(match[1]), file) for file in files if (match := re.fullmatch(r"clang-(\d+)", file))}
    if shutil.which("clang"):
        words = subprocess.run(["clang", "--version"], capture_output=True, text=True, errors="replace").stdout
        if match := re.search(r"clang version (\d+)", words):
            named.add((int(match[1]), "clang"))
    return named


def _has_openmp(command: str) -> bool:
    ask = [command, "-fopenmp", "-E", "-x", "c", "-include", "omp.h", os.devnull]
    try:
        return subprocess.run(ask, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
    except OSError:
        return False
