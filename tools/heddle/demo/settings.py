"""What the demos ask of their user and of the machine: threads, where the page goes, a bar while they run."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from heddle import terminal
from heddle.errors import UserError

_MOST_THREADS = 8


def threads(asked: int | None) -> int:
    """Of each run; by default the cores, 8 at most. Errors: UserError for none."""
    if asked is None:
        return min(len(os.sched_getaffinity(0)), _MOST_THREADS)
    if asked < 1:
        raise UserError(f"--threads {asked}: a team has at least 1 thread")
    return asked


def rounds(asked: int | None, *, quick: bool) -> int | None:
    """How many; None where the budget decides. Errors: UserError for none."""
    if asked is not None and asked < 1:
        raise UserError(f"--rounds {asked}: at least 1")
    return 1 if quick and asked is None else asked


def output_folder(out: str | None, default: Path) -> Path:
    """The page's folder, made. Errors: UserError when it cannot be written."""
    folder = default if out is None else Path(out).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"the page cannot go to {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise UserError(f"the page cannot go to {folder}: it is not writable")
    return folder


@contextlib.contextmanager
def bar() -> Iterator[terminal.Progress]:
    """Yields progress(done, total, text=what runs now): a bar, or a line a tenth where stderr is no terminal."""
    if not sys.stderr.isatty():
        tenths = 0

        def say(done: int, total: int, text: str = "") -> None:
            nonlocal tenths
            if total and (now := 10 * done // total) != tenths:
                tenths = now
                print(f"heddle: {done} of {total} runs", file=sys.stderr, flush=True)

        yield say
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, total, text="": progress.update(task, description=text, completed=done, total=total)
