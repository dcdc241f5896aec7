"""heddle-amr against real results of the reference: every oracle, every variant, every runtime.

Without --full each combination runs with one of 1, 2 and 5 threads, in turn, so that every variant, every runtime and
every oracle meets each number.
"""

import copy
import functools
import json

import pytest
from agreement import disagreements
from heddle import amr_run, launch, paths, runtimes, toolchain

THREADS = (1, 2, 5)
ORACLES = sorted(path.stem for path in paths.ORACLES.glob("s*.json"))
COMBINATIONS = [
    (oracle, variant, runtime) for oracle in ORACLES for variant in amr_run.VARIANTS for runtime in runtimes.NAMES
]


def pytest_generate_tests(metafunc):
    if "threads" not in metafunc.fixturenames:
        return
    full = metafunc.config.getoption("--full")
    cases = []
    for oracle, variant, runtime in COMBINATIONS:
        turn = ORACLES.index(oracle) + amr_run.VARIANTS.index(variant) + runtimes.NAMES.index(runtime)
        for threads in THREADS if full else (THREADS[turn % len(THREADS)],):
            cases.append(pytest.param(oracle, variant, runtime, threads, id=f"{oracle}-{variant}-{runtime}-{threads}"))
    metafunc.parametrize(("oracle", "variant", "runtime", "threads"), cases)


@functools.cache
def golden(name: str) -> dict:
    return json.loads((paths.ORACLES / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def program():
    toolchain.build("release", [toolchain.RUNTIME_TARGET, toolchain.AMR_TARGET])
    return paths.amr_program()


@functools.cache
def runtime_for(program, name: str) -> runtimes.Runtime:
    """The runtime, once the program is known to run on it. A missing one fails the test: nothing is skipped."""
    launch.plan(str(program), name, None)
    return runtimes.require(name)


def test_heddle_amr_agrees_with_the_reference(program, tmp_path, oracle, variant, runtime, threads):
    expected = golden(oracle)
    results = amr_run.run(
        program,
        runtime_for(program, runtime),
        variant,
        threads,
        expected["argv"],
        tmp_path / "results.json",
        timeout_s=240,
    )
    found = disagreements(expected, results.data)
    assert not found, "\n" + "\n".join(found)


def test_all_single_rank_oracles_are_here():
    assert [name.split("_")[0] for name in ORACLES] == ["s1", "s2", "s3", "s4", "s5", "s8", "s9"]
    assert all(golden(name)["ranks"] == 1 for name in ORACLES)


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
