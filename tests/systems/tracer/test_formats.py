"""Paraver and OTF2 files of traces: as their formats want them, and with the same times as the timeline."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import otf2
import pytest
from command import heddle, without_openmp_settings
from format_times import times_agree
from heddle import paths, runtimes, toolchain
from heddle.errors import UserError
from heddle.trace import counting, otf2_archive, paraver, paraver_labels
from heddle.trace import timeline as lines
from heddle.trace.build import MESSAGE, build
from heddle.trace.events import ProcessEvents, read_folder
from heddle.trace.mpi_calls import Call, call_of
from heddle.trace.timeline import Lane, Timeline, spans_of
from paraver_check import CheckError, check

PROGRAM = """
#include <omp.h>

static void work(void) {
  double until = omp_get_wtime() + 20e-6;
  while (omp_get_wtime() < until) {}
}

int main(void) {
  double cells[16] = {0};
  long total = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 16; i++) cells[i] = i;
#pragma omp single
    for (int step = 0; step < 8; step++) {
      for (int i = 1; i < 16; i++) {
#pragma omp task depend(in : cells[i - 1]) depend(inout : cells[i]) shared(cells, total)
        {
          work();
#pragma omp critical
          {
            work();
            total++;
          }
#pragma omp task
          work();
#pragma omp taskwait
        }
      }
#pragma omp taskwait
    }
  }
  return total != 120;
}
"""


@pytest.fixture(scope="module")
def traced(tmp_path_factory) -> Timeline:
    """A program with tasks, dependences, a critical section and a loop, on three threads of libheddle."""
    toolchain.build("release", ["heddle_trace", toolchain.RUNTIME_TARGET])
    folder = tmp_path_factory.mktemp("traced")
    (folder / "program.c").write_text(PROGRAM)
    command = ["gcc", "-O1", "-g", "-fopenmp", "program.c", "-o", "program"]
    subprocess.run(command, cwd=folder, check=True, timeout=60)
    events = folder / "events"
    events.mkdir()
    settings = {"OMP_NUM_THREADS": "3", "HEDDLE_TRACE_DIRECTORY": str(events)}
    runtimes.preload_library(paths.build_dir("release") / "lib" / "libheddle-trace.so", settings)
    run = heddle("run", "--runtime", "heddle", "--", folder / "program", env=without_openmp_settings() | settings)
    assert run.returncode == 0, run.stderr
    return build(read_folder(events))


def process(rank: int, host: str) -> ProcessEvents:
    return ProcessEvents(
        path=Path(f"process-{rank}.events"),
        process=100 + rank,
        rank=rank,
        ranks=2,
        host=host,
        runtime="by hand",
        program=Path("/home/me/program"),
        processors=1,
        dropped=0,
        has_ended=True,
        started_unix_ns=1_700_000_000_000_000_000,
        start_ns=0,
        kinds={},
        names={},
    )


# Begin, end, task, states from the outermost: of each lane.
SEGMENTS = [
    [(0, 5, 0), (5, 12, 0, 0), (12, 18, 0, 0, 1), (18, 90, 0, 0), (90, 100, 0)],
    [
        (10, 20, 1, 2),
        (20, 28, 1),
        (28, 30, 1, 3),
        (30, 35, 2),
        (35, 40, 2, 4),
        (40, 50, 3),
        (50, 70, 2),
        (70, 75, 1, 3),
        (75, 80, 4),
        (80, 90, 1),
        (90, 95, -1),
    ],
]


def by_hand(segments=SEGMENTS) -> Timeline:
    """Two processes with one lane each and a message. Of rank 1's tasks the second is cut by the third, on which the
    fourth depends; its initial task waits for them.
    """
    rows = [(lane, *segment[:3], segment[3:]) for lane, mine in enumerate(segments) for segment in mine]
    states = np.full((len(rows), 2), -1, "i4")
    for i, row in enumerate(rows):
        states[i, : len(row[4])] = row[4]
    result = Timeline(
        processes=[process(0, "north"), process(1, "south")],
        lanes=[Lane(0, 1, "rank 0 thread 0"), Lane(1, 1, "rank 1 thread 0")],
        duration=100,
        kinds=["p.c:3", "initial task"],
        state_names=["single", "MPI_Send", "MPI_Recv", "taskwait", "wait for critical"],
        state_classes=np.array([lines.WORKS, lines.MPI, lines.MPI, lines.WAIT, lines.LOCK]),
        place_names=["p.c:7"],
        task_process=np.array([0, 1, 1, 1, 1]),
        task_kind=np.array([1, 1, 0, 0, 0]),
        task_creator=np.array([-1, -1, 1, 1, 1]),
        task_created=np.array([0, 10, 20, 25, 26]),
        task_first=np.array([0, 10, 30, 40, 75]),
        task_end=np.array([100, 90, 70, 50, 80]),
        task_is_explicit=np.array([False, False, True, True, True]),
        task_was_discarded=np.zeros(5, bool),
        segment_lane=np.array([row[0] for row in rows], "i8"),
        segment_begin=np.array([row[1] for row in rows], "i8"),
        segment_end=np.array([row[2] for row in rows], "i8"),
        segment_task=np.array([row[3] for row in rows], "i8"),
        segment_states=states,
        state_what=np.arange(5, dtype="i4"),
        state_place=np.array([-1, -1, -1, 0, -1], "i4"),
        edge_source=np.array([3]),
        edge_sink=np.array([4]),
        dependence_task=np.array([3, 4]),
        dependence_address=np.array([64, 64], "u8"),
        dependence_type=np.array([2, 1]),
        messages=np.array([(0, 1, 13, 11, 19, 64, 7, 0)], MESSAGE),
        suspension_task=np.empty(0, "i8"),
        suspension_ns=np.empty(0, "i8"),
        suspension_reason=np.empty(0, "u2"),
        memory_process=np.empty(0, "i8"),
        memory_ns=np.empty(0, "i8"),
        memory_bytes=np.empty(0, "u8"),
    )
    result.pieces = spans_of(result, -1)
    return result


def test_a_trace_by_hand_has_exactly_these_records(tmp_path):
    prv, pcf, row, *views = paraver.write(by_hand(), tmp_path, "hand")
    header, *records = prv.read_text().splitlines()
    assert header.partition("):")[2] == "100_ns:2(1,1):1:2(1:1,1:2)"
    assert records == [
        "1:1:1:1:1:0:12:1",
        "1:2:1:2:1:0:10:2",
        "2:1:1:1:1:0:9200001:2:9200002:1",
        "2:1:1:1:1:5:9200004:1",
        "1:2:1:2:1:10:20:3",
        "2:2:1:2:1:10:9200001:2:9200002:2",
        "2:2:1:2:1:10:9200006:3",
        "1:1:1:1:1:12:18:4",
        "2:1:1:1:1:12:9200006:2",
        "3:1:1:1:1:13:13:2:1:2:1:11:19:64:7",
        "1:1:1:1:1:18:100:1",
        "2:1:1:1:1:18:9200006:0",
        "1:2:1:2:1:20:28:1",
        "2:2:1:2:1:20:9200006:0",
        "2:2:1:2:1:20:9200007:1",
        "2:2:1:2:1:25:9200007:2",
        "2:2:1:2:1:26:9200007:3",
        "1:2:1:2:1:28:30:5",
        "2:2:1:2:1:28:9200003:4",
        "1:2:1:2:1:30:35:1",
        "2:2:1:2:1:30:9200001:1:9200002:3",
        "2:2:1:2:1:30:9200003:0",
        "1:2:1:2:1:35:40:9",
        "2:2:1:2:1:35:9200003:5",
        "1:2:1:2:1:40:70:1",
        "2:2:1:2:1:40:9200001:1:9200002:4",
        "2:2:1:2:1:40:9200003:0",
        "2:2:1:2:1:50:9200001:1:9200002:3",
        "2:2:1:2:1:50:9200007:2",
        "3:2:1:2:1:50:50:2:1:2:1:75:75:0:1073741824",
        "1:2:1:2:1:70:75:5",
        "2:2:1:2:1:70:9200001:2:9200002:2",
        "2:2:1:2:1:70:9200003:4",
        "2:2:1:2:1:70:9200007:1",
        "1:2:1:2:1:75:90:1",
        "2:2:1:2:1:75:9200001:1:9200002:5",
        "2:2:1:2:1:75:9200003:0",
        "2:2:1:2:1:80:9200001:2:9200002:2",
        "2:2:1:2:1:80:9200007:0",
        "1:2:1:2:1:90:95:0",
        "2:2:1:2:1:90:9200001:0:9200002:0",
        "2:1:1:1:1:90:9200004:0",
        "1:2:1:2:1:95:100:2",
        "2:1:1:1:1:100:9200001:0:9200002:0",
    ]
    assert check(prv).communications == {7: 1, paraver.DEPENDENCE: 1}
    assert (
        "9200003    What is waited for\nVALUES\n0      nothing\n4      taskwait\n5      wait for critical\n"
        in pcf.read_text()
    )
    assert "LEVEL NODE SIZE 2\nnorth\nsouth\n" in row.read_text()
    assert {view.name for view in views} == {"what-runs.cfg", "waiting.cfg", "tasks-alive.cfg"}
    without = paraver.write(by_hand(), tmp_path, "without", dependences=False)[0]
    assert check(without).communications == {7: 1}


def test_an_archive_by_hand_nests_and_has_both_ends_of_the_message(tmp_path):
    where = otf2_archive.write(by_hand(), tmp_path)
    with otf2.reader.open(str(where)) as archive:
        clock = archive.definitions.clock_properties
        assert (clock.timer_resolution, clock.global_offset, clock.trace_length) == (1_000_000_000, 0, 100)
        assert clock.realtime_timestamp == 1_700_000_000_000_000_000
        tree = {group.name: group.system_tree_parent.name for group in archive.definitions.location_groups}
        assert tree == {"rank 0": "north", "rank 1": "south"}
        found: dict[str, list] = {}
        for location, event in archive.events:
            about = getattr(getattr(event, "region", None), "name", None)
            if isinstance(event, otf2.events.Metric):
                about = event.value
            if isinstance(event, otf2.events.MpiSend):
                about = event.receiver, event.msg_tag, event.msg_length
            if isinstance(event, otf2.events.MpiRecv):
                about = event.sender, event.msg_tag, event.msg_length
            found.setdefault(location.name, []).append((event.time, type(event).__name__, about))
        wait = next(region for region in archive.definitions.regions if region.name == "taskwait")
        assert (wait.source_file, wait.begin_line_number, wait.description) == ("p.c", 7, "wait")
    assert found["tasks alive"] == [
        (ns, "Metric", count) for ns, count in ((20, 1), (25, 2), (26, 3), (50, 2), (70, 1), (80, 0))
    ]
    assert found["rank 0 thread 0"] == [
        (0, "ProgramBegin", None),
        (0, "Enter", "initial task"),
        (5, "Enter", "single"),
        (12, "Enter", "MPI_Send"),
        (13, "MpiSend", (1, 7, 64)),
        (18, "Leave", "MPI_Send"),
        (90, "Leave", "single"),
        (100, "Leave", "initial task"),
        (100, "ProgramEnd", None),
    ]
    assert found["rank 1 thread 0"] == [
        (10, "ProgramBegin", None),
        (10, "Enter", "initial task"),
        (10, "Enter", "MPI_Recv"),
        (19, "MpiRecv", (0, 7, 64)),
        (20, "Leave", "MPI_Recv"),
        (28, "Enter", "taskwait"),
        (30, "Leave", "taskwait"),
        (30, "Leave", "initial task"),
        (30, "Enter", "p.c:3"),
        (35, "Enter", "wait for critical"),
        (40, "Leave", "wait for critical"),
        (40, "Leave", "p.c:3"),
        (40, "Enter", "p.c:3"),
        (50, "Leave", "p.c:3"),
        (50, "Enter", "p.c:3"),
        (70, "Leave", "p.c:3"),
        (70, "Enter", "initial task"),
        (70, "Enter", "taskwait"),
        (75, "Leave", "taskwait"),
        (75, "Leave", "initial task"),
        (75, "Enter", "p.c:3"),
        (80, "Leave", "p.c:3"),
        (80, "Enter", "initial task"),
        (90, "Leave", "initial task"),
        (95, "ProgramEnd", None),
    ]


def test_an_archive_is_not_written_over_another(tmp_path):
    otf2_archive.write(by_hand(), tmp_path)
    with pytest.raises(UserError, match="already"):
        otf2_archive.write(by_hand(), tmp_path)


def test_a_process_without_a_lane_and_a_lane_without_a_segment_are_never_created(tmp_path):
    timeline = by_hand([[], SEGMENTS[1]])
    timeline.processes.append(process(2, "north"))
    totals = check(paraver.write(timeline, tmp_path, "trace")[0])
    assert totals.ns[1, 1] == totals.ns[3, 1] == {paraver_labels.NOT_CREATED: 100}
    otf2_archive.write(timeline, tmp_path)


def test_a_trace_of_one_moment_is_written(tmp_path):
    timeline = by_hand([[], []])
    timeline.duration, timeline.messages = 0, np.empty(0, MESSAGE)
    for name in ("task_created", "task_first", "task_end"):
        setattr(timeline, name, np.where(getattr(timeline, name) >= 0, 0, -1))
    assert check(paraver.write(timeline, tmp_path, "trace")[0]).duration == 0
    otf2_archive.write(timeline, tmp_path)


def test_a_counter_of_many_tasks_is_thinned_and_keeps_its_last_value(monkeypatch):
    assert counting.thinned_tasks_alive(by_hand(), 1)[1].tolist() == [1, 2, 3, 2, 1, 0]
    monkeypatch.setattr(counting, "MOST_COUNTS", 3)
    ns, counts = counting.thinned_tasks_alive(by_hand(), 1)
    assert (ns.tolist(), counts.tolist()) == ([20, 26, 70, 80], [1, 3, 1, 0])


def test_calls_of_mpi_are_told_apart_by_their_names():
    assert [call_of(f"MPI_{name}") for name in ("Wait", "Waitall", "Isend", "Send_c", "Sendrecv", "Iprobe")] == [
        Call.WAIT,
        Call.WAIT,
        Call.START_SEND,
        Call.SEND,
        Call.SEND_AND_RECEIVE,
        Call.TEST,
    ]
    assert [call_of(f"MPI_{name}") for name in ("Iallreduce", "Barrier", "Ibcast", "Igather", "Init", "Info_free")] == [
        Call.ALL_TO_ALL,
        Call.BARRIER,
        Call.ONE_TO_ALL,
        Call.ALL_TO_ONE,
        Call.OTHER,
        Call.OTHER,
    ]


# What to make of the trace by hand, and what the checker says.
DAMAGE = [
    ("#Paraver (", "#Paraver ", "no header"),
    (":2(1,1):1", ":2(1):1", "not as many sizes as nodes"),
    ("2:2:1:2:1:20:9200006:0", "2:2:1:2:1:19:9200006:0", "time 19 follows 20"),
    ("1:2:1:2:1:10:20:3", "1:2:1:2:1:10:22:3", "overlap: one ends at 22"),
    ("1:2:1:2:1:10:20:3", "1:2:1:2:1:10:17:3", "no state from 17 to 20"),
    ("1:2:1:2:1:95:100:2\n", "", "end at 95"),
    ("1:2:1:2:1:95:100:2", "1:2:1:2:1:95:100:99", "state 99"),
    ("13:13:2:1:2:1:11:19:64", "13:13:2:1:2:1:11:12:64", "received at 12"),
    ("2:1:1:1:1:5:9200004:1", "2:1:1:1:1:5:9200099:1", "event type 9200099"),
    ("2:1:1:1:1:5:9200004:1", "2:1:1:1:1:5:9200004:3", "value 3"),
    ("2:1:1:1:1:5:9200004:1", "2:1:1:1:2:5:9200004:1", "there is no thread"),
    ("2:1:1:1:1:5:9200004:1", "2:2:1:1:1:5:9200004:1", "no processor 2"),
    ("2:1:1:1:1:5:9200004:1", "2:1:1:1:1:5:9200004", "no record of kind 2 has 6 fields"),
]


@pytest.mark.parametrize("old, new, said", DAMAGE, ids=[said for *_, said in DAMAGE])
def test_the_checker_finds(tmp_path, old, new, said):
    prv = paraver.write(by_hand(), tmp_path, "trace")[0]
    text = prv.read_text()
    assert text.count(old) == 1
    prv.write_text(text.replace(old, new))
    with pytest.raises(CheckError, match=said):
        check(prv)


def test_times_of_a_trace_by_hand_agree_to_the_nanosecond(tmp_path):
    assert times_agree(by_hand(), tmp_path) == {
        "rank 0 thread 0": Counter({"compute": 94, "MPI": 6, "nothing": 0}),
        "rank 1 thread 0": Counter({"compute": 58, "MPI": 10, "lock": 5, "wait": 7, "nothing": 20}),
    }


def test_times_of_a_programs_trace_agree_to_the_nanosecond(traced, tmp_path):
    expected = times_agree(traced, tmp_path)
    total = sum(expected.values(), Counter())
    assert set(total) >= {"compute", "wait", "lock"}
    assert total["compute"] > 240 * 20_000


def test_a_programs_trace_tells_its_tasks_and_dependences(traced, tmp_path):
    totals = check(paraver.write(traced, tmp_path, "program")[0])
    begun = {number for number in totals.events[paraver_labels.TASK_NUMBER] if number}
    assert len(begun) == 240 + 1 + 3
    assert totals.communications[paraver.DEPENDENCE] == len(traced.edge_source) > 0
    assert max(totals.events[paraver_labels.ALIVE]) > 1
    assert totals.events[paraver_labels.ALIVE][-1] == 0
    names = {line.partition("      ")[2] for line in (tmp_path / "program.pcf").read_text().splitlines()}
    of_tasks = {name for name in traced.kinds if "program.c:" in name and not name.startswith("parallel")}
    assert len(of_tasks) == 2
    assert names >= {*of_tasks, "taskwait", "wait for critical", "dynamic loop", "single"}


def test_a_programs_archive_has_regions_with_lines(traced, tmp_path):
    with otf2.reader.open(str(otf2_archive.write(traced, tmp_path))) as archive:
        regions = list(archive.definitions.regions)
        tasks = [region for region in regions if region.region_role == otf2.RegionRole.TASK]
        assert len(tasks) == 2
        assert all(os.path.basename(region.source_file) == "program.c" for region in tasks)
        assert any(region.region_role == otf2.RegionRole.TASK_WAIT and region.begin_line_number for region in regions)
        assert {region.description for region in regions} >= {"task", "parallel region", "wait", "lock", "worksharing"}
