"""The three OpenMP runtimes: where they are, and the folders in which each bears the others' file names.

A *shim folder* put first in LD_LIBRARY_PATH makes a program load that runtime whatever name it asks for.
libheddle comes with one; those of the stock runtimes are links made here, in build/shims/, as libheddle has them in
an installed package, since wheels hold no links.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle import clang, paths
from heddle.errors import UserError

NAMES = ("heddle", "gnu", "llvm")
KINDS = {"heddle": "libheddle", "gnu": "libgomp", "llvm": "libomp"}

# File names under which programs ask for an OpenMP runtime, by the compiler's calling convention. libheddle's own is in
# programs linked with -lheddle, which either compiler built.
GNU_SONAMES = ("libgomp.so.1",)
LLVM_SONAMES = ("libomp.so.5", "libomp.so", "libiomp5.so")
HEDDLE_SONAMES = ("libheddle.so.0",)
ALL_SONAMES = GNU_SONAMES + LLVM_SONAMES + HEDDLE_SONAMES

_MEND = {
    "heddle": "install the package heddle anew" if paths.IS_INSTALLED else f"{paths.COMMAND} build release",
    "gnu": "install the Debian package libgomp1",
    "llvm": "install LLVM's OpenMP runtime, which Debian's libomp-dev packages bring",
}


MOST_THREADS = 4095  # of libheddle's teams: runtime/task/task.hpp, kMaxTeam


@dataclass(frozen=True)
class Runtime:
    """One installed runtime."""

    name: str  # as --runtime spells it
    title: str  # as messages spell it
    library: Path
    shims: Path


def find(name: str) -> Runtime | None:
    """The runtime if it is there. Errors: UserError for a name that is none of NAMES."""
    if name not in NAMES:
        raise UserError(f"there is no runtime '{name}'; there are {', '.join(NAMES)}")
    if name == "heddle":
        library = paths.runtime_library()
        return Runtime(name, "libheddle", library, paths.shim_dir()) if library.exists() else None
    library = _find_gnu() if name == "gnu" else _find_llvm()
    if library is None:
        return None
    return Runtime(name, _title(name, library), library, paths.BUILD / "shims" / name)


def chosen(asked: str | None) -> list[str]:
    """The names in --runtimes, in the order of NAMES; without that option libheddle's and those of what is installed.

    Errors: UserError for an unknown one.
    """
    if asked is None:
        # libheddle can be built; of the others, those that are there.
        return [name for name in NAMES if name == "heddle" or find(name)]
    words = [word.strip() for word in asked.split(",")]
    for word in words:
        if word not in NAMES:
            raise UserError(f"--runtimes {asked}: there is no runtime '{word}'; there are {', '.join(NAMES)}")
    return [name for name in NAMES if name in words]


def require(name: str) -> Runtime:
    """The runtime, its shim folder ready for use. Errors: UserError that says how to fix it."""
    runtime = find(name)
    if runtime is None:
        raise UserError(f"the runtime '{name}' is not here: {_MEND[name]}")
    if name == "heddle" and not paths.IS_INSTALLED:
        if not runtime.shims.is_dir():
            raise UserError(f"{paths.shown(runtime.shims)} is missing: {paths.COMMAND} build release")
    else:
        names = GNU_SONAMES + HEDDLE_SONAMES if name == "gnu" else ALL_SONAMES
        files = dict.fromkeys(names, runtime.library.resolve())
        if name == "heddle" and paths.BROUGHT_ALONG.is_dir():
            # The linker looks for them from where the link is.
            files |= {file.name: file for file in paths.BROUGHT_ALONG.iterdir()}
        _link(runtime, files)
    return runtime


def mend(name: str) -> str:
    """What to do when the runtime is not there."""
    return _MEND[name]


def environment(runtime: Runtime, threads: int | None, base: dict[str, str] | None = None) -> dict[str, str]:
    """The environment in which a program loads this runtime.

    Errors: UserError when the checkout's path holds a character that LD_LIBRARY_PATH cannot.
    """
    environ = dict(os.environ if base is None else base)
    folder = searchable(runtime.shims)
    before = environ.get("LD_LIBRARY_PATH")
    environ["LD_LIBRARY_PATH"] = f"{folder}:{before}" if before else folder
    if threads is not None:
        if threads < 1:
            raise UserError(f"--threads {threads}: a team has at least 1 thread")
        if runtime.name == "heddle" and threads > MOST_THREADS:
            raise UserError(f"--threads {threads}: a team of {runtime.title} has at most {MOST_THREADS} threads")
        environ["OMP_NUM_THREADS"] = str(threads)
    return environ


def searchable(folder: Path) -> str:
    """The folder as LD_LIBRARY_PATH takes it. Errors: UserError for a character that it cannot hold."""
    if re.search("[:;]", str(folder)):
        mend = "set XDG_CACHE_HOME to another folder" if paths.IS_INSTALLED else "move the checkout"
        raise UserError(f"'{folder}' holds ':' or ';', which LD_LIBRARY_PATH cannot; {mend}")
    return str(folder)


def preload(runtime: Runtime, environ: dict[str, str]) -> None:
    """Has the runtime come before every library, so that a program's calls reach it whoever else defines them."""
    preload_library(runtime.shims / (LLVM_SONAMES[0] if runtime.name == "llvm" else GNU_SONAMES[0]), environ)


def preload_library(library: Path, environ: dict[str, str]) -> None:
    """Has the library come before every other one.

    LD_PRELOAD separates by spaces and colons: where the path holds one, the bare name is given, which the dynamic
    linker finds in LD_LIBRARY_PATH. Errors: as those of searchable().
    """
    entry = str(library)
    if re.search("[ :]", entry):
        entry, folder, found = library.name, searchable(library.parent), environ.get("LD_LIBRARY_PATH")
        if found is None or folder not in found.split(":"):
            environ["LD_LIBRARY_PATH"] = f"{found}:{folder}" if found else folder
    before = environ.get("LD_PRELOAD")
    environ["LD_PRELOAD"] = f"{entry}:{before}" if before else entry


def _find_gnu() -> Path | None:
    for candidate in sorted(Path("/usr/lib").glob("*-linux-gnu*/libgomp.so.1")):
        return candidate
    return _ask_compiler("gcc", "libgomp.so.1")


def _find_llvm() -> Path | None:
    # Of several releases the newest, since the compiler that we take is the newest too.
    there = [file for file in Path("/usr/lib").glob("llvm-*/lib/libomp.so*") if file.exists()]
    files = sorted(there, key=lambda file: (_llvm_release(file), file.suffix))
    return files[-1] if files else _ask_compiler(clang.c(), "libomp.so")


def _llvm_release(library: Path) -> int:
    """That of the folder where distributions put a release of LLVM; 0 elsewhere."""
    found = re.search(r"llvm-(\d+)", str(library))
    return int(found[1]) if found else 0


def _ask_compiler(compiler: str, library: str) -> Path | None:
    try:
        answer = subprocess.run(
            [compiler, f"-print-file-name={library}"], capture_output=True, text=True
        ).stdout.strip()
    except OSError:
        return None
    return Path(answer) if os.path.isabs(answer) and os.path.exists(answer) else None


def _title(name: str, library: Path) -> str:
    if name == "gnu":
        return "libgomp"
    release = _llvm_release(library) or _llvm_release(library.resolve())
    return f"libomp {release}" if release else "libomp"


def _link(runtime: Runtime, files: dict[str, Path]) -> None:
    for name, target in files.items():
        link = runtime.shims / name
        if link.is_symlink() and os.readlink(link) == str(target):
            continue
        try:
            runtime.shims.mkdir(parents=True, exist_ok=True)
            fresh = link.with_name(f".{name}.{os.urandom(8).hex()}")  # others may do so too, on other machines
            fresh.symlink_to(target)
            fresh.replace(link)  # at once, for whoever reads the folder now
        except OSError as error:
            mend = "set XDG_CACHE_HOME to a folder that can be" if paths.IS_INSTALLED else "make the checkout writable"
            raise UserError(
                f"{paths.shown(runtime.shims)} cannot be written: {error.strerror}; a first start on {runtime.title} "
                f"puts links there, so {mend}"
            ) from None
