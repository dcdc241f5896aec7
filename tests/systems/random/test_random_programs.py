"""Random programs on this build of libheddle, for as long as --random-seconds says."""

from __future__ import annotations

import dataclasses
import random
import subprocess
import sys
from pathlib import Path

import emit
import generate
import pytest
import run
import runs
import settings
from heddle import clang, paths, runtimes
from heddle.dependences import IN, INOUT
from heddle.env import table as environment
from heddle.patience import scaled
from model import WIDE, Depend, Program, Spawn, Taskwait


@pytest.fixture(scope="module")
def bench() -> runs.Bench:
    return runs.Bench(runtimes.require("heddle").shims)


def test_random_programs_do_what_the_specification_demands(bench, request, capsys):
    """What it finds it prints, with the command that repeats it."""
    seed = request.config.getoption("--random-seed")
    seed = random.SystemRandom().randrange(1, 1 << 30) if seed is None else seed
    campaign = runs.Campaign(seed, paths.OUT / "random", bench, runs_each=6)
    session = run.Session(campaign, say=lambda text: None)
    tally = session.explore(request.config.getoption("--random-seconds"), 1 << 30, 2, 3)
    with capsys.disabled():
        print(f"\nseed {seed}: {tally.summary()}")
    assert not tally.findings, f"seed {seed}\n" + "\n".join(tally.findings)
    assert tally.runs > 0 and tally.bodies > 1000, "nothing happened"


# Seed, program and setting of what once did not end.
FOUND = [
    # Creators that lay below a wait for latency went on only when nothing was queued.
    ("75505384", "12", "latency-shared:1:plain:20213"),
    ("75505384", "7", "latency:7:plain:8638"),
]


@pytest.mark.parametrize(("seed", "program", "setting"), FOUND, ids=lambda words: words)
def test_what_was_found_once_passes(seed, program, setting):
    command = [sys.executable, Path(__file__).with_name("run.py"), "--seed", seed, "--only", program]
    done = subprocess.run([*command, "--setting", setting], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    assert "0 findings" in done.stdout


@pytest.mark.parametrize("mode", ["default", "shared"])
@pytest.mark.parametrize("untied", [True, False])
def test_thousands_of_dependences_may_follow_a_task_that_is_executed(bench, tmp_path, untied, mode):
    """The first task ends while the second is given its dependences on it: an untied one was lost, or executed twice,
    in one of some hundred rounds. Clang alone has omp_all_memory."""
    first = Spawn(depends=[Depend(INOUT, everything=True)], untied=untied, capture=1)
    second = Spawn(depends=[Depend(IN, WIDE, 4000, form="iterator")], capture=1)
    hammer = Program("hammer", clang.c(), "publish", "inside", [[first, second, Taskwait()]], 0)
    ready = runs.compiled(hammer, tmp_path, bench)
    assert not ready.failure, ready.failure
    outcome = runs.execute(ready, settings.Setting(mode, 4), dataclasses.replace(bench, seconds=scaled(3)))
    assert not outcome.failure, f"{outcome.failure}\n{outcome.said}\n{outcome.command}"
    assert outcome.rounds > 100


@pytest.mark.parametrize("compiler", ["gcc", clang.c()])
@pytest.mark.parametrize("profile", ["graph", "overlap"])
def test_taskgraph_regions_are_replayed(bench, tmp_path, profile, compiler):
    """One in several is not recorded, for a reason that the documentation gives; but most are."""
    campaign = runs.Campaign(1, tmp_path, bench, frozenset({"untied", "detach", "reductions"}), profile, compiler)
    replayed = 0
    for index in range(4):
        program = campaign.program(index)
        outcome = runs.execute(
            runs.compiled(program, campaign.place(index), bench), settings.Setting("shared", 2), bench
        )
        assert not outcome.failure, f"{outcome.failure}\n{outcome.said}\n{outcome.command}"
        replayed += outcome.replays > 0
    assert replayed >= 2


def test_the_same_seed_makes_the_same_program(tmp_path):
    for index in range(20):
        assert emit.source(generate.generate(f"7/{index}")) == emit.source(generate.generate(f"7/{index}"))


# What stands in the source where a feature is used, and which compilers have it.
TRACES = {
    "omp_all_memory": (clang.c(), clang.cpp()),
    "untied": generate.COMPILERS,
    "final(": generate.COMPILERS,
    "if(0)": generate.COMPILERS,
    "mergeable": generate.COMPILERS,
    "priority(": generate.COMPILERS,
    "detach(event": generate.COMPILERS,
    "hand_over(event": generate.COMPILERS,
    "depend(depobj: ": generate.COMPILERS,
    "depend(iterator(": generate.COMPILERS,
    "depend(in: ": generate.COMPILERS,
    "depend(out: ": generate.COMPILERS,
    "depend(inout: ": generate.COMPILERS,
    "depend(mutexinoutset: ": generate.COMPILERS,
    "depend(inoutset: ": (clang.c(), clang.cpp()),
    "[1] = (void*)5": ("gcc", "g++"),  # inoutset as later versions of GCC have it
    " task_reduction(": generate.COMPILERS,
    " in_reduction(": generate.COMPILERS,
    "reduction(task, ": generate.COMPILERS,
    " reduction(": generate.COMPILERS,
    "grainsize(": generate.COMPILERS,
    "num_tasks(": generate.COMPILERS,
    "nogroup": generate.COMPILERS,
    "omp taskgroup": generate.COMPILERS,
    "omp taskwait depend(": generate.COMPILERS,
    "omp taskyield": generate.COMPILERS,
    "omp cancel taskgroup": generate.COMPILERS,
    "omp cancellation point": generate.COMPILERS,
    "nap(me)": generate.COMPILERS,
    "suspend()": generate.COMPILERS,
    "block()": generate.COMPILERS,
    "bind_event(me)": generate.COMPILERS,
    "update(": generate.COMPILERS,
    "collapse(2)": generate.COMPILERS,
    "strict: ": generate.COMPILERS,
    "omp taskgraph": generate.COMPILERS,
    "Capture0": ("g++", clang.cpp()),
}


def test_every_construct_is_generated_for_every_compiler_that_has_it():
    missing = {(words, compiler) for words, compilers in TRACES.items() for compiler in compilers}
    seen = set()
    for index in range(400):
        program = generate.generate(f"1/{index}")
        seen.add(program.profile)
        text = emit.source(program)
        missing -= {(words, compiler) for words, compiler in missing if compiler == program.compiler and words in text}
        if not missing and seen == generate.PROFILES.keys():
            return
    assert not missing
    assert seen == generate.PROFILES.keys()


def test_every_variable_of_the_runtime_is_set_by_a_mode():
    known = {v.name for v in environment.load() if v.name.startswith("HEDDLE_")}
    tried = {name for mode in settings.MODES.values() for name in mode if name.startswith("HEDDLE_")}
    assert tried | settings.LEFT_OUT.keys() == known
    assert not tried & settings.LEFT_OUT.keys()


def test_a_setting_is_read_as_it_is_written():
    for mode in settings.MODES:
        setting = settings.Setting(mode, 3, True, 77)
        assert settings.parse(str(setting)) == setting


def test_a_program_that_does_not_end_says_where_it_stands(bench, tmp_path):
    ready = runs.compiled(generate.generate("1/0"), tmp_path, bench)
    endless = dataclasses.replace(bench, seconds=1000, limit_s=1)
    outcome = runs.execute(ready, settings.Setting("default", 2), endless)
    assert outcome.failure == "did not end in 1 s"
    assert "signal 15 in round" in outcome.said


def test_a_program_that_executes_nothing_does_not_pass(bench, tmp_path):
    ready = runs.compiled(generate.generate("1/0"), tmp_path, bench)
    outcome = runs.execute(ready, settings.Setting("default", 2), bench, "--rounds", "0")
    assert outcome.failure == "nothing was executed"
