"""How many tasks were alive, as a counter for formats that are to stay small."""

from __future__ import annotations

import numpy as np

from heddle.trace.numbers import tasks_alive
from heddle.trace.timeline import Timeline

MOST_COUNTS = 200_000  # of a process; of more changes every second or third, and so on, is left


def thinned_tasks_alive(timeline: Timeline, process: int) -> tuple[np.ndarray, np.ndarray]:
    """When tasks of the process came and went, and how many there were from then on; the last change is among them."""
    ns, counts = tasks_alive(timeline, process)
    thin = -(-len(ns) // MOST_COUNTS)
    if thin <= 1:
        return ns, counts
    kept = np.union1d(np.arange(0, len(ns), thin), [len(ns) - 1])
    return ns[kept], counts[kept]
