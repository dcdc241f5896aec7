"""Asks a running process who waits for what, by way of gdb.

libheddle writes the report (runtime/team/wait_report) with code named by file and address; here that becomes lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from heddle.code_places import Code, call_place, place
from heddle.errors import UserError

_TIMEOUT_S = 60
_CODE = re.compile(r"\{(call|task) (0x[0-9a-f]+) ([^}]*)\}")
_THREAD = re.compile(r"^Thread (\d+) \(.*?\"(.*)\"\)")
_FRAME = re.compile(r"^#\d+\s+(?:0x[0-9a-f]+ in )?(.+?) \(.*\) at (\S+:\d+)$")
_SYSTEM = re.compile(r"^(\./|\.\./)|sysdeps")


def report(pid: int) -> str:
    """The report as text; one line a waiting task, what waits for it behind."""
    try:
        program = Path(os.readlink(f"/proc/{pid}/exe"))
    except FileNotFoundError:
        raise UserError(f"there is no process {pid}; 'ps' lists those that run") from None
    except PermissionError:
        raise UserError(f"process {pid} is another user's; attach as that user") from None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "waits"
        threads = _ask(pid, file)
        text = file.read_text(encoding="utf-8")
    waits = _CODE.sub(lambda code: _line(code, program), text)
    if not waits:
        waits = "no task waits for anything\n"
    return waits + threads


def _ask(pid: int, file: Path) -> str:
    """Has the process write its report; returns where its threads are."""
    # The other threads stand still while one of them writes.
    commands = [
        "set pagination off",
        "set scheduler-locking on",
        f'print ((int (*)(const char *))heddle_write_waits_)("{file}")',
        "thread apply all -q bt -frame-arguments none",
    ]
    arguments = ["gdb", "-nx", "-q", "-batch", "-p", str(pid)]
    for command in commands:
        arguments += ["-ex", command]
    try:
        answer = subprocess.run(
            arguments, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT_S, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise UserError("gdb is not installed; it is what looks into the process: apt-get install gdb") from None
    except subprocess.TimeoutExpired:
        raise UserError(f"gdb has not come back within {_TIMEOUT_S} s; is process {pid} under a debugger?") from None
    if "ptrace: " in answer.stderr or "Could not attach" in answer.stderr:
        raise UserError(f"process {pid} lets nobody look into it; is it yours, and not under another debugger?")
    if "extended state" in answer.stderr:
        # Of a processor with AMX, whose registers are larger than gdb 13 knows.
        raise UserError("this gdb cannot call functions on this processor; gdb 14 and later can")
    if "heddle_write_waits_" in answer.stderr:
        raise UserError(f"process {pid} does not run on libheddle; start it with './heddle run -- PROGRAM'")
    if not file.is_file():
        raise UserError(f"process {pid} could not write its report to {file}")
    return _threads(answer.stdout)


def _line(code: re.Match[str], program: Path) -> str:
    where = Code(int(code[2], 16), "-", code[3])
    return (place if code[1] == "task" else call_place)(where, program)


def _threads(backtraces: str) -> str:
    """Where each thread is in the program's own code, as far as it has debug information."""
    lines = []
    thread = None
    for line in backtraces.splitlines():
        if start := _THREAD.match(line):
            thread = start[1]
        elif thread is not None and (frame := _FRAME.match(line)) and not _is_ours(frame[2]):
            lines.append(f"  thread {thread} is in {frame[1]} at {frame[2]}\n")
            thread = None
    return "".join(reversed(lines))


def _is_ours(where: str) -> bool:
    return bool(_SYSTEM.search(where)) or "/runtime/" in where
