"""The benchmark sets on two builds of libheddle, or on one under other settings, by turns.

    .venv/bin/python bench/studies/two_libraries.py --before FOLDER [--json FILE]
    .venv/bin/python bench/studies/two_libraries.py --set NAME=VALUE [--json FILE]

FOLDER is another build's folder of shims, as `heddle path shims` names this build's. The programs are the same: those
of `heddle bench`, and sync.c, each by GCC and by Clang. One round runs a case on both sides, one after the other; every
second round has the other side first. The ratio of a round is the time of this build over that of the one before, or
with the setting over without. What is printed is the geometric mean of a set, and, for each case whose median over the
rounds is further from 1 than 3 %, that median and its range. Exit status 1: a program failed on either side.

--beside N keeps N processes busy meanwhile, as on a machine that others use too.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from heddle import machine, results, runtimes
from heddle.bench import columns, grain, graphs, policy, programs, rounds, session, tasks
from heddle.bench.choice import matching
from heddle.bench.measurement import Case, Column
from heddle.errors import UserError
from sync import LINE, PAIRS, compile_program

BENCHMARKS = {
    "tasks": tasks.BENCHMARK,
    "graphs": graphs.BENCHMARK,
    "grain": grain.BENCHMARK,
    "policy": policy.BENCHMARK,
}
SETS = (*BENCHMARKS, "sync")
SHOWN = 0.03


@dataclass(frozen=True)
class Pair:
    """A program that both sides run. measure(environment): its times by name, or why there are none."""

    name: str
    environ: dict[str, str]
    measure: Callable[[dict[str, str]], dict[str, float] | str]


def of_benchmark(name: str, kernels: str | None, threads: int, seconds: float) -> Iterator[Pair]:
    """The cases of a set, in libheddle's columns; those of the policy with all rules."""
    benchmark = BENCHMARKS[name]
    runtime = runtimes.require("heddle")
    made, others = session.built(benchmark, programs.compilers())
    plain = columns.all_of(made, [runtime], peers_best=False)
    chosen = benchmark.columns(plain) if name != "policy" else plain
    how = rounds.How(1, 120.0, ("--seconds", f"{seconds:g}"))
    for column in chosen:
        begun = columns.start(column, made[column.compiler], runtime, threads, benchmark.environ)
        begun = replace(begun, others=others[column.compiler])
        for case in matching(kernels, benchmark.chosen(None, False)):
            yield Pair(f"{case.name} {column.key}", begun.environ, measured_by(begun, column, case, how))


def measured_by(
    start: columns.Start, column: Column, case: Case, how: rounds.How
) -> Callable[[dict[str, str]], dict[str, float] | str]:
    def measure(environ: dict[str, str]) -> dict[str, float] | str:
        run = rounds.run_once(replace(start, environ=environ), case, how)
        if run.refused:  # a form that the kernel does not have
            return {}
        if run.failure:
            return run.failure
        name = f"{case.name} {column.key}"
        if run.points:  # how long the whole takes, in units of its bodies
            return {
                f"{name} {point.task_ns:g} ns": 1 / point.efficiency for point in run.points if point.efficiency > 0
            }
        return {name: run.value} if run.value else {}

    return measure


def of_sync(threads: int, seconds: float, folder: Path) -> Iterator[Pair]:
    """The constructs of sync.c: all of a compiler's program at a time."""
    runtime = runtimes.require("heddle")
    for compiler in PAIRS.values():
        binary = folder / compiler
        if not binary.exists():
            compile_program(compiler, folder, "sync.c")

        def measure(environ: dict[str, str], binary: Path = binary) -> dict[str, float] | str:
            try:
                done = subprocess.run([binary, str(seconds)], env=environ, capture_output=True, text=True, timeout=120)
            except subprocess.TimeoutExpired:
                return "took longer than 120 s"
            if done.returncode != 0:
                return f"status {done.returncode}"
            return {f"{name} {binary.name}": float(ns) for name, ns in LINE.findall(done.stdout) if float(ns) > 1}

        yield Pair(f"sync {compiler}", runtimes.environment(runtime, threads), measure)


def run_pairs(pair: Pair, changes: list[dict[str, str]], count: int) -> tuple[dict[str, list[list[float]]], str]:
    """name -> both sides' times of each round, and the first failure."""
    times: dict[str, list[list[float]]] = {}
    for number in range(count):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        found: list[dict[str, float]] = [{}, {}]
        for side in order:
            answer = pair.measure(pair.environ | changes[side])
            if isinstance(answer, str):
                return {}, answer
            found[side] = answer
        for name in found[0].keys() & found[1].keys():
            times.setdefault(name, []).append([found[0][name], found[1][name]])
    return times, ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="the other build's shims")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable of one side")
    parser.add_argument("--sets", default=",".join(SETS), help=f"some of {','.join(SETS)}")
    parser.add_argument("--kernels", help="cases or patterns of the sets but sync")
    parser.add_argument("--threads", default="1,2", help="thread counts, separated by commas")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.1, help="how long a run repeats its kernel")
    parser.add_argument("--beside", type=int, default=0, metavar="N", help="processes that are busy meanwhile")
    parser.add_argument("--json", type=Path, help="write every time to this file")
    options = parser.parse_args()
    sets = options.sets.split(",")
    if options.beside < 0:
        parser.error(f"--beside {options.beside}: give 0 or more")
    if bool(options.before) == bool(options.set) or not set(sets) <= set(SETS) or options.rounds < 1:
        parser.error(f"give --before or --set, some of {', '.join(SETS)} as --sets, and at least one round")
    if options.before and not (options.before / "libgomp.so.1").exists():
        parser.error(f"--before {options.before}: there is no libgomp.so.1; give a build's folder of shims")
    for word in options.set:
        if "=" not in word:
            parser.error(f"--set {word}: give NAME=VALUE")
    here: dict[str, str] = {}
    changes = [here, dict(word.split("=", 1) for word in options.set)]
    if options.before:
        changes = [{"LD_LIBRARY_PATH": str(options.before.resolve())}, here]

    times: dict[str, dict[str, dict[str, list[list[float]]]]] = {}
    failed = False
    with busy_processes(options.beside), tempfile.TemporaryDirectory() as folder:
        for threads in [int(word) for word in options.threads.split(",")]:
            for name in sets:
                pairs = (
                    of_sync(threads, options.seconds / 5, Path(folder))
                    if name == "sync"
                    else of_benchmark(name, options.kernels, threads, options.seconds)
                )
                of_set = times.setdefault(str(threads), {}).setdefault(name, {})
                for pair in pairs:
                    found, failure = run_pairs(pair, changes, options.rounds)
                    failed |= bool(failure)
                    if failure:
                        print(f"{pair.name}: {failure}", file=sys.stderr)
                    of_set.update(found)
                report(name, threads, of_set)
    if options.json:
        record = {
            "date": results.date(),
            "command": [
                Path(sys.argv[0]).name,
                *("FOLDER" if word == str(options.before) else word for word in sys.argv[1:]),
            ],
            "machine": machine.described(),
            "sides": [described(options.before, {}), described(None, {} if options.before else changes[1])],
            "times": times,
        }
        results.write(options.json, record)
    return int(failed)


@contextlib.contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Meanwhile this many processes want a processor each."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def described(folder: Path | None, variables: dict[str, str]) -> dict[str, str]:
    """A side for the record: the commit of its library, that library to the byte, and what is set."""
    runtime = runtimes.require("heddle")
    if folder is not None:
        runtime = replace(runtime, library=folder / "libgomp.so.1")
    commit = results.commit_of(runtime.library.resolve().parent)
    return {"commit": commit, **results.runtime_entry(runtime), **variables}


def report(name: str, threads: int, of_set: dict[str, list[list[float]]]) -> None:
    """The geometric mean of a set, and its cases that differ."""
    if not of_set:
        return
    ratios = {case: [second / first for first, second in rows] for case, rows in of_set.items()}
    middle = {case: statistics.median(values) for case, values in ratios.items()}
    mean = statistics.geometric_mean(middle.values())
    print(f"\n{name}, threads {threads}: geometric mean {mean:.3f} of {len(middle)} cases", flush=True)
    for case in sorted(middle, key=middle.__getitem__):
        if abs(middle[case] - 1) > SHOWN:
            print(f"  {middle[case]:.3f} [{min(ratios[case]):.2f} {max(ratios[case]):.2f}] {case}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as mistake:
        print(mistake, file=sys.stderr)
        sys.exit(2)
