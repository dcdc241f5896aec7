"""Runs programs whose output is for us alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from heddle import launch
from heddle.errors import CheckFailed


def said(command: list[str], plan: launch.Plan) -> str:
    """What the program writes on standard output. Errors: CheckFailed where it fails, with its last words."""
    done = subprocess.run(command, env=plan.environ, capture_output=True, text=True)
    if done.returncode != 0:
        what = " ".join([Path(command[0]).name, *command[1:]])
        raise CheckFailed(f"{what} ended with status {done.returncode}: {done.stderr.strip()}")
    return done.stdout
