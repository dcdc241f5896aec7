"""The table of OpenMP 6.0 by compiler, docs/runtime/openmp-6.md, and its record.

The programs of tests/data/openmp-6 have one construct each. To add a compiler, or to try one again:

    ./heddle judge --runtimes heddle --compile-timeout 30 --cc "gcc -fopenmp -Wall -Werror -Wno-unused" \
      --json seen.json tests/data/openmp-6
    .venv/bin/python tests/systems/sources/constructs.py seen.json

For Clang "clang-23 -fopenmp -fopenmp-version=60 -Werror -Wno-unused": it ignores clauses that it does not know with a
warning. GCC warns of directives with -Wall.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "tests" / "data" / "openmp-6"
RECORD = ROOT / "docs" / "runtime" / "openmp-6.json"
PAGE = ROOT / "docs" / "runtime" / "openmp-6.md"
# What is adapted by hand stands between the head and the table.
_HEAD = """<!-- made by tests/systems/sources/constructs.py from openmp-6.json and tests/data/openmp-6 -->
# OpenMP 6.0 by compiler

What programs may use depends on the compiler: libheddle has what it emits. Each row is a program of
`tests/data/openmp-6` that checks what the construct does, with the version of OpenMP that it came with.

*works*: compiled, and right on libheddle. *refused*: the compiler does not compile it. *no library*: it compiles, and
asks for functions of LLVM's offloading library, which libheddle does not have. *no end*: the compiler never comes to an
end. *fails*: wrong on libheddle.

`heddle cc` adds `taskgraph`, `task_iteration`, `transparent` and `taskwait depend(…) nowait` to every compiler of C
and C++ here ([taskgraphs](taskgraphs.md), [nested dependences](tasks.md#nested-dependences)). Of Intel's ifx and icx
nothing could be tried: they are not among what can be had here.
"""


def load() -> dict[str, dict]:
    """For each compiler in words: when it was tried, and the outcome of each program."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def outcomes(judged: dict) -> tuple[str, dict[str, str]]:
    """The compiler in words and what became of each program, from what heddle judge has written."""
    found = {}
    for program in judged["programs"]:
        if program["compiled"]:
            found[program["name"]] = "works" if program["runtimes"]["heddle"]["verdict"] == "passed" else "fails"
        else:
            said = " ".join(program["compiler_said"])
            reasons = {"undefined reference": "no library", ": no end in ": "no end"}
            found[program["name"]] = next((word for words, word in reasons.items() if words in said), "refused")
    return in_words(judged["compilers"]["C"]["version"]), found


def in_words(version: str) -> str:
    """'GCC 12' of a compiler's first line of --version."""
    if match := re.search(r"clang version (\d+)", version):
        return f"Clang {match[1]}"
    match = re.search(r"\) (\d+)\.\d+\.\d+(.*experimental)?", version)
    return f"GCC {match[1]}{', a snapshot' if match[2] else ''}" if match else version


def title(program: Path) -> str:
    """What its first line says."""
    return program.read_text(encoding="utf-8").splitlines()[0].removeprefix("// ").removesuffix(".")


def page(record: dict[str, dict]) -> str:
    names = sorted(record, key=lambda name: (name.split()[0] != "GCC", int(re.search(r"\d+", name)[0])))
    lines = [_HEAD, f"| construct | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for program in sorted(PROGRAMS.glob("*.c")):
        cells = [record[name]["programs"].get(program.name, "") for name in names]
        lines.append(f"| {title(program)} | {' | '.join(cells)} |")
    lines.append(f"| tried | {' | '.join(record[name]['date'] for name in names)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    record = load()
    for file in sys.argv[1:]:
        judged = json.loads(Path(file).read_text(encoding="utf-8"))
        name, found = outcomes(judged)
        record[name] = {"date": judged["date"][:10], "programs": found}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(record), encoding="utf-8")


if __name__ == "__main__":
    main()
