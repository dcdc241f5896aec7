"""The kernels of a program in three forms, and its cases: each at several grains. A case is named KERNEL/GRAIN."""

from __future__ import annotations

import difflib
import fnmatch
from dataclasses import dataclass, field, replace

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


@dataclass(frozen=True)
class KernelSet:
    """The kernels of one program.

    quick_grains: what --quick runs of each kernel, or of those that are in quick_kernels.
    few_iterations: of cases an iteration of which takes some runtimes many seconds.
    """

    kernels: list[Kernel]
    quick_grains: tuple[int, ...]
    quick_kernels: tuple[str, ...] = ()
    few_iterations: dict[str, int] = field(default_factory=dict)

    def chosen(self, words: str | None, quick: bool = False) -> list[Case]:
        """Cases by a list of kernels, of cases, or of patterns of either; without one all. quick: small ones.

        Errors: UserError for a word that matches none.
        """
        kernels = {self._case(kernel.name, g).name: kernel for kernel in self._runs(quick) for g in kernel.grains}
        patterns = ["*"] if words is None else [word.strip() for word in words.split(",")]
        names = [kernel.name for kernel in self.kernels]
        for pattern in patterns:
            if not fnmatch.filter([*names, *kernels], pattern):
                close = difflib.get_close_matches(pattern, names, n=1)
                example = f"{names[0]}/{self.kernels[0].grains[-1]}"
                hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}, each as in {example}"
                raise UserError(f"--kernels: there is no '{pattern}'; {hint}")
        return [
            self.named(name)
            for name, kernel in kernels.items()
            if any(fnmatch.fnmatchcase(word, pattern) for word in (name, kernel.name) for pattern in patterns)
        ]

    def _runs(self, quick: bool) -> list[Kernel]:
        if not quick:
            return self.kernels
        there = self.quick_kernels or tuple(kernel.name for kernel in self.kernels)
        return [replace(kernel, grains=self.quick_grains) for kernel in self.kernels if kernel.name in there]

    def named(self, name: str) -> Case:
        """The case of that name, as a record has it. Errors: UserError when there is no such kernel or grain."""
        grain = name.partition("/")[2]
        if not grain.isdecimal():
            raise UserError(f"there is no case '{name}'; a case is named as in {self.kernels[0].name}/32")
        return self._case(self.kernel_of(name).name, int(grain))

    def kernel_of(self, name: str) -> Kernel:
        """The kernel of a case. Errors: UserError when there is none."""
        word = name.partition("/")[0]
        for kernel in self.kernels:
            if kernel.name == word:
                return kernel
        raise UserError(f"there is no kernel '{word}'; there are {', '.join(kernel.name for kernel in self.kernels)}")

    def by_kernel(self, names: list[str]) -> dict[Kernel, list[str]]:
        """The names of cases, kernel by kernel, from large tasks to small ones."""
        found: dict[Kernel, list[str]] = {}
        for name in sorted(names, key=grain_of):
            found.setdefault(self.kernel_of(name), []).append(name)
        return {kernel: found[kernel] for kernel in self.kernels if kernel in found}

    def waiting(self, name: str) -> str | None:
        """The case whose iterations wait for each other, where those of this one do not."""
        kernel = self.kernel_of(name)
        return f"{kernel.waits}/{grain_of(name)}" if kernel.waits else None

    def _case(self, kernel: str, grain: int) -> Case:
        name = f"{kernel}/{grain}"
        few = ("--iterations", str(self.few_iterations[name])) if name in self.few_iterations else ()
        return Case(name, kernel, ("--grain", str(grain), *few))


def grain_of(name: str) -> int:
    """The grain of a case."""
    return int(name.partition("/")[2])
