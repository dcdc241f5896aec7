"""Starts one command in a process group of its own and ends the whole group, whatever became of it.

What is left in the group when its leader has ended is killed before the leader is reaped: until then no other process
can bear the group's number.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from heddle import execution

_TAIL_LINES = 12
_KEPT_BYTES = 16 * 1024
# A program that prints without end is stopped by the kernel (SIGXFSZ), not by a full disk.
_OUTPUT_LIMIT_BYTES = 256 << 20

_live: set[int] = set()
_live_lock = threading.Lock()
_stopping = threading.Event()


@dataclass(frozen=True)
class Run:
    """How one start ended. status is None when a signal or the timeout ended it; head and tail are of its output."""

    status: int | None
    signal_name: str
    timed_out: bool
    seconds: float
    tail: tuple[str, ...]
    head: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.status == 0

    def end(self) -> str:
        """How it ended, in words."""
        if self.timed_out:
            return f"no end in {self.seconds:.0f} s"
        return self.signal_name or f"exit status {self.status}"


class Interrupted(Exception):
    """end_all() was called: nothing is started any more."""


def run(command: list[str], timeout_s: float, cwd: Path | None = None, environ: dict[str, str] | None = None) -> Run:
    """Runs the command with nothing on stdin and both output streams in one file.

    Errors: OSError when it cannot be started, Interrupted after end_all(). Threads: any number at once.
    """
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        with _live_lock:
            if _stopping.is_set():
                raise Interrupted
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            _live.add(process.pid)
        try:
            _limit(process.pid)
            timed_out = not _ended_in_time(process.pid, timeout_s)
        finally:
            _kill(process.pid)
            status = process.wait()
            with _live_lock:
                _live.discard(process.pid)
        seconds = time.monotonic() - started
        if _stopping.is_set():
            raise Interrupted
        if timed_out:
            return Run(None, "", True, seconds, _tail(output), _head(output))
        if status < 0:
            return Run(None, execution.signal_name(-status), False, seconds, _tail(output), _head(output))
        return Run(status, "", False, seconds, _tail(output), _head(output))


def end_all() -> None:
    """Ends every group that runs and lets none start after."""
    _stopping.set()
    with _live_lock:
        for group in _live:
            _kill(group)


def _limit(process: int) -> None:
    # It has ended, or lives under tighter limits already.
    with contextlib.suppress(OSError, ValueError):
        resource.prlimit(process, resource.RLIMIT_CORE, (0, 0))
        resource.prlimit(process, resource.RLIMIT_FSIZE, (_OUTPUT_LIMIT_BYTES, _OUTPUT_LIMIT_BYTES))


def _ended_in_time(process: int, timeout_s: float) -> bool:
    """Waits without reaping: the zombie keeps the group's number ours."""
    handle = os.pidfd_open(process)
    try:
        watch = select.poll()
        watch.register(handle, select.POLLIN)
        return bool(watch.poll(timeout_s * 1000))
    finally:
        os.close(handle)


def _kill(group: int) -> None:
    # Not found: nobody is left. Not permitted: what is left is not ours any more.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _tail(output) -> tuple[str, ...]:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _KEPT_BYTES))
    return tuple(output.read().decode("utf-8", "replace").splitlines()[-_TAIL_LINES:])


def _head(output) -> tuple[str, ...]:
    output.seek(0)
    return tuple(output.read(_KEPT_BYTES).decode("utf-8", "replace").splitlines())
