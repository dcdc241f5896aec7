"""The demo from start to end: build, run, compare, draw, write."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from heddle import launch, machine, paths, program_run, results, runtimes, terminal, toolchain, version
from heddle.demo import amr_run, inputs, measure, mesh, page, parts, settings
from heddle.demo import rounds as in_turn
from heddle.errors import CheckFailed, UserError

# The whole demo takes at most three minutes on two cores; drawing and the run that writes the meshes need the rest.
_BUDGET_S = 130
# The picture of owners: how many ranks, and at which of the moments.
_OWNERS = 4
_OWNERS_AT = 1


def show(*, quick: bool, threads: int | None, rounds: int | None, out: str | None) -> None:
    """Runs the demo. Errors: UserError for what the user can mend, CheckFailed when a run fails or answers differ."""
    the_input = inputs.QUICK if quick else inputs.FULL
    threads = settings.threads(threads)
    rounds = settings.rounds(rounds, quick=quick)
    folder = settings.output_folder(out, paths.OUT / "demo")
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.AMR])
    program = paths.program(paths.AMR)
    chosen = _installed(program)
    print(
        f"heddle: {len(measure.combinations(chosen))} combinations of variant and runtime, one after another",
        file=sys.stderr,
    )
    measurement = _measure(program, chosen, the_input, threads, rounds)
    _print_table(measurement)
    moments = _meshes(program, chosen[0], the_input, threads, measurement.results)
    owners = [_owners(program, chosen[0], the_input, balances=balances) for balances in (False, True)]

    # Matplotlib is slow to import and only needed now.
    from heddle.demo import pictures

    drawn = page.Pictures(
        cube_png=pictures.cube(*max(moments, key=lambda moment: len(moment[1]))[1:]),
        cuts_png=pictures.four_cuts(moments),
        owners_png=pictures.owners(*owners, the_input.moments[_OWNERS_AT]),
        bars_svg=pictures.bars(measurement.timings, measurement.rounds),
    )
    pictures.save(drawn.cube_png, folder / "cube.png")
    pictures.save(drawn.cuts_png, folder / "mesh.png")
    pictures.save(drawn.owners_png, folder / "owners.png")
    pictures.save(drawn.bars_svg, folder / "times.svg")
    index = folder / "index.html"
    page.write(
        index,
        measurement,
        drawn,
        [*the_input.arguments, *inputs.roots_over(1)],
        _conditions(program, chosen),
        demo_command=f"./heddle demo{' --quick' if quick else ''}",
    )
    print(
        f"\nAll {measurement.rounds * len(measurement.timings)} runs agree bit for bit. The page: {paths.shown(index)}"
    )


def _conditions(program: Path, chosen: list[runtimes.Runtime]) -> parts.Conditions:
    return parts.Conditions(
        results.date(),
        machine.described(),
        version.line(),
        {runtime.title: runtime.library.resolve().name for runtime in chosen},
        amr_run.descriptions(program),
    )


def _installed(program: Path) -> list[runtimes.Runtime]:
    """The runtimes on which the program can run; says which are missing."""
    found = []
    for name in runtimes.NAMES:
        try:
            launch.plan(str(program), name, None)
        except UserError as reason:
            if name == "heddle":
                raise
            print(f"heddle: without {name}: {reason}", file=sys.stderr)
        else:
            found.append(runtimes.require(name))
    return found


def _measure(
    program: Path, chosen: list[runtimes.Runtime], the_input: inputs.Input, threads: int, rounds: int | None
) -> measure.Measurement:
    with settings.bar() as progress:
        return measure.measure(
            program,
            chosen,
            the_input,
            threads,
            rounds=rounds,
            budget_s=_BUDGET_S,
            advance=lambda text, done, total: progress(done, total, text=text),
        )


def _print_table(measurement: measure.Measurement) -> None:
    from rich.table import Table

    marked = in_turn.quickest(measurement.timings)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("\nvariant", "\nruntime"):
        table.add_column(heading)
    titles = {timing.runtime.name: timing.runtime.title for timing in measurement.timings}
    baseline = f"to {measure.BASELINE[0]} on\n{titles.get(measure.BASELINE[1], 'libgomp')}"
    for heading in ("\nseconds", "shortest –\nlongest", baseline, "million cell\nupdates/s"):
        table.add_column(heading, justify="right")
    previous = ""
    for timing in measurement.timings:
        table.add_row(
            timing.way if timing.way != previous else "",
            timing.runtime.title,
            f"{timing.median_seconds:.3f}",
            f"{min(timing.seconds):.3f} – {max(timing.seconds):.3f}",
            "" if timing.ratio is None else f"{timing.ratio:.2f}",
            f"{timing.updates / 1e6:.1f}",
            style="bold" if timing in marked else None,
        )
        previous = timing.way
    console = terminal.console()
    console.print(table)
    threads = f"{parts.plural(measurement.threads, 'thread')}, or ranks of one"
    console.print(f"\n{threads}. {in_turn.how(measurement.timings, measurement.rounds)}", style="dim")


@contextlib.contextmanager
def _plots() -> Iterator[Path]:
    """A folder for the plot files of a run, while they are needed.

    Errors: CheckFailed when the run fails, or its files cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="heddle-demo-") as folder:
        try:
            yield Path(folder)
        except program_run.RunFailed as failure:
            raise CheckFailed(str(failure)) from None
        except (OSError, ValueError) as error:
            raise CheckFailed(f"heddle-amr left no usable plot files: {error}") from None


def _meshes(
    program: Path,
    runtime: runtimes.Runtime,
    the_input: inputs.Input,
    threads: int,
    expected: amr_run.Results,
) -> list[tuple[int, mesh.Mesh, list[dict]]]:
    """Runs once more with plot files, apart from the timed runs, and reads the four moments."""
    with _plots() as folder:
        arguments = [*the_input.arguments, *inputs.roots_over(1), "--plot_freq", "1"]
        results = amr_run.run(
            program, runtime, "loop", threads, arguments, folder / "results.json", timeout_s=the_input.timeout_s
        )
        if difference := amr_run.first_difference(results.checks, expected.checks):
            raise CheckFailed(f"the run that writes the meshes disagrees with the timed ones: {difference}")
        return [
            (
                timestep,
                mesh.read(folder / mesh.file_name(timestep, the_input.timesteps)),
                _objects_at(results, timestep),
            )
            for timestep in the_input.moments
        ]


def _owners(program: Path, runtime: runtimes.Runtime, the_input: inputs.Input, *, balances: bool) -> mesh.Mesh:
    """The mesh of one moment with its blocks' owners, as they are with load balancing or without."""
    timestep = the_input.moments[_OWNERS_AT]
    with _plots() as folder:
        arguments = inputs.only_the_mesh(the_input, timestep, _OWNERS, balances=balances)
        timeout_s = the_input.timeout_s
        amr_run.run(
            program, runtime, "serial", 1, arguments, folder / "results.json", timeout_s=timeout_s, ranks=_OWNERS
        )
        return mesh.read(folder / mesh.file_name(timestep, timestep))


def _objects_at(results: amr_run.Results, timestep: int) -> list[dict]:
    """The objects as the mesh of that timestep was made for them: those of the last refinement up to it."""
    earlier = [one for one in results.refinements if one["timestep"] <= timestep]
    return earlier[-1]["objects"]
