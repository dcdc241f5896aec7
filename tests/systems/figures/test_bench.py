"""heddle bench tasks: which cases run, what their output means, how libheddle is compared, and what is refused."""

import json
import stat
import subprocess

import pytest
from command import assert_one_line, heddle
from heddle import paths
from heddle.bench import columns, programs, record, report, rounds, session
from heddle.bench.measurement import Column, Measurement, Point, Run
from heddle.bench.tasks import BENCHMARK, cases, plot, ratios
from heddle.errors import UserError

GCC_HEDDLE = Column("gcc", "heddle", "libheddle")
GCC_GOMP = Column("gcc", "gnu", "libgomp")
GCC_GOMP_ACTIVE = Column("gcc", "gnu", "libgomp", "active")
CLANG_HEDDLE = Column("clang", "heddle", "libheddle")
CLANG_OMP = Column("clang", "llvm", "libomp 19")
COLUMNS = [GCC_HEDDLE, GCC_GOMP, GCC_GOMP_ACTIVE, CLANG_HEDDLE, CLANG_OMP]

CHAIN = cases.named("chain")
METG = cases.named("metg-stencil")
LINE = "kernel=chain threads=2 tasks=5 unit=ns value=61.5 least=60 most=70 repetitions=3 peak_mib=4.5 verified="


def measured(case: str = "chain", **by_column: list[float | None]) -> Measurement:
    """A case at two threads; columns are named as in GCC_HEDDLE, without a value a run failed."""
    values = {globals()[name].key: found for name, found in by_column.items()}
    runs = {key: [Run(value, failure="" if value else "SIGSEGV") for value in found] for key, found in values.items()}
    number = len(next(iter(values.values())))
    return Measurement([column for column in COLUMNS if column.key in values], [case], number, {2: {case: runs}})


def test_the_better_stock_runtime_is_the_one_with_the_lowest_median():
    found = measured(
        GCC_HEDDLE=[10, 20, 30], CLANG_HEDDLE=[50, 50, 80], GCC_GOMP=[300, 90, 100], CLANG_OMP=[60, 95, 70]
    )
    row = ratios.row(found, 2, "chain")
    assert row.medians == {"gcc heddle": 20, "clang heddle": 50, "gcc gnu": 100, "clang llvm": 70}
    assert row.ratio is not None
    assert row.ratio.stock == CLANG_OMP
    # the program of the same compiler, though GCC's is faster
    assert row.ratio.ours == CLANG_HEDDLE


def test_a_ratio_is_taken_round_by_round():
    row = ratios.row(measured(GCC_HEDDLE=[10, 40, 30], GCC_GOMP=[100, 50, 100]), 2, "chain")
    assert row.ratio == ratios.Ratio(pytest.approx(0.3), pytest.approx(0.1), pytest.approx(0.8), GCC_HEDDLE, GCC_GOMP)


def test_settings_of_a_peer_count_as_stock_columns():
    row = ratios.row(measured(GCC_HEDDLE=[10], GCC_GOMP=[100], GCC_GOMP_ACTIVE=[40]), 2, "chain")
    assert row.ratio is not None
    assert (row.ratio.stock.key, row.ratio.median) == ("gcc gnu active", 0.25)


def test_a_column_that_failed_once_has_no_median_and_is_not_the_better():
    row = ratios.row(
        measured(GCC_HEDDLE=[10, 10], CLANG_HEDDLE=[8, 8], GCC_GOMP=[1, None], CLANG_OMP=[16, 16]), 2, "chain"
    )
    assert row.medians["gcc gnu"] is None
    assert row.ratio is not None
    assert (row.ratio.stock, row.ratio.median) == (CLANG_OMP, 0.5)


@pytest.mark.parametrize(
    "found",
    [
        measured(GCC_HEDDLE=[None], GCC_GOMP=[1.0]),
        measured(GCC_HEDDLE=[1.0], GCC_GOMP=[None]),
        measured(CLANG_HEDDLE=[1.0], GCC_GOMP=[2.0]),
        measured(GCC_HEDDLE=[1.0]),
    ],
    ids=["ours failed", "stock failed", "no program of that compiler", "no stock"],
)
def test_without_both_sides_there_is_no_ratio(found):
    row = ratios.row(found, 2, "chain")
    assert row.ratio is None
    assert ratios.geometric_mean([row]) is None


def test_the_mean_is_geometric():
    rows = [ratios.row(measured(GCC_HEDDLE=[ours], GCC_GOMP=[8.0]), 2, "chain") for ours in (2.0, 32.0)]
    assert ratios.geometric_mean(rows) == pytest.approx(1.0)


def test_every_kernel_of_the_program_is_in_a_case_and_no_other():
    program = programs.build(programs.compilers()[0], BENCHMARK.sources)
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert {line.split()[0] for line in listed} == {case.kernel for case in cases.CASES}
    assert len({case.name for case in cases.CASES}) == len(cases.CASES)


def test_cases_are_chosen_by_name_and_pattern_in_the_order_of_the_set():
    assert [case.name for case in cases.chosen("metg-*,chain")] == [
        "chain",
        "metg-stencil",
        "metg-nearest",
        "metg-trivial",
    ]
    default = [case.name for case in cases.chosen(None)]
    assert "chain" in default
    assert "flood" not in default
    assert [case.name for case in cases.chosen("flood")] == ["flood"]


def test_what_a_run_prints_is_understood():
    run = rounds.understood(CHAIN, 0, LINE + "yes\n", "")
    assert (run.value, run.failure, run.words["peak_mib"]) == (61.5, "", "4.5")
    assert rounds.understood(cases.named("flood"), 0, LINE + "yes\n", "").value == 4.5


def test_a_sweep_has_points():
    out = "point=0 kernel=metg-stencil iterations=9 task_ns=50.5 efficiency=1.0\n" + LINE + "yes\n"
    assert rounds.understood(METG, 0, out, "").points == (Point(50.5, 1.0),)


@pytest.mark.parametrize(
    ("status", "out", "said", "failure", "refused"),
    [
        (1, LINE + "no\n", "", "a wrong result", False),
        (2, "", "tasks: this runtime does not detach tasks\n", "tasks: this runtime does not detach tasks", True),
        (-11, "", "", "SIGSEGV", False),
        (134, "", "first\nlast\n", "exit status 134: last", False),
        (0, "", "", "it printed no result", False),
    ],
)
def test_a_run_that_did_not_work_says_why(status, out, said, failure, refused):
    run = rounds.understood(CHAIN, status, out, said)
    assert (run.value, run.failure, run.refused) == (None, failure, refused)


def test_metg_below_the_sweep_is_no_value_and_no_failure():
    run = rounds.understood(METG, 0, LINE.replace("61.5", "0.000") + "yes\n", "")
    assert (run.value, run.failure) == (None, "")


@pytest.fixture
def fake(tmp_path):
    """script(text) is a program for a column; its notes go to a file."""

    def script(text: str) -> columns.Start:
        file = tmp_path / f"program{len(list(tmp_path.iterdir()))}"
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return columns.Start(file, {"PATH": "/usr/bin:/bin", "NOTE": str(tmp_path / "note")})

    return script


def test_rounds_alternate_the_columns_and_every_second_goes_backwards(fake, tmp_path):
    starts = {
        GCC_HEDDLE.key: fake(f'echo "A $*" >>"$NOTE"; echo {LINE}yes'),
        GCC_GOMP.key: fake(f'echo "B $*" >>"$NOTE"; echo {LINE}yes'),
    }
    found = Measurement([GCC_HEDDLE, GCC_GOMP], ["chain", "fib"], 2)
    how = rounds.How(2, 10, ("--seconds", "1"))
    rounds.run_all(found, cases.chosen("chain,fib"), {3: starts}, how, lambda *_: None)
    assert (tmp_path / "note").read_text().splitlines() == [
        "A chain --seconds 1",
        "B chain --seconds 1",
        "A fib --seconds 1",
        "B fib --seconds 1",
        "B chain --seconds 1",
        "A chain --seconds 1",
        "B fib --seconds 1",
        "A fib --seconds 1",
    ]
    assert [run.value for run in found.runs[3]["fib"]["gcc gnu"]] == [61.5, 61.5]


def test_a_program_that_hangs_is_ended_and_not_asked_again(fake, tmp_path):
    starts = {GCC_GOMP.key: fake('echo tried >>"$NOTE"; exec sleep 60')}
    found = Measurement([GCC_GOMP], ["chain"], 3)
    rounds.run_all(found, [CHAIN], {1: starts}, rounds.How(3, 0.3, ()), lambda *_: None)
    assert [run.failure for run in found.runs[1]["chain"]["gcc gnu"]] == ["no end in 0.3 s"] * 3
    assert (tmp_path / "note").read_text() == "tried\n"


def test_a_record_gives_back_what_was_measured(tmp_path):
    found = measured(GCC_HEDDLE=[10.0, None], GCC_GOMP=[100.0, 50.0])
    found.runs[2]["chain"]["gcc gnu"][0] = Run(3.5, {"unit": "ns"}, (Point(10, 0.5), Point(5, 0.25)))
    found.runs[2]["chain"]["gcc heddle"][1] = Run(None, failure="it cannot", refused=True)
    file = tmp_path / "record.json"
    record.write(file, BENCHMARK, found, [programs.Compiler("gcc", "gcc", "gcc 12")], [], ("--seconds", "1"))
    assert record.read(file, BENCHMARK) == found
    whole = json.loads(file.read_text())
    assert whole["machine"]["processors"] >= 1
    assert whole["command"]
    assert whole["settings"]["gcc gnu"] == {}


def test_every_setting_changes_something_but_the_default():
    assert set(columns.SETTINGS) == {"heddle", "gnu", "llvm"}
    for settings in columns.SETTINGS.values():
        assert settings["default"] == {}
        assert all(settings[name] for name in settings if name != "default")


def test_the_callers_settings_do_not_reach_the_programs(monkeypatch, tmp_path):
    from heddle import runtimes

    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")
    monkeypatch.setenv("KMP_BLOCKTIME", "7")
    monkeypatch.setenv("HEDDLE_SPIN_US", "5")
    runtime = runtimes.Runtime("gnu", "libgomp", tmp_path / "libgomp.so.1", tmp_path)
    environ = columns.start(GCC_GOMP_ACTIVE, tmp_path / "tasks", runtime, 3).environ
    assert (environ["OMP_NUM_THREADS"], environ["OMP_WAIT_POLICY"], environ["HEDDLE_SPIN_US"]) == ("3", "active", "5")
    assert "KMP_BLOCKTIME" not in environ


def test_a_curve_is_the_median_of_its_sweeps_as_far_as_all_go():
    sweeps = [[Point(8, 1.0), Point(4, 0.5), Point(2, 0.1)], [Point(10, 0.8), Point(6, 0.3)]]
    assert plot.median_curve(sweeps) == [Point(9, pytest.approx(0.9)), Point(5, pytest.approx(0.4))]


def test_the_settings_of_a_runtime_share_a_column_of_the_table():
    assert ratios.groups_of(COLUMNS) == [[GCC_HEDDLE], [GCC_GOMP, GCC_GOMP_ACTIVE], [CLANG_HEDDLE], [CLANG_OMP]]


def test_numbers_have_three_digits_at_least():
    assert [report.number(value) for value in (1.234, 45.67, 1234.5)] == ["1.23", "45.7", "1234"]


def test_thread_counts_are_read():
    assert session.thread_counts("1,2,4") == [1, 2, 4]
    for text in ("", "1,,2", "two", "0", "1,-2", "2,2", "1.5"):
        with pytest.raises(UserError):
            session.thread_counts(text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--kernels", "chian"], "did you mean chain?"),
        (["--threads", "0"], "a team has at least 1 thread"),
        (["--threads", "1;2"], "as in 1,2,4"),
        (["--rounds", "0"], "--rounds 0"),
        (["--seconds", "nan"], "--seconds nan"),
        (["--timeout", "0"], "--timeout 0"),
        (["--runtimes", "tbb"], "heddle, gnu, llvm"),
        (["--json", "/nowhere/at/all.json"], "there is no folder /nowhere/at"),
        (["--plot", "curve.txt"], ".png"),
        (["--plot", "curve.png", "--kernels", "chain"], "metg"),
        (["--from", "/nowhere.json"], "/nowhere.json"),
        (["--from", "/dev/null"], "is a device; give a regular file"),
        (["--nonsense"], "heddle bench tasks --help"),
    ],
)
def test_a_mistake_is_one_line(arguments, words):
    assert_one_line(heddle("bench", "tasks", *arguments), words)


def test_without_a_compiler_one_line_says_so(monkeypatch):
    monkeypatch.setattr(programs.shutil, "which", lambda _: None)
    with pytest.raises(UserError, match="there is no compiler"):
        programs.compilers()


def test_a_quick_measurement_from_start_to_table_record_and_plot(tmp_path):
    file, picture = tmp_path / "record.json", tmp_path / "curve.png"
    arguments = ["--quick", "--threads", "1,2", "--kernels", "chain,memory,metg-trivial", "--json", file]
    result = heddle("bench", "tasks", *arguments, timeout_s=600)
    assert result.returncode == 0, result.stderr
    found = json.loads(file.read_text())
    assert set(found["runs"]) == {"1", "2"}
    assert {"gcc heddle", "gcc gnu", "clang heddle", "clang llvm"} <= set(found["runs"]["2"]["chain"])
    for by_column in found["runs"]["2"].values():
        assert by_column["gcc heddle"][0]["words"]["verified"] == "yes"
    # libomp detaches no task of a program that GCC built
    assert found["runs"]["2"]["memory"]["gcc llvm"][0]["refused"]
    again = heddle("bench", "tasks", "--from", file, "--plot", picture)
    assert again.returncode == 0, again.stderr
    assert again.stdout == result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_case_that_libheddle_fails_is_status_1_and_named(tmp_path):
    file = tmp_path / "record.json"
    record.write(file, BENCHMARK, measured(GCC_HEDDLE=[10.0, None], GCC_GOMP=[100.0, 50.0]), [], [], ())
    result = heddle("bench", "tasks", "--from", file)
    assert result.returncode == 1
    assert result.stderr == "heddle: libheddle fails chain\n"
    assert "chain on libheddle (gcc) failed: SIGSEGV" in result.stdout


def test_what_a_stock_runtime_fails_is_shown_and_no_failure_of_ours(tmp_path):
    file = tmp_path / "record.json"
    record.write(file, BENCHMARK, measured(GCC_HEDDLE=[10.0, 10.0], GCC_GOMP=[100.0, None]), [], [], ())
    result = heddle("bench", "tasks", "--from", file)
    assert result.returncode == 0
    assert "chain on libgomp (gcc) failed: SIGSEGV" in result.stdout


def test_tables_of_the_kept_figures_fit_a_terminal():
    result = heddle("bench", "tasks", "--from", paths.ROOT / "bench" / "results" / "tasks-1-4.json")
    assert result.returncode == 0, result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 80
