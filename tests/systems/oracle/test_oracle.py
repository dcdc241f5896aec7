"""heddle-amr against real results of the reference: every oracle, every variant, every runtime.

Without --full each combination runs with one of 1, 2 and 5 threads, in turn, so that every variant, every runtime and
every oracle meets each number; and the stock runtimes run a third of the combinations, so that each of them meets every
variant. Oracles of several ranks run in five variants on both MPIs, with 1 or 2 threads a rank; layouts of ranks run on
libheddle and one MPI in turn without --full.
"""

import copy
import functools
import json

import pytest
from agreement import disagreements
from heddle import launch, paths, runtimes
from heddle.demo import amr_run
from heddle.mpi import PRESETS

THREADS = (1, 2, 5)
STOCK_IN_TURN = 3
ORACLES = sorted(path.stem for path in paths.ORACLES.glob("s*.json"))
RANK_VARIANTS = ("serial", "loop", "task-2", "data-flow", "data-flow-graph")


def pytest_generate_tests(metafunc):
    full = metafunc.config.getoption("--full")
    if "layout" in metafunc.fixturenames:
        cases = [
            pytest.param(run, variant, runtime, threads, mpi, id=f"{name}-{variant}-{runtime}-{threads}-{mpi}")
            for n, run in enumerate(AS_THE_REFERENCE)
            for name in [run["layout"].replace(" ", "")]
            for v, variant in enumerate(RANK_VARIANTS)
            for runtime in (runtimes.NAMES if full else ("heddle",))
            if runs_over_ranks(variant, runtime)
            for m, mpi in enumerate(PRESETS)
            if full or (n + v) % len(PRESETS) == m
            for threads in (THREADS[:2] if full else (THREADS[(n // len(PRESETS) + v) % 2],))
        ]
        metafunc.parametrize(("layout", "variant", "runtime", "threads", "mpi"), cases)
    if "oracle" not in metafunc.fixturenames:
        return
    cases = []
    for oracle, variant, runtime in combinations():
        nth = amr_run.VARIANTS.index(variant)
        turn = ORACLES.index(oracle) + nth + runtimes.NAMES.index(runtime)
        # The variant counts twice, so that each meets all oracles and not always with the same number of threads.
        if not full and runtime != "heddle" and (turn + nth) % STOCK_IN_TURN != 0:
            continue
        counts = THREADS if golden(oracle)["ranks"] == 1 else THREADS[:2]
        for m, mpi in enumerate(PRESETS if golden(oracle)["ranks"] > 1 else ["release"]):
            for threads in counts if full else (counts[(turn + m) % len(counts)],):
                name = f"{oracle}-{variant}-{runtime}-{threads}-{mpi}"
                cases.append(pytest.param(oracle, variant, runtime, threads, mpi, id=name))
    metafunc.parametrize(("oracle", "variant", "runtime", "threads", "mpi"), cases)


@functools.cache
def golden(name: str) -> dict:
    return json.loads((paths.ORACLES / f"{name}.json").read_text(encoding="utf-8"))


def combinations() -> list[tuple[str, str, str]]:
    return [
        (oracle, variant, runtime)
        for oracle in ORACLES
        for variant in (amr_run.VARIANTS if golden(oracle)["ranks"] == 1 else RANK_VARIANTS)
        for runtime in runtimes.NAMES
        if golden(oracle)["ranks"] == 1 or runs_over_ranks(variant, runtime)
    ]


def runs_over_ranks(variant: str, runtime: str) -> bool:
    """Stock runtimes lose the events of a GCC program's tasks: heddle-amr refuses them (tests/systems/ranks)."""
    return runtime == "heddle" or not variant.startswith("data-flow")


@functools.cache
def runtime_for(program, name: str) -> runtimes.Runtime:
    """The runtime, once the program is known to run on it. A missing one fails the test: nothing is skipped."""
    launch.plan(str(program), name, None)
    return runtimes.require(name)


@pytest.mark.sampled
def test_heddle_amr_agrees_with_the_reference(program_of, tmp_path, oracle, variant, runtime, threads, mpi):
    expected = golden(oracle)
    program = program_of(mpi)
    results = amr_run.run(
        program,
        runtime_for(program, runtime),
        variant,
        threads,
        expected["argv"],
        tmp_path / "results.json",
        timeout_s=240,
        ranks=expected["ranks"],
        preset=mpi,
    )
    found = disagreements(expected, results.data)
    assert not found, "\n" + "\n".join(found)


def test_all_oracles_are_here():
    ranks = {name.split("_")[0]: golden(name)["ranks"] for name in ORACLES}
    assert ranks == {"s1": 1, "s2": 1, "s3": 1, "s4": 1, "s5": 1, "s6": 2, "s7": 4, "s8": 1, "s9": 1}


DEPENDENCE = json.loads((paths.ORACLES / "extra_rank_dependence.json").read_text(encoding="utf-8"))
AS_THE_REFERENCE = [run for run in DEPENDENCE["runs"] if run["build"] == "reference initial values"]


def test_sums_depend_on_the_layout_of_ranks_as_the_references_do(
    program_of, tmp_path, layout, variant, runtime, threads, mpi
):
    arguments = [*DEPENDENCE["base_argv"], *layout["layout"].split()]
    program = program_of(mpi)
    results = amr_run.run(
        program,
        runtime_for(program, runtime),
        variant,
        threads,
        arguments,
        tmp_path / "results.json",
        timeout_s=240,
        ranks=layout["ranks"],
        preset=mpi,
    )
    last = results.checks[-1]
    found = {"initial_sums": results.data["initial_sums"], "final_sums": last["sum"], "final_sumsq": last["sumsq"]}
    for name, values in found.items():
        for theirs, mine in zip(layout[name], values, strict=True):
            assert amr_run.relative_difference(theirs, mine) <= 1e-12, name


def test_an_oracle_agrees_with_itself():
    for name in ORACLES:
        assert disagreements(golden(name), golden(name)) == []


def spoilt(change) -> list[str]:
    other = copy.deepcopy(golden("s1_corner_sphere"))
    change(other)
    return disagreements(golden("s1_corner_sphere"), other)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r["refinements"][2].update(mesh_fingerprint="0"), "mesh_fingerprint is 0"),
        (lambda r: r["refinements"][3].update(total_blocks=7), "total_blocks is 7"),
        (lambda r: r["refinements"].pop(), "4 refinements, not 5"),
        (lambda r: r["refinements"][1]["objects"][0].update(center=[0, 0, 0]), "object 0 center is [0, 0, 0]"),
        (lambda r: r["checks"][5]["sumsq"].__setitem__(3, 1.0), "sumsq of variable 3 is 1.0"),
        (lambda r: r["checks"][5]["moment"].__setitem__(3, float("nan")), "moment of variable 3 is nan"),
        (lambda r: r["checks"].pop(), "79 checks, not 80"),
        (lambda r: r["report"].update(blocks_split=1.0), "report.blocks_split is 1.0, not 292.0"),
        (lambda r: r["report"]["faces_per_rank"].pop("z"), "report.faces_per_rank.z is missing"),
        (lambda r: r["mismatch_messages"].append("sum is off"), "a checksum failed: sum is off"),
        (lambda r: r["timesteps"][4].update(delta=0.5), "timestep {"),
    ],
)
def test_a_disagreement_is_said_in_words(change, words):
    found = spoilt(change)
    assert len(found) >= 1
    assert words in found[0]


def test_a_difference_below_the_tolerance_passes_and_one_above_does_not():
    def scale(factor):
        def change(results):
            results["checks"][9]["sum"][2] *= factor

        return change

    assert spoilt(scale(1 + 5e-13)) == []
    assert len(spoilt(scale(1 + 5e-12))) == 1
