"""What libheddle-trace-mpi.so writes of messages: each is sent once and received once, by the receive that got it."""

import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from heddle import mpi, paths, runtimes, toolchain
from heddle.trace import events
from launching import HERE, built, started

LIBRARY = "heddle_trace_mpi"
SOURCE = HERE.parent / "tracer" / "messages.c"
ROUNDS = 40


def traced(preset, ranks, command, folder, **variables):
    """Runs the command with the tracer, and reads what it has written: one process a rank, mpiexec is none."""
    toolchain.build(preset, [LIBRARY])
    library = paths.build_dir(preset) / "lib" / "libheddle-trace-mpi.so"
    runtimes.preload_library(library, variables)
    done = started(ranks, preset, command, folder, 30, HEDDLE_TRACE_DIRECTORY=folder, **variables)
    assert done.returncode == 0, done.stderr
    processes = events.read_folder(folder)
    assert [process.rank for process in processes] == list(range(ranks))
    assert all(process.ranks == ranks and process.has_ended and not process.dropped for process in processes)
    return processes, done.stdout


@pytest.fixture(scope="module", params=[(preset, ranks) for preset in mpi.PRESETS for ranks in (2, 3)], ids=str)
def run(request, tmp_path_factory):
    preset, ranks = request.param
    folder = tmp_path_factory.mktemp("messages")
    toolchain.build(preset, [LIBRARY])  # mpi.compiler() needs a build
    program = built(SOURCE, folder, preset, "-pthread", "-Wno-stringop-overflow")
    return traced(preset, ranks, [program], folder)


def all_records(process):
    """Thread by thread: kind by its name, and the record."""
    names = {number: name for name, number in process.kinds.items()}
    return [[(names[int(record["kind"])], record) for record in thread.records] for thread in process.threads]


def in_time(process):
    """The records of all threads, in the order of their times."""
    order = np.argsort(np.concatenate([thread.ns for thread in process.threads]), kind="stable")
    records = [record for thread in all_records(process) for record in thread]
    return [records[i] for i in order]


def messages(processes):
    """(from, to, communicator, tag) to the bytes of each message: in the order sent, and in the order of the posts."""
    sent, received = defaultdict(list), defaultdict(list)
    for process in processes:
        posts, sources, sizes = {}, {}, {}
        for kind, record in in_time(process):
            a, b = int(record["a"]), int(record["b"])
            if kind == "message_sent":
                sent[process.rank, int(record["extra"]), int(record["detail"]), b].append(a)
            elif kind == "receive_posted":
                assert a not in posts
                posts[a] = int(record["detail"])
            elif kind == "message_received":
                assert a in posts and a not in sources and posts[a] == record["detail"]
                sources[a] = (int(record["extra"]), b)
            elif kind == "received_bytes":
                sizes[a] = b
        assert sources.keys() == sizes.keys()
        for number, communicator in posts.items():
            if number in sources:
                source, tag = sources[number]
                received[source, process.rank, communicator, tag].append(sizes[number])
    return sent, received


def count(process, name):
    return sum(kind == name for thread in all_records(process) for kind, _ in thread)


def test_each_message_is_received_by_the_receive_that_was_posted_for_it(run):
    sent, received = messages(run[0])
    assert sent == received


def test_all_messages_are_recorded_and_nothing_else(run):
    processes, said = run
    for process in processes:
        expected = int(re.search(rf"rank {process.rank} sent (\d+)", said)[1])
        assert count(process, "message_sent") == count(process, "message_received") == expected
        assert count(process, "receive_posted") == expected + 1  # which was cancelled


def test_copies_of_a_communicator_have_numbers_of_their_own(run):
    sent, _ = messages(run[0])
    one_way = {key[2]: sizes for key, sizes in sent.items() if key[0] == 0 and key[1] == 1 and key[3] == 80}
    assert sorted(one_way.values()) == [[3], [4]]


def test_calls_begin_and_end_in_turn_on_each_thread(run):
    for process in run[0]:
        for thread, records in zip(process.threads, all_records(process)):
            assert (np.diff(thread.records["ticks"].astype("i8")) >= 0).all()
            inside = None
            for kind, record in records:
                if kind == "mpi_begin":
                    assert inside is None
                    inside = int(record["a"])
                elif kind == "mpi_end":
                    assert inside == int(record["a"])
                    inside = None
                elif kind in ("message_sent", "receive_posted", "message_received", "received_bytes"):
                    assert inside is not None
            assert inside is None


def test_polls_are_recorded_only_when_they_find_something(run):
    for process in run[0]:
        calls = Counter(
            process.names[int(record["a"])]
            for thread in all_records(process)
            for kind, record in thread
            if kind == "mpi_begin"
        )
        assert calls["MPI_Test"] == calls["MPI_Testany"] == 2 * ROUNDS
        assert calls["MPI_Improbe"] == calls["MPI_Startall"] == ROUNDS
        assert "MPI_Iprobe" not in calls
        assert calls["MPI_Init_thread"] == calls["MPI_Finalize"] == calls["MPI_Bcast"] == calls["MPI_Iallgather"] == 1


@pytest.mark.parametrize(
    "program", ["blocking_calls_give_the_thread_away", "tampi_tasks_are_complete_with_their_requests"]
)
def test_task_aware_calls_still_suspend_and_their_messages_are_recorded_once(program, tmp_path):
    toolchain.build("release", [toolchain.RUNTIME_TARGET, f"mpi_{program}"])
    command = [paths.build_dir("release") / "mpi_programs" / program]
    shims = runtimes.searchable(paths.shim_dir("release"))
    processes, _ = traced("release", 2, command, tmp_path, LD_LIBRARY_PATH=shims, OMP_NUM_THREADS="2")
    sent, received = messages(processes)
    assert sent.keys() == received.keys()
    assert all(sorted(sizes) == sorted(received[key]) for key, sizes in sent.items())
    assert all(count(process, "message_received") == count(process, "receive_posted") for process in processes)
