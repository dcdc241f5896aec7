"""NAS Parallel Benchmarks as tasks, taskgraphs and loops: the kernels of bench/kernels/nas."""

from __future__ import annotations

from heddle import paths
from heddle.bench.forms.benchmark import FORMS, in_forms
from heddle.bench.forms.kernel_set import Kernel, KernelSet
from heddle.bench.programs import Sources

# As bench/kernels/nas/CMakeLists.txt has them.
_OPTIONS = ("-O3", "-ffp-contract=off")

# As the driver lists them: each benchmark in its classes. The grains: one task a thread on two cores and more, up to
# more than there are rows, lines or planes to share in the small classes.
SET = KernelSet(
    kernels=[
        Kernel(f"{name}.{problem_class}", "tasks a loop", (2, 16, 128, 1024))
        for name in ("cg", "bt", "ft", "sp", "ep", "lu")
        for problem_class in ("S", "W", "A")
    ],
    quick_grains=(2, 16),
    quick_kernels=tuple(f"{name}.S" for name in ("cg", "bt", "ft", "sp", "ep", "lu")),
)

BENCHMARK = in_forms(
    SET,
    name="nas",
    sources=Sources(paths.ROOT / "bench" / "kernels" / "nas", "nas", _OPTIONS, ("-lm",), (FORMS,)),
    quick=("--iterations", "3", "--repetitions", "1"),
)
