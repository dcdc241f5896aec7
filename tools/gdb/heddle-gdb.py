"""OpenMP tasks of a program that runs on libheddle, for gdb: `source heddle-gdb.py`, or start with `heddle gdb`.

    info omp tasks              which threads execute which tasks, and which tasks are suspended, where and for what
    omp backtrace N [OPTIONS]   the stack of the N-th of those that are suspended; OPTIONS are those of `backtrace`

It calls a function of libheddle in the program, as `print f()` does, while all threads stand still: a thread that was
stopped within malloc() may keep that from coming back. A core file cannot be asked. gdb runs this file in its own
Python, without the package of the launcher.
"""

import contextlib
import os
import re
import tempfile

import gdb

_SWITCH = "jump_fcontext"  # of Boost.Context, which leaves a context
_OURS = ("libheddle", "libgomp-heddle", "libgomp.so", "libomp.so", "libiomp5.so")
_MOST_FRAMES = 64


class _Task:
    def __init__(self, line):
        self.state, task, code, self.name, where, *rest = line.split("\t")
        self.task, self.code = int(task, 16), int(code, 16)
        self.thread = int(where) if self.state == "executed" else None
        self.point = int(where, 16) if self.state == "suspended" else None
        self.reason = rest[0] if rest else ""

    def what(self):
        return self.name or f"the task of {_place_of(self.code)}"


def _place_of(address):
    found = gdb.find_pc_line(address)
    if found.symtab is not None and found.line:
        return f"{found.symtab.filename}:{found.line}"
    text = gdb.execute(f"info symbol {address:#x}", to_string=True).split(" in section")[0].strip()
    return f"{address:#x}" if text.startswith("No symbol") else text


@contextlib.contextmanager
def _others_stand_still():
    before = gdb.parameter("scheduler-locking")
    gdb.execute("set scheduler-locking on", to_string=True)
    try:
        yield
    finally:
        gdb.execute(f"set scheduler-locking {before}", to_string=True)


def _tasks():
    """Errors: gdb.GdbError where the program cannot be asked."""
    if not gdb.selected_inferior().pid:
        raise gdb.GdbError("no program is running; tasks can be seen while it stands at a breakpoint or a signal")
    if gdb.selected_thread() is None or not gdb.selected_thread().is_valid():
        raise gdb.GdbError("no thread is selected")
    with tempfile.TemporaryDirectory(prefix="heddle-gdb-") as folder:
        file = os.path.join(folder, "tasks")
        try:
            with _others_stand_still():
                gdb.parse_and_eval(f'((int (*)(const char *))heddle_write_tasks_)("{file}")')
        except gdb.error as error:
            if "heddle_write_tasks_" in str(error):
                raise gdb.GdbError("the program does not run on libheddle; start it with 'heddle gdb'") from None
            if "extended state" in str(error):
                # Of a processor with AMX, whose registers are larger than gdb 13 knows.
                raise gdb.GdbError("this gdb cannot call functions on this processor; gdb 14 and later can") from None
            raise gdb.GdbError(f"the program cannot be asked: {error}") from None
        if not os.path.exists(file):
            raise gdb.GdbError(f"the program could not write {file}")
        with open(file, encoding="utf-8") as text:
            return [_Task(line.rstrip("\n")) for line in text]


def _suspended(tasks):
    return [task for task in tasks if task.state == "suspended"]


def _layout_on_x86_64():
    code = gdb.execute(f"with disassembly-flavor att -- x/16i {_SWITCH}", to_string=True)
    room = re.search(r"lea\s+-(0x[0-9a-f]+)\(%rsp\),%rsp", code)
    if room is None:
        return None
    size = int(room[1], 16)
    stores = re.findall(r"mov\s+%(r\w+),(0x[0-9a-f]+)?\(%rsp\)", code[: code.index("%rsp,%rax")])
    return {name: int(offset or "0", 16) for name, offset in stores} | {"rip": size}, size + 8


def _layout_on_aarch64():
    code = gdb.execute(f"x/16i {_SWITCH}", to_string=True)
    room = re.search(r"sub\s+sp, sp, #(0x[0-9a-f]+)", code)
    if room is None:
        return None
    offsets = {}
    for names, offset in re.findall(r"st[pr]\s+([xd]\d.*), \[sp(?:, #(\d+))?\]", code):
        for place, name in enumerate(names.split(", ")):
            name = "pc" if name in offsets else name  # x30 once more: where it goes on
            offsets[name] = int(offset or "0") + 8 * place
    # Those of floating point have a number as their type, and the bits are meant.
    return {f"{name}.u" if name[0] == "d" else name: offset for name, offset in offsets.items()}, int(room[1], 16)


_LAYOUTS = {"i386:x86-64": _layout_on_x86_64, "aarch64": _layout_on_aarch64}


def _layout():
    """Where a context that was left keeps its registers, and how large that is, in bytes from its point.

    Boost.Context's releases differ (1.83 put a guard before them), so the program's own instructions are read: they
    make room (below the return address, where the processor puts one there) and save the registers there.
    """
    architecture = gdb.selected_frame().architecture().name()
    if architecture not in _LAYOUTS:
        raise gdb.GdbError(f"stacks of suspended tasks can be seen on x86-64 and AArch64, not on {architecture}")
    layout = _LAYOUTS[architecture]()
    if layout is None:
        raise gdb.GdbError(f"{_SWITCH} of this program saves registers in a way that is not known here")
    return layout


@contextlib.contextmanager
def _standing_at(point):
    """The selected thread has the registers of a context that was left; its own afterwards."""
    gdb.newest_frame().select()
    offsets, size = _layout()
    names = [*offsets, "sp"]
    before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in names}
    memory = gdb.selected_inferior()

    def saved(offset):
        return int.from_bytes(memory.read_memory(point + offset, 8).tobytes(), "little")

    there = {name: saved(offset) for name, offset in offsets.items()} | {"sp": point + size}
    try:
        for name in names:
            gdb.execute(f"set ${name} = {there[name]:#x}", to_string=True)
        yield
    finally:
        for name in names:
            gdb.execute(f"set ${name} = {before[name]:#x}", to_string=True)


def _own_place(point):
    """The innermost frame of the program's own, in words."""
    with _standing_at(point):
        frame = gdb.newest_frame()
        for _ in range(_MOST_FRAMES):
            if frame is None or not frame.is_valid():
                break
            library = gdb.solib_name(frame.pc()) or ""
            system = os.path.basename(library).startswith(("libc.", "ld-linux", "libmpi", "libmpich"))
            if not system and not any(name in library for name in _OURS):
                return _place_of(frame.pc() - 1)
            frame = frame.older()
    return "code that is not known"


def _number_of(thread_id):
    for thread in gdb.selected_inferior().threads():
        if thread_id in thread.ptid[1:]:
            return str(thread.num)
    return "?"


class _InfoOmp(gdb.Command):
    """What OpenMP does in a program that runs on libheddle."""

    def __init__(self):
        super().__init__("info omp", gdb.COMMAND_STATUS, prefix=True)

    def invoke(self, argument, from_tty):
        gdb.execute("help info omp")


class _InfoOmpTasks(gdb.Command):
    """Tasks that threads execute, and tasks that are suspended: where, and what they wait for.

    Of a thread that executes a task on top of another's wait the innermost is shown. Numbers are for 'omp backtrace'.
    """

    def __init__(self):
        super().__init__("info omp tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        tasks = _tasks()
        if not tasks:
            gdb.write("no thread of this program has used OpenMP so far\n")
        for task in tasks:
            if task.state == "executed":
                gdb.write(f"     thread {_number_of(task.thread)} executes {task.what()}\n")
        for number, task in enumerate(_suspended(tasks), 1):
            place = _own_place(task.point)
            gdb.write(f"{number:4} {task.what()} is suspended at {place}, and waits for {task.reason}\n")


class _Omp(gdb.Command):
    """Commands for OpenMP tasks of a program that runs on libheddle."""

    def __init__(self):
        super().__init__("omp", gdb.COMMAND_STACK, prefix=True)

    def invoke(self, argument, from_tty):
        gdb.execute("help omp")


class _OmpBacktrace(gdb.Command):
    """omp backtrace N [OPTIONS]: the stack of a suspended task, by its number in 'info omp tasks'.

    OPTIONS are those of 'backtrace'."""

    def __init__(self):
        super().__init__("omp backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        number, *options = argument.split() or [""]
        suspended = _suspended(_tasks())
        if not number.isdigit() or not 1 <= int(number) <= len(suspended):
            raise gdb.GdbError(f"omp backtrace '{number}': {len(suspended)} tasks are suspended; give a number from 1")
        with _standing_at(suspended[int(number) - 1].point):
            gdb.execute(" ".join(["backtrace", *options]))


_InfoOmp()
_InfoOmpTasks()
_Omp()
_OmpBacktrace()
