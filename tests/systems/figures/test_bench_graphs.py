"""heddle bench graphs: which cases run, what replaying saves and from when on, and what is refused."""

import json
import subprocess

import pytest
from command import assert_one_line, heddle
from heddle import paths
from heddle.bench import programs, record
from heddle.bench.forms import plot, ratios
from heddle.bench.graphs import BENCHMARK
from heddle.bench.graphs.cases import SET
from heddle.bench.measurement import Column, Measurement, Run
from heddle.errors import UserError


def columns(compiler: str) -> list[Column]:
    stock = Column(compiler, "gnu", "libgomp") if compiler == "gcc" else Column(compiler, "llvm", "libomp 19")
    return ratios.in_forms([Column(compiler, "heddle", "libheddle"), stock])


PLAIN, REPLAY, LOOPS, GOMP = columns("gcc")
CLANG_PLAIN, CLANG_REPLAY, CLANG_LOOPS, OMP = columns("clang")
COLUMNS = [PLAIN, REPLAY, LOOPS, GOMP, CLANG_PLAIN, CLANG_REPLAY, CLANG_LOOPS, OMP]


def measured(case: str = "heat/32", first: float = 0, **by_column: list[float | None]) -> Measurement:
    """A case at two threads; columns are named as above, without a value a run failed."""
    values = {globals()[name].key: found for name, found in by_column.items()}
    words = {"tasks": "1024", "first": str(first), "verified": "yes"}
    runs = {
        key: [Run(value, words) if value else Run(None, failure="SIGSEGV") for value in found]
        for key, found in values.items()
    }
    number = len(next(iter(values.values())))
    return Measurement([column for column in COLUMNS if column.key in values], [case], number, {2: {case: runs}})


def test_libheddle_runs_in_all_forms_and_stock_runtimes_create_tasks():
    assert [column.key for column in COLUMNS[:4]] == [
        "gcc heddle tasks",
        "gcc heddle graph",
        "gcc heddle loops",
        "gcc gnu tasks",
    ]
    assert REPLAY.label == "libheddle (gcc, graph)"


def test_the_replay_is_compared_with_plain_tasks_round_by_round():
    row = ratios.row(SET, measured(PLAIN=[10, 20, 40], REPLAY=[5, 30, 10], GOMP=[50, 100, 100]), 2, "heat/32")
    assert row.over_plain is not None and row.over_stock is not None
    assert (row.over_plain.median, row.over_plain.least, row.over_plain.most) == (0.5, 0.25, 1.5)
    assert row.over_stock.median == pytest.approx(0.1)


def test_libheddle_counts_with_the_compiler_of_the_better_stock_runtime():
    found = measured(PLAIN=[3], REPLAY=[2], GOMP=[9], CLANG_PLAIN=[5], CLANG_REPLAY=[4], OMP=[8])
    row = ratios.row(SET, found, 2, "heat/32")
    assert (row.stock, row.ours["graph"]) == (OMP, CLANG_REPLAY)


def test_without_a_stock_runtime_the_faster_replay_counts():
    row = ratios.row(SET, measured(PLAIN=[3], REPLAY=[4], CLANG_PLAIN=[5], CLANG_REPLAY=[2]), 2, "heat/32")
    assert (row.stock, row.over_stock, row.ours["graph"]) == (None, None, CLANG_REPLAY)


@pytest.mark.parametrize(
    "found",
    [
        measured(PLAIN=[None], REPLAY=[1.0], GOMP=[None]),
        measured(PLAIN=[1.0], REPLAY=[None], GOMP=[1.0]),
        measured(CLANG_PLAIN=[1.0], CLANG_REPLAY=[None], GOMP=[1.0]),
    ],
    ids=["plain failed", "replay failed", "no program of that compiler"],
)
def test_without_both_sides_there_is_no_ratio(found):
    row = ratios.row(SET, found, 2, "heat/32")
    assert (row.over_plain, row.over_stock) == (None, None)
    assert ratios.geometric_mean([row.over_plain, row.over_stock]) is None


def test_iterations_that_overlap_are_compared_with_those_that_wait():
    waiting = measured("heat/32", REPLAY=[10, 10, 20])
    found = measured("heat-pipelined/32", REPLAY=[9, 8, 10])
    together = Measurement(found.columns, [*waiting.cases, *found.cases], 3, {2: waiting.runs[2] | found.runs[2]})
    over_waiting = ratios.row(SET, together, 2, "heat-pipelined/32").over_waiting
    assert over_waiting is not None
    assert (over_waiting.median, over_waiting.least, over_waiting.most) == (0.8, 0.5, 0.9)
    assert ratios.plain(SET, together)["2"]["heat-pipelined/32"]["over_waiting"]["median"] == 0.8
    assert ratios.row(SET, together, 2, "heat/32").over_waiting is None
    assert ratios.row(SET, found, 2, "heat-pipelined/32").over_waiting is None


def test_a_speed_up_is_over_the_runtimes_faster_program_with_the_same_compiler():
    found = measured(PLAIN=[8], REPLAY=[4], GOMP=[40], CLANG_PLAIN=[6], CLANG_REPLAY=[2], OMP=[1])
    assert [ratios.speed_up(found, 2, "heat/32", name) for name in ("heddle", "gnu", "llvm")] == [3, 10, 0.5]
    assert ratios.speed_up(measured(REPLAY=[4], GOMP=[None]), 2, "heat/32", "gnu") is None


def test_a_course_has_its_first_iteration_apart():
    found = measured(first=30, REPLAY=[10, 12, 11])
    course = ratios.course(found, 2, "heat/32", REPLAY)
    assert course == ratios.Course(30, 11)
    assert course.total(5) == 74
    assert ratios.course(measured(REPLAY=[None]), 2, "heat/32", REPLAY) is None
    assert ratios.course(found, 2, "heat/32", None) is None


@pytest.mark.parametrize(
    ("replay", "plain", "iterations"),
    [
        ((30, 5), (10, 10), 5),
        ((31, 5), (10, 10), 6),
        ((10, 5), (10, 10), 1),
        ((30, 10), (10, 10), None),
        ((5, 11), (10, 10), None),
    ],
)
def test_recording_pays_from_the_iteration_on_that_makes_up_for_it(replay, plain, iterations):
    found = ratios.pays_from(ratios.Course(*replay), ratios.Course(*plain))
    assert found == iterations
    if found is not None:
        assert ratios.Course(*replay).total(found) <= ratios.Course(*plain).total(found)


def test_the_kernels_are_those_of_the_program():
    program = programs.build(programs.compilers()[0], BENCHMARK.sources)
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.split()[0] for line in listed] == [kernel.name for kernel in SET.kernels]


def test_cases_are_chosen_by_kernel_and_by_grain():
    assert {case.kernel for case in SET.chosen("heat")} == {"heat"}
    assert [case.name for case in SET.chosen("cg/16,heat*/4")] == ["heat/4", "heat-pipelined/4", "cg/16"]
    assert SET.chosen("heat/64")[0].options == ("--grain", "64")
    assert {case.name for case in SET.chosen("heat", quick=True)} == {"heat/2", "heat/4"}
    assert len(SET.chosen(None)) == sum(len(kernel.grains) for kernel in SET.kernels)


def test_grains_go_from_large_tasks_to_small_ones():
    grouped = SET.by_kernel(["cg/64", "heat/128", "heat/4", "cg/16"])
    assert list(grouped.values()) == [["heat/4", "heat/128"], ["cg/16", "cg/64"]]
    for kernel in SET.kernels:
        assert list(kernel.grains) == sorted(kernel.grains)


@pytest.mark.parametrize("name", ["heat", "heat/", "heat/x", "heat/-1", "haet/4"])
def test_what_is_no_case_is_refused(name):
    with pytest.raises(UserError):
        SET.named(name)


def test_a_record_gives_back_what_was_measured(tmp_path):
    found = measured(first=30, PLAIN=[10.0, None], REPLAY=[5.0, 6.0], GOMP=[100.0, 50.0])
    file = tmp_path / "record.json"
    record.write(file, BENCHMARK, found, [], [], ("--seconds", "1"))
    assert record.read(file, BENCHMARK) == found
    over_stock = json.loads(file.read_text())["ratios"]["2"]["heat/32"]["over_stock"]
    assert (over_stock["against"], over_stock["max"]) == ("gcc gnu tasks", pytest.approx(0.12))


def test_colours_are_as_wide_to_either_side_of_1():
    found = measured(PLAIN=[10], REPLAY=[40], GOMP=[20])
    norm = plot.colours(found, ["heddle", "gnu"])
    assert (norm.vmin, norm.vmax) == (-2, 2)


def test_the_record_of_another_set_is_refused(tmp_path):
    file = tmp_path / "record.json"
    record.write(file, BENCHMARK, measured(PLAIN=[1.0]), [], [], ())
    assert_one_line(heddle("bench", "tasks", "--from", file), "is no record of heddle bench tasks")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kernels", "haet"], "did you mean heat?"),
        (["--kernels", "heat/33"], "there is no 'heat/33'"),
        (["--threads", "0"], "a team has at least 1 thread"),
        (["--rounds", "0"], "--rounds 0"),
        (["--runtimes", "tbb"], "heddle, gnu, llvm"),
        (["--plot", "map.txt"], ".png"),
        (["--from", "/dev/null"], "is a device; give a regular file"),
        (["--from", "x.json", "--json", "y.json"], "--from measures nothing"),
        (["--nonsense"], "heddle bench graphs --help"),
    ],
)
def test_a_mistake_is_one_line(arguments, words):
    assert_one_line(heddle("bench", "graphs", *arguments), words)


def test_a_quick_measurement_from_start_to_tables_record_and_plot(tmp_path):
    file, picture = tmp_path / "record.json", tmp_path / "map.png"
    arguments = ["--quick", "--threads", "1,2", "--json", file]
    result = heddle("bench", "graphs", *arguments, timeout_s=600)
    assert result.returncode == 0, result.stderr
    found = json.loads(file.read_text())
    assert set(found["runs"]) == {"1", "2"}
    assert set(found["runs"]["2"]) == {case.name for case in SET.chosen(None, quick=True)}
    for by_column in found["runs"]["2"].values():
        assert {"gcc heddle graph", "clang heddle loops", "gcc gnu tasks", "clang llvm tasks"} <= set(by_column)
        assert all(run["words"]["verified"] == "yes" for runs in by_column.values() for run in runs)
    again = heddle("bench", "graphs", "--from", file, "--plot", picture)
    assert again.returncode == 0, again.stderr
    assert again.stdout == result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_case_that_libheddle_fails_is_status_1_and_named(tmp_path):
    file = tmp_path / "record.json"
    record.write(file, BENCHMARK, measured(PLAIN=[10.0], REPLAY=[None], GOMP=[100.0]), [], [], ())
    result = heddle("bench", "graphs", "--from", file)
    assert result.returncode == 1
    assert result.stderr == "heddle: libheddle fails heat/32\n"
    assert "heat/32 on libheddle (gcc, graph) failed: SIGSEGV" in result.stdout


def test_tables_of_the_kept_figures_fit_a_terminal():
    result = heddle("bench", "graphs", "--from", paths.ROOT / "bench" / "results" / "graphs-2.json")
    assert result.returncode == 0, result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 80
