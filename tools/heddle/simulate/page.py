"""A simulated run as the page that a trace has: who executes what when, tasks alive, the critical path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from heddle.trace import build, page
from heddle.trace import timeline as lines
from heddle.trace.events import ProcessEvents
from heddle.trace.places import without_common_folder
from heddle.trace.timeline import Timeline

# What a thread stands in; indices of states.
_STATES = ["the runtime's own work", "nothing to execute"]
_RUNTIME, _NOTHING, _COMPUTES = 0, 1, -1


def write(result: dict[str, Any], file: Path) -> Path:
    """Puts the page of the only run there. result: what the simulator said, with a timeline."""
    return page.write(timeline(result), file, f"{result['program']}, simulated on {_cores(result)}")


def timeline(result: dict[str, Any]) -> Timeline:
    """The timeline of the only run. What a thread waits for is not told, but in gaps between its stretches."""
    run = result["runs"][0]
    columns = {name: np.array(values) for name, values in run["timeline"].items()}
    cores = run["cores"]
    processes = [_process(result, number) for number in range(result["processes"])]
    kinds = without_common_folder([*result["kinds"], "initial task"])
    kind = columns["task_kind"].astype("i8")
    kind[kind < 0] = len(kinds) - 1
    creator = columns["task_creator"].astype("i8")
    created = _whole(columns["task_created"])
    lane, begin, end, task, state = _segments(columns, cores, int(run["duration_ns"]))
    first, last = _bounds(task, begin, end, len(kind))
    made = Timeline(
        processes=processes,
        lanes=[build.lane_of(processes, p, worker + 1) for p in range(len(processes)) for worker in range(cores)],
        duration=max(int(run["duration_ns"]), int(end.max(initial=0))),
        kinds=kinds,
        state_names=_STATES,
        state_classes=np.full(len(_STATES), lines.WAIT, "i8"),
        place_names=[],
        task_process=columns["task_process"].astype("i8"),
        task_kind=kind,
        task_creator=creator,
        task_created=created,
        task_first=first,
        task_end=last,
        task_is_explicit=creator >= 0,
        task_was_discarded=np.zeros(len(kind), bool),
        segment_lane=lane,
        segment_begin=begin,
        segment_end=end,
        segment_task=task,
        segment_states=state.reshape(-1, 1),
        state_what=np.arange(len(_STATES)),
        state_place=np.full(len(_STATES), -1, "i8"),
        edge_source=columns["source"].astype("i8"),
        edge_sink=columns["sink"].astype("i8"),
        dependence_task=_nothing(),
        dependence_address=_nothing(),
        dependence_type=_nothing(),
        messages=_messages(columns, cores),
        suspension_task=_nothing(),
        suspension_ns=_nothing(),
        suspension_reason=_nothing(),
        memory_process=_nothing(),
        memory_ns=_nothing(),
        memory_bytes=_nothing(),
        task_creation_lane=(columns["task_process"] * cores + columns["task_worker"]).astype("i8"),
    )
    made.pieces = lines.spans_of(made, -1)
    return made


def _segments(columns: dict[str, np.ndarray], cores: int, duration: int) -> tuple[np.ndarray, ...]:
    """Lane, begin, end, task and state of every stretch, and of what lies between them."""
    lane = (columns["process"] * cores + columns["worker"]).astype("i8")
    begin, end = _whole(columns["begin"]), _whole(columns["end"])
    order = np.lexsort((begin, lane))
    lane, begin, end = lane[order], begin[order], end[order]
    task = columns["task"].astype("i8")[order]
    state = np.where(columns["is_of_runtime"].astype(bool)[order], _RUNTIME, _COMPUTES)
    # What follows another stretch of its lane begins no earlier than that ends: times were rounded.
    is_next = np.concatenate([np.zeros(min(len(lane), 1), bool), lane[1:] == lane[:-1]])
    before = np.where(is_next, np.roll(end, 1), 0)
    begin = np.maximum(begin, before)
    end = np.maximum(end, begin)
    gaps = np.flatnonzero(begin > before)
    lasts = np.flatnonzero(np.concatenate([lane[1:] != lane[:-1], np.ones(min(len(lane), 1), bool)]))
    lasts = lasts[end[lasts] < duration]
    nobody = len(gaps) + len(lasts)
    lane = np.concatenate([lane, lane[gaps], lane[lasts]])
    task = np.concatenate([task, np.full(nobody, -1, "i8")])
    state = np.concatenate([state, np.full(nobody, _NOTHING)])
    begin, end = (
        np.concatenate([begin, before[gaps], end[lasts]]),
        np.concatenate([end, begin[gaps], np.full(len(lasts), duration, "i8")]),
    )
    order = np.lexsort((begin, lane))
    keep = order[end[order] > begin[order]]
    return lane[keep], begin[keep], end[keep], task[keep], state[keep]


def _bounds(task: np.ndarray, begin: np.ndarray, end: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """When each task began to be executed, and when it ended; -1 where nothing was executed of it."""
    first, last = np.full(count, np.iinfo("i8").max, "i8"), np.full(count, -1, "i8")
    known = task >= 0
    np.minimum.at(first, task[known], begin[known])
    np.maximum.at(last, task[known], end[known])
    first[last < 0] = -1
    return first, last


def _messages(columns: dict[str, np.ndarray], cores: int) -> np.ndarray:
    made = np.zeros(len(columns["sent"]), build.MESSAGE)
    for end in ("source", "sink"):
        made[f"{end}_lane"] = columns[f"{end}_process"] * cores + columns[f"{end}_worker"]
    for name in ("sent", "posted", "received"):
        made[name] = _whole(columns[name])
    made["bytes"] = columns["bytes"]
    return made[np.argsort(made["sent"], kind="stable")]


def _process(result: dict[str, Any], number: int) -> ProcessEvents:
    return ProcessEvents(
        path=Path(),
        process=number,
        rank=number,
        ranks=result["processes"],
        host="simulated",
        runtime="libheddle's rules, simulated",
        program=Path(result["program"]),
        processors=result["runs"][0]["cores"],
        dropped=0,
        has_ended=True,
        started_unix_ns=0,
        start_ns=0,
        kinds={},
        names={},
    )


def _cores(result: dict[str, Any]) -> str:
    cores, processes = result["runs"][0]["cores"], result["processes"]
    return f"{cores} cores" if processes == 1 else f"{processes} ranks of {cores} cores"


def _whole(ns: np.ndarray) -> np.ndarray:
    return np.rint(ns).astype("i8")


def _nothing() -> np.ndarray:
    return np.empty(0, "i8")
