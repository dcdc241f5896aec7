"""Writes the page: Bokeh's figures for what is over time, tables for the rest, all in one file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from bokeh.embed import components
from bokeh.layouts import column, row
from bokeh.models import (
    BoxZoomTool,
    Button,
    CheckboxGroup,
    ColumnDataSource,
    CustomJS,
    CustomJSTickFormatter,
    Div,
    FixedTicker,
    HoverTool,
    LogTicker,
    PanTool,
    Range1d,
    ResetTool,
    TapTool,
    TextInput,
    WheelZoomTool,
)
from bokeh.palettes import Category20, Colorblind
from bokeh.plotting import figure
from bokeh.resources import INLINE
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from heddle import version, whole_file
from heddle.trace import critical_path, numbers, summary
from heddle.trace.page import data
from heddle.trace.timeline import Timeline

_HERE = Path(__file__).parent
_LANE_PX, _LEAST_PX, _MOST_PX = 30, 130, 900
_LEFT_PX = 130  # of the names of lanes, so that all figures begin below each other
_BINS = 400  # of figures over time
_ROWS = 12
_GREYS = ("#c9ccd1", "#b3b7bd", "#9da2a9", "#d9d4c7", "#c4bba6", "#aba28c")  # waits: the colours are the tasks'


def write(timeline: Timeline, file: Path, title: str) -> Path:
    """Puts the page there. title: what the program is called."""
    record = data.record(timeline)
    record["colours"] = _colours(record["looks"], record["look_is_task"])
    duration = max(timeline.duration, 1)
    time_range = Range1d(0, duration, bounds=(0, duration), min_interval=min(10, duration))
    layout = column(*_timeline(record, time_range), *_over_time(timeline, time_range), sizing_mode="stretch_width")
    lengths = _lengths(timeline)
    script, parts = components({"timeline": layout, "lengths": lengths})
    environment = Environment(loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined)
    text = environment.get_template("page.html").render(
        title=title,
        resources=INLINE.render(),
        script=script,
        parts=parts,
        record=json.dumps(record, separators=(",", ":")).replace("<", "\\u003c"),
        code=(_HERE / "page.js").read_text(encoding="utf-8"),
        **_tables(timeline, record),
        version=version.line(),
    )
    whole_file.put(file, text.encode())
    return file


def _colours(names: list[str], is_task: list[bool]) -> list[str]:
    """Of each look: tasks in colours that most people tell apart, waits in greys."""
    vivid = [*Colorblind[8], *(colour for colour in Category20[20])]
    tasks = waits = 0
    colours = []
    for number, task in enumerate(is_task):
        if number == data.NOTHING:
            colours.append("#f4f5f7")
        elif task:
            colours.append(vivid[tasks % len(vivid)])
            tasks += 1
        else:
            colours.append(_GREYS[waits % len(_GREYS)])
            waits += 1
    return colours


_SCALE = """
const [factor, unit] = span < 2e4 ? [1, "ns"] : span < 2e7 ? [1e3, "us"] : span < 2e10 ? [1e6, "ms"] : [1e9, "s"];
return (tick / factor).toLocaleString("en", {maximumFractionDigits: 3}) + " " + unit;
"""


def _timeline(record: dict, time_range: Range1d) -> list:
    lanes = record["lanes"]
    plot = figure(
        x_range=time_range,
        y_range=Range1d(len(lanes), 0, bounds=(0, len(lanes))),
        height=int(np.clip(60 + _LANE_PX * len(lanes), _LEAST_PX, _MOST_PX)),
        sizing_mode="stretch_width",
        tools="",
        toolbar_location="right",
        name="timeline",
        output_backend="canvas",
    )
    shown = ColumnDataSource(
        {name: [] for name in ("left", "right", "top", "bottom", "colour", "what", "at", "time", "task", "more")},
        name="shown",
    )
    arrows = ColumnDataSource({name: [] for name in ("x0", "y0", "x1", "y1", "colour")}, name="arrows")
    bars = plot.quad(
        left="left", right="right", top="top", bottom="bottom", fill_color="colour", line_color=None, source=shown
    )
    bars.nonselection_glyph = None
    plot.segment(x0="x0", y0="y0", x1="x1", y1="y1", line_color="colour", line_width=1.2, alpha=0.5, source=arrows)
    plot.scatter(x="x1", y="y1", marker="circle", size=4, color="colour", alpha=0.6, source=arrows)
    hover = HoverTool(
        renderers=[bars],
        tooltips=(
            '<div style="max-width:34em"><b>@what</b> @at<br><span style="color:#555">@time</span>'
            "<div>@more{safe}</div></div>"
        ),
    )
    wheel = WheelZoomTool(dimensions="width")
    plot.add_tools(PanTool(), BoxZoomTool(dimensions="width"), wheel, ResetTool(), hover, TapTool(renderers=[bars]))
    plot.toolbar.active_scroll = wheel
    plot.yaxis.ticker = FixedTicker(ticks=[i + 0.5 for i in range(len(lanes))])
    plot.yaxis.major_label_overrides = {i + 0.5: name for i, name in enumerate(lanes)}
    plot.xaxis.formatter = CustomJSTickFormatter(
        args={"range": time_range}, code=f"const span = range.end - range.start;{_SCALE}"
    )
    plot.grid.visible = False
    plot.min_border_left = _LEFT_PX
    for each in ("start", "end"):
        time_range.js_on_change(each, CustomJS(code="heddle.show()"))
    shown.selected.js_on_change("indices", CustomJS(code="heddle.select(cb_obj.indices)"))
    search = TextInput(placeholder="search: a line, a wait, a call", width=300, name="search")
    search.js_on_change("value_input", CustomJS(code="heddle.search(cb_obj.value_input)"))
    following = Button(label="next", width=60, name="next")
    following.js_on_click(CustomJS(code="heddle.next()"))
    wanted = CheckboxGroup(labels=["dependences", "messages"], active=[], inline=True, name="arrows-wanted")
    wanted.js_on_change("active", CustomJS(code="heddle.wantArrows(cb_obj.active)"))
    found = Div(text="", name="found")
    return [row(search, following, wanted, found), plot]


def _over_time(timeline: Timeline, time_range: Range1d) -> list:
    """Figures below the timeline, on the same axis."""
    edges, busy = numbers.parallelism(timeline, _BINS)
    figures = [_steps("threads computing", edges, busy, time_range, "#0072b2")]
    ns, alive = numbers.tasks_alive(timeline)
    if len(ns):
        middle = _level(ns, alive, edges)
        figures.append(_steps("tasks alive", edges, middle, time_range, "#d55e00"))
        ready = numbers.tasks_ready(timeline)
        if len(ready[0]):
            figures.append(_steps("tasks ready", edges, _level(*ready, edges), time_range, "#e69f00"))
    suspended = numbers.tasks_suspended(timeline)
    if len(suspended[0]):
        figures.append(_steps("tasks suspended", edges, _level(*suspended, edges), time_range, "#cc79a7"))
    if len(timeline.processes) == 1 and len(timeline.memory_ns) > 1:
        mib = timeline.memory_bytes / 2**20
        figures.append(_steps("MiB in memory", edges, _level(timeline.memory_ns, mib, edges), time_range, "#56b4e9"))
    return figures


def _level(ns: np.ndarray, count: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """The mean of a count in each part of the time. count: from its moment on."""
    area = np.concatenate([[0.0], np.cumsum(count[:-1] * np.diff(ns).astype("f8"))])
    sums = np.interp(edges, ns, area, left=0.0) + np.clip(edges - ns[-1], 0, None) * count[-1]
    return np.diff(sums) / np.diff(edges)


def _steps(title: str, edges: np.ndarray, height: np.ndarray, time_range: Range1d, colour: str):
    plot = figure(
        x_range=time_range,
        height=130,
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        y_axis_label=title,
        name=title.replace(" ", "-"),
    )
    plot.quad(left=edges[:-1], right=edges[1:], bottom=0, top=height, fill_color=colour, line_color=None, alpha=0.7)
    plot.y_range.start = 0
    plot.xaxis.visible = False
    plot.min_border_left = _LEFT_PX
    plot.grid.grid_line_alpha = 0.4
    return plot


def _lengths(timeline: Timeline):
    """Histogram of how long explicit tasks computed."""
    mine = timeline.task_is_explicit & (timeline.task_first >= 0)
    own = np.maximum(numbers.own_ns(timeline)[mine], 1)
    plot = figure(
        height=220, sizing_mode="stretch_width", x_axis_type="log", tools="", toolbar_location=None, name="lengths"
    )
    if len(own) == 0:
        plot.quad(left=[], right=[], bottom=[], top=[])
    else:
        edges = np.logspace(np.log10(own.min()) - 0.01, np.log10(own.max()) + 0.01, 60)
        counts, _ = np.histogram(own, edges)
        plot.quad(left=edges[:-1], right=edges[1:], bottom=0, top=counts, fill_color="#009e73", line_color="white")
    plot.xaxis.ticker = LogTicker(num_minor_ticks=0)
    plot.xaxis.formatter = CustomJSTickFormatter(code=f"const span = 20 * tick;{_SCALE}")
    plot.yaxis.axis_label = "tasks"
    plot.y_range.start = 0
    return plot


def _tables(timeline: Timeline, record: dict) -> dict:
    sums = summary.of_timeline(timeline)
    total = max(int((timeline.segment_end - timeline.segment_begin).sum()), 1)
    path = critical_path.critical_path(timeline)
    whole = max(sum(step.end - step.begin for step in path), 1)
    kinds = numbers.kinds(timeline)
    processes = [
        {
            "who": f"rank {process.rank}" if process.ranks > 1 else f"process {process.process}",
            "host": process.host,
            "runtime": process.runtime,
            "dropped": process.dropped,
            "has_ended": process.has_ended,
        }
        for process in timeline.processes
    ]
    return {
        "shares": [(share.name, share.ns / 1e6, 100 * share.ns / total) for share in sums.shares],
        "path": [(name, ns / 1e6, 100 * ns / whole) for name, ns in critical_path.by_name(path)[:_ROWS]],
        "path_ms": whole / 1e6,
        "overlap": [
            (row.name, row.ns / 1e6, 100 * row.overlapped / row.ns) for row in numbers.overlap(timeline, _ROWS)
        ],
        "flight": sums.flight_in_words(),
        "kinds": kinds[:_ROWS],
        "more_kinds": max(0, len(kinds) - _ROWS),
        "chain_ms": sums.chain_ns / 1e6,
        "chain_tasks": sums.chain[0] if sums.chain is not None else 0,
        "chain_threads": sums.own_ns / sums.chain_ns if sums.chain_ns else 0.0,
        "legend": list(zip(record["looks"], record["colours"]))[1:],
        "processes": processes,
        "duration_ms": timeline.duration / 1e6,
        "threads": sums.threads,
        "tasks": sums.tasks,
        "cancelled": sums.cancelled,
        "stolen": sums.stolen,
        "other_node": sums.other_node,
        "messages": sums.messages,
        "busy": sums.computing / max(timeline.duration, 1),
    }
