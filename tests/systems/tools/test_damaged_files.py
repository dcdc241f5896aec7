"""Readers of every format that Heddle reads: of a damaged file there is an answer, or a line that says why not.

Traces and machine files have tests of their own: tests/systems/tracer/test_damaged_traces.py and test_machine_files.py.
"""

import io
import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

from heddle import launch, paths, toolchain
from heddle.bench import record
from heddle.bench.grain import BENCHMARK
from heddle.check import read as check_log
from heddle.demo import mesh
from heddle.errors import UserError
from heddle.fuzz import orders
from heddle.graph import analysis
from heddle.graph import read as graph_log
from heddle.papers import session as papers
from heddle.patience import scaled
from heddle.simulate import kept_costs, simulator
from heddle.wave import samples
from rich.console import Console

TIMES = 120
GRAPH_LOG = """heddle graph 1
c 0 4011b6 main._omp_fn.0 /home/me/a.out
g 0 7 3 3
n 0 0 0 3 300
n 1 0 0 3 450
n 2 -1 0 0 0
e 0 1
e 1 2
o 1 0
"""
CHECK_LOG = """heddle check 1
c 0 4011b6 main._omp_fn.0 /home/me/a.out
c 1 4011d6 main._omp_fn.1 /home/me/a.out
d 0 7 0 1 1 v 16 32 8 15 2 3 10 ff
t 0 2 4
s 7 0 3
"""
WORKLOAD = {
    "format": "heddle-workload",
    "version": 3,
    "program": "program",
    "threads": 2,
    "kinds": ["region", "task"],
    "processes": [
        {
            "main": ["work", 10, "region", 0],
            "tasks": [{"kind": 1, "script": ["work", 500], "dependences": [1, 3]}] * 2,
            "regions": [
                {
                    "kind": 0,
                    "threads": 2,
                    "fixed": False,
                    "script": ["single", 0, "barrier", 0, "loop", 0],
                }
            ],
            "loops": [{"iterations": 10, "schedule": "dynamic", "parts": [100, 200]}],
            "singles": [["create", 0, "work", 5, "create", 1, "taskwait", 0]],
            "pieces": [],
            "taskloops": [],
            "messages": [],
        }
    ],
}
PARTS = [b"null", b"[", b"]" * 3, b"{", b'"', b"\0", b"\xff\xfe", b"-1", b"9" * 30, b"0", b"nan", b"1e400", b" ", b"\n"]


def damaged(data: bytes, seed: int) -> bytes:
    """The same with some bytes changed, left out, put in or cut off."""
    chance = random.Random(seed)
    result = bytearray(data)
    for _ in range(chance.choice([1, 1, 3])):
        at = chance.randrange(len(result) + 1)
        ways: list[Callable[[], object]] = [
            lambda at=at: result.__setitem__(slice(at, at + 1), bytes([chance.randrange(256)])),
            lambda at=at: result.__delitem__(slice(at, at + chance.choice([1, 10, 100]))),
            lambda at=at: result.__delitem__(slice(at, None)),
            lambda at=at: result.__setitem__(slice(at, at), chance.choice(PARTS)),
            lambda at=at: result.__setitem__(slice(at, at + 1), chance.choice(PARTS)),
        ]
        chance.choice(ways)()
    return bytes(result)


def check_reader(read: Callable[[Path], object], data: bytes, folder: Path, *refusals: type[Exception]) -> None:
    """read() takes the data, and of damaged data raises nothing but the refusals, in one line."""
    file = folder / "file"
    file.write_bytes(data)
    read(file)
    answers = set()
    deep = [b"[" * 100_000, b'{"a":' * 100_000, b"", b"\0" * 4096]
    for variant in [*deep, *(damaged(data, seed) for seed in range(TIMES))]:
        file.write_bytes(variant)
        try:
            read(file)
            answers.add("taken")
        except refusals as refusal:
            assert "\n" not in str(refusal)
            answers.add("refused")
    assert "refused" in answers


def test_logs_of_taskgraphs(tmp_path):
    def read(file):
        return [analysis.analyse(graph) for graph in graph_log.read(file).graphs]

    check_reader(read, GRAPH_LOG.encode(), tmp_path, UserError)


def test_logs_of_checks(tmp_path):
    check_reader(check_log.read, CHECK_LOG.encode(), tmp_path, UserError)


def test_costs(tmp_path):
    check_reader(kept_costs.read, kept_costs.DEFAULT.read_bytes(), tmp_path, UserError)


def run_of(value):
    return {"value": value, "words": {"value": "9.5"}, "points": [[1000.0, 0.5], [2000.0, 0.75]]}


def test_records_of_benchmarks(tmp_path):
    columns = [{"compiler": "gcc", "runtime": name, "title": name, "form": "tasks"} for name in ("heddle", "gnu")]
    rows = {"steps": {f"gcc {name} tasks": [run_of(9.5), run_of(None)] for name in ("heddle", "gnu")}}
    record_of = {"benchmark": "grain", "columns": columns, "cases": ["steps"], "rounds": 2, "runs": {"2": rows}}

    def show(file):
        BENCHMARK.show(Console(file=io.StringIO()), record.read(file, BENCHMARK))

    check_reader(show, json.dumps(record_of).encode(), tmp_path, UserError)


def test_records_of_papers(tmp_path):
    paper = next(iter(papers.PAPERS.values()))
    finding = {"title": "t", "theirs": "x", "headers": ["a"], "rows": [["1"]], "verdict": "v", "command": "c"}
    record_of = {"date": "today", "quick": False, "findings": [finding]}

    def read(file):
        file.rename(tmp_path / f"{paper.name}.json")
        return papers._read(tmp_path, paper)

    check_reader(read, json.dumps(record_of).encode(), tmp_path, UserError)


def test_orders(tmp_path):
    """libheddle's logs in a temporary folder: of a program that was killed they break off."""
    text = "heddle order 1\nc 0 4011b6 main._omp_fn.0 /home/me/a.out\ns 1/1 0 0\ng 1/1.1 0 0\ne 1/1.1 0 0\n"
    check_reader(lambda file: orders.read(file) or _nothing(), text.encode(), tmp_path, UserError)


def _nothing():
    raise UserError("no log")


def test_samples_of_waves(tmp_path):
    text = "".join([samples._HEADER, "\n", *(f"{x / 4},0.5,0.25,{x}.5,1\n" for x in range(4))])
    check_reader(lambda file: samples.read(file), text.encode(), tmp_path, ValueError)


def test_plot_files_of_amr(tmp_path):
    check_reader(mesh.read, b"2 1 1 1 1\n1\n0 0 0 0\n1\n0 1 1 1\n", tmp_path, ValueError)


def check_program(command: list[str], data: bytes, folder: Path, **environ: str) -> None:
    """The program takes the file, whose place in the command is FILE; damaged ones it takes, or refuses in a line."""
    file = folder / "file"
    words = [str(file) if word == "FILE" else word for word in command]
    statuses = set()
    for variant in [data, b"", b"[" * 100_000, *(damaged(data, seed) for seed in range(TIMES // 4))]:
        file.write_bytes(variant)
        done = subprocess.run(
            words, cwd=folder, env=environ or None, capture_output=True, text=True, errors="replace", timeout=scaled(30)
        )
        assert done.returncode in ((0, 2) if variant != data else (0,)), done.stderr
        assert len(done.stderr.splitlines()) == (1 if done.returncode == 2 else 0), done.stderr
        statuses.add(done.returncode)
    assert statuses == {0, 2}


def test_workloads(tmp_path):
    toolchain.build("release", [simulator.OF_WORKLOADS])
    program = str(paths.build_dir("release") / "bin" / simulator.OF_WORKLOADS)
    command = [program, "--workload", "FILE", "--costs", str(kept_costs.DEFAULT), "--cores", "2"]
    check_program(command, json.dumps(WORKLOAD).encode(), tmp_path)


def test_checkpoints(tmp_path):
    toolchain.build("release", [toolchain.RUNTIME_TARGET, paths.WAVE])
    plan = launch.plan(str(paths.program(paths.WAVE)), "heddle", 1)
    command = [str(plan.program), "--problem", "sod", "--max_steps", "8", "--threads", "1"]
    subprocess.run(
        [*command, "--checkpoint_freq", "4"], cwd=tmp_path, env=plan.environ, check=True, stdout=subprocess.DEVNULL
    )
    checkpoint = min(tmp_path.glob("*.h5")).read_bytes()
    check_program([*command, "--restart", "FILE"], checkpoint, tmp_path, **plan.environ)
