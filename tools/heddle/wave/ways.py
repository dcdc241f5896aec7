"""Every way that heddle-wave has to execute a step: its models, strategies of one of them, cuts of the curve.

Names come from the program's own --help, so that a new strategy is in every table.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heddle import program_run
from heddle.errors import CheckFailed

_LIMIT_S = 60
# Models whose work is cut into partitions, and the one that has strategies.
_PARTITIONED = ("bsp", "bsp-for", "enclave")
_WITH_STRATEGIES = "enclave"
SERIAL = "serial"

# Half of the patches, a quarter, an eighth, and what is left: on two threads two halves were no bad cut.
_LEAST_ILL_PARTITIONS = 4


@dataclass(frozen=True)
class Way:
    """One way. cut: well or ill, and empty where there are no partitions."""

    model: str
    strategy: str = ""
    cut: str = ""

    @property
    def name(self) -> str:
        """'bsp', 'enclave, backfill'."""
        return f"{self.model}, {self.strategy}" if self.strategy else self.model

    def threads(self, threads: int) -> int:
        """How many of these it uses."""
        return 1 if self.model == SERIAL else threads

    def partitions(self, threads: int) -> int:
        """One a thread; more where few threads would not show that they are of unequal size."""
        return max(threads, _LEAST_ILL_PARTITIONS) if self.cut == "ill" else threads

    def arguments(self, threads: int) -> list[str]:
        """Options of heddle-wave."""
        words = ["--exec", self.model, "--threads", str(self.threads(threads))]
        if self.strategy:
            words += ["--strategy", self.strategy]
        if self.cut:
            words += ["--cut", self.cut, "--partitions", str(self.partitions(threads))]
        return words


@dataclass(frozen=True)
class Offer:
    """What the program offers. name -> what it is."""

    models: dict[str, str]
    strategies: dict[str, str]

    def ways(self) -> list[Way]:
        """All of them with a good cut, then those that a bad cut changes with a bad one."""
        return [*self._with_cut("well"), *(way for way in self._with_cut("ill") if way.cut)]

    def meanings(self) -> dict[str, str]:
        """Of every way, by its name."""
        named = {f"{_WITH_STRATEGIES}, {name}": meaning for name, meaning in self.strategies.items()}
        return {name: meaning for name, meaning in self.models.items() if name != _WITH_STRATEGIES} | named

    def _with_cut(self, cut: str) -> Iterator[Way]:
        for model in self.models:
            its_cut = cut if model in _PARTITIONED else ""
            if model == _WITH_STRATEGIES:
                yield from (Way(model, strategy, its_cut) for strategy in self.strategies)
            else:
                yield Way(model, cut=its_cut)


def offer(program: Path) -> Offer:
    """What the program's --help lists. Errors: CheckFailed when that cannot be read."""
    said = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=_LIMIT_S, check=False).stdout
    models = program_run.offered(said, "--exec")
    strategies = program_run.offered(said, "--strategy")
    if not models or not strategies:
        raise CheckFailed(f"{program.name} --help lists no models or no strategies")
    return Offer(models, {name: text.partition(") ")[2] for name, text in strategies.items()})
