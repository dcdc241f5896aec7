"""Programs and scripts of the checkout, run for a paper."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from heddle import paths, runtimes
from heddle.errors import CheckFailed

_TIMEOUT_S = 600


def script(name: str, arguments: list[str], record: Path, option: str = "--json") -> dict[str, Any]:
    """Runs a script of bench/ and returns what it wrote. Errors: CheckFailed where it fails."""
    _run([sys.executable, str(paths.ROOT / "bench" / "studies" / name), *arguments, option, str(record)], None, name)
    return json.loads(record.read_text(encoding="utf-8"))


def number(command: list[str], runtime: str, threads: int, pattern: str, timeout_s: float = _TIMEOUT_S) -> float | None:
    """What a program prints on a runtime where the pattern's group matches; None where it fails or does not end."""
    environ = runtimes.environment(runtimes.require(runtime), threads, dict(os.environ))
    try:
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return None
    found = re.search(pattern, done.stdout)
    return float(found[1]) if done.returncode == 0 and found else None


def printed(command: list[str], runtime: str, threads: int) -> str:
    """What a program prints. Errors: CheckFailed where it fails."""
    environ = runtimes.environment(runtimes.require(runtime), threads, dict(os.environ))
    return _run(command, environ, Path(command[0]).name)


def launcher(arguments: list[str]) -> str:
    """What ./heddle prints. Errors: CheckFailed where it fails."""
    return _run([str(paths.ROOT / "heddle"), *arguments], None, f"heddle {arguments[0]}")


def _run(command: list[str], environ: dict[str, str] | None, name: str) -> str:
    try:
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise CheckFailed(f"{name} did not end in {_TIMEOUT_S} s") from None
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise CheckFailed(f"{name} failed: {said}")
    return done.stdout
