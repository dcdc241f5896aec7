"""heddle-wave's demo from start to end: build, run, compare, draw, write."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from heddle import machine, paths, program_run, results, terminal, version, whole_file
from heddle.demo import parts, settings
from heddle.demo import rounds as in_turn
from heddle.errors import CheckFailed
from heddle.wave import columns, inputs, measure, page, ways

# The timed rounds of the whole demo; the runs that are drawn take about a minute more on two cores.
_BUDGET_S = 120
# In what the drawn runs are executed; every other way gives the same.
_DRAWN = ways.Way("data-flow")


def show(*, quick: bool, threads: int | None, rounds: int | None, out: str | None) -> None:
    """Runs the demo. Errors: UserError for what the user can mend, CheckFailed when a run fails or answers differ."""
    the_input = inputs.QUICK if quick else inputs.FULL
    threads = settings.threads(threads)
    rounds = settings.rounds(rounds, quick=quick)
    folder = settings.output_folder(out, paths.OUT / "wave")
    chosen = columns.installed()
    offer = ways.offer(chosen[0].program)
    print(
        f"heddle: {len(offer.ways()) * len(chosen)} combinations of model, cut and runtime, one after another",
        file=sys.stderr,
    )
    with settings.bar() as progress:
        measurement = measure.measure(
            offer,
            chosen,
            the_input.timed,
            threads,
            timeout_s=the_input.timeout_s,
            rounds=rounds,
            budget_s=_BUDGET_S,
            advance=lambda text, done, total: progress(done, total, text=text),
        )
    _print_table(measurement)
    drawn = _draw(the_input, chosen[0], threads, measurement)
    for name, data in (
        ("shock-bubble.png", drawn.bubble_png),
        ("sedov.png", drawn.explosion_png),
        ("times.svg", (drawn.dots_svg or "").encode()),
    ):
        if data:
            whole_file.put(folder / name, data)
    index = folder / "index.html"
    command = f"./heddle wave --demo{' --quick' if quick else ''}"
    page.write(index, measurement, drawn, the_input, _conditions(offer, chosen), demo_command=command)
    print(f"\n{page.verdict(measurement)}\nThe page: {paths.shown(index)}")


def _conditions(offer: ways.Offer, chosen: list[columns.Column]) -> parts.Conditions:
    return parts.Conditions(
        results.date(),
        machine.described(),
        version.line(),
        {column.title: column.runtime.library.resolve().name for column in chosen},
        offer.meanings(),
    )


def _draw(
    the_input: inputs.Input, column: columns.Column, threads: int, measurement: measure.Measurement
) -> page.Pictures:
    """Runs what is drawn, apart from the timed runs. Errors: CheckFailed when that fails."""
    # Matplotlib is slow to import and only needed now.
    from heddle.wave import chart, moments

    bubble, unknown = _moments(the_input.bubble, column, threads, the_input.drawing_timeout_s)
    explosion, _ = _moments(the_input.explosion, column, threads, the_input.drawing_timeout_s)
    has_baseline = any(timing.ratios for timing in measurement.timings)
    return page.Pictures(
        hero_png=moments.hero(bubble[-1]),
        bubble_png=moments.draw(bubble, unknown, columns=1),
        explosion_png=moments.draw(explosion, unknown, columns=2),
        dots_svg=chart.dots(measurement.timings, _short_baseline(measurement)) if has_baseline else None,
    )


def _short_baseline(measurement: measure.Measurement) -> str:
    title = next(t.column.title for t in measurement.timings if t.column.name == measure.BASELINE[2])
    return f"{measure.BASELINE[0]} on {title}"


def _moments(shown: inputs.Shown, column: columns.Column, threads: int, timeout_s: float) -> tuple[list[Any], str]:
    """A picture's moments, and what the unknown is called."""
    from heddle.wave import picture, samples

    found, unknown = [], ""
    with tempfile.TemporaryDirectory(prefix="heddle-wave-") as folder:
        plane = Path(folder) / "samples.csv"
        for time in shown.times:
            arguments = [*shown.arguments, "--time", str(time), "--samples", str(plane)]
            try:
                data = column.run(_DRAWN, arguments, threads, Path(folder) / "results.json", timeout_s=timeout_s)
                moment = picture.moment(samples.read(plane), data)
            except (program_run.RunFailed, OSError, ValueError) as failure:
                raise CheckFailed(f"nothing to draw: {failure}") from None
            found.append(picture.Moment(moment.plane, moment.volumes, f"time {data['time']:.3g}", moment.note))
            unknown = picture.unknown(data)
    return found, unknown


def _print_table(measurement: measure.Measurement) -> None:
    from rich.table import Table

    timings = measurement.timings
    marked = in_turn.quickest(timings)
    chosen = list(dict.fromkeys(timing.column for timing in timings))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("\nway", "\ncut"):
        table.add_column(heading)
    for column in chosen:
        for heading in (f"{column.title}\nseconds", "\nratio", "\non patches"):
            table.add_column(heading, justify="right")
    for way in dict.fromkeys(timing.way for timing in timings):
        cells = []
        for timing in (timing for timing in timings if timing.way == way):
            if not timing.ends:
                cells += ["does not end", "", ""]
                continue
            seconds = f"{timing.median_seconds:.3f}"
            cells.append(f"[bold]{seconds}[/]" if timing in marked else seconds)
            cells += ["" if timing.ratio is None else f"{timing.ratio:.2f}", f"{timing.share:.0%}"]
        table.add_row(way.name, way.cut, *cells)
    console = terminal.console()
    console.print(table)
    words = f"{parts.plural(measurement.threads, 'thread')}. {in_turn.how(timings, measurement.rounds)}"
    console.print(f"\n{words} Ratio: to {page.baseline_title(timings)}.", style="dim")
