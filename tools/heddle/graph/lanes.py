"""Where each task of the schedule is drawn: tasks that overlap in time lie in different lanes."""

from __future__ import annotations

import heapq

import numpy as np

from heddle.graph.analysis import Analysis


def pack(analysis: Analysis, nodes: np.ndarray) -> np.ndarray:
    """The lane of each of the nodes: always the lowest that is free. They need no more lanes than overlap at once."""
    # Of those that start together the longest lie lowest, so that a wide graph has a quiet outline.
    order = np.lexsort((nodes, -analysis.cost[nodes], analysis.start[nodes]))
    lanes = np.zeros(len(nodes), dtype=int)
    busy: list[tuple[float, int]] = []  # until when, which lane
    free: list[int] = []
    finish = analysis.finish
    for i in order.tolist():
        while busy and busy[0][0] <= analysis.start[nodes[i]]:
            heapq.heappush(free, heapq.heappop(busy)[1])
        lane = heapq.heappop(free) if free else len(busy)
        lanes[i] = lane
        heapq.heappush(busy, (float(finish[nodes[i]]), lane))
    return lanes
