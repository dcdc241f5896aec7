"""How long tests may take: their limits were chosen on an idle machine, and grow with how slow this one is now.

Words: the *patience* is a factor for all limits, from 1 to MOST. ./heddle test measures it before each stage and gives
it to what it starts in the environment; without it, as under a pytest or ctest by hand, it is 1. What never ends is
still stopped, after MOST times its limit at the latest.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys

# libheddle warns of variables named HEDDLE_… that it does not know.
VARIABLE = "TEST_PATIENCE"
MOST = 6.0

# The limits were chosen where one process a core does this work in so much time.
WORK = "sum(i * i % 7 for i in range(8_000_000))"
_REFERENCE_S = 0.4
# A process a core, all in one session as those of a stage: schedulers share the processor among sessions.
_TIMED = f"""
import os, sys, time
ends = []
for _ in range(int(sys.argv[1])):
    end, mine = os.pipe()
    if os.fork() == 0:
        started = time.perf_counter()
        {WORK}
        os.write(mine, str(time.perf_counter() - started).encode())
        os._exit(0)
    os.close(mine)
    ends.append(end)
print(max(float(os.read(end, 64)) for end in ends))
"""
# What the processes take to start and end is not measured, but must not take for ever either.
_START_S = 10.0


def measure() -> float:
    """The patience that is right now: how long a fixed piece of work takes with a process a core."""
    command = [sys.executable, "-I", "-S", "-c", _TIMED, str(len(os.sched_getaffinity(0)))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            return of(float(process.communicate(timeout=MOST * _REFERENCE_S + _START_S)[0]))
        except subprocess.TimeoutExpired:
            return MOST
        finally:
            with contextlib.suppress(ProcessLookupError):  # nobody is left
                os.killpg(process.pid, signal.SIGKILL)


def of(seconds: float) -> float:
    """The patience where the work takes so long."""
    return min(MOST, max(1.0, seconds / _REFERENCE_S))


def scaled(seconds: float) -> float:
    """A limit for this process: as it was chosen, times the patience that ./heddle test gave it."""
    return seconds * float(os.environ.get(VARIABLE, "1"))
