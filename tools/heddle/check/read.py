"""What HEDDLE_CHECK found, as libheddle logs it; runtime/replay/graph_check.hpp says what the lines are.

Words: a *word* is eight bytes of what a task captures. A *difference* is of one region, construct and kind, and of
values: of the same bytes of one word; however many tasks and executions have it, it is one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from heddle import regular_file
from heddle.code_places import Code
from heddle.errors import UserError

NO_CODE = -1
COUNT, CONSTRUCT, DEPENDENCES, VALUE, REFUSED = "ncdvr"

_HEAD = "heddle check 1"


@dataclass
class Difference:
    """As it was met first. executions and tasks: how often in all, as far as is known."""

    number: int
    graph_id: int
    region: int  # a key of Log.codes, as are the next two, which may be NO_CODE
    code: int
    recorded_code: int
    what: str
    offset: int  # of the word in what the task captures
    captured: int  # how many bytes that are, in whole words
    header: int  # how many bytes of that, at its beginning, are the runtime's own
    mask: int  # which bytes of the word differ, the first one lowest
    execution: int  # counted from the one that was recorded, which is 1
    task: int
    was: int
    now: int
    executions: int = 1
    tasks: int = 1

    @property
    def bytes(self) -> list[int]:
        """Which bytes of what the compiler captures differ; negative ones are the runtime's own."""
        return [self.offset - self.header + i for i in range(8) if self.mask >> i & 1]


@dataclass
class Log:
    codes: dict[int, Code] = field(default_factory=dict)
    compared: dict[tuple[int, int], int] = field(default_factory=dict)  # by region and graph_id: how many executions
    differences: list[Difference] = field(default_factory=list)


def read(file: Path) -> Log:
    """A last line that breaks off is left out. Errors: UserError where the file cannot be read or is no such log."""
    lines = regular_file.text(file).split("\n")
    if lines[0] != _HEAD:
        raise UserError(f"{file} is no log of HEDDLE_CHECK_LOG: its first line is not '{_HEAD}'")
    log = Log()
    for number, line in enumerate(lines[1:-1], 2):
        try:
            _add(log, line)
        except (ValueError, TypeError, IndexError):
            raise UserError(f"{file}, line {number}: '{line[:60]}' is not what a check's log has there") from None
    return log


def _add(log: Log, line: str) -> None:
    """Errors: ValueError, TypeError or IndexError for a wrong line."""
    kind, _, rest = line.partition(" ")
    if kind == "c":
        code, address, symbol, path = rest.split(" ", 3)
        log.codes[int(code)] = Code(int(address, 16), symbol, path)
        return
    words = rest.split(" ")
    if kind == "d":
        what, was, now = words[5], words[-2], words[-1]
        if what not in (COUNT, CONSTRUCT, DEPENDENCES, VALUE, REFUSED):
            raise ValueError("an unknown kind of difference")
        numbers = [int(word) for word in words[:5]], [int(word) for word in words[6:-2]]
        log.differences.append(Difference(*numbers[0], what, *numbers[1], int(was, 16), int(now, 16)))
    elif kind == "t":
        number, executions, tasks = map(int, words)
        found = log.differences[number]
        found.executions, found.tasks = max(found.executions, executions), max(found.tasks, tasks)
    elif kind == "s":
        graph_id, region, times = map(int, words)
        log.compared[region, graph_id] = max(log.compared.get((region, graph_id), 0), times)
    else:
        raise ValueError("an unknown kind of line")
