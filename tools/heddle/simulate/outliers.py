"""Tasks of a traced program that took far longer than others of their construct: most were interrupted.

A processor that the system gave to somebody else for some milliseconds makes one short task long. In a run that is
nothing; on many simulated cores that task alone may be what is left of the program's time.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from typing import Any

from heddle.graph import words

_LEAST_TASKS = 20  # of a construct, so that there is something that is usual
_TIMES = 50  # as long as the median
_LEAST_NS = 500_000  # the system's share of time is longer
_LEAST_SHARE = 0.05  # of the time that the program takes on as many cores as were asked for


def found(made: dict[str, Any], duration_ns: float) -> list[str]:
    """A line for each construct that has such tasks. duration_ns: the shortest that was simulated."""
    lengths: dict[str, list[int]] = defaultdict(list)
    for process in made["processes"]:
        for task in process["tasks"]:
            lengths[made["kinds"][task["kind"]]].append(_work(task["script"]))
    lines = []
    for kind, ns in lengths.items():
        median, longest = statistics.median(ns), max(ns)
        least = max(_TIMES * median, _LEAST_NS, _LEAST_SHARE * duration_ns)
        if len(ns) < _LEAST_TASKS or longest < least:
            continue
        many = sum(one >= least for one in ns)
        lines.append(
            f"{words.plural(many, 'task')} of {kind} took up to {_time(longest)}, where the median of {len(ns)} is "
            f"{_time(median)}: the system may have interrupted {'its thread' if many == 1 else 'their threads'}, which "
            "bounds what more cores can do; trace again on an idle machine"
        )
    return lines


def _work(script: list[Any]) -> int:
    return sum(value for op, value in zip(script[::2], script[1::2]) if op == "work")


def _time(ns: float) -> str:
    return words.duration(ns, is_measured=True)
