"""What a task costs: the kernels of bench/kernels/tasks."""

from __future__ import annotations

from pathlib import Path

from heddle import paths
from heddle.bench.benchmark import Benchmark
from heddle.bench.measurement import Measurement
from heddle.bench.programs import Sources
from heddle.bench.tasks import cases, ratios, table


def _plot(file: Path, measurement: Measurement) -> None:
    from heddle.bench.tasks import plot  # matplotlib takes its time

    plot.write(file, measurement)


BENCHMARK = Benchmark(
    name="tasks",
    sources=Sources(paths.ROOT / "bench" / "kernels" / "tasks", "tasks", ("-O2",), ("-lm", "-ldl")),
    quick=tuple("--tasks 500 --size 8 --repetitions 2".split()),
    chosen=lambda words, quick: cases.chosen(words),
    named=cases.named,
    columns=lambda columns: columns,
    show=table.show,
    ratios=ratios.plain,
    check_plot=cases.check_plot,
    plot=_plot,
)
