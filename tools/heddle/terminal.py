"""Rich's console, made for output that also goes to files and pipes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

Progress = Callable[..., None]  # progress(done, total), or with text= what is being done

# Wide enough that a row of our widest table stays one line in a log.
_PIPED_WIDTH = 200


def console(*, on_stderr: bool = False) -> Console:
    """A console on stdout, or stderr: as wide as the terminal, or wide enough where there is none."""
    found = Console(highlight=False, stderr=on_stderr)
    return found if found.is_terminal else Console(highlight=False, stderr=on_stderr, width=_PIPED_WIDTH)


@contextmanager
def bar(title: str, *, announces: bool = False, predicts: bool = False) -> Iterator[Progress]:
    """Yields a Progress that shows a bar on stderr where that is a terminal.

    announces: elsewhere a line says that the work begins, and one what is done whenever that is something else.
    predicts: the time that is left, not the time that has gone.
    """
    if not sys.stderr.isatty():
        said = ""

        def say(done: int, total: int | None, text: str = title) -> None:
            nonlocal said
            if announces and text != said:
                said = text
                print(f"heddle: {text}", file=sys.stderr, flush=True)

        say(0, None)
        yield say
        return
    from rich import progress

    time = progress.TimeRemainingColumn() if predicts else progress.TimeElapsedColumn()
    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn(), time)
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=None)
        yield lambda done, total, text=title: shown.update(task, description=text, completed=done, total=total)
