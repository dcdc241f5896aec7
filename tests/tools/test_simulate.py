"""heddle simulate: workloads of traces, and what is said of questions that are wrong."""

from __future__ import annotations

import dataclasses
import json

import pytest
import traced
from command import ROOT, assert_one_line, heddle
from heddle.errors import UserError
from heddle.simulate import from_trace
from heddle.trace.events import ProcessEvents
from made_events import process, thread

NOTHING = from_trace.Overheads(record=0, task_create=0, task_schedule=0)
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
    events: ProcessEvents = process(thread(1, *rows))
    return from_trace.workload([dataclasses.replace(events, **changes)], overheads)


def test_tasks_keep_their_work_their_dependences_and_their_order():
    result = made(*two_tasks())
    assert result["main"] == ["work", 100, "create", 0, "work", 50, "create", 1, "work", 50, "taskwait", 0, "work", 500]
    first, second = result["tasks"]
    assert (first["script"], second["script"]) == (["work", 1000], ["work", 2000])
    assert first["dependences"] == [0, OUT]
    assert second["dependences"] == [0, IN]


def test_what_records_cost_is_no_work():
    result = made(*two_tasks(), overheads=from_trace.Overheads(record=10, task_create=30, task_schedule=40))
    assert [task["script"] for task in result["tasks"]] == [["work", 960], ["work", 1960]]
    # 100 - 30 before a task, 50 - 30 and 50 - 10 between; a record as long as its gap leaves nothing.
    assert result["main"] == ["work", 70, "create", 0, "work", 20, "create", 1, "work", 40, "taskwait", 0, "work", 490]


def test_a_trace_that_is_not_whole_is_refused():
    with pytest.raises(UserError, match="lacks 7 events"):
        made(*two_tasks(), dropped=7)
    with pytest.raises(UserError, match="did not come to its end"):
        made(*two_tasks(), has_ended=False)
    with pytest.raises(UserError, match="no initial task"):
        made((0, "thread_begin"))


def test_several_processes_are_not_simulated_yet():
    pair = [process(thread(1, *two_tasks()), rank=rank, ranks=2) for rank in range(2)]
    with pytest.raises(UserError, match="2 processes"):
        from_trace.workload(pair, NOTHING)


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
    assert len(json.loads(workload.read_text())["tasks"]) == traced.TASKS
    assert heddle(*question[:-1], "1, 2,4").stdout == first.stdout
    assert_one_line(heddle(*question[:-1], "0"), "--cores 0", "from 1 to 4095")
    assert_one_line(heddle(*question[:-1], "two"), "--cores", "two")


def test_wrong_questions_get_one_line(tmp_path):
    assert_one_line(heddle("simulate"), "give the folder of a trace")
    assert_one_line(heddle("simulate", tmp_path), "there is no", "heddle trace")
    (tmp_path / "events").mkdir()
    assert_one_line(heddle("simulate", tmp_path), "there are no events")
    (tmp_path / "events" / "process-1.events").write_bytes(b"no trace")
    assert_one_line(heddle("simulate", tmp_path), "process-1.events")
    assert_one_line(heddle("simulate", "--case", "fib"), "--validate")
    assert_one_line(heddle("simulate", tmp_path, "--validate"), "--validate")
    assert_one_line(heddle("simulate", "--validate", "--case", "weaving"), "there is no case 'weaving'", "cholesky")
