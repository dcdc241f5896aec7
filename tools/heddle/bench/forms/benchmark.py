"""A benchmark in three forms: tasks, taskgraphs of the same tasks, and loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heddle import paths
from heddle.bench.benchmark import Benchmark
from heddle.bench.forms import ratios, table
from heddle.bench.forms.kernel_set import KernelSet
from heddle.bench.measurement import Measurement

# The driver of its programs.
FORMS = paths.ROOT / "bench" / "kernels" / "forms"


def in_forms(kernels: KernelSet, **said: Any) -> Benchmark:
    """The benchmark of a set of kernels. said: the fields of Benchmark that are its own."""

    def plot(file: Path, measurement: Measurement) -> None:
        from heddle.bench.forms import plot  # matplotlib takes its time

        plot.write(file, kernels, measurement)

    return Benchmark(
        chosen=kernels.chosen,
        named=kernels.named,
        columns=ratios.in_forms,
        show=lambda console, measurement: table.show(console, kernels, measurement),
        ratios=lambda measurement: ratios.plain(kernels, measurement),
        plot=plot,
        **said,
    )
