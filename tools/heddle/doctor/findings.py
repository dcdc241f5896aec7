"""What is here, what is missing, and how to fix it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heddle import clang, paths, runtimes


@dataclass
class Finding:
    """One line. state: 'ok', 'to do' (the next command makes it) or 'missing' (nothing works without)."""

    state: str
    what: str
    text: str
    mend: str = ""


def findings() -> Iterator[Finding]:
    """A line each, in the order of a table."""
    yield _system()
    yield _cores()
    yield _memory()
    if paths.IS_INSTALLED:
        yield _tool("readelf", "binutils")
        yield _tool("gdb", "gdb", "to do")  # for attach and gdb alone
        yield from _runtimes()
        return
    for tool, package in (
        ("gcc", "gcc"),
        ("g++", "g++"),
        (clang.c(), f"clang-{clang.OLDEST} or later, with its omp.h"),
        ("cmake", "cmake"),
        ("ninja", "ninja-build"),
        ("readelf", "binutils"),
    ):
        yield _tool(tool, package)
    yield from _runtimes()
    yield from _programs()
    yield from _packages()


def _system() -> Finding:
    name = "Linux"
    if os.path.exists("/etc/os-release"):
        with open("/etc/os-release", encoding="utf-8") as file:
            if match := re.search(r'^PRETTY_NAME="?([^"\n]*)', file.read(), re.MULTILINE):
                name = match[1]
    return Finding("ok", "system", f"{name}, {platform.machine()}, Python {platform.python_version()}")


def _cores() -> Finding:
    mine, all_cores = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    limit = "" if mine == all_cores else f" of {all_cores} (the others are not for this process)"
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        if match := re.search(r"^model name\s*:\s*(.*)$", file.read(), re.MULTILINE):
            model = match[1]
    return Finding("ok", "cores", f"{mine}{limit}, {model}")


def _memory() -> Finding:
    with open("/proc/meminfo", encoding="utf-8") as file:
        available = int(re.search(r"^MemAvailable:\s*(\d+) kB", file.read(), re.MULTILINE)[1]) / 2**20
    free = shutil.disk_usage(paths.ROOT).free / 2**30
    text = f"{available:.1f} GiB of memory and {free:.1f} GiB of disk are free"
    if paths.IS_INSTALLED:  # nothing is built
        return Finding("ok", "space", text)
    if available < 2:
        return Finding("missing", "space", text, "the builds want 2 GiB of memory")
    if free < 2:
        return Finding("missing", "space", text, "the builds want 2 GiB of disk")
    return Finding("ok", "space", text)


def _tool(tool: str, package: str, without: str = "missing") -> Finding:
    found = shutil.which(tool)
    if not found:
        return Finding(without, tool, "is not here", f"install the Debian package {package}")
    answer = subprocess.run([found, "--version"], capture_output=True, text=True, errors="replace").stdout
    return Finding("ok", tool, answer.splitlines()[0] if answer else found)


def _runtimes() -> Iterator[Finding]:
    for name in runtimes.NAMES:
        runtime = runtimes.find(name)
        if runtime:
            yield Finding("ok", f"runtime {name}", f"{runtime.title}: {paths.shown(runtime.library)}")
        elif name == "heddle" and paths.IS_INSTALLED:
            yield Finding("missing", "runtime heddle", "is not here", runtimes.mend(name))
        elif name == "heddle":
            yield Finding("to do", "runtime heddle", "libheddle is not built", runtimes.mend(name))
        else:
            state = "to do" if paths.IS_INSTALLED else "missing"  # libheddle needs neither
            yield Finding(state, f"runtime {name}", "is not here", runtimes.mend(name))


def _programs() -> Iterator[Finding]:
    for compiler, preset in paths.COMPILER_PRESETS.items():
        for name in paths.PROGRAMS.values():
            program = paths.program(name, compiler)
            if program.exists():
                yield Finding("ok", f"{name} ({compiler})", paths.shown(program))
            else:
                yield Finding("to do", f"{name} ({compiler})", "is not built", f"{paths.COMMAND} build {preset}")


def _packages() -> Iterator[Finding]:
    if not shutil.which("dpkg-query"):
        yield from _packages_elsewhere()
        return
    llvm = str(clang.release() or clang.OLDEST)
    names = [line.split()[0].replace("LLVM", llvm) for line in _lines(paths.TOOLS / "packages.txt")]
    missing = [name for name in names if not _is_installed(name)]
    if missing:
        yield Finding("missing", "packages", f"{len(missing)} of {len(names)}", f"apt-get install {' '.join(missing)}")
    else:
        yield Finding("ok", "packages", f"all {len(names)} of tools/packages.txt are installed")


_MANAGERS = {"dnf": "dnf install", "zypper": "zypper install", "pacman": "pacman -S"}  # columns of the table


def _packages_elsewhere() -> Iterator[Finding]:
    """What to ask the package managers of other distributions for: of the one that is here, or of all."""
    rows = [line.split() for line in _lines(paths.TOOLS / "packages-elsewhere.txt")]
    for column, (manager, command) in enumerate(_MANAGERS.items(), start=1):
        if shutil.which(manager) or not any(map(shutil.which, _MANAGERS)):
            there = dict.fromkeys(row[column] for row in rows if row[column] != "-")
            others = ", ".join(row[0] for row in rows if row[column] == "-")
            text = f"{manager} cannot be asked which are installed; it does not have Debian's {others}"
            yield Finding("to do", "packages", text, f"{command} {' '.join(there)}")


def _lines(file: Path) -> list[str]:
    """Without the comments."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def _is_installed(package: str) -> bool:
    query = ["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", package]
    return subprocess.run(query, capture_output=True, text=True).stdout[1:2] == "i"
