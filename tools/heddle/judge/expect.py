"""Lists of programs that must pass on libheddle.

A list has one program a line: its path in the folder, then, if the line is for one compiler only, that compiler's
name. Further words are for people, as is what follows a #.
"""

from __future__ import annotations

from pathlib import Path

from heddle.errors import UserError
from heddle.judge.compilers import Compiler
from heddle.judge.sources import Program


def read(file: Path, programs: list[Program], compilers: dict[str, Compiler]) -> list[str]:
    """Names of the programs that the list expects of these compilers, each once, in the list's order.

    Errors: UserError when the file cannot be read, names a program that is not there, or expects nothing.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UserError(f"--expect {file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"--expect {file} is not text; it has one program a line") from None
    known = {program.name: program for program in programs}
    expected: dict[str, None] = {}
    others = set()
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        name = words[0].removeprefix("./")
        if name not in known:
            raise UserError(f"--expect {file}, line {number}: '{name}' is no program of this folder")
        mine = compilers.get(known[name].language)
        if len(words) > 1 and (mine is None or words[1] != mine.name):
            others.add(words[1])
        else:
            expected[name] = None
    if not expected:
        hint = f"; its lines are for {', '.join(sorted(others))}, choose with --cc" if others else ""
        raise UserError(f"--expect {file} expects no program{hint}")
    return list(expected)
