"""heddle graph: reads what libheddle recorded, and computes what it allows."""

import json
import re
import subprocess

import numpy as np
import pytest
from command import ROOT, assert_one_line, heddle
from heddle.code_places import Code
from heddle.errors import UserError
from heddle.graph import analysis, export, lanes, palette, read, table
from programs import NO_OPENMP, TEAM_SIZE, build

JOIN = read.JOIN


def graph(codes, edges, times=None, ns=None, carried=()):
    """A graph by hand: a code a node, how often and how long it was executed in all."""
    rows = [np.array(row, dtype=np.int64) for row in (codes, [0] * len(codes))]
    rows += [np.array([0] * len(codes) if row is None else row, dtype=np.int64) for row in (times, ns)]
    pairs = [np.array(list(one), dtype=np.int64).reshape(-1, 2) for one in (edges, carried)]
    return read.Graph(0, 0, 1, *rows, *pairs)


def analysed(*arguments, **settings):
    return analysis.analyse(graph(*arguments, **settings))


def chain(length):
    return analysed([0] * length, [(i, i + 1) for i in range(length - 1)], times=[2] * length, ns=[20] * length)


def fan(width):
    """One task, then as many as said, then one."""
    edges = [(0, i) for i in range(1, width + 1)] + [(i, width + 1) for i in range(1, width + 1)]
    return analysed([0] + [1] * width + [2], edges)


DIAMOND = {"codes": [0, 1, 1, 2], "edges": [(0, 1), (0, 2), (1, 3), (2, 3)], "times": [4] * 4, "ns": [40, 80, 400, 40]}


def test_a_chain_has_no_parallelism():
    found = chain(7)
    assert (found.tasks, found.longest_chain, found.width) == (7, 7, 1)
    assert (found.work, found.length, found.parallelism) == (70, 70, 1)
    assert found.critical.tolist() == list(range(7))
    assert found.depth.tolist() == list(range(7))
    assert found.speed_up(4) == (1, 1)


def test_a_fan_is_as_wide_as_it_looks_and_takes_steps_where_nothing_was_measured():
    found = fan(6)
    assert not found.is_measured
    assert (found.work, found.length, found.longest_chain, found.width) == (8, 3, 3, 6)
    assert found.parallelism == pytest.approx(8 / 3)
    least, most = found.speed_up(2)
    assert least == pytest.approx(8 / (4 + 1.5))
    assert most == 2
    assert found.speed_up(100)[1] == pytest.approx(8 / 3)


def test_a_diamonds_critical_path_goes_by_the_longer_side():
    found = analysed(**DIAMOND)
    assert found.cost.tolist() == [10, 20, 100, 10]
    assert found.start.tolist() == [0, 10, 10, 110]
    assert found.critical.tolist() == [0, 2, 3]
    assert (found.work, found.length, found.longest_chain, found.width) == (140, 120, 3, 2)
    assert found.mean_cost == 35


def test_joins_take_no_time_and_are_no_tasks():
    found = analysed([0, 0, JOIN, 0], [(0, 2), (1, 2), (2, 3)], times=[1, 1, 0, 1], ns=[10, 30, 0, 5])
    assert (found.tasks, found.work, found.length, found.longest_chain, found.width) == (3, 45, 35, 2, 2)
    assert found.critical.tolist() == [1, 3]
    assert found.start.tolist() == [0, 0, 30, 30]


def test_nodes_may_stand_before_what_they_wait_for():
    assert analysed([0, 0, 0], [(2, 1), (1, 0)]).critical.tolist() == [2, 1, 0]


def test_a_graph_without_tasks_has_nothing_to_divide_by():
    for codes in ([], [JOIN]):
        found = analysed(codes, [])
        assert (found.tasks, found.work, found.length, found.parallelism, found.width) == (0, 0, 0, 0, 0)
        assert found.speed_up(2) == (1, 1)
        assert analysis.constructs(found, {}) == []


def test_a_circle_is_refused():
    with pytest.raises(UserError, match="circle"):
        analysed([0, 0], [(0, 1), (1, 0)])


def test_constructs_are_places_and_share_work_and_path():
    found = analysis.constructs(analysed(**DIAMOND), {0: "a.c:1", 1: "a.c:2", 2: "a.c:1"})
    assert [part.place for part in found] == ["a.c:2", "a.c:1"]
    assert [part.nodes.tolist() for part in found] == [[1, 2], [0, 3]]
    assert [(part.mean, part.longest) for part in found] == [(60, 100), (10, 10)]
    assert [part.work_share for part in found] == pytest.approx([120 / 140, 20 / 140])
    assert [part.critical_share for part in found] == pytest.approx([100 / 120, 20 / 120])


def test_the_profile_falls_before_it_rises():
    moments, counts = analysis.profile(chain(3), np.arange(3))
    assert moments.tolist() == [0, 10, 20, 30]
    assert counts.tolist() == [1, 1, 1, 0]


def test_tasks_in_one_lane_do_not_overlap():
    found = fan(6)
    lane = lanes.pack(found, np.arange(8))
    assert sorted(lane[1:7]) == list(range(6))
    assert (lane[0], lane[7]) == (0, 0)


def test_more_constructs_than_colours_share_one():
    places = {code: f"a.c:{code}" for code in range(10)}
    found = palette.colours(analysis.constructs(analysed(list(range(10)), []), places))
    assert sum(colour == palette.OTHER for colour in found.values()) == 2
    assert len(set(found.values())) == 9


def test_speed_ups_go_on_until_more_threads_cannot_help():
    assert table.speed_ups(chain(3)) == "speed-up by 2 threads 1.00, 4 threads 1.00, 8 threads 1.00"
    assert "32 threads" in table.speed_ups(fan(50))
    assert "64 threads" not in table.speed_ups(fan(50))


LOG = """heddle graph 1
c 0 0x10 a_function ./a b
g 0 0 5 3
n 0 0 0 5 50
n 1 -1 0 0 0
n 2 0 7 5 100
e 0 1
e 1 2
o 2 0
c 1 0x20 - -
g 1 18446744073709551615 1 1
n 0 1 0 1 9
"""


def logged(folder, text):
    file = folder / "log"
    file.write_text(text)
    return file


def test_a_log_is_read(tmp_path):
    log = read.read(logged(tmp_path, LOG))
    assert not log.is_cut
    assert log.codes == {0: Code(16, "a_function", "./a b"), 1: Code(32, "-", "-")}
    first, second = log.graphs
    assert (first.number, first.graph_id, first.executions) == (0, 0, 5)
    assert (first.codes.tolist(), first.priorities.tolist()) == ([0, JOIN, 0], [0, 0, 7])
    assert (first.times.tolist(), first.ns.tolist()) == ([5, 0, 5], [50, 0, 100])
    assert (first.edges.tolist(), first.carried.tolist()) == ([[0, 1], [1, 2]], [[2, 0]])
    assert (second.graph_id, len(second.edges)) == (2**64 - 1, 0)


def test_a_log_that_breaks_off_is_read_without_its_last_graph(tmp_path):
    for cut in (LOG[:-2], LOG[: LOG.rindex("n 0 1")]):
        log = read.read(logged(tmp_path, cut))
        assert log.is_cut
        assert [one.number for one in log.graphs] == [0]
    result = heddle("graph", "--from", logged(tmp_path, LOG[:-2]))
    assert result.returncode == 0
    assert result.stderr == "heddle: the log breaks off; its last graph is left out\n"
    only = LOG[: LOG.index("e 0")]
    assert_one_line(heddle("graph", "--from", logged(tmp_path, only[:-3])), "within its first graph", status=1)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("heddle graph 1", "heddle order 1", "its first line"),
        ("n 2 0 7 5 100", "n 2 0 7 5", "line 6: 'n 2 0 7 5'"),
        ("n 2 0 7 5 100", "n 1 0 7 5 100", "nodes are not all there"),
        ("n 2 0 7 5 100", "n 2 5 7 5 100", "the code 5"),
        ("n 2 0 7 5 100", "n 2 0 7 5 1" + 20 * "0", "graph 0"),
        ("e 0 1", "e 0 3", "a node that is not there"),
        ("e 0 1", "x 0 1", "line 7"),
        ("g 0 0 5 3", "g 0 0 5", "line 3"),
        ("g 0 0 5 3\n", "", "line 3"),
        ("e 0 1", "e 2 1", "circle"),
    ],
)
def test_a_wrong_log_is_one_line(tmp_path, before, after, words):
    file = logged(tmp_path, LOG.replace(before, after))
    with pytest.raises(UserError, match=re.escape(words)):
        for one in read.read(file).graphs:
            analysis.analyse(one)


SWEEP = """
#include <stdio.h>
#include "heddle.h"
static double a[5][5];
int main(int argc, char** argv) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 3; t++)
    HEDDLE_TASKGRAPH(.nogroup = argc > 1) {
#pragma omp task depend(out : a[0][0])  // FIRST
      a[0][0] = t;
      for (int i = 1; i < 5; i++)
        for (int j = 1; j < 5; j++) {
#pragma omp task depend(in : a[i - 1][j], a[i][j - 1]) depend(out : a[i][j])  // SWEEP
          a[i][j] = 1 + a[i - 1][j] + a[i][j - 1];
        }
    }
  printf("done\\n");
  return argc > 2;
}
"""


@pytest.fixture(scope="module", params=["gcc", "clang"])
def sweep(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return build(folder, SWEEP, request.param, "-g", f"-I{ROOT / 'runtime' / 'include'}")


def line_of(word):
    return next(number for number, line in enumerate(SWEEP.splitlines(), 1) if f"// {word}" in line)


def test_a_programs_graph_is_shown(sweep, tmp_path):
    files = {form: tmp_path / f"graph.{form}" for form in ("json", "dot", "png")}
    options = ["--json", files["json"], "--dot", files["dot"], "--plot", files["png"]]
    result = heddle("graph", "--threads", "2", *options, "--", f"./{sweep.name}", cwd=sweep.parent)
    assert (result.returncode, result.stderr) == (0, "done\n")
    assert re.search(r"^ +0 +0 +3 +17 +24 +7 tasks ", result.stdout, re.MULTILINE)
    for word, tasks in (("FIRST", 1), ("SWEEP", 16)):
        assert re.search(rf"^program\.c:{line_of(word)} +{tasks} ", result.stdout, re.MULTILINE)
    assert re.search(r"^speed-up by 2 threads \d\.\d\d", result.stdout, re.MULTILINE)

    (found,) = json.loads(files["json"].read_text())["graphs"]
    assert (found["number"], found["graph_id"], found["executions"]) == (0, 0, 3)
    assert (found["summary"]["tasks"], len(found["tasks"]), len(found["edges"]), found["carried"]) == (17, 17, 24, [])
    assert sorted({task["place"] for task in found["tasks"]}) == sorted(
        f"program.c:{line_of(word)}" for word in ("FIRST", "SWEEP")
    )
    for task in found["tasks"]:
        assert (task["times"], task["priority"]) == (2, 0)  # the first execution is recorded
        assert task["mean_ns"] > 0
    for i, j in found["edges"]:
        first, second = found["tasks"][i], found["tasks"][j]
        assert second["earliest_start_ns"] >= first["earliest_start_ns"] + first["mean_ns"] - 0.2
        assert second["depth"] > first["depth"]

    text = files["dot"].read_text()
    assert len(re.findall(r"^  n\d+ \[", text, re.MULTILINE)) == 17
    assert len(re.findall(r"^  n\d+ -> n\d+", text, re.MULTILINE)) == 24
    assert f'label="program.c:{line_of("FIRST")}\\n' in text
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.dot", "graph.json", "graph.png"]


def test_edges_to_the_next_execution_are_shown(sweep, tmp_path):
    result = heddle("graph", "--json", tmp_path / "json", "--dot", tmp_path / "dot", "--", sweep, "nogroup")
    assert result.returncode == 0
    assert "to the next" in result.stdout
    (found,) = json.loads((tmp_path / "json").read_text())["graphs"]
    assert found["summary"]["carried"] == len(found["carried"]) > 0
    assert len(re.findall("style=dashed", (tmp_path / "dot").read_text())) == len(found["carried"])


def test_joins_are_in_the_files_and_are_no_tasks():
    found = analysed([0, JOIN, 0], [(0, 1), (1, 2)], carried=[(2, 0)])
    places = {0: 'a/"b".c:7'}
    parts = analysis.constructs(found, places)
    (written,) = export.record([found], [parts], places)["graphs"]
    assert [task["place"] for task in written["tasks"]] == ['a/"b".c:7', None, 'a/"b".c:7']
    assert (written["summary"]["tasks"], written["tasks"][0]["mean_ns"]) == (2, None)
    json.dumps(written)
    text = export.dot(found, parts, places)
    assert "n1 [shape=point" in text
    assert 'label="\\"b\\".c:7"' in text
    assert "n2 -> n0 [style=dashed" in text


@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize("case", ["diamond", "steps", "empty", "many"])
def test_any_graph_can_be_drawn(form, case):
    from heddle.graph import picture

    found = {
        "diamond": lambda: analysed(**DIAMOND),
        "steps": lambda: fan(3),
        "empty": lambda: analysed([JOIN], []),
        "many": lambda: analysed([i % 12 for i in range(3000)], [(i, i + 500) for i in range(2500)]),
    }[case]()
    parts = analysis.constructs(found, {code: f"file.c:{code}" for code in range(12)})
    data = picture.draw(found, parts, form)
    assert data.startswith(b"\x89PNG" if form == "png" else b"<?xml")
    if form == "svg":
        assert picture.draw(found, parts, form) == data


def test_several_graphs_are_shown_and_one_can_be_chosen(tmp_path):
    file = logged(tmp_path, LOG)
    both = heddle("graph", "--from", file)
    assert (both.returncode, both.stderr) == (0, "")
    assert "graph 0\n" in both.stdout
    assert "graph 1\n" in both.stdout
    assert "a_function in a b" in both.stdout
    one = heddle("graph", "--from", file, "--graph", "1", "--dot", tmp_path / "dot")
    assert "graph 0\n" not in one.stdout
    assert "digraph graph_1" in (tmp_path / "dot").read_text()
    assert_one_line(heddle("graph", "--from", file, "--graph", "2"), "--graph 2", "0 to 1")


@pytest.mark.parametrize("option", ["--dot", "--plot"])
def test_of_several_graphs_the_table_is_shown_and_one_must_be_chosen_to_be_drawn(tmp_path, option):
    file = tmp_path / "x.png"
    result = heddle("graph", "--from", logged(tmp_path, LOG), option, file)
    assert result.returncode == 2
    assert result.stdout == heddle("graph", "--from", tmp_path / "log").stdout
    assert result.stderr == f"heddle: {option} shows one graph, and there are 0 to 1; choose one with --graph N\n"
    assert not file.exists()


def test_a_program_that_fails_or_records_nothing_is_one_line(sweep, tmp_path):
    failed = heddle("graph", "--", sweep, "and", "fail")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert re.fullmatch(r"done\nheddle: .* ended with exit status 1, .*\n", failed.stderr)
    none = heddle("graph", "--", build(tmp_path, TEAM_SIZE))
    assert (none.returncode, none.stdout) == (1, "")
    assert "no taskgraph region" in none.stderr.splitlines()[-1]
    plain = SWEEP.replace("HEDDLE_TASKGRAPH(.nogroup = argc > 1)", "HEDDLE_TASKGRAPH(.if_false = 1)")
    program = build(tmp_path, plain, "gcc", f"-I{ROOT / 'runtime' / 'include'}")
    refused = heddle("graph", "--", program)
    assert refused.returncode == 1
    assert "HEDDLE_LOG=graph" in refused.stderr.splitlines()[-1]
    assert heddle("graph", "--", build(tmp_path, NO_OPENMP, openmp=False)).returncode == 1


def test_wrong_options_are_one_line(tmp_path):
    assert_one_line(heddle("graph"), "--from FILE")
    assert_one_line(heddle("graph", "--from", tmp_path / "log", "--", "/bin/true"), "--from FILE")
    assert_one_line(heddle("graph", "--from", tmp_path / "log"), "cannot be read")
    assert_one_line(heddle("graph", "--from", tmp_path), "is a folder; give a regular file")
    assert_one_line(heddle("graph", "--from", logged(tmp_path, "heddle graph 1\n")), "no graph", status=1)
    assert_one_line(heddle("graph", "--from", tmp_path / "log", "--threads", "2"), "--threads")
    assert_one_line(heddle("graph", "--", tmp_path / "none"), "there is no such program")
    assert_one_line(heddle("graph", "--threads", "0", "--", "/bin/true"), "--threads 0")
    assert_one_line(heddle("graph", "--json", tmp_path, "--", "/bin/true"), "is a folder")
    assert_one_line(heddle("graph", "--dot", tmp_path / "no" / "dot", "--", "/bin/true"), "there is no folder")
    assert_one_line(heddle("graph", "--plot", tmp_path / "a.gif", "--", "/bin/true"), ".png or .svg")


def test_lines_of_a_program_that_is_gone_are_symbols(sweep, tmp_path):
    copy = tmp_path / "copy"
    copy.write_bytes(sweep.read_bytes())
    copy.chmod(0o755)
    environ = {"HEDDLE_GRAPH_LOG": str(tmp_path / "log"), "LD_LIBRARY_PATH": heddle("path", "shims").stdout.strip()}
    subprocess.run([copy], env=environ, check=True, capture_output=True)
    there = heddle("graph", "--from", tmp_path / "log")
    assert f"program.c:{line_of('SWEEP')}" in there.stdout
    copy.unlink()
    gone = heddle("graph", "--from", tmp_path / "log")
    assert gone.returncode == 0
    assert re.search(r"copy", gone.stdout)
    assert "program.c:" not in gone.stdout
