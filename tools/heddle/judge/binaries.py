"""Builds each program once and keeps what came of it.

The key of a kept binary covers the source, every file it includes from known folders, the command line, the
compiler's version and the libraries that the line names with -L and -l: a second judgement of an unchanged folder
compiles nothing. A source with an error of its own is kept as such, with what the compiler said; one that lacks a file
or a library is tried again, since these may have been installed meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from heddle import paths
from heddle.judge import execute, sources
from heddle.judge.compilers import INCLUDE_OPTIONS, LIBRARY_OPTION, Compiler

STORE = paths.OUT / "judge" / "programs"
# What compilers say when the fault may lie outside the source.
_ERRORS = (
    re.compile(r"(?i):\d+:(?:\d+:)? (?:fatal )?error\b|\(\d+\): error\b"),
    re.compile(r"(?i)\berror(?: #\d+)?:|undefined reference|cannot find"),
)
_MAY_MEND = re.compile("No such file|not found|cannot find|annot open|undefined reference|ld returned|linker command")


@dataclass(frozen=True)
class Binary:
    """What came of a program's source: path is None when it did not compile.

    Then reason is the first error, and said the end of what the compiler said.
    """

    path: Path | None
    said: tuple[str, ...] = ()
    reason: str = ""
    kept: bool = False  # from an earlier judgement


def build(program: sources.Program, compiler: Compiler | None, timeout_s: float) -> Binary:
    """Compiles the program, or finds what an earlier call made of it."""
    if compiler is None:
        reason = f"no {program.language} compiler of this family is installed"
        return Binary(None, (reason,), reason)
    source = program.source.resolve()
    key = _key(source, compiler)
    made = STORE / key[:2] / key
    refusal = made.with_suffix(".refused.json")
    if made.exists():
        return Binary(made, kept=True)
    if refusal.exists():
        note = json.loads(refusal.read_text(encoding="utf-8"))
        return Binary(None, tuple(note["said"]), note["reason"], kept=True)
    made.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made.parent, prefix=".building-") as folder:
        fresh = Path(folder, "program")
        result = execute.run(compiler.build(source, fresh), timeout_s, Path(folder))
        if result.passed and fresh.exists():
            fresh.replace(made)
            return Binary(made)
        said = result.tail
        if result.timed_out or not said:
            said = (*said, f"{compiler.name}: {result.end()}")
        reason = said[-1] if result.timed_out else first_error(result.head or said)
        # A compiler that was killed may do better next time, too.
        if result.status is not None and not _MAY_MEND.search("\n".join(said)):
            note = Path(folder, "refused")
            note.write_text(json.dumps({"reason": reason, "said": said}), encoding="utf-8")
            note.replace(refusal)
        return Binary(None, said, reason)


def first_error(lines: tuple[str, ...]) -> str:
    """The first line that names the place of an error, else the first that tells of one, else the first of all."""
    for pattern in _ERRORS:
        for line in lines:
            if pattern.search(line):
                return line.strip()
    return next((line.strip() for line in lines if line.strip()), "")


def _key(source: Path, compiler: Compiler) -> str:
    # Names and contents, not paths: a folder that was moved or unpacked again is not built again.
    digest = hashlib.sha256()
    for word in (compiler.command, compiler.version, *compiler.options):
        digest.update(word.encode() + b"\0")
    includes = sources.included(source, compiler.folders(INCLUDE_OPTIONS))
    for file in (source, *includes, *_named_files(compiler)):
        digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _named_files(compiler: Compiler) -> list[Path]:
    """Files that the options name: as they stand, or as a library of a folder given with -L."""
    found = [Path(option) for option in compiler.options if os.path.isfile(option)]
    libraries = [option[2:] for option in compiler.options if option.startswith("-l")]
    for folder in compiler.folders((LIBRARY_OPTION,)):
        for library in libraries:
            candidates = (folder / f"lib{library}.so", folder / f"lib{library}.a")
            found += [file for file in candidates if file.is_file()]
    return found
