"""The kernels of bench/kernels/graphs, and their grains."""

from __future__ import annotations

from heddle.bench.forms.kernel_set import Kernel, KernelSet

SET = KernelSet(
    kernels=[
        Kernel("listing1", "tasks", (100, 1000, 10000, 100000)),
        Kernel("heat", "blocks a side", (4, 8, 16, 32, 64, 128)),
        Kernel("heat-pipelined", "blocks a side", (4, 8, 16, 32, 64, 128), waits="heat"),
        Kernel("nbody", "blocks", (4, 16, 64, 256)),
        Kernel("axpy", "chunks", (16, 256, 4096, 65536)),
        Kernel("dotp", "chunks", (16, 256, 4096, 65536)),
        Kernel("cholesky", "tiles a side", (4, 16, 64, 256)),
        Kernel("hog", "tiles a side", (2, 16, 64, 128)),
        Kernel("cg", "chunks", (16, 256, 4096, 65536)),
    ],
    quick_grains=(2, 4),
    few_iterations={"cholesky/256": 3},
)
