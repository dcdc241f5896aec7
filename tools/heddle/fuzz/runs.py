"""One run of the program in one order, and whether what came out is what came out before."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from heddle import execution
from heddle.errors import UserError
from heddle.fuzz import numbers, orders
from heddle.launch import Plan

# A program that prints without end is stopped by the kernel (SIGXFSZ), not by a full disk.
_OUTPUT_LIMIT_BYTES = 256 << 20
_A_SECOND_NS = 10**9

# A file's lines where numbers in them are compared with a tolerance; else its checksum.
Content = Union[str, tuple[str, ...]]


@dataclass(frozen=True)
class Compared:
    """What counts as output besides the exit status."""

    stdout: bool
    files: tuple[Path, ...]
    ignored: re.Pattern[str] | None
    tolerance: float = 0.0  # relative, of floating-point numbers


@dataclass(frozen=True)
class Outcome:
    """What came out of a run."""

    end: str  # how it ended, in words
    stdout: tuple[str, ...]
    files: tuple[Content | None, ...]  # None for a file that the run did not write

    def difference(self, other: Outcome, compared: Compared) -> str:
        """What of the other is not as here, in words; empty where nothing."""
        if self.end != other.end:
            return f"{other.end} instead of {self.end}"
        for number, (mine, theirs) in enumerate(zip(self.stdout, other.stdout), 1):
            if not numbers.same(mine, theirs, compared.tolerance):
                return f"line {number} of the output is '{_short(theirs)}' instead of '{_short(mine)}'"
        if len(self.stdout) != len(other.stdout):
            return f"the output has {len(other.stdout)} lines instead of {len(self.stdout)}"
        for path, mine, theirs in zip(compared.files, self.files, other.files):
            if mine is not None and theirs is None:
                return f"{path} was not written"
            if not _same_content(mine, theirs, compared.tolerance):
                return f"{path} is another"
        return ""


class Runner:
    """Runs the program in orders of its tasks. Invariant: nothing but the order and the team's size changes."""

    def __init__(self, command: list[str], plan: Plan, compared: Compared, folder: Path) -> None:
        self._command = command
        self._plan = plan
        self._compared = compared
        self._folder = folder
        self.timeout_s = 60.0
        self.seconds = 0.0  # of the last run

    def run(self, order: str, threads: int, log: Path | None = None) -> Outcome:
        """order: a value of HEDDLE_ORDER. Errors: UserError where the program cannot be started."""
        environ = dict(self._plan.environ)
        environ.update(HEDDLE_ORDER=order, OMP_NUM_THREADS=str(threads), **self.settings(threads))
        environ.pop("HEDDLE_ORDER_LOG", None)
        if log is not None:
            log.unlink(missing_ok=True)
            environ["HEDDLE_ORDER_LOG"] = str(log)
        written = [_Written(path) for path in self._compared.files]
        with tempfile.TemporaryFile() as output:
            end = self._execute(environ, output)
            output.seek(0)
            text = output.read().decode("utf-8", "replace") if self._compared.stdout else ""
        ignored = self._compared.ignored
        lines = tuple(line for line in text.splitlines() if ignored is None or not ignored.search(line))
        return Outcome(end, lines, tuple(file.content(self._compared) for file in written))

    def replay(self, items: list[str], log: Path | None = None) -> Outcome:
        """The tasks in the order of the items, with one thread."""
        path = self._folder / "replay"
        orders.write(path, items)
        return self.run(f"replay:{path}", 1, log)

    def settings(self, threads: int) -> dict[str, str]:
        """Variables that a run needs besides the order and the number of threads.

        A program may ask for more threads than it is given. Whether it has, no log tells: one thread may have been fast
        enough to execute all.
        """
        return {"OMP_THREAD_LIMIT": "1"} if threads == 1 else {}

    def _execute(self, environ: dict[str, str], output) -> str:
        started = time.monotonic()
        try:
            process = subprocess.Popen(
                self._command,
                executable=self._plan.program,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=_limit,
            )
        except OSError as error:
            raise execution.cannot_start(self._command[0], error) from None
        try:
            status = process.wait(self.timeout_s)
        except subprocess.TimeoutExpired:
            return f"no end in {self.timeout_s:g} s"
        finally:
            # Not found: nobody of its group is left.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            self.seconds = time.monotonic() - started
        return execution.end_of(status)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, ValueError):  # it lives under a tighter one
        resource.setrlimit(resource.RLIMIT_FSIZE, (_OUTPUT_LIMIT_BYTES, _OUTPUT_LIMIT_BYTES))


class _Written:
    """Whether a run writes a file, and what: what is left of an earlier run does not count.

    The file's time is put back before the run; one that still bears that time afterwards was not written.
    """

    def __init__(self, path: Path) -> None:
        """Errors: UserError for a file whose time cannot be set."""
        self._path = path
        self._before = _state(path)
        if self._before is not None:
            self._set_time(self._before.st_mtime_ns - _A_SECOND_NS)
        self._marked = _state(path)

    def content(self, compared: Compared) -> Content | None:
        """After the run: None where it wrote nothing."""
        after = _state(self._path)
        if after is None:
            return None
        if self._before and self._marked and _identity(after) == _identity(self._marked):
            self._set_time(self._before.st_mtime_ns)
            return None
        return _content(self._path, compared)

    def _set_time(self, mtime_ns: int) -> None:
        try:
            os.utime(self._path, ns=(self._path.stat().st_atime_ns, mtime_ns))
        except OSError as error:
            raise UserError(
                f"--compare {self._path}: whether the program writes it cannot be seen ({error.strerror}); remove it"
            ) from None


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _identity(state: os.stat_result) -> tuple[int, int, int]:
    return state.st_ino, state.st_size, state.st_mtime_ns


def _content(path: Path, compared: Compared) -> Content:
    """Errors: UserError for a file that cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"--compare {path} cannot be read: {error.strerror}") from None
    is_text = b"\0" not in data
    if compared.ignored is None and not (compared.tolerance and is_text):
        return hashlib.sha256(data).hexdigest()
    lines = data.decode("utf-8", "replace").splitlines()
    if compared.ignored is not None:
        lines = [line for line in lines if not compared.ignored.search(line)]
    if compared.tolerance and is_text:
        return tuple(lines)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _same_content(mine: Content | None, theirs: Content | None, tolerance: float) -> bool:
    if isinstance(mine, tuple) and isinstance(theirs, tuple):
        return len(mine) == len(theirs) and all(map(numbers.same, mine, theirs, itertools.repeat(tolerance)))
    return mine == theirs


def _short(line: str) -> str:
    return line if len(line) <= 60 else line[:57] + "..."
