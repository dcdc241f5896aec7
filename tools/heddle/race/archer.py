"""Data races of OpenMP programs: ThreadSanitizer, told by LLVM's Archer what OpenMP orders.

Archer is a tool of OpenMP's tools interface. Without it ThreadSanitizer knows neither tasks nor barriers, and reports
what is no race.
"""

from __future__ import annotations

import shutil
from collections.abc import MutableMapping
from pathlib import Path

from heddle import clang, elf, runtimes
from heddle.errors import UserError

_SANITIZED = "__tsan_init"


def require_sanitized(program: str, path: Path) -> None:
    """Errors: UserError where the program was not built with ThreadSanitizer."""
    if not elf.is_elf(path):
        raise UserError(f"{program} is a script; name the program that ThreadSanitizer is built into")
    binary = elf.read([path])[0]
    known = {symbol.name for symbol in binary.needs | binary.weak_needs | binary.exports}
    if _SANITIZED not in known and not any(name.startswith("libtsan.") for name in binary.needed):
        raise UserError(
            f"{program} was not built with ThreadSanitizer; compile and link it with -g -fopenmp -fsanitize=thread"
        )


def find_archer() -> Path:
    """Errors: UserError where it is not on this machine."""
    llvm = runtimes.find("llvm")
    near = [llvm.library.resolve().parent / "libarcher.so"] if llvm is not None else []
    for candidate in [*near, *sorted(Path("/usr/lib").glob("llvm-*/lib/libarcher.so"), reverse=True)]:
        if candidate.exists():
            return candidate
    raise UserError(
        "libarcher.so, which comes with LLVM's OpenMP runtime, is not here; install libomp-N-dev of its release"
    )


def set_up(environ: MutableMapping[str, str], archer: Path) -> None:
    """Adds to an environment what a sanitized program needs; what the user has set stays."""
    others = environ.get("OMP_TOOL_LIBRARIES")
    environ["OMP_TOOL_LIBRARIES"] = f"{archer}:{others}" if others else str(archer)
    # The runtime is not sanitized: what it does inside is not the program's.
    options = ["ignore_noninstrumented_modules=1"]
    symbolizer = shutil.which(f"llvm-symbolizer-{clang.release()}") or shutil.which("llvm-symbolizer")
    if symbolizer:
        options.append(f"external_symbolizer_path={symbolizer}")
    # Later ones count.
    environ["TSAN_OPTIONS"] = " ".join([*options, environ.get("TSAN_OPTIONS", "")]).strip()
