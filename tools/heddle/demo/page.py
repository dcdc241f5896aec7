"""Writes the demo's page: one HTML file with its style and pictures inside, which opens from disk."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from heddle.demo.measure import BASELINE, Measurement, Timing


@dataclass
class Pictures:
    cube_png: bytes
    cuts_png: bytes
    owners_png: bytes
    bars_svg: str


@dataclass
class Conditions:
    """Where and when, and what was compared."""

    date: str
    machine: Mapping[str, object]  # as machine.described() says it
    version: str  # of Heddle
    runtimes: Mapping[str, str]  # title -> file of the library
    variants: Mapping[str, str]  # name -> what it is


_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heddle: one sphere, every way</title>
<style>
:root { color-scheme: light dark; --ink: #1b2838; --muted: #5c6675; --paper: #fbfaf7; --line: #e3e0d8; --mark: #14507a;
  --panel: #f1eee6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e3dc; --muted: #a3aab4; --paper: #171c23; --line: #323a45; --mark: #8cc4ee; --panel: #222932; }
  figure img, figure svg { background: #fbfaf7; border-radius: 8px; padding: .6rem; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 "Source Sans 3", "Segoe UI", "Helvetica Neue", system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
header { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 22rem); gap: 2.5rem; align-items: center; }
h1 { font-size: 2.3rem; line-height: 1.15; font-weight: 650; margin: 0 0 1rem; letter-spacing: -0.01em; }
h2 { font-size: 1.25rem; margin: 3.2rem 0 .8rem; font-weight: 650; }
p { max-width: 44rem; margin: 0 0 .9rem; }
img, svg { display: block; max-width: 100%; height: auto; }
figure { margin: 0; }
figcaption, .note { color: var(--muted); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .38rem .8rem; text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--muted); font-size: .85rem; border-bottom: 1.5px solid var(--ink); }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
tr.first td { border-top: 1px solid var(--line); }
tr.best td { font-weight: 650; color: var(--mark); }
code, pre { font: .86rem/1.6 "JetBrains Mono", "DejaVu Sans Mono", ui-monospace, monospace; }
pre { background: var(--panel); border-radius: 6px; padding: 1rem 1.2rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 1rem; }
dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.2rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 46rem) {
  main { padding: 1.5rem 1rem 3rem; }
  header { grid-template-columns: minmax(0, 1fr); gap: 1.2rem; }
  h1 { font-size: 1.8rem; }
  th, td { padding: .3rem .4rem; font-size: .82rem; }
  th { white-space: normal; vertical-align: bottom; }
  .range { display: none; }
  .scroll svg { min-width: 34rem; max-width: none; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
}
</style>
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
    conditions: Conditions,
    *,
    demo_command: str,
) -> None:
    """Writes the page at once: a reader never sees half of it."""
    timings = measurement.timings
    marked = quickest(timings)
    variants = list(dict.fromkeys(timing.variant for timing in timings))
    runtimes = list(dict.fromkeys(timing.runtime.title for timing in timings))
    titles = {timing.runtime.name: timing.runtime.title for timing in timings}
    text = _PAGE.substitute(
        ways=_count(len({timing.way for timing in timings})),
        runtimes=f"{_count(len(runtimes))} runtime{'s' if len(runtimes) > 1 else ''}",
        levels=value_of(arguments, "--num_refine"),
        threads=f"{measurement.threads} thread{'s' if measurement.threads > 1 else ''}",
        runs=len(timings) * measurement.rounds,
        cube=_data_uri(pictures.cube_png),
        cuts=_data_uri(pictures.cuts_png),
        owners=_data_uri(pictures.owners_png),
        bars=_with_text(pictures.bars_svg, "Bars of the times in the table above"),
        meanings="\n".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(conditions.variants.get(name, ''))}</dd>"
            for name in variants
        ),
        conditions=html.escape(_conditions(conditions)),
        baseline=html.escape(f"{BASELINE[0]} on {titles.get(BASELINE[1], 'libgomp')}"),
        rows="\n".join(_row(measurement, i, marked) for i in range(len(timings))),
        how=html.escape(how(measurement)),
        cells="×".join(value_of(arguments, f"--n{axis}") for axis in "xyz"),
        demo_command=html.escape(demo_command),
        one_command=html.escape(amr_command(arguments, measurement.threads)),
    )
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def how(measurement: Measurement) -> str:
    """How the figures were taken, in words."""
    if measurement.rounds == 1:
        return "One run each: too few to tell near ones apart."
    marked = quickest(measurement.timings)
    words = (
        f"Medians of {measurement.rounds} runs each, in turn, every second round backwards; "
        "a ratio is taken between two runs of one round."
    )
    if len(marked) == 1:
        return f"{words} Bold: the quickest; its runs overlap with those of no other."
    return f"{words} Bold: the shortest median, and what its spread does not tell from it."


def quickest(timings: list[Timing]) -> list[Timing]:
    """The shortest median, and all whose runs overlap with its runs. None where each ran once."""
    best = min(timings, key=lambda timing: timing.median_seconds)
    if len(best.seconds) < 2:
        return []
    return [timing for timing in timings if min(timing.seconds) <= max(best.seconds)]


def _conditions(conditions: Conditions) -> str:
    machine = conditions.machine
    libraries = ", ".join(f"{title} ({file})" for title, file in conditions.runtimes.items())
    return (
        f"Measured {conditions.date} on {machine['processors']} processors ({machine['model']}, Linux "
        f"{machine['kernel']}), built by GCC, with {conditions.version}. Runtimes: {libraries}."
    )


def _with_text(svg: str, text: str) -> str:
    """A picture that says what it is to those who do not see it."""
    return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(text)}" ', 1)


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


def _data_uri(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _count(number: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)
