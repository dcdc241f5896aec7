"""Recorded taskgraphs as libheddle logs them; runtime/graph/graph_log.hpp says what the lines are.

Words: a *node* is a task or a *join*, which executes nothing and takes no time. An edge (i, j) says that j waits for i;
a *carried* one that j waits for i of the execution before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from heddle import regular_file
from heddle.code_places import Code
from heddle.errors import UserError

JOIN = -1

_HEAD = "heddle graph 1"
_ROWS = {"n": 5, "e": 2, "o": 2}  # kind -> how many numbers


@dataclass(frozen=True)
class Graph:
    """One record. Invariant: edges name nodes that are there."""

    number: int
    graph_id: int
    executions: int
    codes: np.ndarray  # a row a node, as are the next three; JOIN or a key of Log.codes
    priorities: np.ndarray
    times: np.ndarray  # how often the node was executed and measured
    ns: np.ndarray  # how long that took in all
    edges: np.ndarray  # Shape: (edges, 2)
    carried: np.ndarray

    @property
    def is_task(self) -> np.ndarray:
        return self.codes != JOIN


@dataclass
class Log:
    """What one file holds. is_cut: it breaks off, and the graph that it breaks off in is left out."""

    codes: dict[int, Code] = field(default_factory=dict)
    graphs: list[Graph] = field(default_factory=list)
    is_cut: bool = False


def read(file: Path) -> Log:
    """Errors: UserError where the file cannot be read or is no such log."""
    lines = regular_file.text(file).split("\n")
    if lines[0] != _HEAD:
        raise UserError(f"{file} is no log of HEDDLE_GRAPH_LOG: its first line is not '{_HEAD}'")
    log = Log(is_cut=lines.pop() != "")
    parts: list[_Part] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            kind, _, rest = line.partition(" ")
            if kind == "c":
                code, address, symbol, path = rest.split(" ", 3)
                log.codes[int(code)] = Code(int(address, 16), symbol, path)
            elif kind == "g":
                parts.append(_Part(*map(int, rest.split(" "))))
            else:
                parts[-1].add(kind, rest)
        except (ValueError, TypeError, KeyError, IndexError):
            raise UserError(f"{file}, line {number}: '{line[:60]}' is not what a graph's log has there") from None
    if parts and (log.is_cut or len(parts[-1].rows["n"]) < parts[-1].nodes):
        log.is_cut = True
        parts.pop()
    for part in parts:
        try:
            log.graphs.append(part.whole(log))
        except (ValueError, OverflowError) as mistake:
            raise UserError(f"{file}: graph {part.number} is wrong: {mistake}") from None
    return log


class _Part:
    """A graph while its lines are read."""

    def __init__(self, number: int, graph_id: int, executions: int, nodes: int) -> None:
        self.number, self._id, self._executions, self.nodes = number, graph_id, executions, nodes
        self.rows: dict[str, list[list[int]]] = {kind: [] for kind in _ROWS}

    def add(self, kind: str, rest: str) -> None:
        """Errors: KeyError for an unknown kind, ValueError for a wrong row."""
        row = [int(word) for word in rest.split(" ")]
        if len(row) != _ROWS[kind]:
            raise ValueError("too few or too many numbers")
        self.rows[kind].append(row)

    def whole(self, log: Log) -> Graph:
        """Errors: ValueError where it is not whole, or names what is not there."""
        rows = {kind: np.array(self.rows[kind], dtype=np.int64).reshape(-1, _ROWS[kind]) for kind in _ROWS}
        nodes = rows["n"][np.argsort(rows["n"][:, 0], kind="stable")]
        if not np.array_equal(nodes[:, 0], np.arange(self.nodes)):
            raise ValueError("its nodes are not all there, each once")
        for kind in ("e", "o"):
            if np.any((rows[kind] < 0) | (rows[kind] >= self.nodes)):
                raise ValueError("an edge names a node that is not there")
        if unknown := set(nodes[:, 1].tolist()) - log.codes.keys() - {JOIN}:
            raise ValueError(f"it names the code {min(unknown)}, which is not there")
        _, codes, priorities, times, ns = nodes.T
        return Graph(self.number, self._id, self._executions, codes, priorities, times, ns, rows["e"], rows["o"])
