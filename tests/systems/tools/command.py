"""Starts ./heddle as a user does."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from heddle.patience import scaled

ROOT = Path(__file__).resolve().parents[3]
_INTERRUPTED = re.compile(r"^heddle: .*: the system may have interrupted ")


def heddle(*arguments: str | Path, timeout_s: float = 120, **settings: object) -> subprocess.CompletedProcess[str]:
    """Runs the launcher and returns what it printed and its status."""
    return subprocess.run(
        [ROOT / "heddle", *map(str, arguments)], capture_output=True, text=True, timeout=scaled(timeout_s), **settings
    )


def without_interruptions(said: str) -> list[str]:
    """Its lines but those of heddle simulate about tasks that were interrupted: they come on a busy machine alone."""
    return [line for line in said.splitlines() if not _INTERRUPTED.search(line)]


def run(
    *command: str | Path, status: int = 0, timeout_s: float = 120, **settings: object
) -> subprocess.CompletedProcess[str]:
    """Runs a command that ends with that status, and returns what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=scaled(timeout_s), **settings)
    assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done


def assert_one_line(result: subprocess.CompletedProcess[str], *words: str, status: int = 2) -> None:
    """A mistake: nothing on stdout, one line on stderr with these words, that status."""
    assert result.returncode == status, result.stderr
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("heddle: ")
    for word in words:
        assert word in result.stderr


def without_openmp_settings() -> dict[str, str]:
    """The environment less what would change a team's size."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KMP_", "GOMP_"))}
