"""On which runtimes heddle-wave, as GCC built it, can run here."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import launch, paths, program_run, runtimes, toolchain
from heddle.errors import UserError
from heddle.wave.ways import Way


@dataclass(frozen=True)
class Column:
    """A runtime and the program on it."""

    runtime: runtimes.Runtime
    program: Path

    @property
    def name(self) -> str:
        return self.runtime.name

    @property
    def title(self) -> str:
        return self.runtime.title

    def run(self, way: Way, arguments: list[str], threads: int, results: Path, *, timeout_s: float) -> dict[str, Any]:
        """One run's results. Errors: program_run.RunFailed, NotEnded when it took too long."""
        command = [str(self.program), *way.arguments(threads), *arguments, "--results", str(results), "--quiet"]
        environ = runtimes.environment(self.runtime, way.threads(threads))
        words = self.described(way, threads)
        return program_run.results_of(command, environ, results, words, timeout_s=timeout_s)

    def described(self, way: Way, threads: int) -> str:
        """A run in words."""
        cut = f" ({way.cut} cut)" if way.cut else ""
        return program_run.described(way.name + cut, self.runtime, way.threads(threads))


def installed() -> list[Column]:
    """Builds what is needed and returns what can run; says which runtimes are missing. Errors: as toolchain.build()."""
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.WAVE])
    found = []
    for name in runtimes.NAMES:
        try:
            runtime, program = runtimes.require(name), paths.program(paths.WAVE)
            launch.plan_on(str(program), runtime, None)
            found.append(Column(runtime, program))
        except UserError as reason:
            if name == "heddle":
                raise
            print(f"heddle: without {name}: {reason}", file=sys.stderr)
    return found
