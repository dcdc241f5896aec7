"""One profile: runs the program and shows the sums that it has written at its end."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from heddle import execution
from heddle.errors import CheckFailed
from heddle.trace import report, running, summary


def run(command: list[str], *, runtime: str, threads: int | None) -> None:
    """Ends as the program ends. Errors: UserError where it cannot start, CheckFailed where nothing was to be summed."""
    plan = running.prepare(command[0], runtime, threads)
    library = running.library(running.PROFILE)
    with tempfile.TemporaryDirectory(prefix="heddle-profile-") as name:
        folder = Path(name)
        status = running.run(command, plan, library, folder)
        if any(folder.glob("process-*.profile")):
            report.show(summary.of_profiles(folder), on_stderr=True)
        elif status == 0:
            raise CheckFailed(f"{command[0]} met no OpenMP construct on a runtime with the tools interface")
        else:
            print(f"heddle: {command[0]} ended with {execution.end_of(status)}, before its sums", file=sys.stderr)
    sys.exit(status if status >= 0 else 128 - status)
