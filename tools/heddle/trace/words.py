"""What OpenMP's numbers are called: values of omp-tools.h, in the standard's words (OpenMP 5.2, section 19.4.4)."""

# ompt_sync_region_t
WAITS = {
    1: "barrier",
    2: "implicit barrier",
    3: "explicit barrier",
    4: "barrier of the runtime",
    5: "taskwait",
    6: "end of taskgroup",
    7: "reduction",
    8: "barrier after worksharing",
    9: "barrier at the region's end",
    10: "barrier of teams",
}
# ompt_mutex_t
LOCKS = {
    1: "lock",
    2: "test of a lock",
    3: "nested lock",
    4: "test of a nested lock",
    5: "critical",
    6: "atomic",
    7: "ordered",
}
# ompt_work_t, and tracer/format.hpp's for masked regions
WORK = {
    1: "loop",
    2: "sections",
    3: "single",
    4: "single of another thread",
    5: "workshare",
    6: "distribute",
    7: "taskloop",
    8: "scope",
    10: "static loop",
    11: "dynamic loop",
    12: "guided loop",
    13: "loop of another schedule",
    100: "masked",
}
# ompt_dependence_type_t
DEPENDENCES = {
    1: "in",
    2: "out",
    3: "inout",
    4: "mutexinoutset",
    5: "source",
    6: "sink",
    7: "inoutset",
    34: "out of all memory",
    35: "inout of all memory",
}
# heddle_suspend_t (heddle_tools.h)
SUSPENSIONS = {
    1: "an event",
    2: "time",
    3: "its children",
    4: "its taskgroup",
    5: "an undeferred child's predecessors",
    6: "a lock",
    7: "alpi_task_unblock()",
    8: "its turn",
}
