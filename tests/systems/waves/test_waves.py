"""heddle-wave gives the same state, to the bit, whoever computes which patch when: every execution model, strategy,
queue, cut and batch, on any number of threads and ranks, on each runtime and from both compilers.

Without --full each way of executing meets each number of ranks and threads once or twice; --full runs all combinations.
"""

import functools
import itertools
import json
import os
import subprocess
from pathlib import Path

import pytest
from heddle import launch, mpi, paths, runtimes, toolchain
from heddle.patience import scaled

MOST_THREADS = 8  # ranks x threads
LIMIT_S = 60

# Meshes that change every three steps; of each problem one answer.
INPUTS = {
    "2-D, ratio 3": "--problem sedov --dim 2 --volumes 5 --max_level 3 --regrid_freq 3 --max_steps 40".split(),
    "3-D, ratio 2": (
        "--problem entropy-wave --criterion ball --ball 0.3,9,0.2 --dim 3 --ratio 2 --volumes 4 --max_level 2 "
        "--regrid_freq 3 --max_steps 10"
    ).split(),
    "2-D, ratio 3, second order": (
        "--problem sedov --scheme muscl-hancock --dim 2 --volumes 5 --max_level 3 --regrid_freq 3 --max_steps 60"
    ).split(),
    "3-D, ratio 2, second order": (
        "--problem entropy-wave --criterion ball --ball 0.3,9,0.2 --scheme muscl-hancock --limiter minmod --dim 3 "
        "--ratio 2 --volumes 4 --max_level 2 --regrid_freq 3 --max_steps 8"
    ).split(),
}
STRATEGIES = (
    "native",
    "hold-back",
    "hold-back-and-eventually-native",
    "backfill",
    "backfill-and-eventually-native",
    "merge",
    "merge-and-eventually-native",
    "merge-and-backfill",
    "merge-and-backfill-and-eventually-native",
    "in-runtime",
    "hold=3,fuse=1-1,when=idle",
    "hold=all,fuse=1-all,when=idle+rest",
    "hold=all,fuse=5-9,when=end+rest",
)
ENCLAVES = [
    ["--exec", "enclave", "--strategy", strategy, "--wait", wait, "--queue", queue]
    for strategy, wait, queue in itertools.product(STRATEGIES, ("poll", "event"), ("central", "local"))
] + [["--exec", "enclave", "--strategy", s, "--wait", "dependence"] for s in ("native", "in-runtime")]
PARTITIONED = [["--exec", "bsp"], ["--exec", "bsp-for"], *ENCLAVES]
CUTS = (["--cut", "well"], ["--cut", "ill", "--partitions", "5"], ["--cut", "well", "--partitions", "1"])
FLOWS = [["--exec", "data-flow"], ["--exec", "data-flow-graph"]]


def combinations(*, full: bool) -> list[tuple[str, list[str], int, int]]:
    """Input, how to execute, ranks, threads."""
    ways = [[*way, *cut] for way, cut in itertools.product(PARTITIONED, CUTS)] + FLOWS
    every = [
        (name, way, ranks, threads)
        for way, ranks, threads, name in itertools.product(ways, (1, 2, 3), (1, 2, 4, 8), INPUTS)
        if ranks * threads <= MOST_THREADS
    ]
    if full:
        return every
    flows = [one for one in every if one[1] in FLOWS]
    return [one for one in every if one[1] not in FLOWS][::71] + flows[::3]


def pytest_generate_tests(metafunc):
    if "combination" in metafunc.fixturenames:
        cases = combinations(full=metafunc.config.getoption("--full"))
        metafunc.parametrize("combination", cases, ids=lambda c: f"{' '.join(c[1])}, {c[2]} x {c[3]}, {c[0]}")


@pytest.fixture(scope="session")
def wave() -> Path:
    """heddle-wave, built."""
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.WAVE])
    return paths.program(paths.WAVE)


def start(program: Path, words: list[str], *, runtime="heddle", ranks=1, threads=1, **variables: str):
    """Runs it to its end."""
    plan = launch.plan(str(program), runtime, threads)
    command = [*(mpi.command(ranks, threads) if ranks > 1 else []), str(plan.program), *words]
    environ = {**plan.environ, **variables}
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=scaled(LIMIT_S))


def run(program: Path, folder: Path, words: list[str], **how) -> dict:
    """Its results."""
    file = folder / "results.json"
    done = start(program, [*words, "--quiet", "--results", str(file)], **how)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr
    return json.loads(file.read_text())


@pytest.fixture(scope="session")
def serial(wave, tmp_path_factory):
    """What one thread of one rank finds, patch by patch."""

    @functools.cache
    def of(name: str) -> dict:
        return run(wave, tmp_path_factory.mktemp("serial"), [*INPUTS[name], "--exec", "serial"])

    return of


def assert_same(found: dict, expected: dict) -> None:
    for key in ("state_fingerprint", "mesh_fingerprint", "steps", "step_lengths", "time", "conserved", "l1"):
        assert found[key] == expected[key], key


def test_the_inputs_change_their_meshes(serial):
    for name in INPUTS:
        found = serial(name)
        assert found["mesh_changes"] >= 2, name
        assert sum(1 for patches in found["patches_per_level"] if patches > 0) >= 2, name


@pytest.mark.sampled
def test_every_way_gives_the_bits_of_serial(combination, wave, serial, tmp_path):
    name, way, ranks, threads = combination
    found = run(wave, tmp_path, [*INPUTS[name], *way], ranks=ranks, threads=threads)
    assert_same(found, serial(name))
    assert found["execution"]["ranks"] == ranks and found["execution"]["threads"] == threads
    assert sum(found["patches_per_rank"]) == found["patches"] and len(found["patches_per_rank"]) == ranks


@pytest.mark.parametrize("way", [*FLOWS, ENCLAVES[0], ["--exec", "enclave", "--strategy", "in-runtime"]], ids=" ".join)
def test_fuzzed_orders_of_tasks_change_nothing(way, wave, serial, tmp_path):
    for seed in range(25):
        name = ("2-D, ratio 3", "2-D, ratio 3, second order")[seed % 2]
        found = run(wave, tmp_path, [*INPUTS[name], *way], threads=1 + seed // 2 % 2, HEDDLE_ORDER=f"fuzz:{seed + 1}")
        assert_same(found, serial(name))


# What starves nobody: held patches that waiters compute, tasks that nobody polls for.
@pytest.mark.parametrize(
    "way",
    [*PARTITIONED[:2], ENCLAVES[4], ["--exec", "enclave", "--strategy", "native", "--wait", "dependence"], *FLOWS],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["2-D, ratio 3", "2-D, ratio 3, second order"])
def test_every_runtime_and_compiler_gives_the_same_bits(name, way, wave, serial, tmp_path):
    for compiler, runtime in itertools.product(paths.COMPILER_PRESETS, runtimes.NAMES):
        if compiler == "clang" and runtime == "gnu":
            continue  # libgomp lacks what Clang calls
        program = wave if compiler == "gcc" else toolchain.build_program(paths.WAVE, compiler)
        found = run(program, tmp_path, [*INPUTS[name], *way], runtime=runtime, threads=2)
        assert_same(found, serial(name))


# Observation 1 of the paper: on both stock runtimes taskyield does not go on with the tasks that are waited for. With
# the second strategy they all are still to be executed when the secondary traversals begin.
@pytest.mark.parametrize("strategy", ["native", "hold-back-and-eventually-native"])
@pytest.mark.parametrize("threads", [1, 2])
def test_polling_for_tasks_with_more_partitions_than_threads_ends(wave, serial, tmp_path, threads, strategy):
    name = "2-D, ratio 3"
    words = [*INPUTS[name], "--exec", "enclave", "--strategy", strategy, "--wait", "poll", "--partitions", "7"]
    found = run(wave, tmp_path, words, threads=threads)
    assert_same(found, serial(name))
    counts = found["counts"]
    assert counts["enclaves_by_tasks"] == counts["enclave_patches"] > 0
    if strategy != "native":
        assert counts["pending_after_primary"] == counts["enclave_patches"]


def test_held_patches_are_all_there_when_the_primary_traversals_have_ended(wave, tmp_path):
    words = [*INPUTS["2-D, ratio 3"], "--exec", "enclave", "--wait", "poll", "--strategy"]
    held = run(wave, tmp_path, [*words, "hold-back"], threads=2)["counts"]
    assert held["pending_after_primary"] == held["enclave_patches"] > 0
    assert held["enclaves_by_waiters"] == held["enclave_patches"]
    assert held["enclaves_by_tasks"] == held["enclaves_by_idle_threads"] == 0
    handed_over = run(wave, tmp_path, [*words, "hold-back-and-eventually-native"], threads=2)["counts"]
    assert handed_over["enclaves_by_tasks"] == handed_over["enclave_patches"]
    merged = run(wave, tmp_path, [*words, "hold=all,fuse=2-3,when=end"], threads=2)["counts"]
    assert 0 < merged["batches"] < merged["enclaves_by_tasks"] <= 3 * merged["batches"]


def test_waiting_for_events_leaves_nothing_in_the_queue(wave, tmp_path):
    words = [*INPUTS["2-D, ratio 3"], "--exec", "enclave", "--wait", "event", "--strategy"]
    held = run(wave, tmp_path, [*words, "hold-back"], threads=2)["counts"]
    assert held["enclaves_by_waiters"] == held["enclave_patches"] > 0
    # As many are held in the last step as in the first.
    few = run(wave, tmp_path, [*words, "hold=2"], threads=1)
    assert few["counts"]["enclaves_by_waiters"] >= few["steps"]


def test_a_limit_below_the_number_of_queues_still_holds(wave, tmp_path):
    words = [*INPUTS["2-D, ratio 3"], "--exec", "enclave", "--queue", "local", "--strategy", "hold=3"]
    assert run(wave, tmp_path, words, threads=4)["counts"]["enclaves_by_waiters"] > 0


# On one thread nobody executes background tasks while the traversals last.
def test_dependences_let_traversals_end_before_the_enclaves(wave, tmp_path):
    words = [*INPUTS["2-D, ratio 3"], "--exec", "enclave", "--strategy", "in-runtime", "--wait", "dependence"]
    counts = run(wave, tmp_path, [*words, "--partitions", "3"], threads=1)["counts"]
    assert counts["enclaves_by_tasks"] == counts["enclave_patches"] > 0
    assert counts["pending_after_primary"] == counts["enclave_patches"]
    assert counts["vain_looks"] == 0


def test_ranks_without_patches_take_part(wave, serial, tmp_path):
    # One family at the start, which stays together.
    for name in ("2-D, ratio 3", "2-D, ratio 3, second order"):
        for way in (["--exec", "bsp"], *FLOWS):
            found = run(wave, tmp_path, [*INPUTS[name], *way], ranks=4)
            assert_same(found, serial(name))


def test_ranks_have_equal_shares_but_for_families(wave, tmp_path):
    words = "--problem high-density-peak --volumes 3 --base_level 3 --max_level 3 --max_steps 1 --exec bsp".split()
    found = run(wave, tmp_path, words, ranks=3)
    assert found["patches"] == 27 * 27
    assert max(found["patches_per_rank"]) - min(found["patches_per_rank"]) <= 9


# 10 along each axis: the plane lies between volumes, where rounding must not lose it.
def test_samples_cover_the_plane_whatever_the_number_of_volumes(wave, tmp_path):
    for volumes, ratio in itertools.product((3, 10, 13), (2, 3)):
        file = tmp_path / "plane.csv"
        words = f"--problem noh --dim 3 --ratio {ratio} --base_level 1 --max_level 1 --max_steps 0 --exec serial"
        run(wave, tmp_path, [*words.split(), "--volumes", str(volumes), "--samples", str(file)])
        widths = [float(line.split(",")[2]) for line in file.read_text().splitlines()[1:]]
        assert sum(width**2 for width in widths) == pytest.approx(1.0, abs=1e-9), (volumes, ratio)


def test_samples_are_the_slice_of_all_ranks(wave, tmp_path):
    texts = []
    for ranks in (1, 2):
        file = tmp_path / f"{ranks}.csv"
        run(wave, tmp_path, [*INPUTS["3-D, ratio 2"], "--exec", "bsp", "--samples", str(file)], ranks=ranks)
        lines = file.read_text().splitlines()
        assert lines[0] == "x,y,width,value,level"
        texts.append(sorted(lines[1:]))
    assert texts[0] == texts[1]
    # The squares cover the plane once.
    area = sum(float(line.split(",")[2]) ** 2 for line in texts[0])
    assert area == pytest.approx(1.0, abs=1e-12)


def test_progress_has_a_line_a_step(wave):
    done = start(wave, [*INPUTS["3-D, ratio 2"], "--progress", "--drift_freq", "5", "--exec", "bsp"], threads=2)
    lines = [line for line in done.stderr.splitlines() if line.startswith("step ")]
    assert done.returncode == 0 and len(lines) == 10
    assert all("patches" in line and "M volumes/s" in line and "idle" in line for line in lines)
    assert "drift" not in lines[4] and "drift" in lines[5]


BAD = {
    "--dim 4": "--dim is 4; give 2 or 3",
    "--ratio 5": "--ratio is 5",
    "--problem sedow": "--problem sedow does not exist",
    "--problem dam-break --dim 3": "has two dimensions; give --dim 2",
    "--exec bps": "--exec bps does not exist; there are serial, bsp",
    "--exec serial --threads 2": "--exec serial has one thread",
    "--strategy hold": "--strategy hold: ",
    "--strategy hold=all,fuse=4-2": "no fewer at most than at least",
    "--exec enclave --strategy backfill --wait dependence": "held patches are none",
    "--wait never": "--wait never does not exist; give poll or dependence or event",
    "--volumes 2": "--volumes is 2; patches have 3 to 128",
    "--roots 3,x": "--roots takes a whole number, not 'x'",
    "--roots 3": "--roots has 1 numbers, but the mesh has 2 axes",
    "--base_level 2 --max_level 1": "--max_level is 1, below --base_level 2",
    "--max_level 20": "too many levels",
    "--base_level 9": "the mesh begins with",
    "--cfl 2": "--cfl is 2",
    "--time -1": "--time is -1",
    "--problem riemann --left 1,0": "--left takes density, velocity and pressure",
    "--problem riemann --left 1,0,-1": "give a positive density and pressure",
    "--problem riemann --left 1,-99,1 --right 1,99,1": "leave a vacuum",
    "--problem sod --left 1,0,1": "--left and --right are those of --problem riemann",
    "--refine_above 0.001": "is not below --refine_above",
    "--roots 3,1": "does not fit the domain of sedov; give numbers in proportion 1:1",
    "--strategy native": "--strategy is an option of --exec enclave, not of data-flow",
    "--exec bsp --wait poll": "--wait is an option of --exec enclave, not of bsp",
    "--cut ill": "--cut is an option of --exec enclave, bsp and bsp-for",
    "--exec bsp --partitions 2147483647": "--partitions is 2147483647; give 0 to 1048576",
    "--scheme muscle": "--scheme muscle does not exist; give rusanov or muscl-hancock",
    "--limiter minmod": "--limiter is an option of --scheme muscl-hancock, not of rusanov",
    "--ball 0.5,1,0.1 --criterion jump": "--ball is for --criterion ball",
    "--problem entropy-wave --refine_above 0.1": "--refine_above is an option of --criterion jump; give that",
    "--criterion fixed --coarsen_below 0.01": "--coarsen_below is an option of --criterion jump",
    "--ball 0.5,1,0.1 --refine_above 0.1": "--refine_above is an option of --criterion jump",
    "--problem advection --gamma 1.4": "--gamma is an option of problems of a gas, not of advection",
    "--problem dam-break --gamma 1.4": "--gamma is an option of problems of a gas, not of dam-break",
    "--problem acoustic-wave --gamma 1.4": "--gamma is an option of problems of a gas, not of acoustic-wave",
    "--results /nowhere/file": "there is no folder /nowhere",
    "--time": "--time needs a value",
    "--nothing": "unknown option '--nothing'",
}


@pytest.mark.parametrize("words", BAD, ids=str)
def test_bad_input_is_one_line_and_status_2(words, wave, tmp_path):
    done = start(wave, ["--max_steps", "1", *words.split()])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("heddle-wave: ") and done.stderr.count("\n") == 1, done.stderr
    assert BAD[words] in done.stderr


def test_bad_input_is_said_once_by_all_ranks(wave, tmp_path):
    done = start(wave, ["--results", str(tmp_path / "nowhere" / "file")], ranks=2)
    assert done.returncode == 2
    assert done.stderr.count("there is no folder") == 1
    assert os.listdir(tmp_path) == []


def test_an_unphysical_state_ends_the_run_with_a_line(wave):
    words = "--problem noh --volumes 8 --base_level 1 --max_level 1 --cfl 1".split()
    for way in (["--exec", "bsp"], *FLOWS, ENCLAVES[0]):
        done = start(wave, [*words, *way], threads=2)
        assert done.returncode == 2, done.stdout
        assert "the state has become unphysical in step" in done.stderr and done.stderr.count("\n") == 1


# The step after the last good one is planned when its residuals begin: every rank has to see the same end of it.
@pytest.mark.parametrize("way", FLOWS, ids=" ".join)
def test_an_unphysical_state_ends_all_ranks_in_any_order(way, wave):
    words = "--problem noh --volumes 24 --base_level 2 --max_level 2 --cfl 1".split()
    for seed in (26, 40, 44, 49):
        done = start(wave, [*words, *way], ranks=3, HEDDLE_ORDER=f"fuzz:{seed}")
        assert done.returncode == 2, done.stdout
        assert done.stderr.count("the state has become unphysical in step") == 1
