"""What OpenMP's numbers are called, in the standard's words (OpenMP 5.2, section 19.4.4)."""

from __future__ import annotations

from collections.abc import Iterable

from heddle.dependences import ALL_MEMORY, INOUT, OUT, TYPES, Access
from heddle.trace.layout import CONSTANTS, ENUMERATORS

# ompt_sync_region_t
WAITS = {
    ENUMERATORS[f"ompt_sync_region_{name}"]: words
    for name, words in {
        "barrier": "barrier",
        "barrier_implicit": "implicit barrier",
        "barrier_explicit": "explicit barrier",
        "barrier_implementation": "barrier of the runtime",
        "taskwait": "taskwait",
        "taskgroup": "end of taskgroup",
        "reduction": "reduction",
        "barrier_implicit_workshare": "barrier after worksharing",
        "barrier_implicit_parallel": "barrier at the region's end",
        "barrier_teams": "barrier of teams",
    }.items()
}
# ompt_mutex_t
LOCKS = {
    ENUMERATORS[f"ompt_mutex_{name}"]: words
    for name, words in {
        "lock": "lock",
        "test_lock": "test of a lock",
        "nest_lock": "nested lock",
        "test_nest_lock": "test of a nested lock",
        "critical": "critical",
        "atomic": "atomic",
        "ordered": "ordered",
    }.items()
}
# ompt_work_t, and tracer/format.hpp's for masked regions
WORK = {
    ENUMERATORS[f"ompt_work_{name}"]: words
    for name, words in {
        "loop": "loop",
        "sections": "sections",
        "single_executor": "single",
        "single_other": "single of another thread",
        "workshare": "workshare",
        "distribute": "distribute",
        "taskloop": "taskloop",
        "scope": "scope",
        "loop_static": "static loop",
        "loop_dynamic": "dynamic loop",
        "loop_guided": "guided loop",
        "loop_other": "loop of another schedule",
    }.items()
} | {CONSTANTS["kMaskedWork"]: "masked"}
# ompt_dependence_type_t, without those of ordered loops
_DEPENDENCES = {ENUMERATORS[f"ompt_dependence_type_{type_}"]: type_ for type_ in TYPES}
_OF_ALL_MEMORY = {ENUMERATORS[f"ompt_dependence_type_{type_}_all_memory"]: type_ for type_ in (OUT, INOUT)}
# heddle_suspend_t (heddle_tools.h)
SUSPENSIONS = {
    ENUMERATORS[f"heddle_suspend_{name}"]: words
    for name, words in {
        "event": "an event",
        "time": "time",
        "children": "its children",
        "taskgroup": "its taskgroup",
        "predecessors": "an undeferred child's predecessors",
        "lock": "a lock",
        "unblock": "alpi_task_unblock()",
        "turn": "its turn",
    }.items()
}


def accesses(uses: Iterable[tuple[int, int]]) -> list[Access]:
    """What depend clauses name. uses: addresses, each with its ompt_dependence_type_t."""
    return [
        (address, _DEPENDENCES[number]) if number in _DEPENDENCES else (ALL_MEMORY, _OF_ALL_MEMORY[number])
        for address, number in uses
        if number in _DEPENDENCES or number in _OF_ALL_MEMORY
    ]
