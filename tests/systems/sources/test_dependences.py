"""Which task waits for which by depend clauses: the table of the standard, and whole rows of siblings."""

import random

import pytest
from heddle.dependences import (
    ALL_MEMORY,
    IN,
    INOUT,
    INOUTSET,
    MUTEXINOUTSET,
    OUT,
    TYPES,
    Access,
    Siblings,
    are_ordered,
    exclude,
)

# OpenMP 5.2, section 15.9.5, a sentence a type: a task with it depends on siblings with any of these.
STANDARD = {
    IN: {OUT, INOUT, MUTEXINOUTSET, INOUTSET},
    OUT: {IN, OUT, INOUT, MUTEXINOUTSET, INOUTSET},
    INOUT: {IN, OUT, INOUT, MUTEXINOUTSET, INOUTSET},
    MUTEXINOUTSET: {IN, OUT, INOUT, INOUTSET},
    INOUTSET: {IN, OUT, INOUT, MUTEXINOUTSET},
}


@pytest.mark.parametrize("first", TYPES)
@pytest.mark.parametrize("second", TYPES)
def test_two_siblings_are_ordered_as_the_standard_says(first, second):
    assert are_ordered(first, second) == (first in STANDARD[second])
    assert exclude(first, second) == (first == second == MUTEXINOUTSET)


def waits(*tasks: list[Access]) -> list[set[int]]:
    """For each task, those that it waits for."""
    siblings, found = Siblings(), []
    for task, accesses in enumerate(tasks):
        found.append(siblings.predecessors(accesses))
        siblings.add(task, accesses)
    return found


def test_readers_wait_for_the_last_writer_and_the_next_writer_for_all_of_them():
    row = [("x", OUT)], [("x", IN)], [("x", IN)], [("y", IN)], [("x", INOUT)]
    assert waits(*row) == [set(), {0}, {0}, set(), {1, 2}]


@pytest.mark.parametrize("type_", [MUTEXINOUTSET, INOUTSET])
def test_members_of_a_set_wait_for_what_was_before_it_and_not_for_each_other(type_):
    row = [("x", IN)], [("x", type_)], [("x", type_)], [("x", IN)], [("x", type_)]
    assert waits(*row) == [set(), {0}, {0}, {1, 2}, {3}]


def test_sets_of_different_types_wait_for_each_other():
    row = [("x", MUTEXINOUTSET)], [("x", MUTEXINOUTSET)], [("x", INOUTSET)], [("x", MUTEXINOUTSET)]
    assert waits(*row) == [set(), set(), {0, 1}, {2}]


def test_a_task_that_reads_and_writes_the_same_does_not_wait_for_itself():
    row = [("x", IN), ("x", OUT)], [("x", OUT), ("x", IN)], [("x", IN)]
    assert waits(*row) == [set(), {0}, {1}]


def test_all_memory_waits_for_all_and_all_with_a_clause_wait_for_it():
    everything = [(ALL_MEMORY, INOUT)]
    row = [("x", IN)], [("y", OUT)], [], everything, [("z", IN)], [("z", IN)], [], everything, [("x", IN)]
    assert waits(*row) == [set(), set(), set(), {0, 1}, {3}, {3}, set(), {3, 4, 5}, {7}]


def test_of_a_picked_member_of_each_set_no_other_is_named():
    siblings = Siblings(pick=max)
    for reader in (3, 7, 5):
        siblings.add(reader, [("x", IN)])
    siblings.add(1, [("y", IN)])
    assert siblings.predecessors([("x", OUT)]) == {7}
    assert siblings.predecessors([("x", IN)]) == set()
    assert siblings.predecessors([(ALL_MEMORY, OUT)]) == {1, 7}


def meet(one: Access, other: Access) -> bool:
    return one[0] == other[0] or ALL_MEMORY in (one[0], other[0])


def test_chains_of_waits_are_what_the_table_demands_of_each_pair():
    """Of random rows: pairs that the table orders, and pairs that follow from them, are those that waits lead to."""
    chance = random.Random(15)
    for _ in range(600):
        row = []
        for _ in range(chance.randint(2, 12)):
            row.append([(chance.choice("xyz"), chance.choice(TYPES)) for _ in range(chance.choice([0, 1, 1, 2, 3]))])
            if chance.random() < 0.1:
                row[-1].insert(chance.randint(0, len(row[-1])), (ALL_MEMORY, chance.choice([OUT, INOUT])))
        led: list[set[int]] = []
        demanded: list[set[int]] = []
        for task, (accesses, found) in enumerate(zip(row, waits(*row))):
            pairs = {
                i for i in range(task) if any(meet(a, b) and a[1] in STANDARD[b[1]] for a in row[i] for b in accesses)
            }
            assert found <= pairs
            led.append(found.union(*(led[i] for i in found)))
            demanded.append(pairs.union(*(demanded[i] for i in pairs)))
        assert led == demanded, row
