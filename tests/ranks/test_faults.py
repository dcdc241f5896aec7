"""What goes wrong between ranks ends with a line that names it, and not in a hang."""

import re
import subprocess
from pathlib import Path

import pytest
from heddle import mpi, paths, runtimes
from heddle.patience import scaled

SOURCE = Path(__file__).parent / "faults.c"
RECEIVE = r"a receive of 4 bytes from rank 1, tag 7, in MPI_COMM_WORLD, for [0-9.]+ s; this is rank 0"
SEND = r"a synchronous send of 4 bytes to rank 0, tag 8, in MPI_COMM_WORLD, for [0-9.]+ s; this is rank 1"
FAULTS = {
    "no-sender": [rf"the task of [^\n]*faults.c:\d+ has returned[^\n]*\n +outstanding: {RECEIVE}", r"abort \(HEDDLE_W"],
    "another-tag": [RECEIVE, SEND, r"abort \(HEDDLE_W"],
    "killed": [r"(?i)(signal 9|KILLED|exit status: 137)"],
    "truncated": [r"rank 0: a receive of 4 bytes from rank 1, tag 7, in MPI_COMM_WORLD: .*(?i:truncated)"],
}


@pytest.fixture(scope="module", params=list(mpi.PRESETS))
def faulty(request, tmp_path_factory, program_of):
    program_of(request.param)
    made = tmp_path_factory.mktemp("faults") / "faults"
    libraries = paths.build_dir(request.param) / "lib"
    include = [f"-I{paths.ROOT / 'mpi' / 'include'}", f"-I{paths.ROOT / 'runtime' / 'include'}"]
    command = [mpi.compiler(request.param), "-g", "-O1", "-fopenmp", *include, SOURCE, "-o", made]
    subprocess.run([*command, f"-L{libraries}", "-lheddle-mpi", f"-Wl,-rpath,{libraries}"], check=True)
    return request.param, made


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named(faulty, tmp_path, fault):
    preset, program = faulty
    shims = runtimes.searchable(paths.shim_dir("release"))
    start = [*mpi.command(2, 2, preset), "env", f"LD_LIBRARY_PATH={shims}", "HEDDLE_WATCHDOG=1,abort", program, fault]
    done = subprocess.run(start, cwd=tmp_path, capture_output=True, text=True, timeout=scaled(60))
    said = done.stdout + done.stderr
    assert done.returncode != 0, said
    assert "it ended" not in said
    for words in FAULTS[fault]:
        assert re.search(words, said), said
