"""What goes wrong between ranks ends with a line that names it, and not in a hang."""

import re
import subprocess
import time

import pytest
from heddle import mpi, paths, runtimes
from heddle.attach import ranks as attach_ranks
from heddle.errors import UserError
from heddle.patience import scaled
from launching import built, started, words

RECEIVE = r"a receive of 4 bytes from rank 1, tag 7, in MPI_COMM_WORLD, for [0-9.]+ s; this is rank 0"
SEND = r"a synchronous send of 4 bytes to rank 0, tag 8, in MPI_COMM_WORLD, for [0-9.]+ s; this is rank 1"
FAULTS = {
    "no-sender": [rf"the task of [^\n]*faults.c:\d+ has returned[^\n]*\n +outstanding: {RECEIVE}", r"abort \(HEDDLE_W"],
    "another-tag": [RECEIVE, SEND, r"abort \(HEDDLE_W"],
    "killed": [r"(?i)(signal 9|KILLED|exit status: 137)"],
    "truncated": [r"rank 0: a receive of 4 bytes from rank 1, tag 7, in MPI_COMM_WORLD: .*(?i:truncated)"],
}


SHIMS = {"LD_LIBRARY_PATH": runtimes.searchable(paths.shim_dir("release"))}


@pytest.fixture(scope="module", params=list(mpi.PRESETS))
def faulty(request, tmp_path_factory, program_of):
    program_of(request.param)
    libraries = paths.build_dir(request.param) / "lib"
    flags = ["-g", "-fopenmp", *(f"-I{paths.ROOT / room / 'include'}" for room in ("mpi", "runtime"))]
    flags += [f"-L{libraries}", "-lheddle-mpi", f"-Wl,-rpath,{libraries}"]
    return request.param, built("faults.c", tmp_path_factory.mktemp("faults"), request.param, *flags)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named(faulty, tmp_path, fault):
    preset, program = faulty
    # The rank that aborts first takes the other with it, a quarter of its patience after its report: time enough for
    # the other's on a busy machine.
    patience_s = scaled(4) if fault == "another-tag" else 1
    watchdog = f"{patience_s:g},abort"
    # MPICH 4.2's launcher forgets the status of a rank that a signal has ended, on a busy machine one time of eight,
    # and says nothing then.
    for _ in range(4):
        done = started(2, preset, [program, fault], tmp_path, limit_s=60, HEDDLE_WATCHDOG=watchdog, **SHIMS)
        if done.returncode != 0 or preset == "openmpi":
            break
    said = done.stdout + done.stderr
    assert done.returncode != 0, said
    assert "it ended" not in said
    for promised in FAULTS[fault]:
        assert re.search(promised, said), said


def test_attach_asks_all_ranks_and_names_those_that_wait_for_each_other(faulty, tmp_path):
    preset, program = faulty
    line = words(2, preset, [program, "another-tag"], HEDDLE_WATCHDOG="120", **SHIMS)
    with subprocess.Popen(["timeout", "-k", "5", str(scaled(60)), *line], cwd=tmp_path) as hanging:
        try:
            time.sleep(3)
            said = attach_ranks.report(hanging.pid)
        except UserError as error:
            if "this gdb cannot call functions" not in str(error):
                raise
            pytest.skip("gdb before 14 on a processor with AMX")
        finally:
            hanging.terminate()
    assert re.search(RECEIVE, said), said
    assert re.search(SEND, said), said
    assert said.endswith("ranks wait for each other's messages: 0 -> 1 -> 0\n")
