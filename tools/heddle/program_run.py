"""Runs a program of ours once and reads its results file: what demos, oracle tests and measurements share."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from heddle import patience, runtimes


class RunFailed(Exception):
    """The program ended with another status than 0, took too long, or left no results."""


class NotEnded(RunFailed):
    """It took too long and was stopped after limit_s."""

    def __init__(self, described: str, limit_s: float) -> None:
        super().__init__(f"{described} did not end in {limit_s:.0f} s")
        self.limit_s = limit_s


def results_of(
    command: list[str], environ: dict[str, str], results: Path, described: str, *, timeout_s: float
) -> dict[str, Any]:
    """Runs the command in the folder of its results file and returns what it wrote there.

    described: the run in words, for messages. Errors: RunFailed with the program's last words.
    """
    results.unlink(missing_ok=True)
    limit_s = patience.scaled(timeout_s)
    try:
        process = subprocess.run(
            command,
            cwd=results.parent,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        raise NotEnded(described, limit_s) from None
    if process.returncode != 0:
        words = (process.stderr.strip() or process.stdout.strip() or "it said nothing").splitlines()[-1]
        raise RunFailed(f"{described} ended with status {process.returncode}: {words}")
    try:
        return json.loads(results.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunFailed(f"{described} left no readable results: {error}") from None


def with_threads(threads: int) -> str:
    return f"with {threads} thread{'s' if threads > 1 else ''}"


def described(way: str, runtime: runtimes.Runtime, threads: int) -> str:
    """A run in words: 'task-2 on libomp 19 with 2 threads'."""
    return f"{way} on {runtime.title} {with_threads(threads)}"


def offered(said: str, option: str) -> dict[str, str]:
    """What a program's --help lists below an option: each name with its text, which may go on in further lines."""
    match = re.search(rf"^  {option} .*\n((?:   .*\n)*)", said, re.MULTILINE)
    lines = match[1] if match else ""
    # Names stand in the leftmost lines that begin with one.
    found = re.findall(r"^( +)([a-z][a-z0-9-]*)(?= |$)(.*(?:\n\1[ (].*)*)", lines, re.MULTILINE)
    left = min((indent for indent, _, _ in found), key=len, default="")
    return {name: " ".join(text.split()) for indent, name, text in found if indent == left}
