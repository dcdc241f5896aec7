"""What a taskgraph saves: the kernels of bench/kernels/graphs."""

from __future__ import annotations

from heddle import paths
from heddle.bench.forms.benchmark import FORMS, in_forms
from heddle.bench.graphs.cases import SET
from heddle.bench.programs import Sources

# As bench/kernels/graphs/CMakeLists.txt has them.
_OPTIONS = ("-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")


BENCHMARK = in_forms(
    SET,
    name="graphs",
    sources=Sources(paths.ROOT / "bench" / "kernels" / "graphs", "graphs", _OPTIONS, ("-lopenblas", "-lm"), (FORMS,)),
    quick=tuple("--size 64 --iterations 3 --repetitions 2".split()),
    # cholesky's tasks call BLAS; threads of its own would be beside the runtime's.
    environ={"OPENBLAS_NUM_THREADS": "1"},
)
