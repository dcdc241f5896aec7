"""What a graph allows: its critical path, its width, and how much faster threads can make it.

Words: a node's *cost* is its mean time in nanoseconds, or 1 step where nothing was measured; a join's is 0. The
*schedule* starts each node as soon as what it waits for is complete, with as many threads as that takes. The *critical
path* is a chain of nodes that lasts as long as the schedule. The *work* is the sum of the costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heddle.errors import UserError
from heddle.graph.read import Graph


@dataclass(frozen=True)
class Analysis:
    """One execution of a graph. Invariant: arrays have a row a node; indices are the nodes' numbers."""

    graph: Graph
    is_measured: bool
    cost: np.ndarray
    start: np.ndarray
    depth: np.ndarray  # how many tasks the longest chain before the node has
    critical: np.ndarray  # the tasks of a critical path, in order
    longest_chain: int  # in tasks

    @property
    def tasks(self) -> int:
        return int(self.graph.is_task.sum())

    @property
    def finish(self) -> np.ndarray:
        return self.start + self.cost

    @property
    def work(self) -> float:
        return float(self.cost.sum())

    @property
    def length(self) -> float:
        """Of the critical path."""
        return float(self.finish.max(initial=0.0))

    @property
    def parallelism(self) -> float:
        """The schedule's mean width; 0 where there is no work."""
        return self.work / self.length if self.length > 0 else 0.0

    @property
    def mean_cost(self) -> float:
        return self.work / self.tasks if self.tasks else 0.0

    @cached_property
    def width(self) -> int:
        """The most tasks that the schedule has at once."""
        return int(profile(self, np.flatnonzero(self.graph.is_task))[1].max(initial=0))

    def speed_up(self, threads: int) -> tuple[float, float]:
        """What any order that leaves no thread without need idle reaches at least, and what none can exceed.

        Costs of the runtime and of shared memory are not counted.
        Source: R. L. Graham, Bounds for certain multiprocessing anomalies, 1966; R. P. Brent, The parallel evaluation
        of general arithmetic expressions, 1974.
        """
        if self.work <= 0:
            return 1.0, 1.0
        slowest = self.work / threads + self.length * (threads - 1) / threads
        return self.work / slowest, self.work / max(self.length, self.work / threads)


@dataclass(frozen=True)
class Construct:
    """The tasks that one place in the source creates."""

    place: str
    nodes: np.ndarray
    mean: float
    longest: float  # of the tasks' means
    work_share: float
    critical_share: float

    @property
    def tasks(self) -> int:
        return len(self.nodes)


def analyse(graph: Graph) -> Analysis:
    """Errors: UserError where the edges form a cycle."""
    is_measured = bool(graph.times.any())
    cost = graph.is_task.astype(float)
    if is_measured:
        cost = np.where(graph.is_task, graph.ns / np.maximum(graph.times, 1), 0.0)
    successors: list[list[int]] = [[] for _ in graph.codes]
    for i, j in graph.edges.tolist():
        successors[i].append(j)
    order = _order(graph, successors)
    start, before = _earliest(order, successors, cost.tolist())
    depth, _ = _earliest(order, successors, graph.is_task.astype(int).tolist())
    chain = int((depth + graph.is_task).max(initial=0))
    critical = _chain_to(start + cost, before, graph.is_task)
    return Analysis(graph, is_measured, cost, start, depth, critical, chain)


def constructs(analysis: Analysis, places: dict[int, str]) -> list[Construct]:
    """The places that create the graph's tasks, those with the most work first. places: by code."""
    nodes_of: dict[str, list[int]] = {}
    for node in np.flatnonzero(analysis.graph.is_task).tolist():
        nodes_of.setdefault(places[int(analysis.graph.codes[node])], []).append(node)
    on_path = np.zeros(len(analysis.cost), dtype=bool)
    on_path[analysis.critical] = True
    found = []
    for place, members in nodes_of.items():
        nodes = np.array(members)
        cost = analysis.cost[nodes]
        work_share = float(cost.sum()) / analysis.work if analysis.work else 0.0
        critical_share = float(cost[on_path[nodes]].sum()) / analysis.length if analysis.length else 0.0
        found.append(Construct(place, nodes, float(cost.mean()), float(cost.max()), work_share, critical_share))
    return sorted(found, key=lambda construct: (-construct.work_share, construct.place))


def profile(analysis: Analysis, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moments of the schedule, and how many of the nodes are executed from each moment to the next."""
    nodes = nodes[analysis.cost[nodes] > 0]
    moments = np.concatenate([analysis.start[nodes], analysis.finish[nodes]])
    changes = np.repeat([1, -1], len(nodes))
    distinct, where = np.unique(moments, return_inverse=True)
    return distinct, np.cumsum(np.bincount(where, weights=changes, minlength=len(distinct))).round().astype(int)


def _order(graph: Graph, successors: list[list[int]]) -> list[int]:
    """The nodes, each behind what it waits for."""
    waits = np.bincount(graph.edges[:, 1], minlength=len(graph.codes)).tolist()
    order = [node for node, count in enumerate(waits) if count == 0]
    for node in order:  # grows meanwhile
        for next_node in successors[node]:
            waits[next_node] -= 1
            if waits[next_node] == 0:
                order.append(next_node)
    if len(order) < len(waits):
        raise UserError(f"graph {graph.number}: its tasks wait for one another in a circle; the log is wrong")
    return order


def _earliest(order: list[int], successors: list[list[int]], cost: list) -> tuple[np.ndarray, list[int]]:
    """When each node starts, and the one that it waits for longest, -1 where none."""
    start, before = [0] * len(order), [-1] * len(order)
    for node in order:
        finish = start[node] + cost[node]
        for next_node in successors[node]:
            if finish > start[next_node]:
                start[next_node], before[next_node] = finish, node
    return np.array(start), before


def _chain_to(finish: np.ndarray, before: list[int], is_task: np.ndarray) -> np.ndarray:
    """The tasks of the chain that ends last."""
    chain = []
    node = int(finish.argmax()) if len(finish) else -1
    while node >= 0:
        if is_task[node]:
            chain.append(node)
        node = before[node]
    return np.array(chain[::-1], dtype=int)
