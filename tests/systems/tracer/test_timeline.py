"""What is made of events: who executed what when, in which states; and the numbers that come of it."""

import numpy as np
import pytest
from heddle.errors import UserError
from heddle.trace import critical_path, numbers
from heddle.trace import timeline as lines
from heddle.trace.build import build
from made_events import process, thread

COMPLETE, SWITCH = 1, 7
EXPLICIT, TASKWAIT_END, BARRIER_END = 4, 5, 9


def creates(task):
    return {"a": task, "extra": EXPLICIT}


def switches(prior, status, following):
    return {"a": prior, "b": following, "detail": status}


# Task 1 creates 2 and 3 (3 after 2) and waits; lane 0 executes 2 within the wait, lane 1 executes 3.
TWO_LANES = process(
    thread(
        1,
        (0, "implicit_begin", {"a": 1}),
        (10, "task_create", creates(2)),
        (20, "task_create", creates(3)),
        (20, "task_dependence", {"a": 2, "b": 3}),
        (30, "wait_begin", {"a": 1, "detail": TASKWAIT_END}),
        (40, "task_schedule", switches(1, SWITCH, 2)),
        (140, "task_schedule", switches(2, COMPLETE, 1)),
        (250, "wait_end", {"a": 1, "detail": TASKWAIT_END}),
        (260, "implicit_end", {"a": 1}),
    ),
    thread(
        2,
        (5, "implicit_begin", {"a": 4, "extra": 1}),
        (10, "wait_begin", {"a": 4, "detail": BARRIER_END}),
        (150, "task_schedule", switches(4, SWITCH, 3)),
        (240, "task_schedule", switches(3, COMPLETE, 4)),
        (270, "wait_end", {"a": 4, "detail": BARRIER_END}),
        (270, "implicit_end", {"a": 4}),
    ),
)


def segments(timeline, lane):
    mine = timeline.segment_lane == lane
    states = [
        [timeline.state_names[timeline.state_what[state]] for state in row if state >= 0]
        for row in timeline.segment_states[mine]
    ]
    return list(
        zip(
            timeline.segment_begin[mine].tolist(),
            timeline.segment_end[mine].tolist(),
            timeline.segment_task[mine].tolist(),
            states,
        )
    )


def test_a_task_in_a_wait_is_executed_outside_of_it():
    assert segments(build([TWO_LANES]), 0) == [
        (0, 10, 0, []),
        (10, 20, 0, []),
        (20, 30, 0, []),
        (30, 40, 0, ["taskwait"]),
        (40, 140, 1, []),
        (140, 250, 0, ["taskwait"]),
        (250, 260, 0, []),
    ]


def test_tasks_have_their_times_and_their_creator():
    timeline = build([TWO_LANES])
    assert timeline.task_created.tolist() == [0, 10, 20, 5]
    assert timeline.task_first.tolist() == [0, 40, 150, 5]
    assert timeline.task_end.tolist() == [260, 140, 240, 270]
    assert timeline.task_creator.tolist() == [-1, 0, 0, -1]
    assert timeline.task_is_explicit.tolist() == [False, True, True, False]
    assert (timeline.edge_source.tolist(), timeline.edge_sink.tolist()) == ([1], [2])


def test_a_task_that_another_lane_begins_is_stolen():
    # Lane 0 creates both; lane 1 begins one.
    timeline = build([TWO_LANES])
    assert timeline.task_creation_lane.tolist() == [-1, 0, 0, -1]
    assert numbers.stolen(timeline) == 1


def test_tasks_that_begin_right_behind_what_they_waited_for():
    # Task 2 waits for task 1, which another lane executes.
    assert numbers.right_behind(build([TWO_LANES])) == (1, 0)
    # One lane executes 2, which waits for nobody, 3, then 4: both wait for 2, but 3 is between it and 4.
    alone = thread(
        1,
        (0, "implicit_begin", {"a": 1}),
        *((number, "task_create", creates(number)) for number in (2, 3, 4)),
        (5, "task_dependence", {"a": 2, "b": 3}),
        (5, "task_dependence", {"a": 2, "b": 4}),
        (10, "task_schedule", switches(1, SWITCH, 2)),
        (20, "task_schedule", switches(2, COMPLETE, 1)),
        (30, "task_schedule", switches(1, SWITCH, 3)),
        (40, "task_schedule", switches(3, COMPLETE, 4)),
        (50, "task_schedule", switches(4, COMPLETE, 1)),
        (60, "implicit_end", {"a": 1}),
    )
    assert numbers.right_behind(build([process(alone)])) == (2, 1)


def on_nodes(*places):
    """TWO_LANES, with (lane, ns, node) from when on a lane is on which node of memory."""
    timeline = build([TWO_LANES])
    timeline.place_lane, timeline.place_ns, timeline.place_node = np.array(places, "i8").reshape(-1, 3).T
    return timeline


def test_tasks_on_another_node_of_memory_are_counted():
    # Lane 0 creates 2 and 3 and executes 2; lane 1 executes 3 from 150 on, which waits for 2.
    assert numbers.on_another_node(on_nodes((0, 0, 0), (1, 5, 1))) == (1, 1)
    assert numbers.on_another_node(on_nodes((0, 0, 1), (1, 5, 1))) == (0, 0)
    assert numbers.on_another_node(on_nodes((1, 5, 1))) == (0, 0), "of lane 0 nothing is known"
    assert numbers.on_another_node(on_nodes()) == (0, 0)
    # Lane 1 comes to the other node before it begins, lane 0 when both are created, or 2 has ended.
    assert numbers.on_another_node(on_nodes((1, 5, 1), (1, 149, 0), (0, 0, 0))) == (0, 0)
    assert numbers.on_another_node(on_nodes((0, 0, 0), (0, 30, 1), (1, 5, 1))) == (2, 0)
    assert numbers.on_another_node(on_nodes((0, 0, 0), (0, 141, 1), (1, 5, 1))) == (1, 1)


def test_waits_while_a_task_is_ready_are_overhead():
    # Task 2 is ready from 10 to 40, task 3 from 140 to 150. Lane 0 waits 30 to 40 and 140 to 250, lane 1 10 to 150 and
    # 240 to 270.
    shares = {share.name: share.ns for share in numbers.shares(build([TWO_LANES]))}
    assert shares == {
        "tasks": 100 + 90,
        "parallel regions outside tasks": 30 + 10 + 5,
        "overhead: waits while tasks are ready": 10 + 10 + 30 + 10,
        "taskwait": 100,
        "barrier at the region's end": 140 - 40 + 30,
    }
    assert sum(shares.values()) == 260 + 265


def test_the_critical_path_goes_from_lane_to_lane():
    path = critical_path.critical_path(build([TWO_LANES]))
    assert [(step.lane, step.begin, step.end) for step in path] == [
        (0, 0, 30),
        (0, 30, 40),
        (0, 40, 140),
        (1, 140, 150),
        (1, 150, 240),
        (0, 240, 250),
        (0, 250, 260),
    ]
    # Task 2 was ready before lane 0 began to wait: nothing else is to blame for the time until it was begun.
    assert path[1].name == "taskwait"
    assert path[3].name == path[5].name == critical_path.SWITCHING


def test_the_longest_chain_of_dependences():
    assert numbers.longest_chain(build([TWO_LANES])) == (190, [1, 2])


IN, INOUT, MUTEXINOUTSET, INOUTSET, ALL_MEMORY = 1, 3, 4, 7, 35  # ompt_dependence_type_t


@pytest.mark.parametrize(
    ("uses", "chain"),
    [
        ([(8, INOUT), (8, IN), (8, IN), (8, INOUT)], [0, 2, 3]),
        ([(8, IN), (8, IN), (8, IN)], [2]),
        ([(8, MUTEXINOUTSET), (8, INOUTSET), (8, IN)], [0, 1, 2]),  # sets of different types, one behind the other
        ([(8, INOUTSET), (8, INOUTSET), (8, IN)], [1, 2]),
        ([(8, IN), (0, ALL_MEMORY), (16, IN)], [0, 1, 2]),
        ([(8, INOUT), (16, INOUT), (24, INOUT)], [2]),
    ],
)
def test_the_longest_chain_follows_from_what_tasks_use(uses, chain):
    """Each task computes 1 ns longer than the one before, and has ended when the next one is created."""
    first = 2
    rows: list[tuple] = [(0, "implicit_begin", {"a": 1})]
    for i, (address, kind) in enumerate(uses):
        task, begin = first + i, 1000 * (i + 1)
        rows += [
            (begin, "task_create", creates(task)),
            (begin, "dependence", {"a": task, "b": address, "detail": kind}),
            (begin, "task_schedule", switches(1, SWITCH, task)),
            (begin + 100 + i, "task_schedule", switches(task, COMPLETE, 1)),
        ]
    timeline = build([process(thread(1, *rows))])
    assert numbers.longest_chain(timeline) == (sum(100 + i for i in chain), [1 + i for i in chain])


def test_a_chain_of_a_damaged_trace_has_an_end():
    """Dependences that lead from a task to itself, and to one that was created before."""
    for circle in ([(3, 3)], [(2, 3), (3, 2)]):
        told = [(25, "task_dependence", {"a": a, "b": b}) for a, b in circle]
        created = [(10, "task_create", creates(2)), (20, "task_create", creates(3)), *told]
        run = [(30 + 10 * task, "task_schedule", switches(task - 1, COMPLETE, task)) for task in (2, 3)]
        timeline = build([process(thread(1, (0, "implicit_begin", {"a": 1}), *created, *run))])
        _, chain = numbers.longest_chain(timeline)
        assert len(chain) == len(set(chain)), circle


def test_a_message_that_came_before_it_was_sent_does_not_hold_the_critical_path_up():
    """Two hosts whose clocks differ, or a damaged trace: each rank waits for what the other one sends later."""

    def rank(number: int):
        other = 1 - number
        return process(
            thread(
                1,
                (0, "implicit_begin", {"a": 1}),
                (10, "receive_posted", {"detail": 5, "extra": 1, "a": 1}),
                (20, "wait_begin", {"a": 1, "detail": BARRIER_END}),
                (50, "message_received", {"a": 1, "extra": other, "b": 7}),
                (60, "wait_end", {"a": 1, "detail": BARRIER_END}),
                (70 + number, "message_sent", {"detail": 5, "extra": other, "a": 8, "b": 7}),
                (80 + number, "implicit_end", {"a": 1}),
            ),
            rank=number,
            ranks=2,
        )

    timeline = build([rank(0), rank(1)])
    assert len(timeline.messages) == 2
    path = critical_path.critical_path(timeline)
    assert [step.begin for step in path[1:]] == [step.end for step in path[:-1]]


def test_a_task_that_moves_to_another_lane_keeps_its_states():
    timeline = build(
        [
            process(
                thread(
                    1,
                    (0, "implicit_begin", {"a": 1}),
                    (0, "task_create", creates(2)),
                    (10, "task_schedule", switches(1, SWITCH, 2)),
                    (20, "range_push", {"a": 1}),
                    (30, "task_schedule", switches(2, SWITCH, 1)),
                    (40, "implicit_end", {"a": 1}),
                ),
                thread(
                    2,
                    (0, "implicit_begin", {"a": 3, "extra": 1}),
                    (50, "task_schedule", switches(3, SWITCH, 2)),
                    (60, "range_pop"),
                    (70, "task_schedule", switches(2, COMPLETE, 3)),
                    (80, "implicit_end", {"a": 3}),
                ),
                names={1: "phase"},
            )
        ]
    )
    assert segments(timeline, 0)[1:] == [(10, 20, 1, []), (20, 30, 1, ["phase"]), (30, 40, 0, [])]
    assert segments(timeline, 1) == [(0, 50, 2, []), (50, 60, 1, ["phase"]), (60, 70, 1, []), (70, 80, 2, [])]


def test_an_end_without_a_begin_counts_for_nothing():
    timeline = build(
        [
            process(
                thread(1, (0, "range_pop"), (5, "range_pop"), (10, "range_push", {"a": 1}), (20, "range_pop")),
                names={1: "x"},
            )
        ]
    )
    assert [row[3] for row in segments(timeline, 0)] == [[], [], ["x"]]


def test_states_nest_and_the_innermost_says_what_a_lane_stands_in():
    timeline = build(
        [
            process(
                thread(
                    1,
                    (0, "implicit_begin", {"a": 1}),
                    (10, "range_push", {"a": 1}),
                    (20, "mpi_begin", {"a": 2}),
                    (30, "mpi_end", {"a": 2}),
                    (40, "range_pop"),
                    (50, "implicit_end", {"a": 1}),
                ),
                names={1: "phase", 2: "MPI_Send"},
            )
        ]
    )
    assert [row[3] for row in segments(timeline, 0)] == [[], ["phase"], ["phase", "MPI_Send"], ["phase"], []]
    assert timeline.segment_class().tolist() == [lines.COMPUTES] * 2 + [lines.MPI] + [lines.COMPUTES] * 2


def test_messages_match_in_the_order_of_sends_and_of_posted_receives():
    sender = process(
        thread(
            1,
            (0, "message_sent", {"detail": 5, "extra": 1, "a": 100, "b": 7}),
            (10, "message_sent", {"detail": 5, "extra": 1, "a": 200, "b": 7}),
            (20, "message_sent", {"detail": 5, "extra": 1, "a": 300, "b": 8}),
        ),
        rank=0,
        ranks=2,
    )
    receiver = process(
        thread(
            1,
            (1, "receive_posted", {"a": 1, "detail": 5, "extra": 0, "b": 7}),
            (2, "receive_posted", {"a": 2, "detail": 5, "extra": 0, "b": 7}),
            (30, "message_received", {"a": 2, "extra": 0, "b": 7}),
            (40, "message_received", {"a": 1, "extra": 0, "b": 7}),
        ),
        rank=1,
        ranks=2,
    )
    found = build([sender, receiver]).messages
    assert found["bytes"].tolist() == [100, 200]
    assert found["received"].tolist() == [40, 30]
    assert found["source_lane"].tolist() == [0, 0]
    assert found["sink_lane"].tolist() == [1, 1]


def test_busy_lanes_are_counted_over_time():
    edges, busy = numbers.parallelism(build([TWO_LANES]), 27)
    # 0 to 10: lane 0, and lane 1 for half of it; 200 to 210: lane 1 alone.
    assert edges[1] == pytest.approx(10)
    assert busy[0] == pytest.approx(1.5)
    assert busy[20] == pytest.approx(1.0)
    assert busy[10] == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(20))
def test_the_parts_of_random_stretches_have_the_same_sum(seed):
    random = np.random.default_rng(seed)
    begin = random.integers(0, 1000, 200)
    end = begin + random.integers(1, 300, 200)
    edges = np.linspace(0, 1500, 1 + int(random.integers(1, 40)))
    busy = numbers.busy_per_bin(begin, end, edges)
    expected = [np.sum(np.clip(np.minimum(end, b) - np.maximum(begin, a), 0, None)) for a, b in zip(edges, edges[1:])]
    assert busy * np.diff(edges) == pytest.approx(np.array(expected))


def test_nothing_is_one_line():
    with pytest.raises(UserError, match="nothing has happened"):
        build([process(thread(1))])


def test_tasks_are_suspended_until_they_are_executed_again():
    turn, event = 8, 1
    timeline = build(
        [
            process(
                thread(
                    1,
                    (0, "implicit_begin", {"a": 1}),
                    (10, "task_create", creates(2)),
                    (20, "task_create", creates(3)),
                    (30, "task_schedule", switches(1, SWITCH, 2)),
                    (60, "suspends", {"a": 2, "detail": event}),
                    (60, "task_schedule", switches(2, SWITCH, 3)),
                    (70, "suspends", {"a": 3, "detail": turn}),
                    (70, "task_schedule", switches(3, SWITCH, 1)),
                    (80, "task_schedule", switches(1, SWITCH, 3)),
                    (90, "suspends", {"a": 3, "detail": event}),  # it never goes on
                    (90, "task_schedule", switches(3, SWITCH, 1)),
                    (200, "implicit_end", {"a": 1}),
                ),
                thread(
                    2,
                    (5, "implicit_begin", {"a": 4, "extra": 1}),
                    (150, "task_schedule", switches(4, SWITCH, 2)),
                    (160, "task_schedule", switches(2, COMPLETE, 4)),
                    (170, "implicit_end", {"a": 4}),
                ),
            )
        ]
    )
    ns, suspended = numbers.tasks_suspended(timeline)
    assert (ns.tolist(), suspended.tolist()) == ([60, 90, 150], [1, 2, 1])


def test_a_phase_is_the_innermost_range_or_the_construct_and_overlaps_with_others():
    # Lane 0: 10 to 40 "sweep", in it 20 to 30 "face"; lane 1: a task without a range from 25 to 60, a wait until 70,
    # and the task again until 80.
    timeline = build(
        [
            process(
                thread(
                    1,
                    (0, "implicit_begin", {"a": 1}),
                    (5, "task_create", creates(2)),
                    (10, "range_push", {"a": 1}),
                    (20, "range_push", {"a": 2}),
                    (30, "range_pop"),
                    (40, "range_pop"),
                    (40, "implicit_end", {"a": 1}),
                ),
                thread(
                    2,
                    (0, "implicit_begin", {"a": 4, "extra": 1, "detail": 1}),
                    (0, "wait_begin", {"a": 4, "detail": BARRIER_END}),
                    (25, "task_schedule", switches(4, SWITCH, 2)),
                    (60, "wait_begin", {"a": 2, "detail": TASKWAIT_END}),
                    (70, "wait_end", {"a": 2, "detail": TASKWAIT_END}),
                    (80, "task_schedule", switches(2, COMPLETE, 4)),
                    (90, "wait_end", {"a": 4, "detail": BARRIER_END}),
                    (90, "implicit_end", {"a": 4}),
                ),
                names={1: "sweep", 2: "face"},
            )
        ]
    )
    rows = {row.name: (row.ns, row.overlapped) for row in numbers.overlap(timeline, 10)}
    assert rows == {"task": (45, 15), "sweep": (20, 10), "parallel region": (10, 0), "face": (10, 5)}
    assert len(numbers.overlap(timeline, 2)) == 2


def test_messages_in_flight_are_told_from_those_that_a_rank_computes_beside():
    # Rank 0 sends at 10 and 20; rank 1 has received at 30 and 50, and executes a task from 25 to 45.
    sent = {"detail": 5, "extra": 1, "a": 100, "b": 7}
    sender = process(thread(1, (10, "message_sent", sent), (20, "message_sent", sent)), rank=0, ranks=2)
    receiver = process(
        thread(
            1,
            (0, "implicit_begin", {"a": 1}),
            (1, "receive_posted", {"a": 1, "detail": 5, "extra": 0, "b": 7}),
            (2, "receive_posted", {"a": 2, "detail": 5, "extra": 0, "b": 7}),
            (3, "task_create", creates(2)),
            (4, "wait_begin", {"a": 1, "detail": TASKWAIT_END}),
            (25, "task_schedule", switches(1, SWITCH, 2)),
            (30, "message_received", {"a": 1, "extra": 0, "b": 7}),
            (45, "task_schedule", switches(2, COMPLETE, 1)),
            (50, "message_received", {"a": 2, "extra": 0, "b": 7}),
            (60, "wait_end", {"a": 1, "detail": TASKWAIT_END}),
            (60, "implicit_end", {"a": 1}),
        ),
        rank=1,
        ranks=2,
    )
    assert numbers.flight(build([sender, receiver])) == numbers.Flight(40, 20)
    assert numbers.flight(build([TWO_LANES])) == numbers.Flight(0, 0)
