"""Builds presets with CMake and Ninja; the words are those of CMakePresets.json.

A build of what is up to date costs one Ninja start. Output goes to a log in the build folder; a terminal sees
progress, and a failure shows the compiler's words.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from heddle import clang, paths, runtimes
from heddle.errors import CheckFailed, UserError

# CMake target names of what the commands need.
RUNTIME_TARGET = "heddle"

_PROGRESS = re.compile(r"^\[(\d+)/(\d+)\] (.*)")
# What CMake does first in every build: not yet a sign that there is something to build.
_LOOKING = "Re-checking globbed directories"
_SHOWN_ON_FAILURE_LINES = 60
# A build that finds nothing to do takes less: nobody needs to know that one waited for it.
_SHORT_WAIT_S = 3.0
_LOOK_EVERY_S = 0.02
# Our CMake files begin so what a person must know although the build goes on.
_SAID = "heddle: "


def presets() -> list[str]:
    """Names of the presets one can build."""
    with open(paths.ROOT / "CMakePresets.json", encoding="utf-8") as file:
        return [preset["name"] for preset in json.load(file)["buildPresets"]]


def build(preset: str, targets: list[str] | None = None, *, timeout_s: float | None = None) -> None:
    """Configures the preset if it never was, or presets have changed since; then builds the targets (all by default).

    In a folder that cannot be written, another user's or one of a module, nothing is built: targets that are there are
    taken as they are.

    Errors: UserError for an unknown preset, a missing tool or a folder that cannot be written; CheckFailed when the
    build fails.
    """
    if paths.IS_INSTALLED:
        raise UserError("this builds Heddle's sources, which an installed package does not have; clone it for that")
    if preset not in presets():
        raise UserError(f"there is no preset '{preset}'; there are {', '.join(presets())}")
    for tool in ("cmake", "ninja"):
        if not shutil.which(tool):
            raise UserError(f"{tool} is missing; {paths.COMMAND} doctor says what to install")
    folder = paths.build_dir(preset)
    if targets and folder.is_dir() and not os.access(folder, os.W_OK) and _are_there(folder, targets):
        return
    with only_one_build(folder):
        _forget_moved_checkout(preset)
        log = folder / "heddle-build.log"
        log.unlink(missing_ok=True)
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        if _is_to_configure(folder):
            follow(["cmake", "--preset", preset, *_newest_clang(preset)], f"configuring {preset}", log, deadline)
        command = ["cmake", "--build", "--preset", preset]
        if targets:
            command += ["--target", *targets]
        follow(command, f"building {preset}", log, deadline)


def _is_to_configure(folder: Path) -> bool:
    """Whether the folder is not configured, or with presets of before: no build asks CMake for that by itself."""
    try:
        configured = (folder / "build.ninja").stat().st_mtime
    except FileNotFoundError:
        return True
    return configured < (paths.ROOT / "CMakePresets.json").stat().st_mtime


def _newest_clang(preset: str) -> list[str]:
    """What tells CMake of the Clang that is here; CMakePresets.json names the oldest that we take."""
    if clang.release() in (None, clang.OLDEST):
        return []
    if preset == paths.COMPILER_PRESETS["clang"]:
        return [f"-DCMAKE_C_COMPILER={clang.c()}", f"-DCMAKE_CXX_COMPILER={clang.cpp()}"]
    return [f"-DHEDDLE_LLVM={clang.release()}"]


def _are_there(folder: Path, targets: list[str]) -> bool:
    """Whether all files of these targets have been built, however long ago."""
    command = ["ninja", "-C", str(folder), "-t", "query", *targets]
    answer = subprocess.run(command, capture_output=True, text=True, errors="replace")
    # A target is a name, "  input: phony", a line for each file, "  outputs:", and lines for what needs it.
    parts = re.findall(r"^  input: phony\n((?:    .*\n)+)  outputs:", answer.stdout, re.MULTILINE)
    files = [line.strip() for part in parts for line in part.splitlines()]
    return answer.returncode == 0 and len(parts) == len(set(targets)) and all((folder / one).exists() for one in files)


def build_runtime(preset: str = "release") -> Path:
    """Builds libheddle.so where there are sources, and returns where it is."""
    return build_library(RUNTIME_TARGET, paths.runtime_library(preset), preset)


def build_library(target: str, library: Path, preset: str = "release") -> Path:
    """Builds a library that packages have too, where there are sources, and returns where it is."""
    if not paths.IS_INSTALLED:
        build(preset, [target])
    return _must_exist(library)


def require_runtimes(names: list[str]) -> list[runtimes.Runtime]:
    """The runtimes of these names, libheddle as the source is now. Errors: UserError for one that is missing."""
    if "heddle" in names:
        build_runtime()
    return [runtimes.require(name) for name in names]


def build_program(name: str, compiler: str = "gcc") -> Path:
    """Builds a program of ours with that compiler and returns where it is."""
    build(paths.COMPILER_PRESETS[compiler], [name])
    return _must_exist(paths.program(name, compiler))


def _must_exist(result: Path) -> Path:
    if not result.exists():
        if paths.IS_INSTALLED:
            raise UserError(f"{result} is missing; install the package heddle anew")
        raise CheckFailed(f"the build ended well but made no {paths.shown(result)}")
    return result


@contextlib.contextmanager
def only_one_build(folder: Path) -> Iterator[None]:
    """Makes the folder and waits until nobody else builds in it. Errors: UserError where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "heddle-build.lock").touch()
    except OSError as error:
        raise UserError(
            f"{paths.shown(folder)} cannot be written: {error.strerror}; make the checkout writable to build in it"
        ) from None
    with open(folder / "heddle-build.lock", "w", encoding="utf-8") as lock:
        if not _gained(lock, _SHORT_WAIT_S):
            print(f"heddle: waiting for another build in {paths.shown(folder)}", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _gained(lock: IO[str], within_s: float) -> bool:
    deadline = time.monotonic() + within_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(_LOOK_EVERY_S)


def _forget_moved_checkout(preset: str) -> None:
    """CMake refuses a build folder that was configured under another path; such a folder is started afresh."""
    folder = paths.build_dir(preset)
    home = paths.configured(preset, "CMAKE_HOME_DIRECTORY")
    if home and Path(home).resolve() != paths.ROOT:
        print(f"heddle: {paths.shown(folder)} was configured in {home}; starting it afresh", file=sys.stderr)
        for entry in folder.iterdir():
            if entry.name == "heddle-build.lock":
                continue
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()


def follow(
    command: list[str], title: str, log: Path, deadline: float | None = None, *, announces: bool = False
) -> None:
    """Runs the command with its output in the log, and a progress bar where stderr is a terminal.

    announces: elsewhere a line says that it begins, whatever it says itself.

    Errors: CheckFailed where it fails, with what it said first on stderr, or where it is not done by the deadline.
    """
    lines: list[str] = []
    if announces and not sys.stderr.isatty():
        print(f"heddle: {title}", file=sys.stderr, flush=True)
    with _bar(title) as advance, open(log, "a", encoding="utf-8") as file:
        process = subprocess.Popen(
            command, cwd=paths.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line)
                file.write(line)
                if line.startswith(_SAID):
                    print(line, end="", file=sys.stderr)
                if (match := _PROGRESS.match(line)) and not match[3].startswith(_LOOKING):
                    advance(int(match[1]), int(match[2]))
                if deadline is not None and time.monotonic() > deadline:
                    raise CheckFailed(f"{title} took longer than it may; the log is {paths.shown(log)}")
        finally:
            if process.poll() is None and sys.exc_info()[0] is not None:
                process.terminate()
            process.wait()
    if process.returncode != 0:
        shown = "".join(lines[_first_failure(lines) :][:_SHOWN_ON_FAILURE_LINES])
        print(shown, end="", file=sys.stderr)
        raise CheckFailed(f"{title} failed; the whole log is {paths.shown(log)}")


def _first_failure(lines: list[str]) -> int:
    for i, line in enumerate(lines):
        if line.startswith(("FAILED:", "CMake Error")):
            return i
    return max(0, len(lines) - _SHOWN_ON_FAILURE_LINES)


@contextlib.contextmanager
def _bar(title: str):
    """Yields advance(done, total). Shows nothing until there is something to build."""
    if not sys.stderr.isatty():
        announced = False

        def announce(done: int, total: int) -> None:
            nonlocal announced
            if not announced and total > 1:
                announced = True
                print(f"heddle: {title} ({total} steps)", file=sys.stderr)

        yield announce
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
