"""Asks a running process who waits for what, by way of gdb.

libheddle writes the report (runtime/report/wait_report), as it does for HEDDLE_WATCHDOG, with code named by file and
address and with threads by their number; here that becomes lines, as gdb knows them.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from heddle import paths
from heddle.code_places import Code, call_place, place, shown
from heddle.errors import UserError

_TIMEOUT_S = 60
_CODE = re.compile(r"\{(call|task) (0x[0-9a-f]+) ([^}]*)\}")
_RUNS = re.compile(r"\{(runs|at) (\d+)\}")
_THREAD = re.compile(r"^Thread (\d+) \((?:.*\(LWP (\d+)\)|LWP (\d+)|process (\d+)).*\)")
_FRAME = re.compile(r"^#\d+\s+(?:0x[0-9a-f]+ in )?(.+?) \(.*\)(?: (at|from) (.+))?$")
_SYSTEM = re.compile(r"^(\./|\.\./)|sysdeps|/(libc|libpthread|ld-linux[^/]*|linux-vdso)\.so")
_OURS = re.compile(
    r"/runtime/(abi|team|loop|graph|fiber|task|deps|sched|sync|mem|sys|base)/|/lib(heddle|gomp-heddle|g?omp|iomp5)\.so"
)
_MOST_PLACES = 3


@dataclass(frozen=True)
class Frame:
    """function: as gdb names it; file: with the line; without one where only the library is known; or empty."""

    function: str
    file: str
    has_line: bool

    @property
    def is_system(self) -> bool:
        return bool(_SYSTEM.search(self.file))

    @property
    def is_ours(self) -> bool:
        return bool(_OURS.search(self.file)) or self.function.startswith("heddle::")

    def place(self) -> str:
        if self.has_line:
            path, _, line = self.file.rpartition(":")
            return f"{shown(path)}:{line}"
        return f"{self.function} in {Path(self.file).name}"


@dataclass
class Thread:
    number: str  # gdb's
    frames: list[Frame] = field(default_factory=list)

    def waits(self) -> bool:
        """Whether it is in libheddle, called by the program or not."""
        outside = next((frame for frame in self.frames if not frame.is_system), None)
        return outside is not None and outside.is_ours

    def places(self) -> str:
        """The program's own code that it executes, the innermost first."""
        found: list[str] = []
        was_in_libheddle = False
        for frame in self.frames:
            if frame.is_ours or frame.is_system:
                # The C library may be called, or call libheddle at the end of a thread or of the process.
                if found or (frame.is_system and was_in_libheddle):
                    break
                was_in_libheddle = frame.is_ours
            elif (frame.has_line or (frame.file and not found)) and len(found) < _MOST_PLACES:
                found.append(frame.place())
        return " at " + ", called from ".join(found) if found else ""


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
    if not text:
        return "no thread of this process has used OpenMP so far\n" + _others(threads, set())
    told = {number for _, number in _RUNS.findall(text)}
    waits = _CODE.sub(lambda code: _line(code, program), text)
    return _RUNS.sub(lambda thread: _execution(thread, threads), waits) + _others(threads, told)


def _ask(pid: int, file: Path) -> dict[str, Thread]:
    """Has the process write its report; returns its threads, by the kernel's number."""
    # The other threads stand still while one of them writes.
    commands = [
        "set pagination off",
        "set scheduler-locking on",
        f'print ((int (*)(const char *))heddle_write_waits_)("{file}")',
        "thread apply all bt -frame-arguments none",
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
        raise UserError(f"process {pid} does not run on libheddle; start it with '{paths.COMMAND} run -- PROGRAM'")
    if not file.is_file():
        raise UserError(f"process {pid} could not write its report to {file}")
    return _threads(answer.stdout)


def _line(code: re.Match[str], program: Path) -> str:
    where = Code(int(code[2], 16), "-", code[3])
    return (place if code[1] == "task" else call_place)(where, program)


def _execution(asked: re.Match[str], threads: dict[str, Thread]) -> str:
    """{runs THREAD}: what it does and where; {at THREAD}: where alone."""
    thread = threads.get(asked[2], Thread("?"))
    if asked[1] == "at":
        return thread.places()
    return ("waits" if thread.waits() else "is being executed") + thread.places()


def _threads(backtraces: str) -> dict[str, Thread]:
    threads: dict[str, Thread] = {}
    thread = Thread("?")
    for line in backtraces.splitlines():
        if start := _THREAD.match(line):
            thread = threads.setdefault(start[2] or start[3] or start[4], Thread(start[1]))
        elif frame := _FRAME.match(line):
            thread.frames.append(Frame(frame[1], frame[3] or "", has_line=frame[2] == "at"))
    return threads


def _others(threads: dict[str, Thread], told: set[str]) -> str:
    """Where each thread is in the program's own code, unless the report says it."""
    lines = []
    for number, thread in threads.items():
        if number not in told and (places := thread.places()):
            lines.append(f"  the thread that gdb numbers {thread.number} is{places}\n")
    return "".join(reversed(lines))
