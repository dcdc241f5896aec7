"""Whether a program can run on a runtime, and how to start it there.

The dynamic linker is asked first what it would load (LD_TRACE_LOADED_OBJECTS); then every symbol that the program
and its OpenMP libraries need is looked up in that runtime. What cannot work is refused before the program starts,
with the reason.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from heddle import elf, mpi_launcher, runtimes
from heddle.errors import UserError

_RESOLVED = re.compile(r"^\s*(\S+)(?: => (.*?))? \(0x[0-9a-f]+\)$")
_OPENMP_ENTRY = re.compile(r"^(GOMP_|GOACC_|__kmpc_|omp_|ompc_|kmp_|heddle_(?!mpi_)|alpi_)")
_STATIC_MARKS = {"GOMP_parallel": "libgomp", "__kmpc_fork_call": "libomp"}
# A caller of these works with any libomp interface; they are what Clang's code cannot do without.
_CLANG_MARK = "__kmpc_"
# heddle.h's wait for an event, and where the event comes from.
_WAIT, _EVENT = "omp_taskwait_detach", "omp_task_continuation_event"


@dataclass
class Plan:
    """How to start a program. notes are lines for stderr, said before the start."""

    program: Path
    environ: dict[str, str]
    notes: list[str] = field(default_factory=list)


def plan(program: str, runtime_name: str, threads: int | None) -> Plan:
    """Decides how the program starts on that runtime.

    Errors: UserError with the reason when it cannot.
    """
    return plan_on(program, runtimes.require(runtime_name), threads)


def plan_on(program: str, runtime: runtimes.Runtime, threads: int | None) -> Plan:
    """plan() on a runtime whose shim folder is ready."""
    path = find_program(program)
    result = Plan(path, runtimes.environment(runtime, threads))
    if not elf.is_elf(path):
        _require_script(program, path)
        runtimes.preload(runtime, result.environ)
        result.notes.append(f"{program} is a script; {runtime.title} is preloaded into what it starts")
        return result
    if path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID):
        raise UserError(
            f"{program} is set-user-id; the dynamic linker ignores LD_LIBRARY_PATH for it, so its runtime stays"
        )
    binary = elf.read([path])[0]
    static = [_STATIC_MARKS[mark] for mark in _STATIC_MARKS.keys() & elf.static_symbols(path)]
    if static:
        raise UserError(f"{program} has {static[0]} linked into it; link with the shared one to choose the runtime")
    # Asking the dynamic linker starts the program; without one, or with another than glibc's, it would simply run.
    if not binary.interpreter:
        raise UserError(f"{program} is statically linked, so no runtime can be put under it; link it dynamically")
    if not os.path.basename(binary.interpreter).startswith("ld-linux"):
        raise UserError(f"{program} starts with {binary.interpreter}, which is not the dynamic linker of glibc")
    _check(program, binary, runtime, result)
    return result


def _require_script(program: str, path: Path) -> None:
    with path.open("rb") as file:
        begin = file.read(2)
    if not begin:
        raise UserError(f"{program} is an empty file, no program; build it anew")
    if begin != b"#!":
        raise UserError(
            f"{program} is no program, and no script whose first line names what reads it (#!); name that first"
        )


def find_program(program: str) -> Path:
    """The file that a shell would start, as an absolute path. Errors: UserError when there is none."""
    found = Path(program) if "/" in program else Path(shutil.which(program) or program)
    if not found.exists():
        raise UserError(f"{program}: there is no such program")
    if found.is_dir():
        raise UserError(f"{program} is a folder, not a program")
    if not os.access(found, os.X_OK):
        raise UserError(f"{program} is not executable; chmod +x it, or name its interpreter first")
    if not os.access(found, os.R_OK):
        raise UserError(f"{program} cannot be read, so what it needs cannot be checked")
    return found.absolute()  # subprocess looks a name without a folder up in PATH


def _check(program: str, binary: elf.Binary, runtime: runtimes.Runtime, result: Plan) -> None:
    loaded, missing = _loaded_objects(binary.path, result.environ)
    openmp = {name: path for name, path in loaded.items() if os.path.basename(name) in runtimes.ALL_SONAMES}
    lost = [name for name in missing if os.path.basename(name) not in runtimes.ALL_SONAMES]
    if lost:
        raise UserError(f"{program} needs the library {lost[0]}, which is not on this machine")
    mpi_launcher.refuse_another(program, loaded, result.environ)
    wanted = set(openmp) | (set(missing) & set(runtimes.ALL_SONAMES))
    if not wanted:
        # An interpreter, say: packages that it loads may carry an OpenMP runtime under a name of their own.
        runtimes.preload(runtime, result.environ)
        result.notes.append(
            f"{program} links no OpenMP runtime; {runtime.title} is preloaded, to serve what it loads later"
        )
        return
    callers = [binary, *elf.read(_openmp_libraries(loaded, openmp))]
    exports = elf.library(runtime.library)
    # What the program lacks comes before what it loads: a Clang-built program on libgomp is told about its calls.
    for caller in callers:
        _check_calls(program, caller, callers, exports, runtime)
    for name, path in openmp.items():
        if path.resolve() != runtime.library.resolve():
            raise UserError(_why_not_ours(program, callers, name, path, runtime))


def _check_calls(
    program: str, caller: elf.Binary, callers: list[elf.Binary], exports: elf.Binary, runtime: runtimes.Runtime
) -> None:
    """Errors: UserError naming the first call, in alphabetical order, that the runtime lacks."""
    who = program if caller.path.name == Path(program).name else f"{program}'s library {caller.path.name}"
    if lacking := _lacking_calls(caller, exports):
        rest = f" (and {len(lacking) - 1} more)" if len(lacking) > 1 else ""
        if runtime.name == "gnu" and any(need.name.startswith(_CLANG_MARK) for need in lacking):
            raise UserError(
                f"{who} was built by Clang and calls {lacking[0].name}{rest}, which libgomp does not have; "
                f"{_elsewhere(runtime, callers)}"
            )
        raise UserError(
            f"{who} needs {lacking[0]}{rest}, which {runtime.title} does not provide; {_elsewhere(runtime, callers)}"
        )
    if absent := _lacking_versions(caller, exports):
        raise UserError(
            f"{who} needs the symbol version {absent[0]}, which {runtime.title} does not provide; "
            f"{_elsewhere(runtime, callers)}"
        )
    if calls := _untested_calls(caller, exports):
        raise UserError(
            f"{who} calls {calls[0]} without a test whether it is there, and {runtime.title} does not provide it; "
            f"{_elsewhere(runtime, callers)}"
        )


def _lacking_calls(caller: elf.Binary, exports: elf.Binary) -> list[elf.Need]:
    return sorted(need for need in caller.needs if _OPENMP_ENTRY.match(need.name) and not exports.exports_need(need))


def _lacking_versions(caller: elf.Binary, exports: elf.Binary) -> list[str]:
    """Symbol versions without which the dynamic linker does not start the program."""
    wanted = [nodes for library, nodes in caller.version_needs.items() if library in runtimes.ALL_SONAMES]
    return sorted(set().union(*wanted) - exports.export_nodes)


def _untested_calls(caller: elf.Binary, exports: elf.Binary) -> list[str]:
    """Weak functions that the runtime lacks and the caller calls all the same: these calls are of address 0.

    A caller that looks at the address of one of them may call the others behind that test. heddle cc's own test of
    omp_taskwait_detach says nothing of where the event comes from.
    """
    weak = {need.name for need in caller.weak_needs if _OPENMP_ENTRY.match(need.name)}
    lacking = {name for name in weak if not exports.exports_need(elf.Need(name))}
    if not lacking:
        return []
    untested = lacking & elf.only_called(caller.path)
    tested = lacking - untested
    if tested - {_WAIT}:
        return []
    return sorted(untested & {_EVENT} if tested else untested)


def _elsewhere(runtime: runtimes.Runtime, callers: list[elf.Binary]) -> str:
    """Which of the other runtimes serves the program and its libraries."""
    able = []
    for name in runtimes.NAMES:
        other = runtimes.find(name)
        if name == runtime.name or (other is None and name != "heddle"):
            continue
        # libheddle is to serve all programs; where it is not built there is nothing to look at.
        if other is None or all(_serves(caller, elf.library(other.library)) for caller in callers):
            able.append(name)
    return f"run it on {' or '.join(able)}" if able else "no other runtime that is here does"


def _serves(caller: elf.Binary, exports: elf.Binary) -> bool:
    return not (
        _lacking_calls(caller, exports) or _lacking_versions(caller, exports) or _untested_calls(caller, exports)
    )


def _why_not_ours(program: str, callers: list[elf.Binary], name: str, path: Path, runtime: runtimes.Runtime) -> str:
    binary = callers[0]
    if "/" in name:
        return f"{program} names its runtime by a path ({name}); relink it with -l and a library folder"
    if binary.rpath and not binary.has_runpath:
        return (
            f"{program} has an RPATH ({':'.join(binary.rpath)}) that puts {path} before any other; "
            "relink it with -Wl,--enable-new-dtags"
        )
    if runtime.name == "gnu" and name in runtimes.LLVM_SONAMES:
        return f"{program} asks for {name}, a name of LLVM's runtime, which libgomp does not take; " + _elsewhere(
            runtime, callers
        )
    return f"{program} would load {path} for {name} and not {runtime.title}; is that name missing in {runtime.shims}?"


def _openmp_libraries(loaded: dict[str, Path], openmp: dict[str, Path]) -> list[Path]:
    """Loaded libraries, the runtimes apart, that themselves ask for an OpenMP runtime."""
    others = [path for name, path in loaded.items() if name not in openmp]
    return [path for path in others if set(elf.library(path).needed) & set(runtimes.ALL_SONAMES)]


def _loaded_objects(program: Path, environ: dict[str, str]) -> tuple[dict[str, Path], list[str]]:
    """What the dynamic linker would load: name asked for -> file, and the names it cannot find."""
    answer = subprocess.run(
        [program.resolve()],
        env={**environ, "LD_TRACE_LOADED_OBJECTS": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    loaded: dict[str, Path] = {}
    missing: list[str] = []
    for line in answer.stdout.splitlines():
        if line.endswith("=> not found"):
            missing.append(line.split()[0])
        elif match := _RESOLVED.match(line):
            where = match[2] or match[1]
            if where.startswith("/"):
                loaded[match[1]] = Path(where)
    return loaded, missing
