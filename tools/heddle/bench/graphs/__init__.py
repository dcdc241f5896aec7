"""What a taskgraph saves: the kernels of bench/graphs."""

from __future__ import annotations

from pathlib import Path

from heddle import paths
from heddle.bench.benchmark import Benchmark
from heddle.bench.graphs import cases, ratios, table
from heddle.bench.measurement import Measurement
from heddle.bench.programs import Sources


def _plot(file: Path, measurement: Measurement) -> None:
    from heddle.bench.graphs import plot  # matplotlib takes its time

    plot.write(file, measurement)


# As bench/graphs/CMakeLists.txt has them.
_OPTIONS = ("-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")


BENCHMARK = Benchmark(
    name="graphs",
    sources=Sources(paths.ROOT / "bench" / "graphs", "graphs", _OPTIONS, ("-lopenblas", "-lm")),
    quick=tuple("--size 64 --iterations 3 --repetitions 2".split()),
    chosen=cases.chosen,
    named=cases.named,
    columns=ratios.in_forms,
    show=table.show,
    ratios=ratios.plain,
    plot=_plot,
    # cholesky's tasks call BLAS; threads of its own would be beside the runtime's.
    environ={"OPENBLAS_NUM_THREADS": "1"},
)
