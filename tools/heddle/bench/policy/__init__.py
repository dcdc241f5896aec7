"""What each rule of the spawn policy is worth: libheddle with it and without."""

from __future__ import annotations

from pathlib import Path

from heddle.bench import graphs, tasks
from heddle.bench.benchmark import Benchmark
from heddle.bench.measurement import Measurement
from heddle.bench.policy import cases, table
from heddle.errors import UserError


def _plot(file: Path, measurement: Measurement) -> None:
    raise UserError("heddle bench policy draws nothing")


BENCHMARK = Benchmark(
    name="policy",
    sources=tasks.BENCHMARK.sources,
    quick=("--repetitions", "2"),
    chosen=lambda words, quick: cases.chosen(words),
    named=cases.named,
    columns=cases.with_and_without,
    show=table.show,
    ratios=table.plain,
    plot=_plot,
    environ=graphs.BENCHMARK.environ,
    others=(graphs.BENCHMARK.sources,),
)
