#!/usr/bin/env python3
"""Heddle for other processors, compiled by Debian's cross compilers and run under an emulator: steps of ./heddle test
platforms.

    python3 tests/systems/emulated/steps.py PROCESSOR STEP

PROCESSOR: aarch64 or riscv64. STEP: packages, build, programs or random; of aarch64 build-clang,
programs-clang, bits, addresses and debugger, too.

Each is run as root in a root of Debian for x86-64, to which the first adds what is needed for the other processor:
`heddle test arm` makes it for AArch64, `heddle test platforms` for all. qemu-user executes the programs, and the kernel
starts it for them (binfmt_misc).

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
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_TOOLS = Path("/usr/local/cross")  # cross compilers by the names of native ones
_PORT = 27182  # where a debugger finds the emulator


@dataclass(frozen=True)
class Processor:
    """What its root compiles for."""

    name: str  # CMake's
    debian: str  # its name as an architecture of Debian
    triplet: str
    gcc: int  # the release of the cross compilers
    has_engines: bool = False  # MPI library, engines and simulator are built, and Clang builds them as well

    @property
    def builds(self) -> list[str]:
        """Folders in build/."""
        return [self.name, f"{self.name}-clang"] if self.has_engines else [self.name]


PROCESSORS = {
    each.name: each
    for each in (
        Processor("aarch64", "arm64", "aarch64-linux-gnu", 12, has_engines=True),
        Processor("riscv64", "riscv64", "riscv64-linux-gnu", 14),
    )
}

_NATIVE = "binutils cmake file g++ gcc ninja-build pkg-config python3-venv".split()
_NATIVE_OF_ENGINES = "clang-19 gdb-multiarch libcli11-dev librandom123-dev mpich nlohmann-json3-dev".split()
_FOREIGN = (
    "libbenchmark-dev libboost-context-dev libc6 libfmt-dev libgmock-dev libgtest-dev libhwloc-dev "
    "libopenblas-pthread-dev libstdc++6 libtbb-dev zlib1g-dev"
).split()
_FOREIGN_OF_ENGINES = "libclang-rt-19-dev libhdf5-dev libmpich12 libomp-19-dev libsimgrid-dev libxxhash-dev".split()

# Tests that are not executed, by a pattern of their names, and why.
LEFT_OUT = {
    "Executions": "they explore executions on one thread of their own, the same ones on every processor",
    "StackPoolDeathTest": "qemu-user says that it has made a guard page (MADV_GUARD_INSTALL), and makes none",
    "ThreadQuestion.AThreadThat(Computes|BlocksSignals)": "/proc tells which system call the emulator's thread is in",
    "fork": "a child of fork() finds the emulator's own locks as they were",
    "many_tasks_are_suspended_at_once|take_few_stacks": "they measure memory, of which the emulator takes more",
    r"mpi\..*\.[24]\.": "messages between ranks: programs that use MPICH alone hang, a quarter of their runs",
    "tiny_tasks_are_executed_by_their_creator": "its tasks are not short in an emulator",
    "needs_mpi": "it says that there is no MPI, which is so where the engines are not built",
}


def packages(to: Processor) -> None:
    """What compiles, and the libraries of both architectures."""
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    install = ["apt-get", "install", "-y", "--no-install-recommends"]
    cross = [f"{compiler}-{to.gcc}-{to.triplet.replace('_', '-')}" for compiler in ("gcc", "g++", "gfortran")]
    native = [*_NATIVE, *cross, *(_NATIVE_OF_ENGINES if to.has_engines else [])]
    foreign = [*_FOREIGN, *(_FOREIGN_OF_ENGINES if to.has_engines else [])]
    must("dpkg", "--add-architecture", to.debian)
    must("apt-get", "update")
    must(*install, *native, *(f"{name}:{to.debian}" for name in foreign))
    _TOOLS.mkdir(exist_ok=True)
    for name in ("gcc", "g++", "gfortran"):
        (_TOOLS / name).unlink(missing_ok=True)
        (_TOOLS / name).symlink_to(f"/usr/bin/{to.triplet}-{name}-{to.gcc}")
    if not (ROOT / ".venv").is_dir():
        must("python3", "-m", "venv", ".venv")
    if not to.has_engines:
        return
    _install_mpi(to)
    wanted = [
        line.split("#")[0].strip()
        for line in (ROOT / "tools" / "requirements.txt").read_text().splitlines()
        if line.startswith(("capstone=", "pyelftools=", "pytest="))
    ]
    must(".venv/bin/pip", "install", "--quiet", *wanted)


def _install_mpi(to: Processor) -> None:
    """MPICH's development files, which want a native compiler of their architecture, and compilers that know them."""
    must("apt-get", "download", f"libmpich-dev:{to.debian}", at=Path("/tmp"))
    must("dpkg", "-x", *map(str, Path("/tmp").glob(f"libmpich-dev_*_{to.debian}.deb")), "/")
    for language, variable, compiler in (("cc", "CC", "gcc"), ("fort", "FC", "gfortran")):
        wrapper = Path(f"/usr/bin/mpi{language}.mpich").read_text().replace("x86_64-linux-gnu", to.triplet)
        lines = [
            f"{variable}={_TOOLS / compiler}" if line.startswith(f"{variable}=") else line
            for line in wrapper.splitlines()
        ]
        (_TOOLS / f"mpi{language}.mpich").write_text("\n".join(lines) + "\n")
        (_TOOLS / f"mpi{language}.mpich").chmod(0o755)


def build(to: Processor, folder: str) -> None:
    """The runtime, the tracer and their tests; MPI library, engines and simulator where the processor has them."""
    pkg_config = f"/usr/lib/{to.triplet}/pkgconfig:/usr/share/pkgconfig"
    os.environ["PKG_CONFIG_LIBDIR"] = pkg_config
    settings = {"SYSTEM_NAME": "Linux", "SYSTEM_PROCESSOR": to.name}
    if folder.endswith("-clang"):
        settings |= {f"{language}_COMPILER_TARGET": to.triplet for language in ("C", "CXX")}
    else:
        tools = {"C": "gcc", "CXX": "g++", "Fortran": "gfortran"}
        settings |= {f"{language}_COMPILER": _TOOLS / tool for language, tool in tools.items()}
    options = [f"-DCMAKE_{name}={value}" for name, value in settings.items()]
    if to.has_engines:
        options.append(f"-DHEDDLE_MPICC={_TOOLS / 'mpicc.mpich'}")
    else:
        options += [f"-DHEDDLE_{part}=OFF" for part in ("AMR", "WAVE", "SIMULATE")]
    preset = "release-clang" if folder.endswith("-clang") else "release"
    must("cmake", "--preset", preset, "-B", f"build/{folder}", "-DHEDDLE_NATIVE=OFF", *options)
    must("cmake", "--build", f"build/{folder}", "-j", "2")


def programs(folder: str) -> None:
    """Unit tests, OpenMP programs, extensions and examples, each with one processor."""
    for pattern, why in LEFT_OUT.items():
        print(f"not executed: {pattern}: {why}", flush=True)
    processors = sorted(os.sched_getaffinity(0))[:2]
    test = ["ctest", "--test-dir", f"build/{folder}", "--output-on-failure", "--no-tests=error", "--timeout", "600"]
    shares = [
        subprocess.Popen(
            [
                *("taskset", "-c", str(processor), *test),
                *("-E", "|".join(LEFT_OUT), "-I", f"{number},,{len(processors)}"),
            ],
            cwd=ROOT,
        )
        for number, processor in enumerate(processors, start=1)
    ]
    if any([share.wait() for share in shares]):
        sys.exit(1)


def random(to: Processor) -> None:
    """Random task programs in C and C++, five minutes each."""
    os.environ["PATH"] = f"{_TOOLS}:{os.environ['PATH']}"
    words = ["--library", f"build/{to.name}/shims", "--seconds", "300", "--jobs", "1", "--limit", "300"]
    for compiler in ("gcc", "g++"):
        search = ["python3", "tests/systems/random/run.py", *words, "--compiler", compiler]
        must("taskset", "-c", one_processor(), *search)


def bits(to: Processor) -> None:
    """What the engines compute has the bits of x86-64."""
    for folder in to.builds:
        compare = ["python3", "tests/systems/emulated/bits.py", f"build/{folder}", "--one-rank"]
        must("taskset", "-c", one_processor(), *compare)


def addresses(to: Processor) -> None:
    """No function keeps the address of a thread's variable over a switch."""
    for folder in to.builds:
        libraries = [f"build/{folder}/lib/libheddle{name}.so" for name in ("", "-mpi")]
        must(".venv/bin/python", "tests/unit/runtime/thread_pointers.py", *libraries)
    os.environ["CXX"] = str(_TOOLS / "g++")
    tests = ["tests/unit/runtime/test_thread_pointers.py", "-k", "found or contain"]
    must(".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


def debugger(to: Processor) -> None:
    """gdb lists tasks that are suspended, and shows their stacks; the emulator is what it is connected to."""
    sys.path.insert(0, str(ROOT / "tests" / "systems" / "tools"))
    import suspended_tasks

    build, include = ROOT / "build" / to.name, ROOT / "runtime" / "include"
    program = build / "suspended_tasks"
    words = ["-O1", "-g", "-fopenmp", f"-I{include}", str(suspended_tasks.SOURCE), "-o", str(program)]
    must(str(_TOOLS / "gcc"), *words)
    commands = [
        *("set pagination off", "set width 0", "set debuginfod enabled off", "set sysroot /"),
        f"source {ROOT / 'tools' / 'gdb' / 'heddle-gdb.py'}",
        *(f'file "{program}"', f"target remote 127.0.0.1:{_PORT}", "break look_here", "continue"),
        *(*suspended_tasks.QUESTIONS, "continue"),
    ]
    # The emulator waits for a debugger.
    variables = {"LD_LIBRARY_PATH": str(build / "shims"), "QEMU_GDB": str(_PORT)}
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
    "build": lambda to: build(to, to.name),
    "programs": lambda to: programs(to.name),
    "random": random,
}
STEPS_OF_ENGINES = {
    "build-clang": lambda to: build(to, f"{to.name}-clang"),
    "programs-clang": lambda to: programs(f"{to.name}-clang"),
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
    to = PROCESSORS.get(arguments[0]) if len(arguments) == 2 else None
    if to is None:
        print(f"give one of {', '.join(PROCESSORS)}, and a step", file=sys.stderr)
        return 2
    steps = STEPS | (STEPS_OF_ENGINES if to.has_engines else {})
    if arguments[1] not in steps:
        print(f"{to.name} has no step '{arguments[1]}', but {', '.join(steps)}", file=sys.stderr)
        return 2
    if os.geteuid() != 0 or not shutil.which("dpkg"):
        print("this changes the packages of a Debian, as root: ./heddle test platforms makes one", file=sys.stderr)
        return 2
    steps[arguments[1]](to)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
