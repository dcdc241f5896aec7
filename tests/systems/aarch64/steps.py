#!/usr/bin/env python3
"""Heddle for AArch64, compiled by Debian's cross compilers and run under an emulator: the steps of ./heddle test arm.

    python3 tests/systems/aarch64/steps.py STEP

STEP: packages, build, build-clang, programs, programs-clang, random, bits, addresses or debugger.

Each is run as root in a root of Debian 12 for x86-64, to which the first adds what is needed of arm64: `heddle test
arm` makes it. qemu-user executes the programs, and the kernel starts it for them (binfmt_misc).

An emulator on x86-64 is no judge of memory orders: qemu-user 7.2 and 10.0 let a sequentially consistent store and a
later load pass each other, so that right programs go wrong in it. Each program therefore has one processor, on which
its threads take turns. Orders are judged by the tests of executions (docs/runtime/memory-model.md).

Exit status: 0 it passed, 1 it did not, 2 the arguments are wrong.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PRESETS = ("aarch64", "aarch64-clang")
_TOOLS = Path("/usr/local/aarch64")  # cross compilers by the names of native ones
_PORT = 27182  # where a debugger finds the emulator

_NATIVE = (
    "binutils clang-19 cmake file g++ gcc gdb-multiarch mpich ninja-build pkg-config python3-venv "
    "g++-12-aarch64-linux-gnu gcc-12-aarch64-linux-gnu gfortran-12-aarch64-linux-gnu "
    "libcli11-dev librandom123-dev nlohmann-json3-dev"
).split()
_FOREIGN = (
    "libbenchmark-dev libboost-context-dev libc6 libclang-rt-19-dev libfmt-dev libgmock-dev libgtest-dev libhdf5-dev "
    "libhwloc-dev libmpich12 libomp-19-dev libopenblas-pthread-dev libsimgrid-dev libstdc++6 libtbb-dev libxxhash-dev "
    "zlib1g-dev"
).split()

# Tests that are not executed, by a pattern of their names, and why.
LEFT_OUT = {
    "Executions": "they explore executions on one thread of their own, the same ones on every processor",
    "StackPoolDeathTest": "qemu-user says that it has made a guard page (MADV_GUARD_INSTALL), and makes none",
    "ThreadQuestion.AThreadThat(Computes|BlocksSignals)": "/proc tells which system call the emulator's thread is in",
    "fork": "a child of fork() finds the emulator's own locks as they were",
    "many_tasks_are_suspended_at_once|take_few_stacks": "they measure memory, of which the emulator takes more",
    r"mpi\..*\.[24]\.": "messages between ranks: programs that use MPICH alone hang, a quarter of their runs",
    "tiny_tasks_are_executed_by_their_creator": "its tasks are not short in an emulator",
}


def packages() -> None:
    """What compiles, what emulates, and the libraries of both architectures."""
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    install = ["apt-get", "install", "-y", "--no-install-recommends"]
    must("dpkg", "--add-architecture", "arm64")
    must("apt-get", "update")
    must(*install, *_NATIVE, *(f"{name}:arm64" for name in _FOREIGN))
    # It wants a native compiler of its architecture; its files alone will do.
    must("apt-get", "download", "libmpich-dev:arm64", at=Path("/tmp"))
    must("dpkg", "-x", *map(str, Path("/tmp").glob("libmpich-dev_*_arm64.deb")), "/")
    _TOOLS.mkdir(exist_ok=True)
    for language, variable, compiler in (("cc", "CC", "gcc"), ("fort", "FC", "gfortran")):
        wrapper = Path(f"/usr/bin/mpi{language}.mpich").read_text().replace("x86_64-linux-gnu", "aarch64-linux-gnu")
        lines = [
            f"{variable}=aarch64-linux-gnu-{compiler}-12" if line.startswith(f"{variable}=") else line
            for line in wrapper.splitlines()
        ]
        (_TOOLS / f"mpi{language}.mpich").write_text("\n".join(lines) + "\n")
        (_TOOLS / f"mpi{language}.mpich").chmod(0o755)
    for name in ("gcc", "g++"):
        (_TOOLS / name).unlink(missing_ok=True)
        (_TOOLS / name).symlink_to(f"/usr/bin/aarch64-linux-gnu-{name}-12")
    if not (ROOT / ".venv").is_dir():
        must("python3", "-m", "venv", ".venv")
    wanted = [
        line.split("#")[0].strip()
        for line in (ROOT / "tools" / "requirements.txt").read_text().splitlines()
        if line.startswith(("capstone=", "pyelftools=", "pytest="))
    ]
    must(".venv/bin/pip", "install", "--quiet", *wanted)


def build(preset: str) -> None:
    """Runtime, MPI library, tracer, engines, simulator and their tests."""
    must("cmake", "--preset", preset, f"-DHEDDLE_MPICC={_TOOLS / 'mpicc.mpich'}")
    must("cmake", "--build", "--preset", preset)


def programs(preset: str) -> None:
    """Unit tests, OpenMP programs, extensions and examples, each with one processor."""
    for pattern, why in LEFT_OUT.items():
        print(f"not executed: {pattern}: {why}", flush=True)
    processors = sorted(os.sched_getaffinity(0))[:2]
    shares = [
        subprocess.Popen(
            [
                *("taskset", "-c", str(processor)),
                *("ctest", "--preset", preset, "--no-tests=error", "--timeout", "600", "-E", "|".join(LEFT_OUT)),
                *("-I", f"{number},,{len(processors)}"),
            ],
            cwd=ROOT,
        )
        for number, processor in enumerate(processors, start=1)
    ]
    if any([share.wait() for share in shares]):
        sys.exit(1)


def random() -> None:
    """Random task programs in C and C++, five minutes each."""
    os.environ["PATH"] = f"{_TOOLS}:{os.environ['PATH']}"
    words = ["--library", "build/aarch64/shims", "--seconds", "300", "--jobs", "1", "--limit", "300"]
    for compiler in ("gcc", "g++"):
        search = ["python3", "tests/systems/random/run.py", *words, "--compiler", compiler]
        must("taskset", "-c", one_processor(), *search)


def bits() -> None:
    """What the engines compute has the bits of x86-64."""
    for preset in PRESETS:
        compare = ["python3", "tests/systems/aarch64/bits.py", f"build/{preset}", "--one-rank"]
        must("taskset", "-c", one_processor(), *compare)


def addresses() -> None:
    """No function keeps the address of a thread's variable over a switch."""
    for preset in PRESETS:
        libraries = [f"build/{preset}/lib/libheddle{name}.so" for name in ("", "-mpi")]
        must(".venv/bin/python", "tests/unit/runtime/thread_pointers.py", *libraries)
    os.environ["CXX"] = str(_TOOLS / "g++")
    tests = ["tests/unit/runtime/test_thread_pointers.py", "-k", "found or contain"]
    must(".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


def debugger() -> None:
    """gdb lists tasks that are suspended, and shows their stacks; the emulator is what it is connected to."""
    sys.path.insert(0, str(ROOT / "tests" / "systems" / "tools"))
    import suspended_tasks

    program, include = ROOT / "build" / "aarch64" / "suspended_tasks", ROOT / "runtime" / "include"
    words = ["-O1", "-g", "-fopenmp", f"-I{include}", str(suspended_tasks.SOURCE), "-o", str(program)]
    must(str(_TOOLS / "gcc"), *words)
    commands = [
        *("set pagination off", "set width 0", "set debuginfod enabled off", "set sysroot /"),
        f"source {ROOT / 'tools' / 'gdb' / 'heddle-gdb.py'}",
        *(f'file "{program}"', f"target remote 127.0.0.1:{_PORT}", "break look_here", "continue"),
        *(*suspended_tasks.QUESTIONS, "continue"),
    ]
    # The emulator waits for a debugger.
    variables = {"LD_LIBRARY_PATH": str(ROOT / "build" / "aarch64" / "shims"), "QEMU_GDB": str(_PORT)}
    run = ["taskset", "-c", one_processor(), str(program)]
    debugged = subprocess.Popen(run, env=os.environ | variables, stdout=subprocess.PIPE, text=True)
    try:
        script = "\n".join([*commands, ""])
        gdb = ["gdb-multiarch", "-q", "-nx"]
        said = subprocess.run(gdb, input=script, capture_output=True, text=True, timeout=120)
        suspended_tasks.check(said.stdout + said.stderr)
        assert debugged.communicate(timeout=60)[0] == "passed 6\n"
    finally:
        debugged.kill()


STEPS = {
    "packages": packages,
    "build": lambda: build("aarch64"),
    "build-clang": lambda: build("aarch64-clang"),
    "programs": lambda: programs("aarch64"),
    "programs-clang": lambda: programs("aarch64-clang"),
    "random": random,
    "bits": bits,
    "addresses": addresses,
    "debugger": debugger,
}


def must(*command: str, at: Path = ROOT) -> None:
    """Ends the program where the command fails."""
    if status := subprocess.run(command, cwd=at).returncode:
        print(f"{command[0]}: exit status {status}", file=sys.stderr)
        sys.exit(1)


def one_processor() -> str:
    return str(min(os.sched_getaffinity(0)))


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in STEPS:
        print(f"give one of {', '.join(STEPS)}", file=sys.stderr)
        return 2
    if os.geteuid() != 0 or not shutil.which("dpkg"):
        print("this changes the packages of a Debian, as root: ./heddle test arm makes one for it", file=sys.stderr)
        return 2
    STEPS[arguments[0]]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
