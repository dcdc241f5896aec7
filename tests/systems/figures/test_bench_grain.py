"""heddle bench grain: forms, medians, the report, and what is refused."""

import json

import pytest
from command import assert_one_line, heddle
from heddle.bench import programs, record
from heddle.bench.grain import BENCHMARK, cases, efficiency
from heddle.bench.measurement import Column, Measurement, Point, Run

OURS, GOMP = Column("gcc", "heddle", "libheddle", form="tasks"), Column("gcc", "gnu", "libgomp", form="tasks")


def measured(**by_column: list[list[float]]) -> Measurement:
    """The stencil at two threads: efficiencies at 2 and 1 us, a list a round."""
    runs = {
        globals()[name].key: [Run(e[-1] * 100, {}, (Point(2000, e[0]), Point(1000, e[1]))) for e in rounds]
        for name, rounds in by_column.items()
    }
    return Measurement([globals()[name] for name in by_column], ["stencil"], 3, {2: {"stencil": runs}})


def test_libheddle_runs_in_both_forms_and_stock_runtimes_create_tasks():
    columns = cases.in_forms([Column("gcc", "heddle", "libheddle"), Column("gcc", "gnu", "libgomp")])
    assert [column.key for column in columns] == ["gcc heddle tasks", "gcc heddle graph", "gcc gnu tasks"]


def test_bodies_sleep_only_where_somebody_says_so():
    names = ["independent", "chains", "stencil", "bursts"]
    assert [case.name for case in cases.chosen(None)] == [case.name for case in cases.chosen("*")] == names
    named = cases.chosen(cases.with_bodies("chains, bursts", "sleep"))
    assert [case.name for case in named] == ["chains/asleep", "bursts/asleep"]
    assert [case.options for case in cases.chosen(cases.with_bodies(None, "sleep"))] == [("--bodies", "sleep")] * 4
    uneven = cases.chosen(cases.with_bodies(None, "uneven"))
    assert [case.options for case in uneven] == [("--bodies", "sleep", "--slow", "2")] * 4


def test_a_curve_is_made_of_medians_point_by_point():
    found = measured(OURS=[[0.9, 0.5], [0.8, 0.7], [0.7, 0.6]])
    assert efficiency.curve(found, 2, "stencil", OURS) == {1000: 0.6, 2000: 0.8}


def test_a_record_gives_the_same_table_again(tmp_path):
    found = measured(OURS=[[0.9, 0.8]] * 3, GOMP=[[0.5, 0.1]] * 3)
    file = tmp_path / "grain.json"
    file.write_text(json.dumps({"benchmark": "grain", **record.plain(found)}))
    picture = tmp_path / "grain.png"
    result = heddle("bench", "grain", "--from", file, "--plot", picture)
    assert result.returncode == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["stencil", "libheddle", "(gcc,", "tasks)", "0.80", "0.90"] in lines
    assert ["libgomp", "(gcc,", "tasks)", "0.10", "0.50"] in lines
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kernels", "stencl"], "independent, chains, stencil, bursts"),
        (["--plot", "grain.txt"], ".png or .svg"),
        (["--rounds", "0"], "--rounds 0"),
        (["--bodies", "dream"], "--bodies dream: there are compute, sleep, uneven"),
    ],
)
def test_a_mistake_is_one_line(arguments, words):
    assert_one_line(heddle("bench", "grain", *arguments), words)


def test_the_program_compiles_with_every_compiler_and_runs(tmp_path):
    file = tmp_path / "grain.json"
    result = heddle("bench", "grain", "--quick", "--kernels", "stencil", "--json", file, timeout_s=600)
    assert result.returncode == 0, result.stderr
    found = record.read(file, BENCHMARK)
    assert {column.compiler for column in found.columns} == {compiler.name for compiler in programs.compilers()}
    assert [column.key for column in found.columns if column.title == "oneTBB"] == ["gcc tbb tasks", "gcc tbb graph"]
    for column in found.columns:
        if column.key == "gcc tbb tasks":  # a task_group has no dependences
            assert found.runs[2]["stencil"][column.key][0].refused
            continue
        assert set(efficiency.curve(found, 2, "stencil", column)) == {200, 500, 1000, 2000, 5000, 10000, 20000}
