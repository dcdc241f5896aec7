"""What real programs do to a runtime: signals, commands, fork(), helpers, stacks, floating-point modes.

Each row is a situation from a report of users of OpenMP runtimes. The programs of real/ say OK or what is wrong; where
a stock runtime is right as well it stands beside ours.
"""

from __future__ import annotations

import functools
import resource
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from command import ROOT, heddle, without_openmp_settings
from heddle.patience import scaled
from programs import COMPILERS, build

REAL = Path(__file__).parent / "real"
OF_COMPILER = {"gcc": "gnu", "clang": "llvm"}


@dataclass(frozen=True)
class Row:
    """A program, how it is started, and the stock runtimes that are right as well."""

    program: str
    arguments: str = ""
    settings: str = ""
    right: tuple[str, ...] = ()
    stack: int | None = None  # bytes of ulimit -s; negative: unlimited
    compilers: tuple[str, ...] = ("gcc", "clang")

    def __str__(self) -> str:
        return "-".join(word for word in (self.program, self.arguments, self.settings, str(self.stack or "")) if word)


UNLIMITED = -1
BOUND = "OMP_PROC_BIND=close OMP_PLACES=threads"
ROWS = [
    Row("faults", right=("gnu", "llvm")),
    Row("signals", right=("gnu", "llvm")),
    Row("commands", right=("gnu", "llvm")),
    Row("commands", "after-a-helper", right=("gnu",)),
    Row("exit", right=("gnu", "llvm")),
    Row("affinity", right=("gnu", "llvm")),
    Row("affinity", "helper", right=("gnu", "llvm")),
    Row("affinity", "pinned-helper", right=("gnu",)),
    Row("affinity", "helper", BOUND, right=("llvm",)),
    Row("affinity", "pinned-helper", BOUND),
    Row("affinity", "child", BOUND, right=("llvm",)),
    Row("fp_modes", compilers=("clang",), right=("llvm",)),
    Row("fp_modes", settings="KMP_INHERIT_FP_CONTROL=true", compilers=("gcc",)),
    Row("stacks", "6", right=("gnu", "llvm"), stack=8 << 20),
    Row("stacks", "60", right=("llvm",), stack=UNLIMITED),
    Row("stacks", "60", "OMP_STACKSIZE=70M", right=("gnu", "llvm"), stack=8 << 20),
]
CASES = [(row, compiler) for row in ROWS for compiler in row.compilers]


@functools.cache
def shims_of(runtime: str) -> str:
    if runtime == "heddle":
        return heddle("path", "shims").stdout.strip()
    heddle("run", "--runtime", runtime, "--", "true")  # makes the folder
    return str(ROOT / "build" / "shims" / runtime)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A program of real/, compiled once a compiler."""
    folder = tmp_path_factory.mktemp("real")

    @functools.cache
    def of(name: str, compiler: str) -> Path:
        into = folder / compiler
        into.mkdir(exist_ok=True)
        source = (REAL / f"{name}.c").read_text()
        return build(into, source, compiler, f"-I{REAL}", "-g", "-pthread", "-lm", name=name)

    return of


def start(
    program: Path, runtime: str, arguments: str = "", settings: str = "", stack: int | None = None
) -> subprocess.CompletedProcess[str]:
    """The program as a user starts it."""

    def limit() -> None:
        if stack is not None:
            hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
            soft = resource.RLIM_INFINITY if stack == UNLIMITED else stack
            resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environ = without_openmp_settings() | dict(word.split("=", 1) for word in shlex.split(settings))
    environ["LD_LIBRARY_PATH"] = shims_of(runtime)
    return subprocess.run(
        [program, *arguments.split()],
        env=environ,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=scaled(60),
    )


@pytest.mark.parametrize(("row", "compiler"), CASES, ids=lambda value: str(value))
def test_the_program_is_right(compiled, row, compiler):
    program = compiled(row.program, compiler)
    stock = OF_COMPILER[compiler]
    for runtime in ("heddle", *(name for name in row.right if name == stock)):
        done = start(program, runtime, row.arguments, row.settings, row.stack)
        assert (done.returncode, done.stdout, done.stderr) == (0, "OK\n", ""), runtime


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("thread", "thread 1 of a parallel region has used up its stack of 1024 KB; set OMP_STACKSIZE to more"),
        ("task", "has used up its stack of 1024 KB; set OMP_STACKSIZE to more"),
        ("own-stack", "has used up its stack of 1024 KB; set OMP_STACKSIZE to more"),
        ("main", "a thread of the program has used up its stack of 8192 KB; raise ulimit -s"),
    ],
)
def test_a_stack_that_is_used_up_is_named(compiled, where, words):
    program = compiled("overflow", "gcc")
    done = start(program, "heddle", where, "OMP_STACKSIZE=1M", 8 << 20)
    assert done.returncode == -signal.SIGSEGV
    lines = done.stderr.splitlines()
    # Several tasks may start on stacks of their own, and so two threads may get to the end of one at the same time.
    assert len(lines) in ((1, 2) if where == "own-stack" else (1,)), done.stderr
    for line in lines:
        assert line.startswith("heddle: ")
        assert words in line
        if "task at" in line:
            place = line.partition("(+")[2].partition(")")[0]
            at = subprocess.run(["addr2line", "-e", program, place], capture_output=True, text=True).stdout
            assert at.partition(":")[0].endswith("overflow.c"), at


def test_a_handler_of_the_program_comes_before_that_line(compiled, tmp_path):
    """Python's faulthandler, which prints where every thread is."""
    library = build(tmp_path, LIBRARY_THAT_FAULTS, "gcc", "-shared", "-fPIC", name="libfault.so")
    script = f"import ctypes; ctypes.CDLL({str(library)!r}).fault_in_a_worker()"
    environ = without_openmp_settings() | {"LD_LIBRARY_PATH": shims_of("heddle")}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", script], env=environ, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == -signal.SIGSEGV
    assert done.stderr.startswith("Fatal Python error: Segmentation fault")


def test_a_signal_that_somebody_sends_ends_the_program_as_ever(compiled):
    done = start(compiled("overflow", "gcc"), "heddle", "sent")
    assert (done.returncode, done.stderr) == (-signal.SIGSEGV, "")


LIBRARY_THAT_FAULTS = """
#include <omp.h>
void fault_in_a_worker(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) *(volatile int*)8 = 1;
}
"""


@pytest.mark.parametrize("compiler", list(COMPILERS))
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("OMP_PROC_BIND=spread,close", "inner threads 4"),
        ("OMP_NUM_THREADS=2,2", "inner threads 4"),
        ("OMP_PROC_BIND=spread", "inner threads 2"),
        ("OMP_PLACES=", "places 0"),
        *((f"OMP_DYNAMIC={word}", "dynamic 1") for word in ("true", "1", "yes", "on", "TRUE", ".t.")),
        *((f"OMP_DYNAMIC={word}", "dynamic 0") for word in ("false", "0", "no", "off", "")),
    ],
)
def test_settings_are_understood_without_ado(compiled, compiler, settings, said):
    done = start(compiled("settings", compiler), "heddle", settings=settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


# That one of them yields is known before it does: whoever meets the record executes it in turn otherwise.
@pytest.mark.parametrize("loaded_late", [False, True])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_record_whose_tasks_yield_is_executed_side_by_side(tmp_path, compiler, loaded_late):
    source = (REAL / "yields.c").read_text()
    options = f"-I{REAL}", f"-I{ROOT}/runtime/include"
    if loaded_late:
        library = build(tmp_path, source, compiler, *options, "-shared", "-fPIC", name="library.so")
        program = build(tmp_path, source, compiler, *options, "-DLOADS", name="program")
        done = start(program, "heddle", str(library))
    else:
        done = start(build(tmp_path, source, compiler, *options, "-no-pie"), "heddle")
    assert (done.returncode, done.stdout, done.stderr) == (0, "OK\n", "")


def test_every_program_is_started():
    started = {row.program for row in ROWS} | {"overflow", "settings", "yields"}
    assert started == {file.stem for file in REAL.glob("*.c")}
