"""Efficiency over the length of tasks: the patterns of bench/kernels/grain."""

from __future__ import annotations

from pathlib import Path

from heddle import paths
from heddle.bench.benchmark import Benchmark
from heddle.bench.grain import cases, efficiency, table
from heddle.bench.measurement import Measurement
from heddle.bench.programs import Sources


def _plot(file: Path, measurement: Measurement) -> None:
    from heddle.bench.grain import plot  # matplotlib takes its time

    plot.write(file, measurement)


BENCHMARK = Benchmark(
    name="grain",
    sources=Sources(paths.ROOT / "bench" / "kernels" / "grain", "grain", ("-O2",), ("-ldl",)),
    quick=("--repetitions", "1"),
    chosen=lambda words, quick: cases.chosen(words),
    named=cases.named,
    columns=cases.in_forms,
    show=table.show,
    ratios=efficiency.plain,
    plot=_plot,
    beside=cases.onetbb,
)
