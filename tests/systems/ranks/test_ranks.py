"""heddle-amr gives the same meshes and the same sums, to the bit, on any number of ranks and threads.

Initial values come from the blocks' numbers (--initial-values block). Without --full each way of sharing the work meets
each number of ranks once or twice; --full runs all combinations.
"""

import functools
import itertools
import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from heddle import mpi, paths, program_run, runtimes, toolchain
from heddle.demo import amr_run

MOST_THREADS = 8  # ranks x threads
ROOTS = (6, 6, 2)
GRIDS = {1: (1, 1, 1), 2: (2, 1, 1), 3: (1, 3, 1), 4: (2, 2, 1), 6: (3, 2, 1), 8: (2, 2, 2)}
PARTITIONS = ("--rcb", "--morton", "--hilbert", "--trunc_hilbert")
FLOWS = ("data-flow", "data-flow-graph")
# Of these: one set of options rides along with each partition.
FLOW_OPTIONS = {
    "--rcb": [],
    "--morton": ["--separate_buffers", "--halo", "ghosts"],
    "--hilbert": ["--max_comm_tasks", "3", "--comm_vars", "2"],
    "--trunc_hilbert": ["--separate_buffers", "--max_comm_tasks", "2", "--delay_checks", "0"],
}
# Options that decide what is computed, by the name of their answer.
STENCILS = (
    ("7", "--stencil 7 --code 0"),
    ("7", "--stencil 7 --code 1"),
    ("27", "--stencil 27 --code 1"),
    ("27", "--stencil 27 --code 2"),
    # Ghosts that an exchange leaves as they were: edges between levels, variables of groups that come later.
    ("27, edges", "--stencil 27 --code 0"),
    ("0, edges", "--stencil 0 --code 0 --num_vars 9 --comm_vars 0"),
    ("0, groups", "--stencil 0 --code 1 --num_vars 9 --comm_vars 4"),
)
RUN = (
    "--num_refine 2 --max_blocks 2500 --nx 4 --ny 6 --nz 4 --num_vars 3 --refine_freq 2 --stages_per_ts 4 "
    "--checksum_freq 2 --num_tsteps 6 --error_tol -20 --initial-values block --quiet --num_objects 2 "
    "--object 2 0 0.25 0.3 0.35 0.05 0.03 0.02 0.16 0.17 0.15 0 0 0 "
    "--object 23 1 0.75 0.6 0.6 -0.04 0 0.03 0.1 0.12 0.11 0 0 0"
).split()


def layout(ranks: int) -> list[str]:
    """The options that spread the roots over a grid of ranks."""
    words = []
    for axis, along, roots in zip("xyz", GRIDS[ranks], ROOTS):
        words += [f"--np{axis}", str(along), f"--init_{axis}", str(roots // along)]
    return words


def combinations(*, full: bool) -> list[tuple]:
    """Variant, ranks, threads, partition, stencil with its answer, whether each face is a message, MPI."""
    every = [
        (variant, ranks, threads, partition, stencil, faces)
        for variant, ranks, threads, partition, stencil, faces in itertools.product(
            ("serial", "loop", "task-2", *FLOWS), GRIDS, (1, 2), PARTITIONS, STENCILS, (False, True)
        )
        if ranks * threads <= MOST_THREADS and (variant != "serial" or threads == 1)
    ]
    if full:
        return [(*one, preset) for one in every for preset in mpi.PRESETS]
    return [(*every[n], list(mpi.PRESETS)[n % 2]) for n in range(0, len(every), 29)]


def pytest_generate_tests(metafunc):
    if "combination" in metafunc.fixturenames:
        cases = combinations(full=metafunc.config.getoption("--full"))
        metafunc.parametrize("combination", cases, ids=lambda c: "-".join(str(word) for word in c))


def run(program, folder, arguments, variant="serial", ranks=1, threads=1, preset="release") -> amr_run.Results:
    return amr_run.run(
        program,
        runtimes.require("heddle"),
        variant,
        threads,
        arguments,
        folder / "results.json",
        timeout_s=240,
        ranks=ranks,
        preset=preset,
    )


def answer(results: amr_run.Results) -> tuple:
    """What must not depend on ranks: every sum to the bit, every mesh."""
    meshes = [(r["mesh_fingerprint"], r["blocks_per_level"]) for r in results.refinements]
    return results.data["initial_sums"], results.checks, meshes


@pytest.fixture(scope="session")
def expected(program, tmp_path_factory):
    @functools.cache
    def of(name: str):
        words = next(words for other, words in STENCILS if other == name)
        arguments = [*RUN, *layout(1), *words.split()]
        return answer(run(program, tmp_path_factory.mktemp("expected"), arguments))

    return of


@pytest.mark.sampled
def test_every_way_of_sharing_the_work_gives_the_same_bits(program_of, tmp_path, expected, combination):
    variant, ranks, threads, partition, (name, stencil), faces, preset = combination
    arguments = [*RUN, *layout(ranks), partition]
    arguments += ["--send_faces"] * faces
    if variant in FLOWS:
        arguments += FLOW_OPTIONS[partition]
    results = run(program_of(preset), tmp_path, [*arguments, *stencil.split()], variant, ranks, threads, preset)
    assert answer(results) == expected(name)
    refinements = results.refinements
    assert any(r["cumulative_reformed"] > 0 for r in refinements)
    if ranks > 1:
        assert results.data["report"]["blocks_moved"] > 0
        assert sum(rank["bytes_sent"] for rank in results.data["of_ranks"]) > 0


def seeded() -> tuple[int, random.Random]:
    """Random numbers, and the seed, which is printed: HEDDLE_TEST_SEED, or another one each time."""
    seed = int(os.environ.get("HEDDLE_TEST_SEED") or random.SystemRandom().randrange(1 << 30))
    print(f"HEDDLE_TEST_SEED={seed}")
    return seed, random.Random(seed)


def random_line(numbers: random.Random) -> list[str]:
    """Options that change what is computed or how, over the whole range that the reference's own check drew from."""
    objects = numbers.randint(1, 3)
    words = ["--num_objects", str(objects)]
    for _ in range(objects):
        kind = numbers.choice([*range(16), *range(20, 26)])
        centre = [round(numbers.uniform(0, 1), 3) for _ in range(3)]
        move = [round(numbers.uniform(-0.08, 0.08), 3) for _ in range(3)]
        size = [round(numbers.uniform(0.05, 0.35), 3) for _ in range(3)]
        growth = [round(numbers.choice([0, 0, numbers.uniform(-0.02, 0.02)]), 3) for _ in range(3)]
        words += ["--object", str(kind), str(numbers.randint(0, 2)), *map(str, [*centre, *move, *size, *growth])]
    stencil = numbers.choice(["7", "7", "27", "0"])
    words += ["--stencil", stencil, "--code", str(numbers.randint(0, 2))]
    for axis in "xyz":
        words += [f"--n{axis}", str(2 * numbers.randint(1, 4))]
    variables = numbers.randint(8, 11) if stencil == "0" else numbers.randint(1, 5)
    words += ["--num_vars", str(variables), "--comm_vars", str(numbers.randint(0, variables))]
    words += ["--num_refine", str(numbers.randint(1, 3)), "--block_change", str(numbers.randint(0, 2))]
    words += ["--refine_freq", str(numbers.randint(1, 3)), "--num_tsteps", str(numbers.randint(2, 6))]
    words += ["--stages_per_ts", str(numbers.randint(1, 4)), "--checksum_freq", str(numbers.randint(1, 3))]
    words += ["--lb_opt", str(numbers.randint(0, 2)), "--inbalance", str(numbers.choice([0, 0, 10, 50]))]
    words += ["--limit_move", str(numbers.choice([0, 0, 0, 30]))]
    words += [numbers.choice(PARTITIONS), "--reorder", str(numbers.randint(0, 1))]
    flags = (
        "--permute",
        "--refine_ghost",
        "--send_faces",
        "--blocking_send",
        "--change_dir",
        "--group_blocks",
        "--separate_buffers",
    )
    words += [flag for flag in flags if numbers.random() < 0.3]
    words += ["--max_comm_tasks", str(numbers.choice([0, 0, 1, 3]))]
    return [*words, "--error_tol", "-20", "--max_blocks", "20000", "--initial-values", "block", "--quiet"]


def test_random_lines_give_the_same_bits_on_two_three_and_four_ranks(program, tmp_path, pytestconfig):
    seed, numbers = seeded()
    for _ in range(212 if pytestconfig.getoption("--full") else 8):
        line = random_line(numbers)
        variant = numbers.choice(["serial", "loop", "orig", "task-1", "task-2", "taskloop", "task-graph", *FLOWS])
        alone = answer(run(program, tmp_path, [*line, *layout(1)]))
        for ranks in (2, 3, 4):
            halo = ["--halo", numbers.choice(["faces", "ghosts"])]
            found = answer(run(program, tmp_path, [*line, *halo, *layout(ranks)], variant, ranks))
            assert found == alone, f"HEDDLE_TEST_SEED={seed}: {variant} on {ranks} ranks: {' '.join(line + halo)}"


def test_data_flow_gives_the_same_bits_in_any_order_of_tasks(program, tmp_path, expected, monkeypatch, pytestconfig):
    seed, numbers = seeded()
    for _ in range(200 if pytestconfig.getoption("--full") else 12):
        name, stencil = numbers.choice(STENCILS)
        ranks, threads = numbers.choice([(2, 1), (2, 2), (3, 1), (4, 2)])
        options = numbers.choice(list(FLOW_OPTIONS.values())) + numbers.choice([[], ["--send_faces"]])
        order = f"fuzz:{numbers.randrange(1 << 30)}"
        monkeypatch.setenv("HEDDLE_ORDER", order)
        line = [*RUN, *layout(ranks), *options, *stencil.split()]
        variant = numbers.choice(FLOWS)
        found = answer(run(program, tmp_path, line, variant, ranks, threads))
        monkeypatch.delenv("HEDDLE_ORDER")
        assert found == expected(name), (
            f"HEDDLE_TEST_SEED={seed}: {variant}, {order} on {ranks} ranks: {' '.join(line)}"
        )


@pytest.mark.parametrize("preset", mpi.PRESETS)
@pytest.mark.parametrize(
    ("variant", "delay", "timesteps_later"),
    [("data-flow", "0", 0), ("data-flow", "1", 1), ("data-flow-graph", "0", 0), ("data-flow-graph", "1", 4)],
)
def test_a_check_that_fails_ends_a_data_flow_run(program_of, tmp_path, preset, variant, delay, timesteps_later):
    line = [*RUN, *layout(2), "--error_tol", "9", "--stencil", "27", "--code", "1"]

    def failed(variant: str, threads: int, *more: str) -> dict:
        with pytest.raises(program_run.RunFailed, match="status 1"):
            run(program_of(preset), tmp_path, [*line, *more], variant, 2, threads, preset)
        return json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))

    expected = failed("serial", 1)
    found = failed(variant, 2, "--delay_checks", delay)
    for what in ("checks", "mismatch_messages", "exit_code"):
        assert found[what] == expected[what]
    assert len(expected["mismatch_messages"]) == 1
    assert len(found["timesteps"]) <= len(expected["timesteps"]) + timesteps_later


@pytest.mark.parametrize("runtime", ["gnu", "llvm"])
def test_data_flow_over_ranks_is_refused_where_events_are_lost(program, tmp_path, runtime):
    with pytest.raises(program_run.RunFailed, match="libgomp loses events"):
        amr_run.run(
            program,
            runtimes.require(runtime),
            "data-flow",
            1,
            [*RUN, *layout(2)],
            tmp_path / "results.json",
            timeout_s=60,
            ranks=2,
        )


def lines_of_copies(command: list, folder: Path) -> list[str]:
    """What processes say that another MPI's launcher has started, and that write nothing."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done
    assert list(folder.iterdir()) == []
    return [line for line in done.stderr.splitlines() if line.startswith("heddle-")]


OUTPUTS = ["--results", "results.json", "--checkpoint_freq", "1"]


@pytest.mark.parametrize("preset", mpi.PRESETS)
def test_the_other_mpis_launcher_is_refused_with_one_line(program_of, tmp_path, preset):
    other = next(name for name in mpi.PRESETS if name != preset)
    program_of(other)  # its launcher is known then
    said = lines_of_copies([*mpi.command(3, 1, other), program_of(preset), *OUTPUTS], tmp_path)
    assert len(said) == 1
    assert f"heddle-amr: {mpi.PRESETS[other]}'s mpiexec has started 3 processes" in said[0]
    assert f"start it by {mpi.PRESETS[preset]}'s mpiexec" in said[0]


def test_heddle_wave_refuses_it_too(program, tmp_path):
    toolchain.build("release", [paths.WAVE])
    variables = ["OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=0"]
    (said,) = lines_of_copies(["env", *variables, paths.program(paths.WAVE), *OUTPUTS], tmp_path)
    assert said.startswith("heddle-wave: Open MPI's mpiexec has started 2 processes")


def test_srun_without_a_process_manager_is_refused(program, tmp_path):
    step = ["env", "SLURM_NTASKS=2", "SLURM_STEP_NUM_TASKS=2"]
    (said,) = lines_of_copies([*step, "SLURM_PROCID=0", program, *OUTPUTS], tmp_path)
    assert said.startswith("heddle-amr: srun has started 2 processes") and "unset SLURM_STEP_NUM_TASKS" in said
    assert lines_of_copies([*step, "SLURM_PROCID=1", program, *OUTPUTS], tmp_path) == []


@pytest.mark.parametrize(
    "variables",
    [
        ["SLURM_NTASKS=4", "SLURM_PROCID=0"],  # in a batch script
        ["SLURM_STEP_NUM_TASKS=1", "SLURM_PROCID=0", "SLURM_NTASKS=4"],
        ["OMPI_COMM_WORLD_SIZE=1", "OMPI_COMM_WORLD_RANK=0"],
        ["OMPI_COMM_WORLD_SIZE=2"],
    ],
    ids=str,
)
def test_a_process_that_is_meant_to_be_alone_runs(program, tmp_path, variables):
    words = "--num_tsteps 1 --num_refine 0 --quiet".split()
    done = subprocess.run(["env", *variables, program, *words], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_its_own_launcher_is_the_inner_one(program, tmp_path):
    words = "--num_tsteps 1 --num_refine 0 --quiet".split()
    outer = ["env", "OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_RANK=0", "SLURM_STEP_NUM_TASKS=4", "SLURM_PROCID=0"]
    for ranks in (1, 2):
        command = [*outer, *mpi.command(ranks, 1), program, "--npx", str(ranks), *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr


def test_blocks_that_split_go_where_there_is_room(program, tmp_path):
    line = (
        "--num_refine 2 --nx 4 --ny 4 --nz 4 --num_vars 2 --num_tsteps 3 --refine_freq 1 --stages_per_ts 2 "
        "--initial-values block --quiet --num_objects 1 --object 3 0 0.2 0.4 0.5 0.05 0 0 0.25 0.25 0.25 0 0 0"
    ).split()
    alone = run(program, tmp_path, [*line, "--init_x", "2", "--init_y", "2"])
    tight = run(program, tmp_path, [*line, "--npx", "2", "--init_y", "2", "--max_blocks", "90"], ranks=2)
    assert answer(tight) == answer(alone)
    report = tight.data["report"]
    assert report["redistributing_steps"] > 0
    assert max(rank["most_blocks"] for rank in tight.data["of_ranks"]) <= 90


def test_a_rank_that_dies_ends_the_others(program, tmp_path):
    line = ["--npx", "2", "--num_tsteps", "1000000", "--num_refine", "1", "--quiet"]
    with subprocess.Popen(
        [*mpi.command(2, 1), str(program), *line], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as started:
        try:
            victim = _first_rank_below(started.pid, program.name)
            os.kill(victim, signal.SIGKILL)
            assert started.wait(timeout=60) != 0
        finally:
            started.kill()


def _first_rank_below(pid: int, name: str) -> int:
    """The process of that name that one of the process's descendants is, once it is there."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        waiting = [pid]
        while waiting:
            parent = waiting.pop()
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            for child in map(int, children):
                if Path(f"/proc/{child}/comm").read_text().strip() == name:
                    return child
                waiting.append(child)
        time.sleep(0.05)
    raise AssertionError(f"no {name} below process {pid}")


def test_a_plot_that_cannot_be_written_ends_all_ranks(program, tmp_path):
    (tmp_path / "plot.01").mkdir()
    arguments = ["--npx", "2", "--num_tsteps", "2", "--plot_freq", "1", "--quiet"]
    done = subprocess.run(
        [*mpi.command(2, 1), str(program), *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if line.startswith("heddle-amr: ")] != []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--npx", "1"], "is 1 x 1 x 1 = 1, but 2 ranks were started"),
        (["--npx", "2", "--nx", "5"], "--nx"),
        (["--npx", "2", "--max_blocks", "3", *RUN[RUN.index("--num_objects") :]], "blocks on rank 0; give"),
        (["--npx", "2", "--results", "no/such/folder/r.json"], "there is no folder no/such/folder"),
    ],
)
def test_a_mistake_ends_all_ranks_with_one_line(program, tmp_path, arguments, words):
    command = [*mpi.command(2, 1), str(program), "--num_tsteps", "2", "--quiet", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if line.startswith("heddle-amr: ")]
    assert len(said) == 1
    assert words in said[0]
    assert list(tmp_path.iterdir()) == []
