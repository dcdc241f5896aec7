"""Runs the tests of LLVM's OpenMP runtime (openmp/runtime/test of its sources) on libheddle, through lit.

The suite brings its own lit.cfg; this file sets what that one asks its builder for. docs/runtime/judge.md shows the
command line. Parameters, each as --param NAME=VALUE:

  suite    the folder openmp/runtime/test; required
  runtime  heddle, gnu, llvm, or a folder that holds a runtime under those names; heddle by default
  cc       the C compiler, whose C++ partner stands beside it; the newest Clang by default
  threads  OMP_NUM_THREADS; 4 by default
  list     a file with one test a line: run only these
  ompt     1 to run the tests of the tools interface as well
"""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests" / "systems" / "lit")]

from heddle import clang, paths, runtimes  # noqa: E402
from heddle.errors import UserError  # noqa: E402
from heddle.judge import compilers  # noqa: E402
from listed_tests import ListedTests  # noqa: E402

# lit executes this file with these two names defined.
config = globals()["config"]
lit_config = globals()["lit_config"]


def shim_folder(runtime: str) -> Path:
    """Where that runtime bears every name under which programs ask for one."""
    if runtime in runtimes.NAMES:
        return runtimes.require(runtime).shims
    folder = Path(runtime)
    if not folder.is_dir():
        raise UserError(f"--param runtime={runtime} is neither {', '.join(runtimes.NAMES)} nor a folder")
    return folder.resolve()


def suite_folder(name: str) -> Path:
    """The user's copy of the suite."""
    folder = Path(name).resolve()
    if not name or not (folder / "lit.cfg").is_file():
        raise UserError("name the folder openmp/runtime/test of LLVM's sources: --param suite=FOLDER")
    return folder


def header_folder(compiler: str) -> str:
    """Where the compiler keeps its own omp.h. The two compilers' differ in the size of a lock."""
    answer = subprocess.run([compiler, "-print-file-name=include"], capture_output=True, text=True).stdout.strip()
    return answer if os.path.isabs(answer) else "."


def features(compiler: compilers.Compiler) -> list[str]:
    """What the suite's REQUIRES, UNSUPPORTED and XFAIL lines may know of the compiler.

    For GCC nothing: those lines tell what LLVM's runtime lacks under GCC, which is not what is judged here.
    """
    version = re.search(r"clang version ((\d+)\.\d+)\S*", compiler.version)
    return ["clang", f"clang-{version[2]}", f"clang-{version[1]}"] if version else []


def listed(name: str) -> set[str]:
    """The tests that a list names: the first word of each line."""
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"--param list={name} cannot be read: {error.strerror}") from None
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def configure() -> None:
    """Sets every variable that the suite's lit.cfg reads, then lets it do its work.

    Errors: UserError for a parameter that cannot be right.
    """
    parameter = lit_config.params.get
    suite = suite_folder(parameter("suite", ""))
    runtime = parameter("runtime", "heddle")
    family = compilers.family(parameter("cc", clang.c()))
    if compilers.C not in family or compilers.CPP not in family:
        raise UserError(f"--param cc={parameter('cc')}: the suite needs its C and its C++ compiler")
    c_compiler = family[compilers.C]
    has_ompt = parameter("ompt", "0") == "1"

    config.test_c_compiler = c_compiler.command
    config.test_cxx_compiler = family[compilers.CPP].command
    config.test_compiler_features = features(c_compiler)
    config.test_compiler_has_omp_h = True
    config.test_filecheck = lit_config.params.get("filecheck", f"FileCheck-{clang.release()}")
    config.test_not = f"not-{clang.release()}"
    config.test_openmp_flags = "-fopenmp -pthread"
    config.test_extra_flags = " ".join(c_compiler.options)
    config.libomp_obj_root = str(paths.OUT / "lit" / f"{Path(runtime).name}-{c_compiler.name}")
    config.library_dir = str(shim_folder(runtime))
    config.omp_header_directory = header_folder(c_compiler.command)
    config.operating_system = platform.system()
    config.hwloc_library_dir = ""
    config.using_hwloc = False
    config.has_ompt = has_ompt
    config.has_ompx_taskgraph = False
    # What suites of LLVM 20 and later ask for besides.
    config.has_omp_taskgraph_experimental = False
    config.test_fortran_compiler = ""
    config.compiler_frontend_variant = config.compiler_simulate_id = ""
    config.llvm_tools_dir = f"/usr/lib/llvm-{clang.release()}/bin"
    config.has_libm = True
    config.has_libatomic = False
    config.is_standalone_build = True
    config.has_omit_frame_pointer_flag = True
    config.target_arch = platform.machine()
    os.makedirs(config.libomp_obj_root, exist_ok=True)
    lit_config.load_config(config, str(suite / "lit.cfg"))
    config.environment["OMP_NUM_THREADS"] = parameter("threads", "4")
    if parameter("list"):
        config.test_format = ListedTests(listed(parameter("list")))


try:
    configure()
except UserError as mistake:
    lit_config.fatal(str(mistake))
