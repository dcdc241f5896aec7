"""One run of the program in one order, and whether what came out is what came out before."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import UserError
from heddle.fuzz import orders
from heddle.launch import Plan

# A program that prints without end is stopped by the kernel (SIGXFSZ), not by a full disk.
_OUTPUT_LIMIT_BYTES = 256 << 20


@dataclass(frozen=True)
class Compared:
    """What counts as output besides the exit status."""

    stdout: bool
    files: tuple[Path, ...]
    ignored: re.Pattern[str] | None


@dataclass(frozen=True)
class Outcome:
    """What came out of a run."""

    end: str  # how it ended, in words
    stdout: tuple[str, ...]
    files: tuple[str, ...]  # a checksum each, "" where there is none

    def difference(self, other: Outcome, compared: Compared) -> str:
        """What of the other is not as here, in words; empty where nothing."""
        if self.end != other.end:
            return f"{other.end} instead of {self.end}"
        for number, (mine, theirs) in enumerate(zip(self.stdout, other.stdout), 1):
            if mine != theirs:
                return f"line {number} of the output is '{_short(theirs)}' instead of '{_short(mine)}'"
        if len(self.stdout) != len(other.stdout):
            return f"the output has {len(other.stdout)} lines instead of {len(self.stdout)}"
        for path, mine, theirs in zip(compared.files, self.files, other.files):
            if mine != theirs:
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
        self.limits_threads = False  # whether the program asks for more threads than it is given
        self.seconds = 0.0  # of the last run

    def run(self, order: str, threads: int, log: Path | None = None) -> Outcome:
        """order: a value of HEDDLE_ORDER. Errors: UserError where the program cannot be started."""
        environ = dict(self._plan.environ)
        environ.update(HEDDLE_ORDER=order, OMP_NUM_THREADS=str(threads), **self.settings(threads))
        environ.pop("HEDDLE_ORDER_LOG", None)
        if log is not None:
            log.unlink(missing_ok=True)
            environ["HEDDLE_ORDER_LOG"] = str(log)
        with tempfile.TemporaryFile() as output:
            end = self._execute(environ, output)
            output.seek(0)
            text = output.read().decode("utf-8", "replace") if self._compared.stdout else ""
        ignored = self._compared.ignored
        lines = tuple(line for line in text.splitlines() if ignored is None or not ignored.search(line))
        return Outcome(end, lines, tuple(_checksum(path, ignored) for path in self._compared.files))

    def replay(self, items: list[str], log: Path | None = None) -> Outcome:
        """The tasks in the order of the items, with one thread."""
        path = self._folder / "replay"
        orders.write(path, items)
        return self.run(f"replay:{path}", 1, log)

    def settings(self, threads: int) -> dict[str, str]:
        """Variables that a run needs besides the order and the number of threads."""
        return {"OMP_THREAD_LIMIT": "1"} if threads == 1 and self.limits_threads else {}

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
            raise UserError(f"{self._command[0]} cannot be started: {error.strerror}") from None
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
        return f"exit status {status}" if status >= 0 else _signal_name(-status)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, ValueError):  # it lives under a tighter one
        resource.setrlimit(resource.RLIMIT_FSIZE, (_OUTPUT_LIMIT_BYTES, _OUTPUT_LIMIT_BYTES))


def _checksum(path: Path, ignored: re.Pattern[str] | None) -> str:
    try:
        data = path.read_bytes()
    except OSError:
        return ""
    if ignored is not None:
        lines = data.decode("utf-8", "replace").splitlines()
        data = "\n".join(line for line in lines if not ignored.search(line)).encode()
    return hashlib.sha256(data).hexdigest()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _short(line: str) -> str:
    return line if len(line) <= 60 else line[:57] + "..."
