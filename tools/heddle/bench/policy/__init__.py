"""What each rule of the spawn policy is worth: libheddle with it and without."""

from __future__ import annotations

import sys

from heddle.bench import graphs, tasks
from heddle.bench.benchmark import Benchmark
from heddle.bench.policy import cases, table

BENCHMARK = Benchmark(
    name="policy",
    sources=tasks.BENCHMARK.sources,
    quick=("--repetitions", "2"),
    chosen=lambda words, quick: cases.chosen(words),
    named=cases.named,
    columns=cases.with_and_without,
    show=table.show,
    ratios=table.plain,
    environ=graphs.BENCHMARK.environ,
    others=(graphs.BENCHMARK.sources,),
    commands={cases.AMR: (sys.executable, "-m", "heddle.bench.policy.amr")},
)
