"""Under which settings a program runs: the modes of libheddle that change which thread executes what and when."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

THREADS = (1, 2, 3, 4, 5, 6, 7)

# By name. {seed} is replaced by a number, {file} by a file in the program's folder.
MODES: dict[str, dict[str, str]] = {
    "default": {},
    "shared": {"HEDDLE_THROTTLE": "1024"},
    "throttle-1": {"HEDDLE_THROTTLE": "1"},
    "throttle-3": {"HEDDLE_THROTTLE": "3"},
    "throttle-16": {"HEDDLE_THROTTLE": "16"},
    "hold": {"HEDDLE_THROTTLE": "hold"},
    "memory": {"HEDDLE_THROTTLE": "1024,16K"},
    "oldest": {"HEDDLE_READY": "oldest"},
    "latency": {"HEDDLE_WAIT": "latency"},
    "latency-shared": {"HEDDLE_WAIT": "latency", "HEDDLE_THROTTLE": "1024"},
    "oldest-latency": {"HEDDLE_READY": "oldest", "HEDDLE_WAIT": "latency"},
    "fuzz": {"HEDDLE_ORDER": "fuzz:{seed}"},
    "fuzz-latency": {"HEDDLE_ORDER": "fuzz:{seed}", "HEDDLE_WAIT": "latency"},
    "nowhere": {"HEDDLE_LOCALITY": "false", "HEDDLE_THROTTLE": "1024"},
    "spin-0": {"HEDDLE_SPIN_US": "0"},
    "spin-0-shared": {"HEDDLE_SPIN_US": "0", "HEDDLE_THROTTLE": "64"},
    "spin": {"HEDDLE_SPIN_US": "1000"},
    "priorities": {"OMP_MAX_TASK_PRIORITY": "100"},
    "priorities-shared": {"OMP_MAX_TASK_PRIORITY": "100", "HEDDLE_THROTTLE": "1024"},
    "watchdog": {"HEDDLE_WATCHDOG": "10"},
    "order-log": {"HEDDLE_ORDER_LOG": "/dev/null", "HEDDLE_LOG": "stacks"},
    "graph-log": {"HEDDLE_GRAPH_LOG": "{file}"},
    "graph-memory": {"HEDDLE_GRAPH_MEMORY": "64K"},
    "graph-check": {"HEDDLE_CHECK": "graph", "HEDDLE_CHECK_LOG": "{file}"},
    "without-serial": {"HEDDLE_WITHOUT": "serial,serial-replay", "HEDDLE_LOG": "policy"},
    "without-rules": {"HEDDLE_WITHOUT": "serial,cutoff,help,serial-replay,overlap"},
    "without-cutoff": {"HEDDLE_WITHOUT": "cutoff,help"},
    "passive": {"OMP_WAIT_POLICY": "passive"},
    "active": {"OMP_WAIT_POLICY": "active"},
}

# Variables of runtime/icv/environment.json that no mode sets, and why.
LEFT_OUT = {
    "HEDDLE_MACHINE": "the simulated machine alone reads it",
    "HEDDLE_MACHINE_REPORT": "the simulated machine alone reads it",
    "HEDDLE_NO_INSTALL": "the launcher alone reads it",
    "HEDDLE_REPLACE_PACKAGES": "the launcher alone reads it",
    "HEDDLE_PYTHON": "the launcher alone reads it",
    "HEDDLE_TRACE_DIRECTORY": "libheddle-trace.so alone reads it",
}


@dataclass(frozen=True)
class Setting:
    """A mode at a number of threads."""

    mode: str
    threads: int
    cancels: bool = False
    seed: int = 1

    def __str__(self) -> str:
        return f"{self.mode}:{self.threads}:{'cancel' if self.cancels else 'plain'}:{self.seed}"

    def variables(self, folder: str) -> dict[str, str]:
        result = {"OMP_NUM_THREADS": str(self.threads)}
        for name, value in MODES[self.mode].items():
            result[name] = value.format(seed=self.seed, file=f"{folder}/graphs.log")
        if self.cancels:
            result["OMP_CANCELLATION"] = "true"
        return result


def parse(text: str) -> Setting:
    """What str() of a setting gives. Errors: ValueError."""
    mode, threads, cancels, seed = text.split(":")
    if mode not in MODES:
        raise ValueError(f"there is no mode '{mode}'; there are {', '.join(MODES)}")
    return Setting(mode, int(threads), cancels == "cancel", int(seed))


@dataclass
class Drawer:
    """Draws settings; every mode comes once before any comes again."""

    chance: random.Random
    modes: list[str] = field(default_factory=lambda: list(MODES))
    left: list[str] = field(default_factory=list)

    def draw(self, wants_cancellation: bool) -> Setting:
        if not self.left:
            self.left = self.chance.sample(self.modes, len(self.modes))
        cancels = self.chance.randrange(100) < (70 if wants_cancellation else 5)
        threads = self.chance.choice((*THREADS, 2, 4))
        return Setting(self.left.pop(), threads, cancels, self.chance.randrange(1, 1 << 16))
