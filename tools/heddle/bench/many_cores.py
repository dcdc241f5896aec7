"""heddle bench many-cores: what this machine makes of every kind of program, in ten minutes.

A part is a set of heddle bench or a script of bench/studies. A round runs every part once, with one round of its own,
so that the runtimes alternate within seconds; as many rounds follow as the time allows. A record has the rows of all
parts, and docs/runtime/many-cores.md shows the records that are kept in bench/results, newest first.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import execution, machine, paths, results, runtimes, terminal, toolchain
from heddle.bench import programs
from heddle.errors import CheckFailed, UserError

BENCHMARK = "many-cores"
RECORDS = paths.ROOT / "bench" / "results"
PAGE = paths.ROOT / "docs" / "runtime" / "many-cores.md"
_STUDIES = paths.ROOT / "bench" / "studies"
_LONGEST_PART_S = 900

# One round of a row: a figure a column, and a column is "COMPILER RUNTIME" as in the other sets' records.
Figures = dict[str, float]


@dataclass(frozen=True)
class Part:
    """Something that measures. words: its command for a number of threads, without --json; rows: of its record."""

    name: str
    title: str
    unit: str
    words: Callable[[int], list[str]]
    rows: Callable[[dict[str, Any], int], dict[str, Figures]]
    more_is_better: bool = False


def _set(name: str, kernels: str, *more: str) -> Callable[[int], list[str]]:
    words = ["-m", "heddle", "bench", name, "--kernels", kernels, "--rounds", "1", *more]
    return lambda threads: [*words, "--threads", str(threads)]


def _study(name: str, *more: str) -> Callable[[int], list[str]]:
    return lambda threads: [str(_STUDIES / f"{name}.py"), "--rounds", "1", *more, "--threads", str(threads)]


def _efficiencies(record: dict[str, Any], threads: int) -> dict[str, Figures]:
    """Of tasks of 1, 5 and 20 us in each pattern, as tasks and replayed."""
    rows: dict[str, Figures] = {}
    for pattern, by_column in record["runs"][str(threads)].items():
        for key, (run, *_) in by_column.items():
            column, form = key.rsplit(" ", 1)
            for task_ns, efficiency in run.get("points", ()):
                if task_ns in {1000, 5000, 20000}:
                    name = f"{pattern}, {task_ns / 1000:.0f} us{', replayed' if form == 'graph' else ''}"
                    rows.setdefault(name, {})[column] = efficiency
    return rows


def _values(record: dict[str, Any], threads: int) -> dict[str, Figures]:
    """Of a set whose programs have one form."""
    return {
        case: {key: runs[0]["value"] for key, runs in by_column.items() if runs[0]["value"] is not None}
        for case, by_column in record["runs"][str(threads)].items()
    }


def _values_by_form(record: dict[str, Any], threads: int) -> dict[str, Figures]:
    """Of a set whose programs are tasks, taskgraphs and loops: the first two, each beside the tasks of others."""
    rows: dict[str, Figures] = {}
    for case, figures in _values(record, threads).items():
        by_form: dict[str, Figures] = {"tasks": {}, "graph": {}}
        for key, value in figures.items():
            column, form = key.rsplit(" ", 1)
            if form in by_form:
                by_form[form][column] = value
        others = {key: value for key, value in by_form["tasks"].items() if not is_ours(key)}
        rows[case] = by_form["tasks"]
        rows[f"{case}, replayed"] = by_form["graph"] | others
    return rows


_COMPILERS = {"gnu": "gcc", "llvm": "clang"}


def _constructs(record: dict[str, Any], threads: int) -> dict[str, Figures]:
    rows: dict[str, Figures] = {}
    for key, by_construct in record["ns"][str(threads)][0].items():
        stock, who = key.split()
        column = f"{_COMPILERS[stock]} {stock if who == 'stock' else who}"
        for construct, ns in by_construct.items():
            rows.setdefault(construct, {})[column] = ns
    return rows


def _variants(record: dict[str, Any], threads: int) -> dict[str, Figures]:
    rows: dict[str, Figures] = {}
    for key, seconds in record["seconds"].items():
        variant, runtime = key.split()
        rows.setdefault(variant, {})[f"gcc {runtime}"] = seconds[0]
    return rows


def _strategies(record: dict[str, Any], threads: int) -> dict[str, Figures]:
    return {
        way: {f"gcc {key}": runs[0]["us"] for key, runs in by_runtime.items() if "us" in runs[0]}
        for way, by_runtime in record["runs"]["small"][str(threads)].items()
    }


PARTS = (
    Part(
        "grain",
        "Efficiency of tasks of a length",
        "of the processors' time",
        _set("grain", "independent,chains,stencil,bursts", "--seconds", "0.1", "--timeout", "20"),
        _efficiencies,
        more_is_better=True,
    ),
    Part(
        "tasks",
        "What a task costs",
        "ns a task",
        _set(
            "tasks",
            "independent,producer,nested,taskloop,stencil,fib,nqueens,mixed-uts",
            *("--seconds", "0.05", "--timeout", "5"),
        ),
        _values,
    ),
    Part("sync", "Synchronisation (EPCC)", "ns", _study("sync"), _constructs),
    Part(
        "graphs",
        "Numerical kernels",
        "ns an iteration",
        _set("graphs", "heat/16,nbody/16,cholesky/16,cg/256", "--seconds", "0.05", "--timeout", "5"),
        _values_by_form,
    ),
    Part(
        "nas",
        "NAS Parallel Benchmarks",
        "ns an iteration",
        _set("nas", "cg.W/128,bt.W/128,sp.W/128,lu.W/128", "--seconds", "0.05", "--timeout", "10"),
        _values_by_form,
    ),
    Part(
        "amr",
        "heddle-amr, variants",
        "s",
        _study("amr_variants", "--variants", "loop,task-1,task-2,taskloop"),
        _variants,
    ),
    Part(
        "wave",
        "heddle-wave, strategies (Schulz et al. 2021, figure 4)",
        "us a step and patch",
        _study("wave_strategies", "--timeout", "5"),
        _strategies,
    ),
)


def is_ours(column: str) -> bool:
    return column.split()[1] == "heddle"


def run(threads: int | None, minutes: float, parts: str | None, file: Path | None) -> None:
    """Measures, writes the record, and prints its rows.

    Errors: UserError for what was asked wrongly, CheckFailed where a part failed: the others are in the record.
    """
    chosen = _chosen(parts)
    if minutes <= 0:
        raise UserError(f"--minutes {minutes:g}: give a number above 0")
    count = len(os.sched_getaffinity(0)) if threads is None else threads
    if count < 1:
        raise UserError(f"--threads {count}: a team has at least 1 thread")
    toolchain.build("release")
    toolchain.build("release-clang")
    record = measured(chosen, count, minutes * 60)
    if file:
        results.write(file, record)
    _show(record)
    if record["failures"]:
        raise CheckFailed("; ".join(f"{name}: {why}" for name, why in record["failures"].items()))


def _chosen(words: str | None) -> list[Part]:
    names = [part.name for part in PARTS]
    wanted = names if words is None else words.split(",")
    for word in wanted:
        if word not in names:
            raise UserError(f"--parts: there is no '{word}'; there are {', '.join(names)}")
    return [part for part in PARTS if part.name in wanted]


def measured(parts: list[Part], threads: int, seconds: float) -> dict[str, Any]:
    """The record. Every part runs once; then each runs again as often as it ends within the seconds."""
    rounds: dict[str, list[dict[str, Figures]]] = {part.name: [] for part in parts}
    failures: dict[str, str] = {}
    took: dict[str, float] = {}
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, terminal.bar("measuring", announces=True) as progress:
        wanted = parts
        while wanted:
            for part in wanted:
                now = time.monotonic()
                text = f"{part.name}, round {len(rounds[part.name]) + 1}"
                progress(min(round(now - begin), round(seconds)), round(seconds), text)
                found = _run(part, threads, Path(folder) / "record.json")
                took[part.name] = time.monotonic() - now
                if isinstance(found, str):
                    failures[part.name] = found
                else:
                    rounds[part.name].append(found)
            left = begin + seconds - time.monotonic()
            wanted = []
            for part in parts:
                if part.name not in failures and took[part.name] <= left:
                    wanted.append(part)
                    left -= took[part.name]
    return {
        "benchmark": BENCHMARK,
        "date": results.date(),
        "commit": results.commit_of(paths.ROOT),
        "machine": machine.described(),
        "threads": threads,
        "compilers": {compiler.name: compiler.version for compiler in programs.compilers()},
        "runtimes": {
            runtime.name: results.runtime_entry(runtime) for runtime in map(runtimes.require, runtimes.chosen(None))
        },
        "rounds": rounds,
        "failures": failures,
    }


def _run(part: Part, threads: int, file: Path) -> dict[str, Figures] | str:
    """The rows of one round, or why there are none."""
    file.unlink(missing_ok=True)
    command = [sys.executable, *part.words(threads), "--json", str(file)]
    try:
        done = subprocess.run(
            command,
            cwd=paths.ROOT,
            env={**os.environ, "PYTHONPATH": str(paths.TOOLS)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LONGEST_PART_S,
        )
    except subprocess.TimeoutExpired:
        return f"no end in {_LONGEST_PART_S} s"
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return f"{execution.end_of(done.returncode)}: {last.removeprefix('heddle: ')}"
    return part.rows(results.read(file), threads)


@dataclass(frozen=True)
class Comparison:
    """A row's medians: of libheddle, of the best other column, and of the quotients, round by round.

    quotient: how many times better libheddle is. Without another column, other and quotient are None.
    """

    ours: float
    other: float | None
    other_column: str
    quotient: float | None
    rounds: int


def compared(part: Part, rounds: list[dict[str, Figures]], name: str) -> Comparison | None:
    """A row of a part's rounds; None where libheddle has no figure. libheddle counts with the program of the other
    column's compiler, if it has one of that."""
    best = max if part.more_is_better else min
    figures = [rows.get(name, {}) for rows in rounds]
    columns = dict.fromkeys(column for of_round in figures for column in of_round)
    middle = {column: statistics.median(_of(column, figures)) for column in columns}
    ours = {column: value for column, value in middle.items() if is_ours(column)}
    others = {column: value for column, value in middle.items() if not is_ours(column)}
    if not ours:
        return None
    if not others:
        mine = best(ours, key=lambda column: ours[column])
        return Comparison(ours[mine], None, "", None, len(_of(mine, figures)))
    other = best(others, key=lambda column: others[column])
    same = {column: value for column, value in ours.items() if column.split()[0] == other.split()[0]} or ours
    mine = best(same, key=lambda column: same[column])
    pairs = [(of_round[mine], of_round[other]) for of_round in figures if mine in of_round and other in of_round]
    quotients = [a / b if part.more_is_better else b / a for a, b in pairs if a > 0 and b > 0]
    quotient = statistics.median(quotients) if quotients else None
    return Comparison(middle[mine], middle[other], other, quotient, len(quotients))


def _of(column: str, figures: list[Figures]) -> list[float]:
    return [of_round[column] for of_round in figures if column in of_round]


def _names(rounds: list[dict[str, Figures]]) -> list[str]:
    return list(dict.fromkeys(name for rows in rounds for name in rows))


def _show(record: dict[str, Any]) -> None:
    from rich.table import Table

    console = terminal.console()
    for part in PARTS:
        rounds = record["rounds"].get(part.name, [])
        if not rounds:
            continue
        table = Table("", "libheddle", "others' best", "times better", "rounds", box=None, pad_edge=False)
        for name in _names(rounds):
            if found := compared(part, rounds, name):
                table.add_row(name, *_cells(found), str(found.rounds))
        console.print(f"\n{part.title}: {part.unit}, {record['threads']} threads", highlight=False)
        console.print(table)


def _cells(found: Comparison) -> list[str]:
    other = "" if found.other is None else f"{_number(found.other)} ({found.other_column})"
    return [_number(found.ours), other, "" if found.quotient is None else f"{found.quotient:.2f}"]


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


_HEAD = """\
# Machines with many processors

<!-- made by tools/heddle/bench/many_cores.py from bench/results/many-cores-*.json -->

```sh
./heddle bench many-cores    # on all processors of this machine: ten minutes, and the builds
./heddle bench many-cores --json bench/results/many-cores-$(date +%F).json --page    # a record, and this page anew
```

Each row is what one machine gave on one day, newest first; rows of older days stay. libheddle stands beside the best of
the other runtimes, with the program of the same compiler where there is one. Figures are medians of the rounds, in
which the runtimes took turns; *times better* is the median of the rounds' quotients, above 1 in libheddle's favour."""


def records() -> list[dict[str, Any]]:
    """Those that are kept, newest first."""
    kept = [results.read(file) for file in sorted(RECORDS.glob(f"{BENCHMARK}-*.json"))]
    return sorted(kept, key=lambda record: record["date"], reverse=True)


def page(kept: list[dict[str, Any]]) -> str:
    """docs/runtime/many-cores.md."""
    lines = [_HEAD]
    for part in PARTS:
        rounds_of = [(record, record["rounds"].get(part.name, [])) for record in kept]
        names = list(dict.fromkeys(name for _, rounds in rounds_of for name in _names(rounds)))
        if not names:
            continue
        lines += ["", f"## {part.title}", "", f"Figures are {part.unit}.", ""]
        lines += ["| | libheddle | others' best | times better | rounds | threads | machine | day | commit |"]
        lines += ["|---|--:|--:|--:|--:|--:|---|---|---|"]
        for name in names:
            for record, rounds in rounds_of:
                if found := compared(part, rounds, name):
                    where = f"{record['machine']['processors']} × {record['machine']['model']}"
                    cells = [name, *_cells(found), str(found.rounds), str(record["threads"]), where]
                    lines.append(f"| {' | '.join(cells)} | {record['date'][:10]} | {record['commit']} |")
    return "\n".join(lines) + "\n"
