"""heddle simulate: workloads of traces, and what is said of questions that are wrong."""

from __future__ import annotations

import dataclasses
import json
import re
from itertools import accumulate

import pytest
import traced
from command import ROOT, assert_one_line, heddle, run, without_interruptions
from heddle import mpi, paths, toolchain
from heddle.dependences import Siblings
from heddle.errors import UserError
from heddle.simulate import from_trace, generated, page, session, simulator, what_if
from heddle.trace import events, numbers, words
from heddle.trace.events import ProcessEvents
from heddle.trace.mpi_calls import returns_at_once
from made_events import process, thread

NOTHING = from_trace.Overheads(record=0, task_create=0, task_schedule=0)
OF_THIRTY = from_trace.Overheads(record=0, task_create=30, task_schedule=0)
INITIAL, TASK, OTHER = 1, 2, 3
IN, OUT, TASKWAIT = 1, 2, 5
COMPLETE = 1


def two_tasks() -> list[tuple]:
    """The second waits for the first; both are executed by the thread that has made them, while it waits."""
    return [
        (0, "implicit_begin", {"a": INITIAL, "detail": 1}),
        (100, "task_create", {"a": TASK, "b": 0x1000}),
        (100, "dependence", {"a": TASK, "b": 0x9000, "detail": OUT}),
        (150, "task_create", {"a": OTHER, "b": 0x2000}),
        (150, "dependence", {"a": OTHER, "b": 0x9000, "detail": IN}),
        (200, "wait_begin", {"a": INITIAL, "detail": TASKWAIT}),
        (200, "task_schedule", {"a": INITIAL, "b": TASK}),
        (1200, "task_schedule", {"a": TASK, "b": OTHER, "detail": COMPLETE}),
        (3200, "task_schedule", {"a": OTHER, "b": INITIAL, "detail": COMPLETE}),
        (3200, "wait_end", {"a": INITIAL, "detail": TASKWAIT}),
        (3700, "implicit_end", {"a": INITIAL}),
    ]


def made(*rows: tuple, overheads: from_trace.Overheads = NOTHING, **changes: object) -> dict:
    read: ProcessEvents = process(thread(1, *rows))
    return from_trace.workload([dataclasses.replace(read, **changes)], overheads)


def only(workload: dict) -> dict:
    """Its one process."""
    (process_,) = workload["processes"]
    return process_


def test_tasks_keep_their_work_their_dependences_and_their_order():
    result = only(made(*two_tasks()))
    assert result["main"] == ["work", 100, "create", 0, "work", 50, "create", 1, "work", 50, "taskwait", 0, "work", 500]
    first, second = result["tasks"]
    assert (first["script"], second["script"]) == (["work", 1000], ["work", 2000])
    assert first["dependences"] == [0, OUT]
    assert second["dependences"] == [0, IN]


def test_what_records_cost_is_no_work():
    result = only(made(*two_tasks(), overheads=from_trace.Overheads(record=10, task_create=30, task_schedule=40)))
    assert [task["script"] for task in result["tasks"]] == [["work", 960], ["work", 1960]]
    # 100 - 30 before a task; what the dependence's record costs, which follows at once, is in the gap behind it.
    assert result["main"] == ["work", 70, "create", 0, "work", 10, "create", 1, "work", 30, "taskwait", 0, "work", 490]


def test_a_clock_that_ticks_makes_no_work():
    """Of gaps that are all there is to a record some are longer and some shorter than it takes."""
    gaps = [20, 40] * 500
    rows = [(0, "implicit_begin", {"a": INITIAL, "detail": 1})]
    for at in accumulate(gaps):
        rows.append((at, "task_create", {"a": TASK, "b": 0x1000}))
    last = sum(gaps)
    result = only(made(*rows, (last + 500, "implicit_end", {"a": INITIAL}), overheads=OF_THIRTY))
    assert sum(value for op, value in zip(result["main"][::2], result["main"][1::2]) if op == "work") == 500


def test_an_average_that_is_another_programs_takes_no_work_away():
    """Gaps far shorter than a record is said to take say nothing of what comes a while later."""
    rows = [(0, "implicit_begin", {"a": INITIAL, "detail": 1})]
    rows += [(at, "task_create", {"a": TASK, "b": 0x1000}) for at in range(1, 10_001)]
    result = only(made(*rows, (90_000, "implicit_end", {"a": INITIAL}), overheads=OF_THIRTY))
    assert result["main"][-2:] == ["work", 79_000]


def test_what_a_thread_takes_to_write_to_the_file_is_no_work():
    read = process(thread(1, *two_tasks()))
    read.threads[0].pauses = {0: 60, 6: 300}
    result = only(from_trace.workload([read], NOTHING))
    assert result["main"][:2] == ["work", 40]
    assert [task["script"] for task in result["tasks"]] == [["work", 700], ["work", 2000]]


def test_what_the_creator_of_a_taskloop_does_between_its_tasks_is_the_runtimes():
    TASKLOOP, END_OF_GROUP = 7, 6
    result = only(
        made(
            (0, "implicit_begin", {"a": INITIAL, "detail": 1}),
            (100, "work_begin", {"a": INITIAL, "detail": TASKLOOP}),
            (150, "task_create", {"a": TASK, "b": 0x1000}),
            (400, "task_create", {"a": OTHER, "b": 0x1000}),
            (430, "wait_begin", {"a": INITIAL, "detail": END_OF_GROUP}),
            (440, "wait_end", {"a": INITIAL, "detail": END_OF_GROUP}),
            (450, "work_end", {"a": INITIAL, "detail": TASKLOOP}),
            (500, "implicit_end", {"a": INITIAL}),
        )
    )
    assert result["taskloops"] == [["create", 0, "create", 1]]
    assert result["main"] == ["work", 100, "taskloop", 0, "group end", 0, "work", 60]


def test_a_trace_that_is_not_whole_is_refused():
    with pytest.raises(UserError, match="lacks 7 events"):
        made(*two_tasks(), dropped=7)
    with pytest.raises(UserError, match="did not come to its end"):
        made(*two_tasks(), has_ended=False)
    with pytest.raises(UserError, match="no initial task"):
        made((0, "thread_begin"))


NAMES = {1: "MPI_Isend", 2: "MPI_Irecv", 3: "MPI_Waitall", 4: "MPI_Testsome", 5: "MPI_Allreduce", 6: "MPI_Waitany"}
ISEND, IRECV, WAITALL, TESTSOME, ALLREDUCE, WAITANY = NAMES
RECEIVE, TAG, COMM = 7, 9, 3


def call(begin: int, end: int, function: int, *rows: tuple) -> list[tuple]:
    return [(begin, "mpi_begin", {"a": function}), *rows, (end, "mpi_end", {"a": function})]


def sends(at: int, to: int, size: int = 800, tag: int = TAG) -> tuple:
    return (at, "message_sent", {"detail": COMM, "extra": to, "a": size, "b": tag})


def posts(at: int, sender: int, number: int = RECEIVE) -> tuple:
    return (at, "receive_posted", {"detail": COMM, "extra": sender, "a": number, "b": TAG})


def receives(at: int, sender: int, number: int = RECEIVE, tag: int = TAG) -> tuple:
    return (at, "message_received", {"detail": COMM, "extra": sender, "a": number, "b": tag})


def ranks(*rows: list[tuple], **changes: object) -> list[dict]:
    """Their parts of the workload: each an initial task that begins at 0 and does what its rows say."""
    begin = (0, "implicit_begin", {"a": INITIAL, "detail": 1})
    events = [
        process(thread(1, begin, *mine), rank=rank, ranks=len(rows), names=NAMES) for rank, mine in enumerate(rows)
    ]
    return from_trace.workload([dataclasses.replace(one, **changes) for one in events], NOTHING)["processes"]


def test_waits_are_for_what_they_received_and_for_what_was_sent():
    sender = [*call(100, 110, ISEND, sends(105, 1)), *call(200, 900, WAITALL), (950, "implicit_end", {"a": INITIAL})]
    receiver = [*call(50, 60, IRECV, posts(55, 0)), *call(70, 500, WAITANY, receives(490, 0))]
    first, second = ranks(sender, [*receiver, (600, "implicit_end", {"a": INITIAL})])
    # Calls that return at once take their time; what a wait takes is not the program's.
    assert first["main"] == ["work", 105, "post", 0, "work", 95, "await", 0, "work", 50]
    assert first["messages"] == [{"kind": "send", "peer": 1, "channel": 0, "bytes": 800}]
    assert second["main"] == ["work", 55, "post", 0, "work", 15, "await", 0, "work", 100]
    assert second["messages"] == [{"kind": "receive", "peer": 0, "channel": 0}]


def test_a_wait_that_receives_is_not_for_sends_but_one_for_all_is():
    def exchanges(other: int, wait: int) -> list[tuple]:
        start = [*call(0, 0, IRECV, posts(0, other)), *call(0, 0, ISEND, sends(0, other))]
        return [*start, *call(0, 10, wait, receives(5, other)), *call(20, 30, WAITALL)]

    for wait, awaited in ((WAITANY, ["await", 0, "work", 10, "await", 1]), (WAITALL, ["await", 0, "await", 1])):
        for mine in ranks(exchanges(1, wait), exchanges(0, wait)):
            assert mine["main"][:4] == ["post", 0, "post", 1]
            assert mine["main"][4 : 4 + len(awaited)] == awaited


def test_what_a_poller_finds_completes_the_task_that_has_posted_it():
    receiver = [
        (0, "task_create", {"a": TASK, "b": 0x1000}),
        (0, "task_schedule", {"a": INITIAL, "b": TASK}),
        *call(0, 0, IRECV, posts(0, 1)),
        (40, "task_schedule", {"a": TASK, "b": INITIAL, "detail": COMPLETE}),
        *call(90, 100, TESTSOME, receives(95, 1)),
    ]
    first, _ = ranks(receiver, call(0, 0, ISEND, sends(0, 0)))
    assert first["tasks"][0]["script"] == ["post", 0, "bind", 0, "work", 40]
    assert "await" not in first["main"]


def test_collective_operations_are_for_all():
    all_of_it = call(100, 300, ALLREDUCE)
    for mine in ranks(all_of_it, all_of_it):
        assert mine["main"] == ["work", 100, "post", 0, "await", 0]
        assert mine["messages"] == [{"kind": "collective"}]
    with pytest.raises(UserError, match="rank 1 takes part in 0 collective operations, rank 0 in 1"):
        ranks(all_of_it, [])


def test_calls_that_wait_are_told_from_those_that_return_at_once():
    waiting = "Send Recv Sendrecv Waitany Allreduce Barrier Init Comm_dup Win_fence"
    at_once = "Isend Irecv Isendrecv Test Iprobe Start Iallreduce Ibarrier Comm_rank Get_count"
    for names, is_inline in ((waiting, False), (at_once, True)):
        assert [returns_at_once(f"MPI_{name}") for name in names.split()] == [is_inline] * len(names.split())


def test_a_message_without_its_other_end_gets_one_line():
    sent = call(0, 0, ISEND, sends(0, 1))
    with pytest.raises(UserError, match="rank 0 sends 1 messages of tag 9 to rank 1, which receives 0"):
        ranks(sent, [])
    received = [*call(0, 0, IRECV, posts(0, 0)), *call(0, 10, WAITALL, receives(5, 0, tag=8))]
    with pytest.raises(UserError, match="rank 0 sends 0 messages of tag 8 to rank 1, which receives 1"):
        ranks(sent, received)


def test_processes_that_are_no_ranks_are_refused():
    pair = [process(thread(1, *two_tasks()), rank=0, ranks=1) for _ in range(2)]
    with pytest.raises(UserError, match="not the ranks of one program"):
        from_trace.workload(pair, NOTHING)


def world(workload: dict, machine: str | None = None) -> what_if.World:
    return what_if.World(workload, {"heddle": {"create": 9.0}, "messages": {"latency": 5.0, "byte": 2.0}}, machine)


def changed(name: str, before: what_if.World) -> what_if.World:
    return next(question for question in what_if.QUESTIONS if question.name == name).changed(before)


def test_what_if_changes_what_it_says_and_nothing_else():
    before = world(made(*two_tasks()))
    halved = changed("its tasks took half as long", before)
    assert [task["script"] for task in only(halved.workload)["tasks"]] == [["work", 500], ["work", 1000]]
    assert only(halved.workload)["main"] == only(before.workload)["main"]
    faster = only(changed("processors were twice as fast", before).workload)
    assert faster["main"] == ["work", 50, "create", 0, "work", 25, "create", 1, "work", 25, "taskwait", 0, "work", 250]
    recorded = changed("its tasks were recorded and replayed", before)
    assert only(recorded.workload)["main"] == [
        *("work", 100, "create", 0, "create", 1, "work", 50, "taskwait", 0, "work", 500)
    ]
    assert (recorded.costs["heddle"]["create"], before.costs["heddle"]["create"]) == (0, 9)
    assert only(before.workload) == only(made(*two_tasks()))


def test_slower_messages_are_slower_on_the_network_as_well():
    text = '<cluster bw="200MBps" lat="250us" bb_bw="1e3Gbps"/><link bandwidth="4GBps" latency="1us"/>'
    slower = changed("messages took twice as long", world({}, text))
    assert (
        slower.machine == '<cluster bw="100MBps" lat="500us" bb_bw="500Gbps"/><link bandwidth="2GBps" latency="2us"/>'
    )
    assert slower.costs["messages"] == {"latency": 10, "byte": 4}


def test_questions_are_asked_that_mean_something():
    costs = {"heddle": {}, "gnu": {}}
    names = [question.name for question in what_if.asked(made(*two_tasks()), costs)]
    assert "its tasks took half as long" in names
    assert not any(name.startswith("messages") for name in names)
    assert [name for name in names if name.startswith("it ran on")] == ["it ran on libgomp"]
    assert changed("it ran on libgomp", world({})).runtime == "gnu"


def test_a_traced_program_on_more_cores(tmp_path):
    costs = ROOT / "bench" / "results" / "costs.json"
    workload = tmp_path / "workload.json"
    done = traced.trace(tmp_path, "--threads", "2", "--out", "trace", "--", traced.built(tmp_path))
    assert done.returncode == 0, done.stderr
    question = ("simulate", tmp_path / "trace", "--costs", costs, "--workload", workload, "--cores", "1,2,4")
    first, second = heddle(*question), heddle(*question)
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    rows = [line.split() for line in first.stdout.splitlines()]
    speedups = [float(row[3]) for row in rows if row and row[0] in ("1", "2", "4")]
    assert speedups[0] == 1
    # How much faster depends on what the machine did to the run that was traced; test_simulation.cpp has exact times.
    assert 1 <= speedups[1] <= 2.01
    assert speedups[1] - 0.1 < speedups[2] <= 4.01
    assert len(only(json.loads(workload.read_text()))["tasks"]) == traced.TASKS
    assert heddle(*question[:-1], "1, 2,4").stdout == first.stdout
    asked = heddle("simulate", tmp_path / "trace", "--costs", costs, "--cores", "1,2", "--what-if")
    assert asked.returncode == 0, asked.stderr
    assert [line.split("  ")[0] for line in asked.stdout.splitlines()[2:]][:2] == [
        "as it is",
        "its tasks took half as long",
    ]
    on_libgomp = heddle(*question, "--runtime", "gnu")
    assert on_libgomp.stdout.endswith("; rules of libgomp\n"), on_libgomp.stderr
    assert on_libgomp.stdout != first.stdout
    shown = heddle(*question[:-1], "3", "--page", tmp_path / "page.html")
    assert (shown.returncode, without_interruptions(shown.stderr)) == (0, []), shown.stderr
    assert shown.stdout.endswith("page.html\n")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "simulated on 3 cores" in text and f", {traced.TASKS} tasks" in text
    assert_one_line(heddle(*question, "--page", tmp_path / "page.html"), "--page shows one run", "--cores")
    assert_one_line(heddle(*question[:-1], "0"), "--cores 0", "from 1 to 4095")
    assert_one_line(heddle(*question[:-1], "two"), "--cores", "two")
    assert_one_line(heddle(*question, "--nodes", "2"), "--nodes needs the network", "--machine")
    machine = ROOT / "bench" / "machines" / "slow-network.xml"
    assert_one_line(heddle(*question, "--machine", tmp_path / "none.xml"), "none.xml cannot be read")
    assert_one_line(heddle(*question, "--machine", costs), "costs.json is no platform file")
    assert_one_line(heddle(*question, "--machine", machine), "1 processes of 4 threads are on a node of 2 cores")
    assert_one_line(heddle(*question, "--machine", machine, "--nodes", "2"), "--nodes 2: the trace has 1 process")


def test_a_simulated_timeline_is_one_of_a_run(tmp_path):
    costs = json.loads((ROOT / "bench" / "results" / "costs.json").read_text())
    (tmp_path / "workload.json").write_text(json.dumps(made(*two_tasks())))
    toolchain.build("release", [simulator.OF_WORKLOADS])
    result = simulator.simulate(tmp_path / "workload.json", "2", costs, has_timeline=True)
    timeline = page.timeline(result)
    assert [timeline.kinds[kind] for kind in timeline.task_kind] == ["initial task", *["(unknown place)"] * 2]
    assert timeline.task_is_explicit.tolist() == [False, True, True]
    assert timeline.task_creator.tolist() == [-1, 0, 0]
    # What is computed is what the trace has; the rest of each thread's time is accounted for.
    assert numbers.own_ns(timeline).tolist() == [700, 1000, 2000]
    assert [lane.label for lane in timeline.lanes] == ["thread 0", "thread 1"]
    for lane in (0, 1):
        mine = timeline.segment_lane == lane
        begin, end = timeline.segment_begin[mine], timeline.segment_end[mine]
        if mine.any():
            assert begin[0] == 0 and end[-1] == timeline.duration and (begin[1:] == end[:-1]).all()
    assert timeline.task_end[1] <= timeline.task_first[2]


AMR = "--npx 2 --nx 4 --ny 4 --nz 4 --num_vars 4 --num_tsteps 2 --stages_per_ts 4 --num_refine 0".split()
COSTS = ("--costs", ROOT / "bench" / "results" / "costs.json")


@pytest.mark.parametrize("variant", ["serial", "loop", "data-flow"])
def test_heddle_amr_without_a_trace(variant):
    question = ("simulate", *COSTS, "--cores", "1,2")
    program = ("--", "heddle-amr", *AMR, "--variant", variant)
    machine = ROOT / "bench" / "machines" / "slow-network.xml"
    here = heddle(*question, *program)
    assert here.returncode == 0, here.stderr
    assert "2 ranks, 2 blocks" in here.stdout
    # One face each way and stage: 4 by 4 cells of 4 variables.
    assert "16 messages, 8.2 kB, between 2 ranks on one node" in here.stdout
    columns = generated.simulate(
        generated.Run(paths.AMR, [*AMR, "--variant", variant]), "2", json.loads(COSTS[1].read_text()), has_timeline=True
    )
    timeline = page.timeline(columns)
    assert (len(timeline.lanes), timeline.lanes[3].label) == (4, "rank 1 thread 1")
    messages = timeline.messages
    assert (len(messages), int(messages["bytes"].sum())) == (16, 16 * 512)
    assert (messages["sent"] < messages["received"]).all()
    assert set((messages["source_lane"] // 2).tolist()) == {0, 1}
    assert (messages["source_lane"] // 2 + messages["sink_lane"] // 2 == 1).all()
    slow = heddle(*question, "--machine", machine, "--nodes", "2", *program)
    queued = heddle(*question, "--machine", machine, "--nodes", "2", "--network", "queued", *program)
    assert "on 2 nodes" in slow.stdout
    assert slow.stdout == queued.stdout
    # Eight stages, each at least one way of 500 us.
    assert float(re.search(r"\n +1 +([0-9.]+) ms", slow.stdout)[1]) >= 4


@pytest.mark.parametrize("variant", ["loop", "data-flow"])
def test_a_rank_on_two_sockets_works_on_data_of_both(variant):
    blocks = "--init_x 4 --init_y 4 --nx 8 --ny 8 --nz 8 --num_vars 8 --num_tsteps 1 --stages_per_ts 20 --num_refine 0"
    program = [*blocks.split(), "--variant", variant]
    costs = json.loads(COSTS[1].read_text())

    def longer(ranks: int, cores: int, *, remote: float = 2) -> float:
        run = generated.Run(paths.AMR, ["--npy", str(ranks), *program])
        result = generated.simulate(run, str(cores), costs, simulator.Cluster(sockets=2, remote=remote))
        return session.longer(result, result["runs"][0])

    assert longer(2, 2) == pytest.approx(0, abs=1e-6), "each rank has a socket of its own"
    assert longer(1, 4, remote=1) == pytest.approx(0, abs=1e-6)
    # Static loops come back to their blocks; tasks do at times. All data elsewhere would be 1.
    assert (longer(1, 4) < 0.01) if variant == "loop" else (0.01 < longer(1, 4) < 0.75)
    table = heddle("simulate", *COSTS, "--cores", "4", "--sockets", "2", "--", "heddle-amr", *program)
    assert "longer for sockets" in table.stdout
    assert "2 sockets a node; work whose data is on another one takes 1.5 times as long" in table.stdout


def test_a_task_of_a_trace_takes_longer_where_a_part_of_its_data_is_elsewhere(tmp_path):
    tasks = [{"kind": 0, "script": ["work", 100_000], "dependences": on} for on in ([7, 2], [8, 2], [7, 1, 8, 1])]
    region = {"kind": 0, "threads": 2, "fixed": False, "script": ["single", 0, "barrier", 0]}
    process_: dict[str, list] = {name: [] for name in ("loops", "pieces", "taskloops", "messages")}
    process_ |= {"tasks": tasks, "regions": [region], "singles": [["create", 0, "create", 1, "create", 2]]}
    whole = {"format": "heddle-workload", "version": 3, "program": "made", "threads": 2, "kinds": ["task"]}
    (tmp_path / "workload.json").write_text(json.dumps(whole | {"processes": [process_ | {"main": ["region", 0]}]}))
    costs = json.loads(COSTS[1].read_text())
    for sockets, longer in ((1, 0.0), (2, 0.5 / 3)):  # each of the first two has a thread, so the third has one at home
        cluster = simulator.Cluster(sockets=sockets, remote=2)
        result = simulator.simulate(tmp_path / "workload.json", "2", costs, cluster)
        assert session.longer(result, result["runs"][0]) == pytest.approx(longer, abs=1e-6)


# Blocks of two levels on two ranks; an odd number of stages and of checks a timestep; two chunks of variables.
REFINED = (
    "--npx 2 --init_y 2 --init_z 2 --nx 4 --ny 4 --nz 4 --num_vars 4 --task_vars 3 --num_tsteps 3 --stages_per_ts 3 "
    "--checksum_freq 2 --num_refine 2 --refine_freq 100 --max_blocks 1000 --quiet --num_objects 1 "
    "--object 2 0 0.5 0.5 0.5 0.02 0.02 0.02 0.2 0.2 0.2 0 0 0 --variant data-flow"
).split()


def predecessors(tasks: list[list[int]]) -> list[set[int]]:
    """Of each task those that it waits for. tasks: addresses and types of dependences in turn, in order of creation."""
    siblings = Siblings()
    result = []
    for task, dependences in enumerate(tasks):
        accesses = words.accesses(zip(dependences[::2], dependences[1::2], strict=True))
        result.append(siblings.predecessors(accesses))
        siblings.add(task, accesses)
    return result


def oldest_in_flight(kinds: list[str]) -> list[int]:
    """Of each task the first before it that may not have ended. kinds: of data-flow's tasks.

    A mesh is left only when all is done on the one before it. The memory of that one may be used again, or not.
    """
    left = ended = 0  # the first task behind those that leave a mesh: the last one, and the one before it
    result = []
    for task, kind in enumerate(kinds):
        if kind == "leave a mesh":
            ended = left if kinds[task - 1] != kind else ended
        elif kinds[task - 1] == "leave a mesh":
            left = task
        result.append(ended)
    return result


# Three times a mesh of another form, the last one behind the last timestep.
MOVING = "--refine_freq 2 --num_tsteps 6 --stages_per_ts 2"


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--send_faces --separate_buffers --max_comm_tasks 2",
        "--delay_checks 0",
        MOVING,
        f"{MOVING} --send_faces --separate_buffers --lb_opt 2",
        f"{MOVING} --refine_freq 1 --block_change 1 --limit_move 20",
    ],
)
def test_data_flow_without_a_trace_has_the_tasks_and_dependences_of_one(tmp_path, options):
    words = [*REFINED, *options.split()]
    toolchain.build("release", [paths.AMR, simulator.OF_AMR])
    start = [mpi.launcher(), "-n", "2", paths.program(paths.AMR)]
    done = traced.trace(tmp_path, "--threads", "2", "--out", "here", "--", *start, *words)
    assert done.returncode == 0, done.stderr
    workload = from_trace.workload(events.read_folder(tmp_path / "here" / "events"), NOTHING)
    generated = simulator.ask(simulator.OF_AMR, ["--tasks", "--cores", "2"], {}, words)["tasks"]
    assert len(generated) == 2
    for process_, rank in zip(workload["processes"], generated, strict=True):
        # Waits stand elsewhere; the tasks that made the mesh come first.
        real = [task.get("dependences", []) for task in process_["tasks"] if not task.get("undeferred")]
        written = [task for task in rank if task[0] not in ("validation", "collective call", "wait")]
        assert len(written) > 9 * 60
        oldest = oldest_in_flight([kind for kind, _ in written])
        both = real[len(real) - len(written) :], [dependences for _, dependences in written]
        of_real, of_written = (
            [{one for one in some if one >= least} for some, least in zip(predecessors(tasks), oldest, strict=True)]
            for tasks in both
        )
        assert of_real == of_written


@pytest.mark.parametrize("variant", ["serial", "loop", "data-flow", "reference"])
def test_refinements_without_a_trace_are_those_of_the_program(tmp_path, variant):
    words = [*REFINED[:-2], *MOVING.split(), "--variant"]
    toolchain.build("release", [paths.AMR, simulator.OF_AMR])
    of_program = [*words, "serial", "--results", str(tmp_path / "real.json")]
    run(*mpi.command(2, 1), paths.program(paths.AMR), *of_program)
    real = json.loads((tmp_path / "real.json").read_text())
    options = ["--amounts", "--cores", "2"]
    found = simulator.ask(simulator.OF_AMR, options, {}, [*words, variant])
    costs = json.loads(COSTS[1].read_text())
    costs["amr"]["exchange"] = 1.0
    result = generated.simulate(generated.Run(paths.AMR, [*words, variant]), "2", costs)
    first, *later = real["refinements"]
    assert [found["blocks"], *found["refined_to"]] == [each["total_blocks"] for each in real["refinements"]]
    values, amounts = 4 * 4**3, found["amounts"]  # of a block
    assert amounts["split"] == 8 * values * (later[-1]["cumulative_split"] - first["cumulative_split"]) > 0
    assert amounts["join"] == values * (later[-1]["cumulative_reformed"] - first["cumulative_reformed"]) > 0
    # The first mesh is even, so that nothing moves there.
    moved = int(real["report"]["blocks_moved"])
    assert amounts["carry"] == 2 * values * moved > 0
    sent = [sum(rank[what] for rank in real["of_ranks"]) for what in ("messages_sent", "bytes_sent")]
    assert result["runs"][0]["messages"] == sent[0] + moved
    assert result["runs"][0]["bytes"] == sent[1] + 8 * values * moved


WAVES = "--problem sedov --volumes 3 --base_level 2 --max_level 3 --max_steps 4 --regrid_freq 0 --quiet --exec".split()


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("scheme", ["rusanov", "muscl-hancock"])
def test_data_flow_waves_without_a_trace_have_the_tasks_and_dependences_of_one(tmp_path, scheme, ranks):
    words = [*WAVES, "data-flow", "--scheme", scheme]
    toolchain.build("release", [paths.WAVE, simulator.OF_WAVE])
    start = [mpi.launcher(), "-n", str(ranks)] if ranks > 1 else []
    command = [*start, paths.program(paths.WAVE), *words]
    done = traced.trace(tmp_path, "--threads", "2", "--out", "here", "--", *command)
    assert done.returncode == 0, done.stderr
    workload = from_trace.workload(events.read_folder(tmp_path / "here" / "events"), NOTHING)
    generated_ = simulator.ask(simulator.OF_WAVE, ["--tasks", "--ranks", str(ranks)], {}, words)["tasks"]
    assert len(generated_) == ranks
    for process_, rank in zip(workload["processes"], generated_, strict=True):
        # Steps follow that turn out not to exist; of how many steps tasks are created depends on who is ahead.
        real = [task.get("dependences", []) for task in process_["tasks"] if not task.get("undeferred")]
        written = [dependences for kind, dependences in rank if kind != "wait"]
        assert len(written) > 4 * 20
        assert predecessors(real[: len(written)]) == predecessors(written)


def test_heddle_wave_without_a_trace():
    question = ("simulate", *COSTS, "--cores", "1,2", "--")
    alone = heddle(*question, "heddle-wave", *WAVES, "bsp")
    assert alone.returncode == 0, alone.stderr
    assert "heddle-wave bsp, 89 patches, without refinements" in alone.stdout
    two = heddle(*question, "mpiexec", "-n", "2", "heddle-wave", *WAVES, "bsp")
    assert "heddle-wave bsp, 2 ranks, 89 patches" in two.stdout
    assert "8 messages" in two.stdout
    gnu = heddle("simulate", "--runtime", "gnu", *COSTS, "--cores", "2", "--", "heddle-wave", *WAVES, "data-flow")
    assert "libgomp" in gnu.stdout


def test_wrong_questions_get_one_line(tmp_path):
    assert_one_line(heddle("simulate"), "give the folder of a trace")
    assert_one_line(heddle("simulate", tmp_path), "there is no", "heddle trace")
    (tmp_path / "events").mkdir()
    assert_one_line(heddle("simulate", tmp_path), "there are no events")
    (tmp_path / "events" / "process-1.events").write_bytes(b"no trace")
    assert_one_line(heddle("simulate", tmp_path), "process-1.events")
    assert_one_line(heddle("simulate", "--case", "fib"), "--validate")
    assert_one_line(heddle("simulate", "--what-if", "--", "heddle-amr", *AMR), "--what-if asks of a trace")
    assert_one_line(heddle("simulate", tmp_path, "--what-if", "--workload", "x.json"), "--what-if simulates several")
    assert_one_line(heddle("simulate", *COSTS, "--", "heddle-amr", *AMR, "--variant", "task-2"), "task-2")
    assert_one_line(heddle("simulate", *COSTS, "--", "heddle-amr", *AMR, "--stencil", "27"), "--stencil")
    assert_one_line(heddle("simulate", *COSTS, "--", "heddle-amr", *AMR, "--variant", "reference"), "exchange")
    assert_one_line(heddle("simulate", *COSTS, "--", "heddle-amr", "--npx", "x"), "--npx")
    assert_one_line(heddle("simulate", *COSTS, "--", "mpiexec", "-n", "2", "heddle-amr", *AMR), "leave out mpiexec")
    assert_one_line(heddle("simulate", *COSTS, "--", "mpiexec", "heddle-wave"), "'-n RANKS'", "heddle-wave")
    assert_one_line(heddle("simulate", *COSTS, "--", "heddle-wave", *WAVES, "data-flow-graph"), "data-flow-graph")
    assert_one_line(heddle("simulate", *COSTS, "--", "heddle-wave", *WAVES[:2]), "--max_steps")
    assert_one_line(heddle("simulate", *COSTS, "--network", "fast", "--", "heddle-amr", *AMR), "--network")
    assert_one_line(heddle("simulate", tmp_path, "more"), "one trace at a time")
    assert_one_line(heddle("simulate", tmp_path, "--validate"), "--validate")
    assert_one_line(heddle("simulate", tmp_path, "--runtime", "tbb"), "--runtime tbb", "heddle, gnu, llvm")
    assert_one_line(heddle("simulate", tmp_path, "--runtime", "gnu", "--what-if"), "leave out --runtime")
    assert_one_line(heddle("simulate", "--runtime", "gnu", *COSTS, "--", "heddle-amr", *AMR), "--runtime simulates a")
    amr = (*COSTS, "--", "heddle-amr", *AMR)
    assert_one_line(heddle("simulate", "--remote", "2", *amr), "--remote", "give --sockets")
    assert_one_line(heddle("simulate", "--sockets", "0", *amr), "--sockets 0", "from 1")
    for wrong in ("0.5", "nan", "1e9"):
        assert_one_line(heddle("simulate", "--sockets", "2", "--remote", wrong, *amr), "--remote", "number")
    assert_one_line(heddle("simulate", "--validate", "--sockets", "2"), "--validate")
    only_ours = {"machine": "x", "heddle": {}, "messages": {}, "trace": {}}
    (tmp_path / "costs.json").write_text(json.dumps(only_ours))
    asked = heddle("simulate", tmp_path, "--runtime", "llvm", "--costs", tmp_path / "costs.json")
    assert_one_line(asked, "has no costs of the runtime 'llvm'", "heddle calibrate")
    assert_one_line(heddle("simulate", "--validate", "--case", "weaving"), "there is no case 'weaving'", "cholesky")
