"""Pereira and others: suspending tasks on events."""

from __future__ import annotations

import re

from heddle import paths, toolchain
from heddle.errors import CheckFailed
from heddle.papers import programs
from heddle.papers.finding import Finding, How, Paper, middle, spread, times

_FORMS = ("original", "detach", "suspension")
_SOURCES = paths.ROOT / "examples" / "suspension"
_CONTINUATIONS = 200_000
_NS_EACH = r"threads: ([0-9.]+) ns each"
_SEDOV = re.compile(r"(\d+) steps, energy (\S+), ([0-9.]+) ms a step")


def measure(how: How) -> list[Finding]:
    how.say("building")
    names = ["taskwait_detach", *(f"{program}_{form}" for program in ("sedov", "cholesky") for form in _FORMS)]
    toolchain.build("release", ["heddle", *(f"suspension_{name}" for name in names)])
    toolchain.build("release-clang", ["suspension_taskwait_detach"])
    return [_figure_1(how), *_sedov(how)]


def _program(name: str, preset: str = "release") -> str:
    found = paths.build_dir(preset) / "examples" / "suspension" / name
    if not found.exists():
        raise CheckFailed(f"there is no {paths.shown(found)}; {paths.COMMAND} doctor says what is missing")
    return str(found)


def _figure_1(how: How) -> Finding:
    count = 2000 if how.quick else _CONTINUATIONS
    columns = {
        "libheddle, taskwait detach": ("heddle", "release", "suspension"),
        "libheddle, task detach": ("heddle", "release", "detach"),
        "libomp, task detach": ("llvm", "release-clang", "detach"),
        "libgomp, task detach": ("gnu", "release", "detach"),
    }
    threads = (1, 2, 4)
    found: dict[tuple[str, int], list[float | None]] = {}
    for turn in range(how.rounds):
        for number in threads:
            how.say(f"continuations, {number} threads, round {turn + 1}")
            for title, (runtime, preset, form) in columns.items():
                command = [_program("taskwait_detach", preset), str(count), form]
                runs = found.setdefault((title, number), [])
                failed = bool(runs) and runs[-1] is None
                runs.append(None if failed else programs.number(command, runtime, number, _NS_EACH, 20))
    rows, ratios = [], []
    for title in columns:
        words = []
        for number in threads:
            runs = [run for run in found[title, number] if run is not None]
            words.append(times(sorted(runs)[len(runs) // 2]) if len(runs) == how.rounds else "does not end")
        rows.append((title, *words))
    ours, other = ("libheddle, taskwait detach", "libheddle, task detach")
    for number in threads:
        mine = [run for run in found[ours, number] if run is not None]
        theirs = [run for run in found[other, number] if run is not None]
        if len(mine) == len(theirs) == how.rounds:
            ratios.append((number, middle(mine, theirs), spread(mine, theirs)))
    if not ratios:
        raise CheckFailed("taskwait_detach failed on libheddle")
    return Finding(
        "Figure 1: what a continuation costs",
        "`taskwait detach` beats `task detach` with any number of threads: half as many tasks and no dependences, "
        "some 100 ns "
        "a task on LLVM's runtime. GCC's runtime deadlocks with 1 and 2 threads.",
        ("form", *(f"{number} thread{'s' if number > 1 else ''}" for number in threads)),
        rows,
        "On libheddle `taskwait detach` takes "
        + ", ".join(f"{text} of `task detach` with {number}" for number, _, text in ratios)
        + ".",
        f"examples/suspension/taskwait_detach {_CONTINUATIONS}",
    )


def _sedov(how: How) -> list[Finding]:
    rows: list[tuple[str, ...]] = []
    fewest = {form: [] for form in _FORMS}
    cases = [(1, 5)] if how.quick else [(1, 10), (1, 20), (8, 5)]
    for ranks, edge in cases:
        for form in _FORMS:
            how.say(f"sedov, {form}, {ranks} ranks of {edge}³")
            threads = 2 if ranks == 1 else 1
            command = [_program(f"sedov_{form}"), str(edge)]
            if ranks > 1:
                command = ["mpiexec.mpich", "-n", str(ranks), *command]
            steps, energy, ms = _SEDOV.search(programs.printed(command, "heddle", threads)).groups()  # type: ignore[union-attr]
            rows.append((f"{ranks}", f"{edge}³", form, steps, energy, f"{float(ms):.3g} ms"))
            fewest[form].append(int(steps))
    return [
        Finding(
            "Section 4.3: LULESH, in three forms",
            "A code like LULESH has some 20 tasks a step that may wait for messages, beside 10,000 that compute: "
            "suspension "
            "hardly saves time there, but makes the code simpler.",
            ("ranks", "elements of each", "form", "steps", "energy at the origin", "a step"),
            rows,
            "All forms give the steps and energies that LULESH 2.0 reports for the same cube. Eight ranks of one "
            "thread share "
            "two cores here: who spins in MPI_Waitall takes the core from the rank it waits for.",
            "mpiexec -n 8 examples/suspension/sedov_FORM 5",
        ),
        Finding(
            "Section 4.3: lines of code",
            "A receive that suspends its task has one task and one dependence less than `task detach`, and the code "
            "that "
            "follows a message stands behind it.",
            ("program", *_FORMS, "tasks of both"),
            [
                (
                    name,
                    *(str(_lines(_SOURCES / name / f"{form}.c")) for form in _FORMS),
                    str(_lines(_SOURCES / name / "tasks.c")),
                )
                for name in ("sedov", "halo", "cholesky")
            ],
            "The lines that say how messages cross, without comments. Both forms of tasks share tasks.c, which "
            "original does "
            "not need, and a poller.",
            "wc -l examples/suspension/*/*.c",
        ),
    ]


def _lines(file) -> int:
    texts = file.read_text(encoding="utf-8").splitlines()
    return sum(1 for text in texts if text.strip() and not text.strip().startswith("//"))


PAPER = Paper(
    "pereira",
    "Suspending OpenMP Tasks on Asynchronous Events: Extending the Taskwait Construct",
    "R. Pereira, M. Martin, A. Roussel, P. Carribault, T. Gautier, IWOMP 2023",
    "docs/papers/4-pereira2023.md",
    measure,
)
