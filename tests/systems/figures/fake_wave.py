#!/usr/bin/python3 -S
"""A stand-in for heddle-wave: the same command line and results file, no fields.

FAKE_WAVE_HANG names a model or strategy that does not end, FAKE_WAVE_WRONG one that ends with another state,
FAKE_WAVE_CRASH one that fails.
"""

import json
import os
import sys
import time

HELP = """heddle-wave: a stand-in
  --exec NAME                 How to execute a step [data-flow]:
                                  serial           one thread
                                  bsp              a task per partition
                                  enclave          borders first
                                  data-flow        tasks by their data
  --threads N                 Threads [0]
  --strategy NAME             enclave: what becomes of an enclave patch [native]:
                                  native (hold=0,fuse=1-1,when=polled)
                                      each becomes a task at once
                                  hold-back (hold=all,fuse=1-1,when=polled)
                                      held until somebody waits for one
  --wait NAME                 how it waits
"""

arguments = sys.argv[1:]
if "--help" in arguments:
    sys.exit(print(HELP, end=""))


def option(name, default=""):
    return arguments[arguments.index(name) + 1] if name in arguments else default


way = option("--strategy") or option("--exec")
if os.environ.get("FAKE_WAVE_HANG") == way:
    time.sleep(60)
if os.environ.get("FAKE_WAVE_CRASH") == way:
    sys.exit("heddle-wave: the gas has negative pressure")
results = {
    "argv": arguments,
    "steps": 3,
    "time": 0.5,
    "step_lengths": [0.2, 0.2, 0.1],
    "patches": 9,
    "patches_per_level": [0, 9],
    "state_fingerprint": "bad" if os.environ.get("FAKE_WAVE_WRONG") == way else "feed",
    "mesh_fingerprint": "cafe",
    "busy_share": 0.75,
    "wall_seconds": {"steps": 0.5 if option("--cut") == "ill" else 0.25},
    "counts": {"pending_after_primary": 12, "most_pending_after_primary": 7},
}
with open(option("--results"), "w") as file:
    json.dump(results, file)
