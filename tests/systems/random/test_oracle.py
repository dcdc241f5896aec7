"""What the oracle demands, and that what breaks a demand is reported."""

from __future__ import annotations

import oracle
import pytest
import runs
import settings
import shrink
from heddle import runtimes
from heddle.dependences import IN, INOUT, INOUTSET, MUTEXINOUTSET, OUT
from heddle.patience import scaled
from model import (
    WIDE,
    Depend,
    Program,
    Reduction,
    Spawn,
    Statement,
    Taskgroup,
    Taskloop,
    Taskwait,
    TaskwaitDepend,
    walk,
)

KINDS = (IN, OUT, INOUT, MUTEXINOUTSET, INOUTSET)
WRITERS = (OUT, INOUT)


def program(*root: Statement, compiler: str = "gcc") -> Program:
    return Program("test", compiler, "mixed", "inside", [list(root)], 0)


def task(*body: Statement, **clauses: object) -> Spawn:
    return Spawn(list(body), capture=1, **clauses)


def on(kind: str, place: int = 0, **more: object) -> list[Depend]:
    return [Depend(kind, place, **more)]


def before(*root: Statement) -> set[tuple[int, int]]:
    return set(oracle.demands(program(*root)).before)


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_siblings_are_ordered_unless_both_read_or_are_members_of_a_set(first, second):
    """The table of OpenMP 5.1, section 2.19.11."""
    are_ordered = first in WRITERS or second in WRITERS or first != second
    demands = oracle.demands(program(task(depends=on(first)), task(depends=on(second))))
    assert ((1, 2) in demands.before) == are_ordered
    assert ((1, 2) in demands.apart) == (first == second == MUTEXINOUTSET)


def test_other_places_make_no_order():
    assert before(task(depends=on(INOUT, 0)), task(depends=on(INOUT, 1))) == set()


def test_dependences_order_siblings_alone():
    child = task(task(depends=on(INOUT)), depends=on(INOUT, 1))
    assert before(child, task(depends=on(INOUT))) == set()


def test_children_of_a_weak_task_are_ordered_with_its_siblings_where_both_name_a_place():
    # 1 writes; 2 is weak, and its child 3 reads; 4 writes again. The weak task itself waits for nobody.
    child = task(depends=on(IN))
    weak = task(child, depends=on(INOUT), transparent="weak")
    assert before(task(depends=on(OUT)), weak, task(depends=on(OUT))) == {(1, 3), (1, 4), (2, 4), (3, 4)}
    # What the task does not name is not ordered, and readers are not with readers.
    elsewhere = task(task(depends=on(OUT, 1)), depends=on(INOUT), transparent="weak")
    assert before(task(depends=on(OUT, 1)), elsewhere, task(depends=on(IN, 1))) == {(1, 4)}
    reader = task(child, depends=on(IN), transparent="weak")
    assert before(task(depends=on(IN)), reader, task(depends=on(IN))) == set()


def test_orders_pass_through_several_tasks():
    inner = task(task(depends=on(INOUT)), depends=on(INOUT), transparent="weak")
    outer = task(inner, depends=on(INOUT), transparent="weak")
    # 1; 2 with 3 with 4; 5 with 6 with 7
    demands = before(task(depends=on(OUT)), outer, outer)
    assert {(1, 4), (4, 7), (3, 7), (2, 7), (4, 5)} & demands == {(1, 4), (4, 7), (3, 7), (2, 7)}


def test_children_of_a_transparent_task_are_ordered_with_all_siblings():
    everything = task(task(depends=on(INOUT, 4)), depends=on(IN), transparent="all")
    demands = before(task(depends=on(OUT, 4)), task(depends=on(OUT)), everything, task(depends=on(IN, 4)))
    assert demands == {(1, 4), (1, 5), (2, 3), (3, 5), (4, 5)}


def test_all_memory_meets_every_sibling_with_a_dependence():
    everything = task(depends=[Depend(INOUT, everything=True)])
    assert before(task(depends=on(IN)), everything, task(depends=on(IN, 5)), task()) == {(1, 2), (2, 3)}


def test_iterators_name_each_of_their_places():
    wide = task(depends=[Depend(OUT, WIDE, 100, 2, form="iterator")])
    inside = task(depends=[Depend(IN, WIDE + 1, 10, 3, form="iterator")])  # 17, 20, ...: some are even
    outside = task(depends=[Depend(IN, WIDE + 1, 10, 2, form="iterator")])
    assert before(wide, inside, outside) == {(1, 2)}


def test_taskwait_waits_for_children_and_taskgroup_for_descendants():
    parent = task(task())
    assert before(parent, Taskwait()) == {(1, 3)}
    assert before(Taskgroup([parent])) == {(1, 3), (2, 3)}
    assert before(Taskloop(2, [task()])) == {(slot, 5) for slot in (1, 2, 3, 4)}
    assert before(Taskloop(2, nogroup=True), Taskwait()) == {(1, 4), (2, 4)}


def test_taskwait_depend_waits_for_predecessors():
    assert before(task(depends=on(IN)), task(depends=on(OUT, 1)), TaskwaitDepend(on(OUT))) == {(1, 3)}


def test_undeferred_and_included_tasks_are_complete_when_their_construct_is():
    assert before(task(undeferred="always")) == {(1, 2)}
    assert before(task(task(task()), final=True)) == {(3, 4), (2, 5)}


@pytest.fixture(scope="module")
def bench() -> runs.Bench:
    return runs.Bench(runtimes.require("heddle").shims, seconds=scaled(3))


def reported(tested: Program, folder, bench: runs.Bench, *more: str, mode: str = "shared") -> str:
    """What the program says of itself, at 4 threads."""
    ready = runs.compiled(tested, folder, bench)
    assert not ready.failure, ready.failure
    outcome = runs.execute(ready, settings.Setting(mode, 4), bench, *more)
    assert bool(outcome.failure) == bool(outcome.said), outcome.failure
    return outcome.said


TESTED = [
    task(depends=on(OUT)),
    task(depends=on(IN)),
    task(depends=on(MUTEXINOUTSET, 1)),
    task(depends=on(MUTEXINOUTSET, 1)),
    Taskgroup([task(participates=("sum1",))], [Reduction("sum1", "+")]),
]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("lost", "is executed 0 times, not 1"),
        ("twice", "is executed 2 times, not 1"),
        ("swapped", "is complete at"),
        ("overlap", "exclude each other but overlap"),
        ("value", "other values than after the serial order"),
        ("sum", "reduction sum1"),
    ],
)
def test_planted_traces_of_a_broken_runtime_are_reported(tmp_path, bench, kind, words):
    assert words in reported(program(*TESTED), tmp_path, bench, "--plant", kind)


def test_the_same_program_passes_without(tmp_path, bench):
    assert reported(program(*TESTED), tmp_path, bench, "--rounds", "100") == ""


FORGETFUL = {
    "writer before reader": ([task(depends=on(OUT)), task(depends=on(IN), forgets=True)], "depend"),
    "reader before writer": ([task(depends=on(IN)), task(depends=on(OUT), forgets=True)], "depend"),
    "object": ([task(depends=on(OUT, form="object"), forgets=True), task(depends=on(INOUT))], "depend"),
    "iterator": (
        [
            task(depends=on(OUT, WIDE, count=50, form="iterator")),
            task(depends=on(IN, WIDE + 7, form="iterator", count=1), forgets=True),
        ],
        "depend",
    ),
    "exclusion": (
        [task(depends=on(MUTEXINOUTSET)), *(task(depends=on(MUTEXINOUTSET), forgets=True) for _ in range(4))],
        "overlap",
    ),
    "set before reader": ([task(depends=on(INOUTSET, form="object")), task(depends=on(IN), forgets=True)], "depend"),
    "taskwait": ([task(), Taskwait(forgets=True), task()], "taskwait"),
    "taskgroup": ([task(Taskgroup([task(task())], forgets=True))], "taskgroup"),
}


@pytest.mark.parametrize("what", FORGETFUL)
def test_a_program_that_forgets_what_the_oracle_demands_is_reported(tmp_path, bench, what):
    """A runtime that loses a dependence behaves like libheddle under such a program. A chosen order shows it soon."""
    root, words = FORGETFUL[what]
    assert words in reported(program(*root), tmp_path, bench, mode="fuzz")


def test_a_failing_program_is_made_smaller():
    rows = [task(task(), Taskwait(), depends=on(OUT), untied=True, count=9) for _ in range(6)]
    large = program(*rows, Taskgroup([task()], [Reduction("sum1", "+")]))

    def fails(candidate: Program) -> bool:
        return any(isinstance(s, Spawn) and s.untied and s.count > 3 for s in walk(candidate.roots[0]))

    small = shrink.shrunk(large, fails, lambda text: None)
    assert small.roots == [[task(untied=True, count=4)]]
