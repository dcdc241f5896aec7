"""Asks all ranks that a process has started who waits for what, and names the ranks that wait for each other.

Which rank a message is from or to is in the reports of libheddle-mpi (mpi/request_notes.cpp), where the program was
started with HEDDLE_WATCHDOG.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from heddle.attach import one_process
from heddle.errors import UserError

_REQUEST = re.compile(
    r"outstanding: .* (?:from|to) rank (\d+)(?: \((\d+) of MPI_COMM_WORLD\))?, .*; this is rank (\d+)$", re.MULTILINE
)


def report(pid: int) -> str:
    """That of the process where it runs on libheddle; else those of all that it has started and that do.

    Errors: UserError for what is no process, and for the one that has started all others.
    """
    if pid < 1:
        raise UserError(f"there is no process {pid}; 'ps' lists those that run")
    if pid == 1:
        raise UserError("process 1 has started everything on this machine; name a program of yours, or its mpiexec")
    if _runs_on_libheddle(pid):
        return one_process.report(pid)
    started = sorted(child for child in _descendants(pid) if _runs_on_libheddle(child))
    if not started:
        return one_process.report(pid)  # which says why there is none
    said = {child: one_process.report(child) for child in started}
    text = "".join(f"process {child}:\n{words}" for child, words in said.items())
    cycle = cycle_of(waits_of(said.values()))
    if cycle:
        text += "ranks wait for each other's messages: " + " -> ".join(map(str, [*cycle, cycle[0]])) + "\n"
    return text


def waits_of(reports: Iterable[str]) -> dict[int, set[int]]:
    """Whose messages each rank of MPI_COMM_WORLD waits for."""
    waits: dict[int, set[int]] = {}
    for text in reports:
        for peer, in_world, mine in _REQUEST.findall(text):
            waits.setdefault(int(mine), set()).add(int(in_world or peer))
    return waits


def cycle_of(waits: dict[int, set[int]]) -> list[int]:
    """Ranks of which each waits for the next, and the last for the first; the shortest there is, or none."""
    found: list[list[int]] = []
    for start in sorted(waits):
        came_from: dict[int, int] = {}
        at = [start]
        while at and start not in came_from:
            rank = at.pop(0)
            for peer in sorted(waits.get(rank, set())):
                if peer not in came_from:
                    came_from[peer] = rank
                    at.append(peer)
        if start not in came_from:
            continue
        path = [start]
        while (before := came_from[path[-1]]) != start:
            path.append(before)
        found.append([start, *reversed(path[1:])])
    return min(found, key=len, default=[])


def _runs_on_libheddle(pid: int) -> bool:
    try:
        maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
        return re.search(r"/lib(gomp-)?heddle\.so", maps) is not None
    except OSError:
        return False


def _descendants(pid: int) -> set[int]:
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        children.setdefault(int(words[1]), []).append(int(status.parent.name))
    found: set[int] = set()
    at = [pid]
    while at:
        for child in children.get(at.pop(), []):
            if child not in found:
                found.add(child)
                at.append(child)
    return found
