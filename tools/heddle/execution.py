"""Starting a program on a runtime, and how programs end, for every command that runs one."""

from __future__ import annotations

import signal
import subprocess
import sys

from heddle import launch, runtimes, toolchain
from heddle.errors import UserError


def prepare(program: str, runtime: str, threads: int | None) -> launch.Plan:
    """How the program starts on that runtime; libheddle is built where it is wanted and was not yet.

    What the user should know before is said on stderr. Errors: UserError with the reason where it cannot start.
    """
    launch.find_program(program)
    if runtime == "heddle" and runtimes.find("heddle") is None:
        toolchain.build_runtime()
    plan = launch.plan(program, runtime, threads)
    for note in plan.notes:
        print(f"heddle: {note}", file=sys.stderr)
    return plan


def run_beside_report(command: list[str], plan: launch.Plan, variables: dict[str, str]) -> int:
    """Runs the program with these variables as well, and returns its status, below 0 after a signal.

    Its output goes to stderr, so that stdout holds a report alone. Errors: UserError where it cannot start.
    """
    sys.stderr.flush()
    environ = {**plan.environ, **variables}
    try:
        return subprocess.run(command, executable=plan.program, env=environ, stdout=sys.stderr).returncode
    except OSError as error:
        raise cannot_start(command[0], error) from None


def cannot_start(program: str, error: OSError) -> UserError:
    return UserError(f"{program} cannot be started: {error.strerror}")


def end_of(status: int) -> str:
    """How a program ended, in words; the status is below 0 after a signal."""
    return f"exit status {status}" if status >= 0 else signal_name(-status)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
