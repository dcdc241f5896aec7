"""What numbers in a Paraver trace mean: its states and our events, the .pcf and .row files, views of a trace (.cfg).

Source: "Paraver trace file description" (BSC) for the formats and the numbers of states; the colours are those that
Paraver's users are used to.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.trace import timeline as lines
from heddle.trace.mpi_calls import COLLECTIVE, Call, call_of
from heddle.trace.timeline import Timeline

IDLE, RUNNING, NOT_CREATED, SYNCHRONIZATION, FORK_JOIN, BLOCKED, OTHERS = 0, 1, 2, 5, 7, 9, 15
_GROUP_COMMUNICATION = 13

# Number, name and colour.
STATES = (
    (IDLE, "Idle", (117, 195, 255)),
    (RUNNING, "Running", (0, 0, 255)),
    (NOT_CREATED, "Not created", (255, 255, 255)),
    (3, "Waiting a message", (255, 0, 0)),
    (4, "Blocking Send", (255, 0, 174)),
    (SYNCHRONIZATION, "Synchronization", (179, 0, 0)),
    (6, "Test/Probe", (0, 255, 0)),
    (FORK_JOIN, "Scheduling and Fork/Join", (255, 255, 0)),
    (8, "Wait/WaitAll", (235, 0, 0)),
    (BLOCKED, "Blocked", (0, 162, 0)),
    (10, "Immediate Send", (255, 0, 255)),
    (11, "Immediate Receive", (100, 100, 177)),
    (_GROUP_COMMUNICATION, "Group Communication", (255, 144, 26)),
    (OTHERS, "Others", (192, 224, 0)),
    (16, "Send Receive", (66, 66, 66)),
)
_OF_CALL = {
    Call.SEND: 4,
    Call.RECEIVE: 3,
    Call.SEND_AND_RECEIVE: 16,
    Call.START_SEND: 10,
    Call.START_RECEIVE: 11,
    Call.TEST: 6,
    Call.WAIT: 8,
    Call.OTHER: OTHERS,
} | dict.fromkeys(COLLECTIVE, _GROUP_COMMUNICATION)
_JOINS = ("barrier at the region's end", "barrier of teams", "barrier of the runtime")

TASK_KIND, TASK_NUMBER, WAITING, WORKSHARING, RANGE, MPI_CALL, ALIVE = range(9200001, 9200008)
# The classes of states that an event of each type tells.
CLASSES = {
    WAITING: (lines.WAIT, lines.LOCK),
    WORKSHARING: (lines.WORKS,),
    RANGE: (lines.RANGE,),
    MPI_CALL: (lines.MPI,),
}
_LABELS = {
    TASK_KIND: "What runs: kind of task",
    TASK_NUMBER: "What runs: number of the task",
    WAITING: "What is waited for",
    WORKSHARING: "Worksharing",
    RANGE: "Range of the program",
    MPI_CALL: "MPI call",
    ALIVE: "Tasks alive: created and not completed",
}
_NOTHING = {TASK_KIND: "no task", WAITING: "nothing"}


@dataclass(frozen=True)
class _View:
    """A window of Paraver. level: of which objects it has rows; scale: draws numbers as shades, not as colours."""

    name: str
    event: int
    level: str
    scale: bool


_VIEWS = {
    "what-runs": _View("What runs", TASK_KIND, "thread", False),
    "waiting": _View("What is waited for", WAITING, "thread", False),
    "tasks-alive": _View("Tasks alive", ALIVE, "task", True),
}


def state_of(name: str, state_class: int) -> int:
    """The state of a thread that stands in this wait, lock or call of MPI."""
    if state_class == lines.MPI:
        return _OF_CALL[call_of(name)]
    if state_class == lines.LOCK:
        return BLOCKED
    return FORK_JOIN if name in _JOINS else SYNCHRONIZATION


def pcf(timeline: Timeline) -> str:
    """The .pcf file. A kind of task has its index plus one as a value, a state the index of its name plus one."""
    text = [
        "DEFAULT_OPTIONS\n",
        "LEVEL               THREAD",
        "UNITS               NANOSEC",
        "LOOK_BACK           100",
        "SPEED               1",
        "FLAG_ICONS          ENABLED",
        "NUM_OF_STATE_COLORS 1000",
        "YMAX_SCALE          37",
        "\n\nDEFAULT_SEMANTIC\n",
        "THREAD_FUNC         State As Is",
        "\n\nSTATES",
        *(f"{number}    {name}" for number, name, _ in STATES),
        "\n\nSTATES_COLOR",
        *(f"{number}    {{{r},{g},{b}}}" for number, _, (r, g, b) in STATES),
    ]
    values = {TASK_KIND: dict(enumerate(timeline.kinds, start=1))}
    names = list(enumerate(zip(timeline.state_names, timeline.state_classes.tolist()), start=1))
    for event, classes in CLASSES.items():
        values[event] = {number: name for number, (name, state_class) in names if state_class in classes}
    for event, label in _LABELS.items():
        if not values.get(event, True):
            continue
        text += ["\n\nEVENT_TYPE", f"0    {event}    {label}"]
        if event in values:
            text += ["VALUES", f"0      {_NOTHING.get(event, 'none')}"]
            text += [f"{number}      {one_line(name)}" for number, name in values[event].items()]
    return "\n".join([*text, "", ""])


def row(levels: dict[str, list[str]]) -> str:
    """The .row file: names of the objects of each level, CPU, NODE, TASK or THREAD."""
    parts = [
        "\n".join([f"LEVEL {level} SIZE {len(names)}", *map(one_line, names), ""]) for level, names in levels.items()
    ]
    return "\n".join(parts)


def one_line(text: str) -> str:
    return " ".join(text.split()) or "?"


def views() -> dict[str, str]:
    """Files of Paraver's windows, by their names without .cfg."""
    return {name: _cfg(view) for name, view in _VIEWS.items()}


def _cfg(view: _View) -> str:
    settings = {
        "name": view.name,
        "type": "single",
        "id": 1,
        "position_x": 0,
        "position_y": 0,
        "width": 900,
        "height": 200,
        "comm_lines_enabled": "false",
        "flags_enabled": "false",
        "noncolor_mode": "true",
        "color_mode": "window_in_null_gradient_mode" if view.scale else None,
        "logical_filtered": "true",
        "physical_filtered": "false",
        "comm_fromto": "true",
        "comm_tagsize": "true",
        "comm_typeval": "true",
        "units": "Microseconds",
        "maximum_y": "1000.0",
        "minimum_y": "1.0",
        "compute_y_max": "true",
        "level": view.level,
        "scale_relative": "1.000000000000",
        "end_time_relative": "1.000000000000",
        "object": "appl { 1, { All } }",
        "begin_time_relative": "0.000000000000",
        "open": "true",
        "drawmode": "draw_maximum" if view.scale else "draw_randnotzero",
        "drawmode_rows": "draw_maximum" if view.scale else "draw_randnotzero",
        "pixel_size": 1,
        "labels_to_draw": 1,
        "selected_functions": _pairs(_FUNCTIONS),
        "compose_functions": _pairs(_COMPOSITIONS),
        "filter_module evt_type": f"1 {view.event}",
        "filter_module evt_type_label": f'1 "{_LABELS[view.event]}"',
    }
    rule = "#" * 80
    head = ["#ParaverCFG", "ConfigFile.Version: 3.4", "ConfigFile.NumWindows: 1", "", ""]
    title = [rule, f"< NEW DISPLAYING WINDOW {view.name} >", rule]
    body = [f"window_{key} {value}" for key, value in settings.items() if value is not None]
    return "\n".join([*head, *title, *body, ""])


# What a window does with the trace: a row shows the value of the last event of the type that is let through.
_FUNCTIONS = {
    "cpu": "Active Thd",
    **dict.fromkeys(("appl", "task"), "Adding"),
    "thread": "Last Evt Val",
    **dict.fromkeys(("node", "system", "workload"), "Adding"),
    **dict.fromkeys(("from_obj", "to_obj", "tag_msg", "size_msg", "bw_msg"), "All"),
    "evt_type": "=",
    "evt_value": "All",
}
_LEVELS = ("cpu", "appl", "task", "thread", "node", "system", "workload")
_COMPOSITIONS = dict.fromkeys([*(f"compose_{level}" for level in _LEVELS), "topcompose1", "topcompose2"], "As Is")


def _pairs(settings: dict[str, str]) -> str:
    inner = ", ".join(f"{{{key}, {value}}}" for key, value in settings.items())
    return f"{{ {len(settings)}, {{ {inner} }} }}"
