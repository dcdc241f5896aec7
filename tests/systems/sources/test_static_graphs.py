"""Taskgraph regions whose tasks are known when they are compiled: graphs without a recording, and why there is none."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from command import ROOT, heddle
from heddle import clang, runtimes

EXAMPLES = ROOT / "examples" / "static_graph"
REMARKS = ("-Rpass=heddle-static-graph", "-Rpass-missed=heddle-static-graph")
TASKS = {"listing1": 4000, "heat": 256, "cholesky": 364}


def compiled(
    source: Path, folder: Path, *options: str, static: bool = True, compiler: str = clang.c()
) -> tuple[Path, str]:
    """The program, and what Clang said."""
    program = folder / f"{source.stem}-{'static' if static else 'recorded'}"
    choice = [] if static else ["--no-static-graphs"]
    level = [] if any(option.startswith("-O") for option in options) else ["-O2"]
    words = [
        compiler,
        *level,
        "-fopenmp",
        *(REMARKS if "clang" in compiler else ()),
        *options,
        source,
        "-o",
        program,
        "-lm",
    ]
    done = heddle("cc", *choice, "--", *words)
    assert done.returncode == 0, done.stderr
    return program, done.stderr


def run(program: Path, runtime: str = "heddle", threads: int = 2, **variables: str) -> subprocess.CompletedProcess[str]:
    environ = runtimes.environment(runtimes.require(runtime), threads, {**os.environ, **variables})
    return subprocess.run([program], env=environ, capture_output=True, text=True, timeout=60)


def edges(program: Path, folder: Path) -> tuple[int, list[tuple[int, int]]]:
    """Of its first graph: tasks, and who waits for whom."""
    file = folder / f"{program.name}.json"
    done = heddle("graph", "--threads", "2", "--json", file, "--", program)
    assert done.returncode == 0, done.stderr
    graph = json.loads(file.read_text(encoding="utf-8"))["graphs"][0]
    return len(graph["tasks"]), sorted(map(tuple, graph["edges"]))


@pytest.mark.parametrize("name", TASKS)
def test_the_graph_is_that_of_a_record_and_needs_none(name, tmp_path):
    static, said = compiled(EXAMPLES / f"{name}.c", tmp_path)
    recorded, _ = compiled(EXAMPLES / f"{name}.c", tmp_path, static=False)
    assert f"taskgraph: {TASKS[name]} tasks are known, its graph is made when the program is loaded" in said
    assert edges(static, tmp_path) == edges(recorded, tmp_path)
    results = {run(program, threads=threads).stdout for program in (static, recorded) for threads in (1, 2, 5)}
    assert len(results) == 1
    assert "frame" not in run(static, HEDDLE_LOG="graph").stderr
    assert "of frame" in run(recorded, HEDDLE_LOG="graph").stderr


def test_on_another_runtime_the_region_is_executed_plainly(tmp_path):
    static, _ = compiled(EXAMPLES / "heat.c", tmp_path)
    assert run(static, "llvm").stdout == run(static).stdout


BEGIN = """
#include <stdio.h>
#include "heddle.h"
static int a[8], b[8];
static const int order[8] = {3, 1, 2, 0, 7, 5, 6, 4};
int bound = 8;
__attribute__((noinline)) int other(int i) { __asm__ volatile(""); return i; }
int main(int argc, char** argv) {
  (void)argv;
  int local = 0;
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < 3; ++s) {
"""
END = """
  }
  int sum = local;
  for (int i = 0; i < 8; ++i) sum = 31 * sum + a[i] + 7 * b[i];
  printf("%d %d\\n", argc, sum);
}
"""
TASK = "#pragma omp task depend(inout : a[i])\na[i] += i + 1;"


def region(body: str) -> str:
    return f"#pragma omp taskgraph\n{{\n{body}\n}}"


KNOWN = {
    "in the order of a table": region("for (int j = 0; j < 8; ++j) { const int i = order[j];\n" + TASK + "\n}"),
    "waits": region(
        "for (int i = 0; i < 8; ++i)\n#pragma omp task\na[i] += i;\n#pragma omp taskwait\n"
        "for (int i = 0; i < 8; ++i)\n#pragma omp task\nb[i] += a[7 - i];"
    ),
    "readers and writers": region(
        "for (int i = 0; i < 8; ++i)\n#pragma omp task depend(in : a[0]) depend(out : b[i])\nb[i] = 2 * a[0] + i;\n"
        "#pragma omp task depend(inout : a[0])\na[0] += 3;\n"
        "#pragma omp task depend(in : a[0], b[3])\na[1] += a[0] + b[3];"
    ),
    "one after the other in any order": region(
        "for (int i = 0; i < 8; ++i)\n#pragma omp task depend(mutexinoutset : a[0])\na[0] += i;"
    ),
    "sets": region(
        "for (int i = 0; i < 4; ++i)\n#pragma omp task depend(inoutset : a[0])\na[i] += i + 2;\n"
        "for (int i = 0; i < 4; ++i)\n#pragma omp task depend(in : a[0])\nb[i] += 3 * a[0] + a[i];\n"
        "#pragma omp task depend(inout : a[0])\na[0] += b[1];"
    ),
    "all memory": region(
        "for (int i = 0; i < 8; ++i)\n" + TASK + "\n#pragma omp task depend(inout : omp_all_memory)\n"
        "for (int i = 0; i < 7; ++i) a[i] = 2 * a[i] + a[i + 1];\nfor (int i = 0; i < 8; ++i)\n" + TASK
    ),
    "numbers that are no integers": region(
        "double x = 0.5;\nfor (int i = 0; i < 8; ++i) { x += 1.25;\n"
        "#pragma omp task depend(inout : a[i]) firstprivate(x)\na[i] += (int)(2 * x);\n}"
    ),
    "branches": region("for (int i = 0; i < 8; ++i) if (i % 3 == 1) {\n" + TASK + "\n}"),
    "a body that changes its copy": region(
        "for (int i = 0; i < 8; ++i) { int n = i;\n"
        "#pragma omp task depend(inout : a[i]) firstprivate(n)\n{ n += 5; a[i] += n; }\n}"
    ),
    "after siblings": "#pragma omp task depend(out : a[0])\n"
    "{ for (volatile int k = 0; k < 100000; ++k); a[0] = 5 * s; }\n"
    + region("#pragma omp task depend(inout : a[0])\na[0] += 2;"),
}
UNKNOWN = {
    "which tasks there are depends on a condition that only a run knows": region(
        "for (int i = 0; i < argc + 7; ++i)\n" + TASK
    ),
    "its code reads a variable, which others may change": region("for (int i = 0; i < bound; ++i)\n" + TASK),
    "a task is given what only a run knows": region(
        "for (int i = 0; i < 8; ++i)\n#pragma omp task depend(inout : a[i])\na[i] += s;"
    ),
    "a task shares a local variable": region("int mine = 0;\n#pragma omp task shared(mine)\nmine += 1;"),
    "a call of other, outside of tasks": region("for (int i = 0; i < 8; ++i) { other(i);\n" + TASK + "\n}"),
    "its code writes a variable, outside of tasks": region("for (int i = 0; i < 8; ++i) { b[i] = i;\n" + TASK + "\n}"),
    "a dependence names a local variable": region("int mine = 0;\n#pragma omp task depend(inout : mine)\na[0] += 1;"),
    "it has a clause": "#pragma omp taskgraph graph_id(s)\nfor (int i = 0; i < 8; ++i)\n" + TASK,
    "a call of __kmpc_taskloop, outside of tasks": region(
        "#pragma omp taskloop nogroup\nfor (int i = 0; i < 8; ++i) a[i] += i;"
    ),
    "a task has a clause that graphs made here do not know": region("#pragma omp task if(1) priority(3)\na[0] += 1;"),
}


# What GCC 12 does not know.
CLANG_ALONE = ("inoutset :", "omp_all_memory")


def results(folder: Path, text: str) -> tuple[str, list[str]]:
    """What Clang said, and what the program printed: static, recorded, and with GCC where it compiles it."""
    source = folder / "program.c"
    source.write_text(BEGIN + text + END, encoding="utf-8")
    options = (f"-I{ROOT / 'runtime' / 'include'}",)
    static, said = compiled(source, folder, *options)
    found = [run(static, threads=threads).stdout for threads in (1, 2)]
    found.append(run(compiled(source, folder, *options, static=False)[0]).stdout)
    if not any(word in text for word in CLANG_ALONE):
        found.append(run(compiled(source, folder, *options, static=False, compiler="gcc")[0]).stdout)
    return said, found


@pytest.mark.parametrize("name", KNOWN)
def test_regions_that_are_known_give_what_recorded_ones_give(name, tmp_path):
    said, found = results(tmp_path, KNOWN[name])
    assert "tasks are known" in said, said
    assert len(set(found)) == 1 and found[0].startswith("1 ")


@pytest.mark.parametrize("why", UNKNOWN)
def test_others_are_recorded_and_it_is_said_why(why, tmp_path):
    said, found = results(tmp_path, UNKNOWN[why])
    assert f"taskgraph: recorded when it is executed first: {why}" in said, said
    assert len(set(found)) == 1 and found[0].startswith("1 ")


def test_without_optimisation_regions_are_recorded(tmp_path):
    program, said = compiled(EXAMPLES / "heat.c", tmp_path, "-O0")
    assert "taskgraph" not in said
    assert "of frame" in run(program, HEDDLE_LOG="graph").stderr
