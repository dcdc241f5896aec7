"""data/gdb/tasks.c in gdb, where it calls look_here(): what gdb is told to do, and what it has to say."""

import re
from pathlib import Path

SOURCE = Path(__file__).parent / "data" / "gdb" / "tasks.c"
_LINES = list(enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1))
_TASK = next(n for n, line in _LINES if "omp task " in line)
_WAIT = next(n for n, line in _LINES if "omp_taskwait_detach(event)" in line)
QUESTIONS = ("info omp tasks", "omp backtrace 2", "backtrace 1")


def check(said: str) -> None:
    """said: what gdb answers to QUESTIONS, and what follows it. Errors: AssertionError."""
    rows = re.findall(
        r"^\(?.*?(\d) the task of .*tasks\.c:(\d+) is suspended at .*tasks\.c:(\d+), and waits for (.*)$", said, re.M
    )
    assert [number for number, *_ in rows] == ["1", "2", "3"], said
    assert all(_TASK <= int(made) <= _TASK + 2 and int(where) == _WAIT for _, made, where, _ in rows), said
    assert {reason for *_, reason in rows} == {"an event"}
    assert re.search(r"thread 1 executes the implicit task of thread \d", said), said
    # The stack of a task: its function with its argument, below the body of the task.
    assert re.search(r"wait_in_a_function \(number=(number@entry=)?[123], ", said), said
    # And the thread is where it was.
    assert re.search(r"#0 +(0x[0-9a-f]+ in )?look_here \(\)", said), said
