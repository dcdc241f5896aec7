"""Writes the demo's page: one HTML file with its style and pictures inside, which opens from disk."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from string import Template

from heddle.demo import parts, rounds
from heddle.demo.measure import BASELINE, Measurement, Timing


@dataclass
class Pictures:
    cube_png: bytes
    cuts_png: bytes
    owners_png: bytes
    bars_svg: str


_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heddle: one sphere, every way</title>
<style>
$style</style>
</head>
<body>
<main>
<header>
<div>
<h1>One sphere, $ways ways, $runtimes</h1>
<p>The surface of a sphere crosses a cube. Where it passes, the mesh is split up to level $levels; where it has been, the blocks
are joined again. The same program updates the same cells in every way it knows, on every OpenMP runtime that is installed
here, with $threads.</p>
<p>All $runs runs gave the same meshes and the same checksums, bit for bit.</p>
</div>
<figure><img src="$cube" alt="The cube seen from the corner at which the sphere enters, its three near faces coloured by refinement level"></figure>
</header>

<h2>Times</h2>
<div class="scroll">
<table>
<thead><tr><th>variant</th><th>runtime</th><th>seconds</th><th class="range">shortest – longest</th><th>ratio to $baseline</th><th>million cell updates/s</th></tr></thead>
<tbody>
$rows
</tbody>
</table>
</div>
<p class="note">$how</p>
<figure class="scroll">$bars</figure>

<h2>The variants</h2>
<dl>
$meanings
</dl>

<h2>The mesh</h2>
<figure><img src="$cuts" alt="Four cuts through the mesh, coloured by refinement level, with the outline of the sphere"></figure>
<p class="note">Cuts parallel to the x and y axes at z = 1/64. Each square is one block of $cells cells.</p>

<h2>Who owns it</h2>
<figure><img src="$owners" alt="Two cuts through the mesh, coloured by the rank that owns each block, before and after balancing"></figure>
<p class="note">The same cut on four MPI ranks. Each owns the block of its own quarter at the start, and what that is split
into; load balancing gives each as many blocks as the others have.</p>

<h2>The same again</h2>
<p>The whole demo:</p>
<pre>$demo_command</pre>
<p>One of its runs:</p>
<pre>$one_command</pre>
<p class="note">$conditions</p>
</main>
</body>
</html>
""")


def write(
    path: Path,
    measurement: Measurement,
    pictures: Pictures,
    arguments: list[str],
    conditions: parts.Conditions,
    *,
    demo_command: str,
) -> None:
    """Writes the page at once: a reader never sees half of it."""
    timings = measurement.timings
    marked = rounds.quickest(timings)
    variants = list(dict.fromkeys(timing.variant for timing in timings))
    runtimes = list(dict.fromkeys(timing.runtime.title for timing in timings))
    titles = {timing.runtime.name: timing.runtime.title for timing in timings}
    text = _PAGE.substitute(
        style=parts.STYLE,
        ways=parts.count(len({timing.way for timing in timings})),
        runtimes=f"{parts.count(len(runtimes))} runtime{'s' if len(runtimes) > 1 else ''}",
        levels=value_of(arguments, "--num_refine"),
        threads=parts.plural(measurement.threads, "thread"),
        runs=len(timings) * measurement.rounds,
        cube=parts.data_uri(pictures.cube_png),
        cuts=parts.data_uri(pictures.cuts_png),
        owners=parts.data_uri(pictures.owners_png),
        bars=parts.with_text(pictures.bars_svg, "Bars of the times in the table above"),
        meanings=parts.definitions({name: conditions.meanings.get(name, "") for name in variants}),
        conditions=html.escape(parts.conditions_text(conditions)),
        baseline=html.escape(f"{BASELINE[0]} on {titles.get(BASELINE[1], 'libgomp')}"),
        rows="\n".join(_row(measurement, i, marked) for i in range(len(timings))),
        how=html.escape(rounds.how(timings, measurement.rounds)),
        cells="×".join(value_of(arguments, f"--n{axis}") for axis in "xyz"),
        demo_command=html.escape(demo_command),
        one_command=html.escape(amr_command(arguments, measurement.threads)),
    )
    parts.write(path, text)


def amr_command(arguments: list[str], threads: int) -> str:
    """One run of the demo as a command line."""
    return f"./heddle amr --runtime heddle --variant task-2 --threads {threads} {' '.join(arguments)}"


def value_of(arguments: list[str], option: str) -> str:
    """What follows an option among the arguments."""
    return arguments[arguments.index(option) + 1]


def _row(measurement: Measurement, i: int, marked: list[Timing]) -> str:
    timing = measurement.timings[i]
    is_first = i == 0 or measurement.timings[i - 1].way != timing.way
    classes = " ".join(["first"] * is_first + ["best"] * (timing in marked))
    ratio = "" if timing.ratio is None else f"{timing.ratio:.2f}"
    cells = [
        html.escape(timing.way) if is_first else "",
        html.escape(timing.runtime.title),
        f"{timing.median_seconds:.3f}",
        f"{min(timing.seconds):.3f} – {max(timing.seconds):.3f}",
        ratio,
        f"{timing.updates / 1e6:.1f}",
    ]
    classes_of_cells = ["", "", "", ' class="range"', "", ""]
    return (
        f'<tr class="{classes}">'
        + "".join(f"<td{of_cell}>{cell}</td>" for of_cell, cell in zip(classes_of_cells, cells))
        + "</tr>"
    )
