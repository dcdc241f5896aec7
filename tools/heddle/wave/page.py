"""Writes the page of heddle-wave's demo: one HTML file with its style and pictures inside, which opens from disk."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from heddle import colours
from heddle.demo import parts, rounds
from heddle.wave import inputs
from heddle.wave.measure import BASELINE, Measurement, Timing


@dataclass
class Pictures:
    hero_png: bytes
    bubble_png: bytes
    explosion_png: bytes
    dots_svg: str | None  # None without a baseline


_STYLE = """\
main { max-width: 70rem; }
header { display: block; }
header figure { margin: 1.6rem 0 0; }
td.ratio { position: relative; }
td.ratio::after { content: ""; position: absolute; left: .5rem; bottom: .08rem; height: 2px; border-radius: 1px;
  width: calc(min(1, var(--ratio) / var(--most)) * (100% - 1rem)); background: var(--runtime); }
th.runtime { text-align: center !important; color: var(--ink); border-bottom: 0; padding-bottom: 0; }
th:nth-child(2), td:nth-child(2) { text-align: right; }
td.first, th.first { padding-left: 1.8rem; }
td.none { color: var(--muted); text-align: center; font-style: italic; }
tr.group td { padding-top: 1.5rem; font-weight: 650; border-bottom: 1px solid var(--line); white-space: normal; }
tr.group span { font-weight: 400; color: var(--muted); }
td.best { font-weight: 650; color: var(--mark); }
th, td { padding: .34rem .5rem; }
thead tr:first-child th { border-bottom: 0; }
tbody td { font-size: .88rem; }
@media (max-width: 46rem) { td.first, th.first { padding-left: 1rem; } }
"""

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heddle: waves on adaptive patches</title>
<style>
$style</style>
</head>
<body>
<main>
<header>
<h1>Waves on adaptive patches, $ways ways, $runtimes</h1>
<p>A shock runs into a bubble of light gas. The mesh is fine where the density jumps, and coarse elsewhere. The same program advances
the same patches in every way it knows, on every OpenMP runtime that is installed here, with $threads.</p>
<p>$verdict</p>
<figure><img src="$hero" alt="The density of a gas in which a shock has passed a bubble, and the borders of the patches"></figure>
</header>

<h2>A shock meets a bubble</h2>
<figure><img src="$bubble" alt="The shock and the bubble at several moments: density above, the mesh below"></figure>
<p class="note">Density above, patches below: the flow is symmetric. A patch has $bubble_volumes volumes and is refined into three along each axis.</p>

<h2>An explosion</h2>
<figure><img src="$explosion" alt="A circular blast wave at several moments: density above, the mesh below"></figure>
<p class="note">The problem of Sedov: energy is released at a point of a cold gas. A patch has $explosion_volumes volumes.</p>

<h2>Times</h2>
<p>The shock and the bubble again, $steps steps on $patches patches. Partitions of equal size are one a thread. Those of
unequal size are half of the patches, a quarter, an eighth, and so on: $ill of them.</p>
<div class="scroll">
<table>
<thead>
<tr><th></th>$runtime_heads</tr>
<tr><th>way</th>$heads</tr>
</thead>
<tbody>
$rows
</tbody>
</table>
</div>
<p class="note">$how Ratio: to $baseline. On patches: the share of the threads' time that is spent on patches, and not on
tasks, waiting or the mesh.$not_ended</p>
<figure class="scroll">$dots</figure>

<h2>The ways</h2>
<dl>
$meanings
</dl>

<h2>The same again</h2>
<p>The whole demo:</p>
<pre>$demo_command</pre>
<p>One of its runs, and one of its pictures:</p>
<pre>$one_command
$plot_command</pre>
<p class="note">$conditions</p>
</main>
</body>
</html>
""")


def write(
    path: Path,
    measurement: Measurement,
    pictures: Pictures,
    the_input: inputs.Input,
    conditions: parts.Conditions,
    *,
    demo_command: str,
) -> None:
    """Writes the page at once: a reader never sees half of it."""
    timings = measurement.timings
    columns = list(dict.fromkeys(timing.column for timing in timings))
    shown = {name: conditions.meanings.get(name, "") for name in dict.fromkeys(timing.way.name for timing in timings)}
    text = _PAGE.substitute(
        style=parts.STYLE + _STYLE,
        ways=parts.count(len(shown)),
        runtimes=f"{parts.count(len(columns))} runtime{'s' if len(columns) > 1 else ''}",
        threads=parts.plural(measurement.threads, "thread"),
        verdict=html.escape(verdict(measurement)),
        hero=parts.data_uri(pictures.hero_png),
        bubble=parts.data_uri(pictures.bubble_png),
        explosion=parts.data_uri(pictures.explosion_png),
        dots=parts.with_text(pictures.dots_svg, "The ratios of the table above as dots") if pictures.dots_svg else "",
        bubble_volumes=_volumes(the_input.bubble.arguments),
        explosion_volumes=_volumes(the_input.explosion.arguments),
        steps=measurement.results["steps"],
        patches=measurement.results["patches"],
        ill=max(timing.way.partitions(measurement.threads) for timing in timings),
        runtime_heads="".join(f'<th class="runtime" colspan="3">{html.escape(one.title)}</th>' for one in columns),
        heads='<th class="first">seconds</th><th>ratio</th><th>on patches</th>' * len(columns),
        rows="\n".join(_rows(measurement)),
        how=html.escape(rounds.how(timings, measurement.rounds)),
        baseline=html.escape(baseline_title(timings)),
        not_ended=html.escape(_not_ended(timings)),
        meanings=parts.definitions(shown),
        demo_command=html.escape(demo_command),
        one_command=html.escape(
            _command(["--exec", "enclave", "--strategy", "in-runtime", *the_input.timed], measurement.threads)
        ),
        plot_command=html.escape(_command(["--plot", "shock-bubble.png", *the_input.bubble.arguments])),
        conditions=html.escape(parts.conditions_text(conditions)),
    )
    parts.write(path, text)


def verdict(measurement: Measurement) -> str:
    """Whether the answers agree, in words; measure() refuses those that do not."""
    words = (
        f"All {measurement.runs} runs that ended" if _not_ended(measurement.timings) else f"All {measurement.runs} runs"
    )
    return f"{words} gave the same mesh and the same state, bit for bit: fingerprint {measurement.results['state_fingerprint']}."


def baseline_title(timings: Sequence[Timing]) -> str:
    """The baseline in words."""
    titles = {timing.column.name: timing.column.title for timing in timings}
    return f"{BASELINE[0]} on {titles.get(BASELINE[2], 'libgomp')} with partitions of equal size"


def _not_ended(timings: Sequence[Timing]) -> str:
    limits = [timing.limit_s for timing in timings if timing.limit_s is not None]
    if not limits:
        return ""
    return f" Does not end: not in {max(limits):.0f} s; it was stopped, and not started again."


def _rows(measurement: Measurement) -> list[str]:
    """A row a way, in three groups: no partitions, good ones, bad ones."""
    timings = measurement.timings
    columns = list(dict.fromkeys(timing.column for timing in timings))
    marked = rounds.quickest(timings)
    most = max((ratio for timing in timings for ratio in [timing.ratio] if ratio is not None), default=1.0)
    groups = {
        "": ("No partitions", "tasks by their data, or one thread"),
        "well": ("Partitions of equal size", "one a thread"),
        "ill": ("Partitions of unequal size", "half of what is left each"),
    }
    rows = []
    for cut, (title, more) in groups.items():
        ways = list(dict.fromkeys(timing.way for timing in timings if timing.way.cut == cut))
        rows.append(f'<tr class="group"><td colspan="{1 + 3 * len(columns)}">{title} <span>({more})</span></td></tr>')
        for way in ways:
            cells = "".join(_cells(timing, timing in marked, most) for timing in timings if timing.way == way)
            rows.append(f'<tr class="way"><td>{html.escape(way.name)}</td>{cells}</tr>')
    return rows


def _cells(timing: Timing, is_best: bool, most: float) -> str:
    if not timing.ends:
        return '<td class="first none" colspan="3">does not end</td>'
    best = " best" if is_best else ""
    ratio = "<td></td>"
    if timing.ratio is not None:
        style = f"--ratio: {timing.ratio:.3f}; --most: {most:.3f}; --runtime: {colours.RUNTIMES[timing.column.name]}"
        ratio = f'<td class="ratio{best}" style="{style}">{timing.ratio:.2f}</td>'
    return f'<td class="first{best}">{timing.median_seconds:.3f}</td>{ratio}<td>{timing.share:.0%}</td>'


def _volumes(arguments: list[str]) -> str:
    volumes = arguments[arguments.index("--volumes") + 1]
    return "×".join([volumes] * int(arguments[arguments.index("--dim") + 1]))


def _command(arguments: list[str], threads: int | None = None) -> str:
    words = ["./heddle", "wave", *(["--threads", str(threads)] if threads else []), *arguments]
    return " ".join(words)
