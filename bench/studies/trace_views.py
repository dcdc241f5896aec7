"""The views of execution that the papers show, from traces of our own programs.

    .venv/bin/python bench/studies/trace_views.py --out docs/img [--only rico,sala,schulz,pereira]

    rico      figure 3 of Rico 2019: who executes what in `loop` and in `task-2`, and how many threads compute
    sala      figures 2 and 3 of Sala 2020: the same on two ranks, MPI only and as data flow
    schulz    figure 3 of Schulz 2021: pending enclaves and active traversals of three strategies
    pereira   tasks suspended while messages travel, in the Cholesky factorisation of Pereira 2023 on two ranks

Each is written as view-NAME.png, and the figures that the papers' pages quote are printed. Two threads, or two ranks of
one; programs of the release build.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from heddle import mpi, paths, toolchain
from heddle.look import GRID, MUTED, STYLE
from heddle.trace import build, events, numbers
from heddle.trace.timeline import MPI, Timeline, spans_of
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

_COLOURS = {
    "stencil": "#14507a",
    "exchange": "#8db9b6",
    "sums": "#7b4b94",
    "pack": "#dcae58",
    "unpack": "#c8793e",
    "other tasks": "#b5b0a3",
    "MPI": "#d64545",
}
_BINS = 200
_AMR = (
    "--num_refine 3 --nx 8 --ny 8 --nz 8 --num_vars 20 --num_tsteps 4 --stages_per_ts 10 --checksum_freq 5 "
    "--refine_freq 10 --max_blocks 3000 --halo ghosts --num_objects 1 "
    "--object 2 0 -0.5 -0.5 -0.5 0.060 0.060 0.060 1.1 1.1 1.1 0 0 0"
).split()
_WAVE = (
    "--problem high-density-peak --base_level 4 --max_level 4 --volumes 16 --max_steps 5 --exec enclave --cut ill "
    "--partitions 8"
).split()


def traced(command: list[str | Path], threads: int) -> Timeline:
    """Errors: ends the program where the command fails."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "trace"
        words = [paths.ROOT / "heddle", "trace", "--threads", str(threads), "--out", out, "--", *command]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))} failed: {done.stderr.strip()}")
        return build.build(events.read_folder(out / "events"))


def program(name: str) -> Path:
    return paths.build_dir("release") / "bin" / name


def instances(timeline: Timeline, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Begins and ends of all states of that name."""
    begin = np.full(len(timeline.state_what), timeline.duration)
    end = np.full(len(timeline.state_what), -1)
    for level in range(timeline.segment_states.shape[1]):
        spans = spans_of(timeline, level)
        np.minimum.at(begin, spans.of, spans.begin)
        np.maximum.at(end, spans.of, spans.end)
    mine = (end >= 0) & np.isin(timeline.state_what, [n for n, s in enumerate(timeline.state_names) if s == name])
    return begin[mine], end[mine]


def counted(up: np.ndarray, down: np.ndarray, at: np.ndarray) -> np.ndarray:
    """How many there are at these moments, of what comes at up and goes at down."""
    return np.searchsorted(np.sort(up), at, side="right") - np.searchsorted(np.sort(down), at, side="right")


# -- what is drawn


def lanes(axes: Axes, timeline: Timeline, begin: int, end: int) -> None:
    """A bar a lane, in the colours of phases; what is not coloured is idle. Times from begin, in ms."""
    names, phase = numbers.phases(timeline)
    look = np.array([list(_COLOURS).index(name if name in _COLOURS else "other tasks") for name in names])
    colours = np.where(phase >= 0, look[phase], -1)
    standing = numbers.innermost(timeline)
    in_mpi = (standing >= 0) & (timeline.state_classes[standing] == MPI)
    colours[in_mpi] = list(_COLOURS).index("MPI")
    explicit = (timeline.segment_task >= 0) & timeline.task_is_explicit[timeline.segment_task]
    is_range = phase >= len(timeline.kinds)
    colours[~(explicit | is_range | in_mpi)] = -1
    seen = (timeline.segment_end > begin) & (timeline.segment_begin < end) & (colours >= 0)
    left = (np.maximum(timeline.segment_begin[seen], begin) - begin) / 1e6
    right = (np.minimum(timeline.segment_end[seen], end) - begin) / 1e6
    top, bottom = timeline.segment_lane[seen] - 0.42, timeline.segment_lane[seen] + 0.42
    corners = np.stack([np.stack(pair, 1) for pair in ((left, top), (right, top), (right, bottom), (left, bottom))], 1)
    drawn = np.array(list(_COLOURS.values()))[colours[seen]]
    axes.add_collection(PolyCollection(corners, facecolors=drawn.tolist(), edgecolors="none"))
    axes.set_xlim(0, (end - begin) / 1e6)
    axes.set_ylim(len(timeline.lanes) - 0.4, -0.6)
    axes.set_yticks(range(len(timeline.lanes)), [lane.label for lane in timeline.lanes])


def over_time(axes: Axes, begin: int, end: int, height: Callable[[np.ndarray], np.ndarray], colour: str) -> None:
    """height: of edges in ns, a value for each part between them."""
    edges = np.linspace(begin, end, _BINS + 1)
    axes.stairs(height(edges), (edges - begin) / 1e6, fill=True, color=colour)
    axes.set_xlim(0, (end - begin) / 1e6)


def computing(timeline: Timeline) -> Callable[[np.ndarray], np.ndarray]:
    """Lanes in explicit tasks or ranges."""
    _, phase = numbers.phases(timeline)
    explicit = (timeline.segment_task >= 0) & timeline.task_is_explicit[timeline.segment_task]
    busy = (phase >= len(timeline.kinds)) | ((phase >= 0) & explicit)
    return lambda edges: numbers.busy_per_bin(timeline.segment_begin[busy], timeline.segment_end[busy], edges)


def panels(rows: int, columns: int, heights: list[float], width: float) -> tuple[Figure, np.ndarray]:
    figure = Figure(figsize=(width, sum(heights) + 0.6), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, gridspec_kw={"height_ratios": heights}, sharey="row")
    for each in axes.flat:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(axis="y", color=GRID, linewidth=0.6)
        each.set_axisbelow(True)
    for each in axes[-1]:
        each.set_xlabel("ms")
    return figure, axes


def put(figure: Figure, over_time_rows: np.ndarray, file: Path) -> None:
    for row in over_time_rows:
        row[0].set_ylim(bottom=0)
    figure.savefig(file, dpi=130)


def legend(figure: Figure, names: list[str]) -> None:
    handles = [matplotlib.patches.Patch(color=_COLOURS[name], label=name) for name in names]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(names), frameon=False, fontsize=9)


def stages(timeline: Timeline) -> tuple[int, int]:
    """From the first stencil to the last."""
    begins, ends = instances(timeline, "stencil")
    return int(begins.min()), int(ends.max())


def middle(begin: int, end: int, length: int) -> tuple[int, int]:
    at = (begin + end) // 2
    return max(begin, at - length // 2), min(end, at + length // 2)


# -- the views


def rico(out: Path) -> None:
    figure, axes = panels(2, 2, [1.3, 1.5], 10)
    for column, variant in enumerate(("loop", "task-2")):
        timeline = traced([program("heddle-amr"), "--variant", variant, *_AMR], 2)
        begin, end = stages(timeline)
        busy = float(np.mean(computing(timeline)(np.array([begin, end]))))
        print(f"rico: {variant}: threads busy {busy / 2:.1%} from the first stencil to the last")
        begin, end = middle(begin, end, 12_000_000)
        axes[0][column].set_title(f"{variant}: threads busy {busy / 2:.0%} of the stages' time", fontsize=10)
        lanes(axes[0][column], timeline, begin, end)
        over_time(axes[1][column], begin, end, computing(timeline), "#14507a")
    axes[1][0].set_ylabel("threads computing")
    legend(figure, ["exchange", "stencil", "sums"])
    put(figure, axes[1:], out / "view-rico.png")


def sala(out: Path) -> None:
    figure, axes = panels(2, 2, [1.3, 1.5], 10)
    for column, variant in enumerate(("serial", "data-flow")):
        start = [mpi.launcher(), "-n", "2", program("heddle-amr"), "--variant", variant, "--npx", "2", *_AMR]
        timeline = traced(start, 1)
        begin, end = stages(timeline)
        busy = float(np.mean(computing(timeline)(np.array([begin, end]))))
        rows = {row.name: row for row in numbers.overlap(timeline, 30)}
        for name in ("stencil", "exchange", "pack", "unpack", "sums"):
            row = rows[name]
            print(f"sala: {variant}: {name} {row.ns / 1e6:.1f} ms, {row.overlapped / row.ns:.1%} beside another phase")
        print(f"sala: {variant}: ranks busy {busy / 2:.1%}")
        begin, end = middle(begin, end, 12_000_000)
        title = {"serial": "MPI only", "data-flow": "data flow"}[variant]
        axes[0][column].set_title(f"{title}: ranks busy {busy / 2:.0%} of the stages' time", fontsize=10)
        lanes(axes[0][column], timeline, begin, end)
        over_time(axes[1][column], begin, end, computing(timeline), "#14507a")
    axes[1][0].set_ylabel("ranks computing")
    legend(figure, ["exchange", "pack", "unpack", "stencil", "sums", "MPI"])
    put(figure, axes[1:], out / "view-sala.png")


def schulz(out: Path) -> None:
    strategies = ("native", "hold-back", "backfill")
    figure, axes = panels(3, 3, [1.5, 1.3, 1.2], 11)
    for column, strategy in enumerate(strategies):
        timeline = traced([program("heddle-wave"), *_WAVE, "--strategy", strategy], 2)
        spawned, _ = instances(timeline, "spawn an enclave")
        computed, _ = instances(timeline, "enclave")
        primary, secondary = instances(timeline, "primary traversal"), instances(timeline, "secondary traversal")
        begin, end = int(primary[0].min()), int(secondary[1].max())

        def pending(edges: np.ndarray) -> np.ndarray:
            return counted(spawned, computed, (edges[:-1] + edges[1:]) / 2)

        most = int(counted(spawned, computed, np.sort(spawned)).max())
        print(f"schulz: {strategy}: {len(spawned)} enclaves, at most {most} pending, {(end - begin) / 1e6:.1f} ms")
        axes[0][column].set_title(f"{strategy}: at most {most} pending", fontsize=10)
        over_time(axes[0][column], begin, end, pending, "#c8793e")
        over_time(axes[1][column], begin, end, lambda e: numbers.busy_per_bin(*primary, e), "#8db9b6")
        edges = np.linspace(begin, end, _BINS + 1)
        axes[1][column].stairs(numbers.busy_per_bin(*secondary, edges), (edges - begin) / 1e6, color="#14507a")
        over_time(axes[2][column], begin, end, computing(timeline), "#14507a")
    for row, label in zip(axes, ("pending enclaves", "active traversals", "threads computing"), strict=True):
        row[0].set_ylabel(label)
    axes[1][0].set_title("filled: primary, line: secondary", fontsize=9, color=MUTED, loc="left")
    put(figure, axes, out / "view-schulz.png")


def pereira(out: Path) -> None:
    figure, axes = panels(3, 1, [1.4, 1.4, 1.2], 8)
    cholesky = paths.build_dir("release") / "examples" / "suspension" / "cholesky_suspension"
    timeline = traced([mpi.launcher(), "-n", "2", cholesky, "40", "48"], 1)
    suspended, alive = numbers.tasks_suspended(timeline), numbers.tasks_alive(timeline)
    begin, end = int(alive[0].min()), int(alive[0].max())
    print(f"pereira: at most {suspended[1].max()} tasks suspended, {alive[1].max()} alive")

    def level(steps: tuple[np.ndarray, np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
        def at(edges: np.ndarray) -> np.ndarray:
            index = np.searchsorted(steps[0], (edges[:-1] + edges[1:]) / 2, side="right") - 1
            return np.where(index >= 0, steps[1][np.maximum(index, 0)], 0)

        return at

    for axis, label, height, colour in (
        (axes[0][0], "tasks suspended", level(suspended), "#7b4b94"),
        (axes[1][0], "tasks alive", level(alive), "#c8793e"),
        (axes[2][0], "threads computing", computing(timeline), "#14507a"),
    ):
        over_time(axis, begin, end, height, colour)
        axis.set_ylabel(label)
    put(figure, axes, out / "view-pereira.png")


VIEWS = {"rico": rico, "sala": sala, "schulz": schulz, "pereira": pereira}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="the folder of the pictures")
    parser.add_argument("--only", default=",".join(VIEWS), help="some of them, separated by commas")
    options = parser.parse_args()
    wanted = options.only.split(",")
    if unknown := [name for name in wanted if name not in VIEWS]:
        parser.error(f"--only {unknown[0]}: there are {', '.join(VIEWS)}")
    toolchain.build("release", ["heddle-amr", "heddle-wave", "suspension_cholesky_suspension"])
    with rc_context(STYLE):
        for name in wanted:
            VIEWS[name](options.out)


if __name__ == "__main__":
    main()
