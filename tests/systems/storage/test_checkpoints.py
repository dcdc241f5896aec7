"""Runs that go on from a checkpoint end with the bits of runs that were never interrupted: on any ranks and threads, in
any variant, whenever they were killed. A checkpoint that is damaged is named, and none is ever half there.
"""

import functools
import itertools
import json
import os
import random
import re
import shutil
import signal
import time

import h5py
import numpy as np
import pytest
import yt
from heddle.patience import scaled
from small_runs import AMR_INPUT, WAVE_INPUTS, AmrInput, amr_run, disk, opened, results, start, wave_run

VARIANTS = ("serial", "loop", "task-2", "data-flow")
# Options of heddle-amr that decide what is computed. With all but the first stencils read ghosts that earlier stages
# have left: at edges between levels, and of variables in groups that come later.
AMR_INPUTS = {
    "7": [],
    "27, edges": "--stencil 27 --code 0 --refine_freq 2".split(),
    "27, permuted": "--stencil 27 --code 0 --permute --num_refine 1 --uniform_refine 1".split(),
    "0, edges": "--stencil 0 --code 0 --num_vars 9 --refine_freq 2".split(),
    "0, groups": "--stencil 0 --code 1 --num_vars 9 --comm_vars 4".split(),
}
TOLERANT = ["--error_tol", "-20"]  # sums of stencil 27 are not kept between levels
# Without effect on the answer.
PLACEMENTS = (["--rcb"], ["--morton", "--lb_opt", "0"], ["--hilbert", "--lb_opt", "2"])
RANKS = (1, 2, 3, 4)
MODELS = ("serial", "bsp", "enclave", "data-flow", "data-flow-graph")
SEED = int(os.environ.get("HEDDLE_SEED", "20261126"))
# Counters of the process, or of how the mesh was dealt out to ranks.
OF_RANKS = (
    "faces_per_rank",
    "parents_ave_min_max_final",
    "max_blocks_on_a_rank",
    "blocks_moved",
    "load_balance_steps",
    "redistributing_steps",
)


def amr_answer(found: dict) -> dict:
    """What a run has computed."""
    report = {name: value for name, value in found["report"].items() if name not in OF_RANKS}
    return {key: found[key] for key in ("initial_sums", "refinements", "timesteps", "checks", "exit_code")} | report


def wave_answer(found: dict) -> dict:
    keys = ("state_fingerprint", "mesh_fingerprint", "steps", "step_lengths", "time", "conserved", "l1", "mesh_changes")
    return {key: found[key] for key in keys}


def ways(*, full: bool) -> list[tuple]:
    """An input, ranks and variant that write a checkpoint, those that go on from it, and the number of threads."""
    every = [
        (name, a, b, threads)
        for a, b in itertools.product(itertools.product(RANKS, VARIANTS), repeat=2)
        for name in AMR_INPUTS
        for threads in (1, 2)
    ]
    return every if full else every[::197]


def pytest_generate_tests(metafunc):
    full = metafunc.config.getoption("--full")
    if "way" in metafunc.fixturenames:
        metafunc.parametrize("way", ways(full=full), ids=str)
    if "kill" in metafunc.fixturenames:
        metafunc.parametrize("kill", range(100 if full else 5))


def layout(ranks: int) -> list[str]:
    return ["--npx", str(ranks), "--max_blocks", "4000"]


@pytest.fixture(scope="session")
def wave_uninterrupted(wave, tmp_path_factory) -> dict:
    """What each input gives without a checkpoint."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    return {name: wave_answer(wave_run(wave, folder, name, ["--exec", "serial"])) for name in WAVE_INPUTS}


@pytest.fixture(scope="session")
def amr_uninterrupted(amr, tmp_path_factory):
    @functools.cache
    def of(name: str) -> dict:
        return amr_answer(
            amr_run(amr, tmp_path_factory.mktemp("amr"), [*AMR_INPUTS[name], *TOLERANT], variant="serial")
        )

    return of


def test_amr_goes_on_anywhere(way, amr, amr_uninterrupted, tmp_path):
    name, (ranks, variant), (other_ranks, other_variant), threads = way
    words = [*AMR_INPUTS[name], "--checkpoint_freq", "3", *PLACEMENTS[ranks % 3], *TOLERANT]
    whole = amr_run(amr, tmp_path, words, ranks=ranks, threads=threads, variant=variant)
    assert amr_answer(whole) == amr_uninterrupted(name)
    assert sorted(path.name for path in tmp_path.glob("*.h5*")) == ["chk00003.h5", "chk00006.h5"]
    words = ["--restart", "chk00003.h5", *layout(other_ranks), "--variant", other_variant, "--report_perf", "0"]
    words += [*PLACEMENTS[other_ranks % 3], *TOLERANT]
    words += ["--halo", "ghosts"] if threads == 2 else []  # others than those that wrote it
    after = results(amr, words, tmp_path, ranks=other_ranks, threads=threads)
    assert amr_answer(after) == amr_uninterrupted(name)


def test_groups_are_the_checkpoints_where_they_decide_what_is_computed(amr, amr_uninterrupted, tmp_path):
    amr_run(amr, tmp_path, [*AMR_INPUTS["0, groups"], "--checkpoint_freq", "3"])
    restart = ["--restart", "chk00003.h5", *layout(1), "--report_perf", "0"]
    assert amr_answer(results(amr, [*restart, "--comm_vars", "4"], tmp_path)) == amr_uninterrupted("0, groups")
    assert "--comm_vars 0 differs from 4 in chk00003.h5" in refused(amr, [*restart, "--comm_vars", "0"], tmp_path)


def test_checkpoints_without_the_ghosts_that_a_stencil_reads_are_refused(amr, tmp_path):
    """Those of earlier versions."""
    amr_run(amr, tmp_path, ["--num_vars", "9", "--checkpoint_freq", "3"])
    with h5py.File(tmp_path / "chk00003.h5", "r+") as file:
        state = json.loads(file["state"][()].tobytes())
        state["settings"]["--stencil"] = 0
        del file["state"]
        file["state"] = np.frombuffer(json.dumps(state).encode(), np.uint8)
    said = refused(amr, ["--restart", "chk00003.h5", *layout(1), "--quiet"], tmp_path)
    assert "chk00003.h5 has not all values that --stencil 0 reads" in said


def blocks_in(file) -> bytes:
    with h5py.File(file) as opened:
        return opened["blocks/values"][()].tobytes() + opened["blocks/checksums"][()].tobytes()


@pytest.mark.parametrize("ranks, name", [(1, "7"), (2, "7"), (2, "0, groups")])
def test_blocks_are_written_as_they_were_whatever_computes_meanwhile(
    ranks, name, amr, amr_uninterrupted, tmp_path, monkeypatch
):
    """In data-flow the next stages' tasks are there while those that write blocks wait."""
    words = [*AMR_INPUTS[name], "--checkpoint_freq", "1", "--keep", "9"]
    amr_run(amr, tmp_path, words, ranks=ranks, variant="serial")
    wanted = {file.name: blocks_in(file) for file in tmp_path.glob("*.h5")}
    assert len(wanted) == 6 and len(set(wanted.values())) == 6
    for seed in range(8 if name == "7" else 3):
        for file in tmp_path.glob("*.h5"):
            file.unlink()
        monkeypatch.setenv("HEDDLE_ORDER", f"fuzz:{seed}")
        found = amr_run(amr, tmp_path, words, ranks=ranks, threads=1 + seed % 2, variant="data-flow")
        assert amr_answer(found) == amr_uninterrupted(name), seed
        assert {file.name: blocks_in(file) for file in tmp_path.glob("*.h5*")} == wanted, seed


def wait_for(condition, limit_s: float = 30) -> None:
    end = time.monotonic() + scaled(limit_s)
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.parametrize("variant", ["loop", "data-flow"])
def test_every_so_many_seconds_means_one_checkpoint_each(variant, amr, tmp_path):
    # Of many timesteps each on any machine, and seldom so slow a disk that two checkpoints take a timestep each.
    seconds, wanted = 0.25, 3
    words = ["--checkpoint_freq", f"{seconds}s", "--keep", "999", "--variant", variant, "--quiet"]
    endless = AmrInput(timesteps=1_000_000_000).words()
    begin = time.monotonic()
    with opened(amr, [*endless, *words], tmp_path, threads=2) as process:
        try:
            wait_for(lambda: process.poll() is not None or len(list(tmp_path.glob("*.h5"))) >= wanted)
            assert process.poll() is None, process.communicate()
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    steps = sorted(int(file.name[3:-3]) for file in tmp_path.glob("*.h5"))
    assert wanted <= len(steps) <= (time.monotonic() - begin) / seconds
    # One is due behind the first timestep that ends late enough, and not again behind the next.
    assert all(b - a > 1 for a, b in itertools.pairwise(steps))


@pytest.mark.sampled
@pytest.mark.parametrize("name", WAVE_INPUTS)
@pytest.mark.parametrize("model, other", [*zip(MODELS, MODELS[::-1], strict=True), ("data-flow", "bsp")])
def test_wave_goes_on_anywhere(name, model, other, wave, wave_uninterrupted, tmp_path):
    ranks = 1 if model == "serial" else 2
    whole = wave_run(wave, tmp_path, name, ["--checkpoint_freq", "4", "--exec", model], ranks=ranks)
    assert wave_answer(whole) == wave_uninterrupted[name]
    words = ["--restart", "chk00004.h5", "--max_steps", str(whole["steps"]), "--exec", other]
    after = results(wave, words, tmp_path, ranks=1 if other == "serial" else 3, threads=1 if other == "serial" else 2)
    assert wave_answer(after) == wave_uninterrupted[name]


def test_the_same_command_line_goes_on(amr, wave, amr_uninterrupted, wave_uninterrupted, tmp_path):
    amr_run(amr, tmp_path, ["--checkpoint_freq", "3"])
    assert amr_answer(amr_run(amr, tmp_path, ["--restart", "chk00003.h5"])) == amr_uninterrupted("7")
    name = "2-D, ratio 3"
    wave_run(wave, tmp_path, name, ["--checkpoint_freq", "4"])
    assert wave_answer(wave_run(wave, tmp_path, name, ["--restart", "chk00008.h5"])) == wave_uninterrupted[name]


def test_a_run_may_be_longer_than_was_asked_for(amr, tmp_path):
    longer = amr_answer(amr_run(amr, tmp_path, ["--num_tsteps", "9"]))
    amr_run(amr, tmp_path, ["--checkpoint_freq", "6"])
    assert amr_answer(amr_run(amr, tmp_path, ["--restart", "chk00006.h5", "--num_tsteps", "9"])) == longer


def test_simulated_time_goes_on(amr, tmp_path):
    words = ["--time", "0.4"]
    whole = amr_answer(amr_run(amr, tmp_path, [*words, "--checkpoint_freq", "2", "--keep", "9"]))
    assert amr_answer(amr_run(amr, tmp_path, [*words, "--restart", "chk00004.h5"])) == whole


def test_plots_go_on(wave, tmp_path):
    name = "2-D, ratio 3"
    wave_run(wave, tmp_path, name, ["--plot_freq", "3", "--checkpoint_freq", "4"])
    listed = (tmp_path / "plt.visit").read_text()
    wave_run(wave, tmp_path, name, ["--plot_freq", "3", "--restart", "chk00004.h5"])
    assert (tmp_path / "plt.visit").read_text() == listed


def test_h5py_reads_what_a_plotfile_has(wave, tmp_path):
    found = wave_run(wave, tmp_path, "2-D, ratio 3", ["--plot_freq", "10", "--checkpoint_freq", "10"])
    dataset = yt.load(str(tmp_path / "plt00010"))  # its grids know it by a weak reference
    leaves = [grid for grid in dataset.index.grids if grid.child_mask.all()]
    with h5py.File(tmp_path / "chk00010.h5") as file:
        assert file.attrs["program"] == b"heddle-wave" and file.attrs["version"] == 1
        values = file["blocks/values"][:]
        assert values.shape == (found["patches"], 4, 6, 6)
        assert file["tree/place"].shape == file["tree/level"].shape == file["blocks/checksums"].shape == (len(values),)
        densities = sorted(patch[0].T.ravel().tolist() for patch in values)
    assert densities == sorted(np.asarray(grid["boxlib", "density"]).ravel().tolist() for grid in leaves)


def test_the_latest_stay(amr, tmp_path):
    (tmp_path / "chk00099.h5").write_text("another run's")
    (tmp_path / "chk-notes.h5").write_text("somebody's")
    amr_run(amr, tmp_path, ["--checkpoint_freq", "1", "--keep", "3"])
    names = sorted(path.name for path in tmp_path.glob("*.h5"))
    assert names == ["chk-notes.h5", "chk00004.h5", "chk00005.h5", "chk00006.h5", "chk00099.h5"]


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("program", ["amr", "wave"])
def test_signals_ask_for_checkpoints(program, ranks, amr, wave, tmp_path):
    words = ["--checkpoint_freq", "1h", "--quiet"]
    if program == "amr":
        binary = amr
        words += [*AMR_INPUT.words(ranks), "--num_tsteps", "1000000"]
    else:
        binary = wave
        words += [*WAVE_INPUTS["2-D, ratio 3"], "--max_steps", "100000000", "--time", "1e9"]
    with opened(binary, words, tmp_path, ranks=ranks) as process:
        try:
            pids = (lambda: [process.pid]) if ranks == 1 else (lambda: ranks_of(process))
            # Its last handler: MPICH has one of its own for SIGUSR1, which ours replaces.
            wait_for(lambda: len(pids()) == ranks and all(catches(pid, signal.SIGTERM) for pid in pids()))
            signal_all(pids(), signal.SIGUSR1)
            wait_for(lambda: list(tmp_path.glob("chk*.h5")))
            assert process.poll() is None
            signal_all(pids(), signal.SIGTERM)
            _, err = process.communicate(timeout=scaled(30))
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    said = re.search(r"stopped by SIGTERM after step (\d+); --restart (\S+) goes on", err)
    assert said and process.returncode == 143, err
    assert (tmp_path / said[2]).exists() and int(said[1]) > 0
    more = ["--num_tsteps", str(int(said[1]) + 1)] if program == "amr" else ["--max_steps", str(int(said[1]) + 1)]
    assert results(
        binary, ["--restart", said[2], *more, *(["--report_perf", "0"] if program == "amr" else [])], tmp_path
    )


def ranks_of(process) -> list[int]:
    """The programs that a launcher has started, wherever they are below it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    name, _, rest = stat.read().partition("(")[2].rpartition(")")
                parents[int(entry)] = (int(rest.split()[1]), name)
            except OSError:
                continue

    def is_below(pid: int) -> bool:
        while pid in parents:
            if pid == process.pid:
                return True
            pid = parents[pid][0]
        return False

    return [pid for pid, (_, name) in parents.items() if name.startswith("heddle-") and is_below(pid)]


def catches(pid: int, number: int) -> bool:
    """Whether that process has a handler for that signal."""
    with open(f"/proc/{pid}/status") as status:
        caught = next(line for line in status if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def signal_all(pids: list[int], number: int) -> None:
    for pid in pids:
        os.kill(pid, number)


@pytest.mark.parametrize("whom", ["all", "one"])
def test_killed_runs_go_on(kill, whom, amr, amr_uninterrupted, tmp_path):
    chosen = random.Random(f"{SEED}-{kill}-{whom}")
    ranks, variant = chosen.choice((1, 2, 3)), chosen.choice(VARIANTS)
    print(f"seed {SEED}, kill {kill}, {whom}: {ranks} ranks, {variant}")
    words = [
        *AMR_INPUT.words(ranks),
        "--quiet",
        "--checkpoint_freq",
        "1",
        "--variant",
        variant,
        "--results",
        "killed.json",
    ]
    started = time.monotonic()
    amr_run(amr, tmp_path, ["--checkpoint_freq", "1"], ranks=ranks, variant=variant)
    lasted = time.monotonic() - started
    for file in tmp_path.glob("*.h5"):
        file.unlink()
    process = opened(amr, words, tmp_path, ranks=ranks)
    time.sleep(chosen.uniform(0.2, 1.0) * lasted)
    victims = ranks_of(process) if ranks > 1 else [process.pid]
    for pid in victims if whom == "all" else victims[:1]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.communicate(timeout=scaled(60))
    for latest in sorted(tmp_path.glob("chk?????.h5")):
        goes_on = results(
            amr, ["--restart", latest.name, *layout(2), "--report_perf", "0", "--variant", "loop"], tmp_path, ranks=2
        )
        assert amr_answer(goes_on) == amr_uninterrupted("7")


@pytest.fixture(scope="session")
def two_checkpoints(amr, tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    amr_run(amr, folder, ["--checkpoint_freq", "3"])
    return folder


def refused(program, words, folder, *, ranks=1) -> str:
    done = start(program, words, folder, ranks=ranks)
    said = [line for line in done.stderr.splitlines() if line.startswith("heddle-")]
    assert done.returncode == 2 and len(said) == 1 and not done.stdout, done
    return said[0]


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("damage", ["cut off", "empty", "other format", "values", "state", "tree/level", "version"])
def test_damaged_files_are_named_and_the_one_before_is_offered(damage, ranks, amr, two_checkpoints, tmp_path):
    shutil.copytree(two_checkpoints, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "chk00006.h5"
    if damage == "cut off":
        os.truncate(file, file.stat().st_size // 2)
    elif damage == "empty":
        os.truncate(file, 0)
    elif damage == "other format":
        with h5py.File(file, "w") as other:
            other["something"] = np.arange(5)
    elif damage == "version":
        with h5py.File(file, "r+") as written:
            written.attrs.modify("version", np.int32(2))
    else:
        name = "blocks/values" if damage == "values" else damage
        with h5py.File(file, "r") as written:
            at = written[name].id.get_offset() + 3
        flip(file, at, 4)
    said = refused(amr, ["--restart", "chk00006.h5", *layout(ranks), "--quiet"], tmp_path, ranks=ranks)
    assert said.startswith("heddle-amr: chk00006.h5 ")
    assert said.endswith("; chk00003.h5 is whole: give --restart chk00003.h5")
    assert {"values": "block 0", "state": "'state'", "version": "version 2"}.get(damage, "is ") in said


def flip(file, at: int, bit: int) -> None:
    with open(file, "r+b") as bytes_:
        bytes_.seek(at)
        byte = bytes_.read(1)[0]
        bytes_.seek(at)
        bytes_.write(bytes([byte ^ 1 << bit]))


def test_no_flipped_bit_passes(amr, amr_uninterrupted, two_checkpoints, tmp_path, request):
    shutil.copytree(two_checkpoints, tmp_path, dirs_exist_ok=True)
    whole = tmp_path / "chk00003.h5"
    size = whole.stat().st_size
    chosen = random.Random(SEED)
    with h5py.File(whole) as file:
        values = file["blocks/values"].id.get_offset()
    # What is not values is a hundredth of the file: half of the bits are there.
    full = request.config.getoption("--full")
    for n in range(400 if full else 16):
        at, bit = chosen.randrange(values if n % 2 else size), chosen.randrange(8)
        shutil.copy(whole, tmp_path / "bad00003.h5")
        flip(tmp_path / "bad00003.h5", at, bit)
        words = ["--restart", "bad00003.h5", *layout(1), "--quiet", "--report_perf", "0", "--results", "r.json"]
        done = start(amr, words, tmp_path)
        print(f"seed {SEED}: bit {bit} of byte {at} of {size}: {done.stderr}")
        if done.returncode == 0:  # a byte that nothing uses
            assert amr_answer(results(amr, words[:-2], tmp_path)) == amr_uninterrupted("7")
        else:
            assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("options, message", [("size=3m", "No space left on device"), ("ro", "Read-only file system")])
def test_disks_that_take_no_checkpoint(options, message, ranks, amr, tmp_path):
    with disk(tmp_path / "disk", options) as folder:
        words = [*AMR_INPUT.words(ranks), "--quiet", "--checkpoint_freq", "1", "--checkpoint_file", str(folder / "chk")]
        said = refused(amr, words, tmp_path, ranks=ranks)
        assert message in said
        assert not list(folder.glob("*.part*"))
        for kept in folder.glob("*.h5"):
            words = ["--restart", str(kept), *layout(1), "--report_perf", "0"]
            assert results(amr, words, tmp_path)
        assert options == "ro" or list(folder.glob("*.h5"))


@pytest.mark.parametrize(
    "words, message",
    [
        (["--restart", "none.h5"], "none.h5 does not exist"),
        (["--restart", "chk00006.h5", "--num_vars", "7"], "--num_vars 7 differs from 5 in chk00006.h5; leave it out"),
        (["--restart", "chk00006.h5", "--init_x", "5"], "--init_x 5 x 1 ranks differs from 12 in chk00006.h5"),
        (["--restart", "chk00006.h5", "--max_blocks", "9"], "--max_blocks 9 is too small: a rank gets"),
        (["--checkpoint_freq", "3x"], "--checkpoint_freq takes a whole number, not '3x'"),
        (["--checkpoint_freq", "-3s"], "--checkpoint_freq is -3s; give more than no time"),
        (["--keep", "0"], "--keep is 0; give 1 or more"),
        (["--keep", "3"], "--keep has no effect without --checkpoint_freq; give both, or leave it out"),
        (["--checkpoint_file", "c"], "--checkpoint_file has no effect without --checkpoint_freq"),
        (["--restart", "chk00003.h5", "--num_tsteps", "2"], "--num_tsteps 2 is before timestep 3, which chk00003.h5"),
        (["--restart", "chk00003.h5", "--time", "0.1"], "--time 0.1 is before 3, the time of chk00003.h5; give more"),
        (["--restart", "."], ". is a folder, no checkpoint"),
        (["--restart", "/dev/zero"], "/dev/zero is a device or a socket, no checkpoint"),
    ],
)
def test_mistakes_get_one_line(words, message, amr, two_checkpoints):
    assert message in refused(amr, [*words, "--quiet"], two_checkpoints)


def test_a_pipe_is_no_checkpoint(amr, wave, tmp_path):
    os.mkfifo(tmp_path / "chk00001.h5")
    for program in (amr, wave):
        said = refused(program, ["--restart", "chk00001.h5", "--quiet"], tmp_path)
        assert "chk00001.h5 is a pipe, no checkpoint" in said


def test_nothing_may_be_left_to_do_but_not_less(wave, tmp_path):
    words = [*WAVE_INPUTS["2-D, ratio 3"], "--checkpoint_freq", "4"]
    assert start(wave, words, tmp_path).returncode == 0
    done = start(wave, ["--restart", "chk00008.h5", "--max_steps", "8"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and "nan" not in done.stdout and done.stdout.startswith("8 steps")
    assert "--max_steps 7 is before step 8, which chk00008.h5 is of" in refused(
        wave, ["--restart", "chk00008.h5", "--max_steps", "7"], tmp_path
    )
    said = refused(wave, ["--restart", "chk00008.h5", "--time", "1e-9"], tmp_path)
    assert said.startswith("heddle-wave: --time 1e-09 is before ") and "the time of chk00008.h5" in said


def test_each_program_knows_its_own(wave, two_checkpoints):
    said = refused(wave, ["--restart", "chk00006.h5", "--quiet"], two_checkpoints)
    assert "is a checkpoint of heddle-amr" in said
