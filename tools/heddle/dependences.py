"""How depend clauses order the tasks of one creator: which waits for which (OpenMP 5.2, section 15.9.5).

The one place in Python with these rules. It shares no code with the runtime, whose own are in runtime/deps/access.hpp:
what a test concludes from here may contradict what the runtime does.

Words: an *access* is a list item of a depend clause: the storage that it names, by any key or ALL_MEMORY, and its
*type*, in the standard's word. *Siblings* are tasks with the same creator. Accesses of one type to one storage with no
other between them are a *set*, whose members do not wait for each other; of `out` and `inout` each is alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field

IN, OUT, INOUT = "in", "out", "inout"
MUTEXINOUTSET, INOUTSET = "mutexinoutset", "inoutset"
TYPES = (IN, OUT, INOUT, MUTEXINOUTSET, INOUTSET)
ALL_MEMORY = None  # omp_all_memory, which takes out and inout alone

Access = tuple[Hashable, str]

_SHARING = (IN, MUTEXINOUTSET, INOUTSET)


def are_ordered(first: str, second: str) -> bool:
    """Whether of two siblings with these types of access to one storage the one created later waits for the other."""
    return first != second or first not in _SHARING


def exclude(first: str, second: str) -> bool:
    """Whether two siblings with these types of access to one storage are executed in any order, one at a time."""
    return first == second == MUTEXINOUTSET


@dataclass
class _Sets:
    """Of one storage: the set that the last access belongs to, its type, and the set before it."""

    type: str
    current: list[int]
    previous: list[int] = field(default_factory=list)


class Siblings:
    """The accesses of siblings that have been created so far.

    pick: of two members of a set, the one that stands for both; without it all stay. So a caller that follows a single
    chain does not look at each of ten thousand readers.
    Invariant: each task that is in no set any more is waited for by a task that is in one.
    """

    def __init__(self, pick: Callable[[int, int], int] | None = None) -> None:
        self._pick = pick
        self._sets: dict[Hashable, _Sets] = {}
        self._last_of_all_memory: list[int] = []

    def predecessors(self, accesses: Iterable[Access]) -> set[int]:
        """Those that a task with these accesses waits for.

        Ensures: it waits for no others but for those that these wait for in turn.
        """
        found: set[int] = set()
        for storage, type_ in accesses:
            if storage is ALL_MEMORY:
                found.update(self._last_of_all_memory)
                found.update(task for sets in self._sets.values() for task in sets.current)
            else:
                sets = self._of(storage)
                found.update(sets.current if are_ordered(sets.type, type_) else sets.previous)
        return found

    def add(self, task: int, accesses: Iterable[Access]) -> None:
        """The task is the next sibling. Call predecessors() first: later siblings may wait for it from now on."""
        for storage, type_ in accesses:
            if storage is ALL_MEMORY:
                self._sets.clear()
                self._last_of_all_memory = [task]
                continue
            sets = self._of(storage)
            if are_ordered(sets.type, type_):
                self._sets[storage] = _Sets(type_, [task], sets.current)
            elif self._pick:
                sets.current = [self._pick(sets.current[0], task)]
            else:
                sets.current.append(task)

    def _of(self, storage: Hashable) -> _Sets:
        """Before anything names it, it is as the last access to all memory has left it."""
        return self._sets.get(storage) or _Sets(OUT, self._last_of_all_memory)
