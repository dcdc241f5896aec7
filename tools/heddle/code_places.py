"""Where in the source a task's construct stands, as far as the debug information of its program says.

libheddle's logs name code by the file that holds it and the address within (runtime/sys/backtrace.hpp).
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle import regular_file

_DIRECTIVE = re.compile(r"^\s*(#\s*pragma\s+omp|!\$omp)\b.*\b(task|taskloop|target|taskwait)\b", re.IGNORECASE)
_PRAGMA = re.compile(r"^\s*(#\s*pragma|!\$omp)", re.IGNORECASE)
_OURS = {"heddle.h", "heddle taskgraph"}
# A construct's lines between its first and the first of its body.
_LOOK_BACK_LINES = 12


@dataclass(frozen=True)
class Code:
    """Where the compiler put a task's body; file is '-' where there is none, as for a taskwait's empty task."""

    address: int
    symbol: str
    file: str


def place(code: Code, program: Path | None) -> str:
    """file:line of the construct; the symbol or the address where that is not known.

    program: read in the place of the file where that is gone or of the same name; None where the file is all there is.
    """
    if code.file == "-":
        return "(no code)"
    file = file_of(code, program)
    symbol, where = _ask(str(file), code.address)
    path, _, line = where.rpartition(":")
    number = re.match(r"\d+", line)
    if number and int(number[0]) > 0 and not path.startswith("?"):
        return f"{shown(path)}:{construct(path, int(number[0]), symbol)}"
    name = code.symbol if code.symbol != "-" else symbol
    return f"{name} in {file.name}" if name and not name.startswith("?") else f"{file.name}+{code.address:#x}"


def call_place(code: Code, program: Path | None) -> str:
    """file:line of a call, and of those that it is inlined into: at most three."""
    calls = call_places(code, program)
    return ", called from ".join(calls[:3]) or f"{file_of(code, program).name}+{code.address:#x}"


def call_places(code: Code, program: Path | None) -> list[str]:
    """file:line of a call, then of those that it is inlined into; heddle.h and what heddle cc adds are left out."""
    file = file_of(code, program)
    calls = []
    for _, where in _ask_all(str(file), code.address):
        path, _, line = where.rpartition(":")
        number = re.match(r"\d+", line)
        if number and int(number[0]) > 0 and not path.startswith("?") and Path(path).name not in _OURS:
            calls.append(f"{shown(path)}:{number[0]}")
    return calls


def file_of(code: Code, program: Path | None) -> Path:
    """Where to read about the code. program: see place()."""
    file = Path(code.file)
    if program is not None and (not file.is_file() or file.name == program.name):
        return program
    return file


def _ask(file: str, address: int) -> tuple[str, str]:
    """The function and the place, of the outermost one where others are inlined there: that is the task's."""
    answers = _ask_all(file, address)
    return answers[-1] if answers else ("", "")


@functools.lru_cache(maxsize=4096)
def _ask_all(file: str, address: int) -> list[tuple[str, str]]:
    """Functions and places, the innermost first."""
    command = ["addr2line", "-f", "-i", "-e", file, f"{address:#x}"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError:
        return []
    lines = answer.stdout.splitlines()
    return list(zip(lines[0::2], lines[1::2]))


def frames_of(file: str, addresses: list[int]) -> list[list[tuple[str, str]]] | None:
    """Demangled functions and places of each address in the file, the innermost first; None where nobody can say."""
    command = ["addr2line", "-a", "-f", "-i", "-C", "-e", file]
    words = "\n".join(f"{address:#x}" for address in addresses)
    try:
        answer = subprocess.run(command, input=words, capture_output=True, text=True, errors="replace")
    except OSError:
        return None
    blocks = [block.splitlines() for block in re.split(r"^0x[0-9a-f]+\n", answer.stdout, flags=re.MULTILINE)[1:]]
    return [list(zip(lines[0::2], lines[1::2])) for lines in blocks] if len(blocks) == len(addresses) else None


def construct(path: str, line: int, symbol: str) -> int:
    """Compilers may give the first line of the construct's body: the directive stands before it, if it can be read."""
    if not ("_omp_fn" in symbol or ".omp_task_entry" in symbol):
        return line
    source = regular_file.lines(Path(path))
    for at in range(min(line, len(source)), max(0, line - _LOOK_BACK_LINES), -1):
        text = source[at - 1]
        if _DIRECTIVE.match(text):
            return at
        if _PRAGMA.match(text):
            break  # another construct's
    return line


def shown(path: str) -> str:
    """Relative to the current folder where the file is inside it."""
    inside = os.path.relpath(path)
    return os.path.normpath(path) if inside.startswith("..") else inside
