"""The cases: each kernel of bench/graphs at several grains. A case is named KERNEL/GRAIN."""

from __future__ import annotations

import difflib
import fnmatch
from dataclasses import dataclass

from heddle.bench.measurement import Case
from heddle.errors import UserError


@dataclass(frozen=True)
class Kernel:
    """What the grain counts, and the grains that are measured, from large tasks to small ones.

    waits: the kernel that does the same while its iterations wait for each other, where this one's do not.
    """

    name: str
    pieces: str
    grains: tuple[int, ...]
    waits: str | None = None


KERNELS: list[Kernel] = [
    Kernel("listing1", "tasks", (100, 1000, 10000, 100000)),
    Kernel("heat", "blocks a side", (4, 8, 16, 32, 64, 128)),
    Kernel("heat-pipelined", "blocks a side", (4, 8, 16, 32, 64, 128), waits="heat"),
    Kernel("nbody", "blocks", (4, 16, 64, 256)),
    Kernel("axpy", "chunks", (16, 256, 4096, 65536)),
    Kernel("dotp", "chunks", (16, 256, 4096, 65536)),
    Kernel("cholesky", "tiles a side", (4, 16, 64, 256)),
    Kernel("hog", "tiles a side", (2, 16, 64, 128)),
    Kernel("cg", "chunks", (16, 256, 4096, 65536)),
]
_QUICK_GRAINS = (2, 4)
# Where an iteration takes some runtimes many seconds.
_FEW_ITERATIONS = {"cholesky/256": 3}


def chosen(words: str | None, quick: bool = False) -> list[Case]:
    """Cases by a list of kernels, of cases, or of patterns of either; without one all. quick: two grains, small ones.

    Errors: UserError for a word that matches none.
    """
    kernels = {_case(kernel.name, g).name: kernel for kernel in KERNELS for g in _QUICK_GRAINS if quick}
    kernels = kernels or {_case(kernel.name, g).name: kernel for kernel in KERNELS for g in kernel.grains}
    patterns = ["*"] if words is None else [word.strip() for word in words.split(",")]
    names = [kernel.name for kernel in KERNELS]
    for pattern in patterns:
        if not fnmatch.filter([*names, *kernels], pattern):
            close = difflib.get_close_matches(pattern, names, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}, each as in heat/32"
            raise UserError(f"--kernels: there is no '{pattern}'; {hint}")
    return [
        named(name)
        for name, kernel in kernels.items()
        if any(fnmatch.fnmatchcase(word, pattern) for word in (name, kernel.name) for pattern in patterns)
    ]


def named(name: str) -> Case:
    """The case of that name, as a record has it. Errors: UserError when there is no such kernel or grain."""
    grain = name.partition("/")[2]
    if not grain.isdecimal():
        raise UserError(f"there is no case '{name}'; a case is named as in heat/32")
    return _case(kernel_of(name).name, int(grain))


def kernel_of(name: str) -> Kernel:
    """The kernel of a case. Errors: UserError when there is none."""
    word = name.partition("/")[0]
    for kernel in KERNELS:
        if kernel.name == word:
            return kernel
    raise UserError(f"there is no kernel '{word}'; there are {', '.join(kernel.name for kernel in KERNELS)}")


def grain_of(name: str) -> int:
    """The grain of a case."""
    return int(name.partition("/")[2])


def waiting(name: str) -> str | None:
    """The case whose iterations wait for each other, where those of this one do not."""
    kernel = kernel_of(name)
    return f"{kernel.waits}/{grain_of(name)}" if kernel.waits else None


def by_kernel(names: list[str]) -> dict[Kernel, list[str]]:
    """The names of cases, kernel by kernel, from large tasks to small ones."""
    found: dict[Kernel, list[str]] = {}
    for name in sorted(names, key=grain_of):
        found.setdefault(kernel_of(name), []).append(name)
    return {kernel: found[kernel] for kernel in KERNELS if kernel in found}


def _case(kernel: str, grain: int) -> Case:
    name = f"{kernel}/{grain}"
    few = ("--iterations", str(_FEW_ITERATIONS[name])) if name in _FEW_ITERATIONS else ()
    return Case(name, kernel, ("--grain", str(grain), *few))
