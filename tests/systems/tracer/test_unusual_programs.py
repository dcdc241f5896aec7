"""Programs that do what a tracer may trip over: close its files, execute others, meet limits, have odd names."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command import assert_one_line, heddle, without_openmp_settings
from heddle import paths
from heddle.patience import scaled
from heddle.trace import build, events, numbers, summary
from made_events import process, thread
from traced import trace

INCLUDE = paths.ROOT / "runtime" / "include"


def compiled(folder: Path, text: str, name: str = "program") -> Path:
    (folder / "program.c").write_text(text)
    command = ["gcc", "-O1", "-g", "-fopenmp", f"-I{INCLUDE}", "program.c", "-o", name]
    subprocess.run(command, cwd=folder, check=True, timeout=scaled(60))
    return folder / name


def traced(folder: Path, text: str, *words: str, name: str = "program"):
    """The summary of a trace of the program on two threads, its timeline, and what was printed."""
    done = trace(folder, "--threads", "2", "--out", "here", "--", compiled(folder, text, name), *words)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    timeline = build.build(events.read_folder(folder / "here" / "events"))
    return summary.of_timeline(timeline), timeline, done


def share(found: summary.Summary, name: str) -> float:
    return sum(part.ns for part in found.shares if part.name == name) / 1e6


MANY_TASKS = """
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 60000; i++) {
#pragma omp task
    __asm__ volatile("");
  }
"""
SPIN = """
#include <omp.h>
static void work(double ms) { double end = omp_get_wtime() + ms * 1e-3; while (omp_get_wtime() < end) {} }
"""


def test_a_program_with_a_tool_of_its_own_is_told_so(tmp_path):
    text = """
#include <omp-tools.h>
#include <stddef.h>
static int begin(ompt_function_lookup_t look_up, int device, ompt_data_t *data) { return 1; }
static void end(ompt_data_t *data) {}
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {begin, end, {0}};
  return &result;
}
int main(void) {
#pragma omp parallel
  __asm__ volatile("");
  return 0;
}
"""
    compiled(tmp_path, text)
    command = ["gcc", "-O1", "-fopenmp", "-rdynamic", f"-I{INCLUDE}", "program.c", "-o", "with-tool"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=scaled(60))
    for words in (("trace", "--out", str(tmp_path / "here")), ("profile",)):
        result = heddle(*words, "--", str(tmp_path / "with-tool"))
        assert_one_line(result, "brings a tool of its own")
    assert not (tmp_path / "here").exists()


def test_a_program_that_closes_all_files_keeps_its_own(tmp_path):
    text = f"""
#include <fcntl.h>
#include <unistd.h>
int main(void) {{
#pragma omp parallel
  __asm__ volatile("");
  for (int i = 3; i < 1024; i++) close(i);
  int own = open("precious.txt", O_RDWR | O_CREAT, 0666);
  if (write(own, "precious", 8) != 8) return 1;
{MANY_TASKS}
  return own != 3;
}}
"""
    found, _, _ = traced(tmp_path, text)
    assert found.tasks == 60000
    assert (tmp_path / "precious.txt").read_text() == "precious"


def test_a_program_that_executes_another_is_two_processes(tmp_path):
    text = """
#include <unistd.h>
int main(int count, char** words) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task
    __asm__ volatile("");
  }
  if (count == 1) execl(words[0], words[0], "again", (char*)0);
  return count != 2;
}
"""
    found, _, done = traced(tmp_path, text)
    assert (found.tasks, found.processes) == (20, 2)
    assert "did not come to its end" in done.stderr


def test_a_lock_that_is_not_waited_for_is_no_wait(tmp_path):
    text = f"""
{SPIN}
int main(void) {{
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  omp_set_lock(&lock);
#pragma omp parallel
#pragma omp single
  {{
#pragma omp task
    {{
      for (int i = 0; i < 3; i++) if (omp_test_lock(&lock)) return_unused(&lock);
      omp_set_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      omp_test_nest_lock(&nest);
      work(50);
      for (int i = 0; i < 3; i++) omp_unset_nest_lock(&nest);
    }}
  }}
  return 0;
}}
""".replace("return_unused(&lock)", "__builtin_trap()")
    found, _, _ = traced(tmp_path, text)
    assert share(found, "tasks") >= 50
    done = heddle("profile", "--", tmp_path / "program", env=without_openmp_settings(), timeout_s=600)
    assert done.returncode == 0
    tasks = next(line for line in done.stderr.splitlines() if line.split()[:1] == ["tasks"] and "%" in line)
    assert float(tasks.split()[-1]) >= 50


def test_the_longest_chain_knows_of_predecessors_that_had_ended(tmp_path):
    text = f"""
{SPIN}
int main(void) {{
  int x = 0, y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 6; i++) {{
#pragma omp task depend(inout : x)
    work(2);
    if (i == 2) {{
#pragma omp task depend(in : y)
      work(1);
    }}
    work(6);
  }}
  return 0;
}}
"""
    found, _, _ = traced(tmp_path, text)
    assert found.chain is not None and found.chain[0] == 6
    assert 12e6 <= found.chain_ns <= found.own_ns - 1e6


def test_nothing_but_ranges_can_be_shown_and_a_name_may_be_missing(tmp_path):
    text = """
#include <heddle.h>
#include <stddef.h>
int main(void) { heddle_range_push(NULL); heddle_range_push("b"); heddle_range_pop(); heddle_range_pop(); return 0; }
"""
    _, timeline, _ = traced(tmp_path, text)
    assert sorted(timeline.state_names) == ["", "b"]
    formats = [word for name in ("perfetto", "paraver", "otf2", "page") for word in ("--format", name)]
    done = trace(tmp_path, "--from", "here", *formats)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_limit_on_the_size_of_files_does_not_end_the_program(tmp_path):
    program = compiled(tmp_path, f'#include <stdio.h>\nint main(void) {{ {MANY_TASKS} puts("ok"); return 0; }}')
    done = trace(tmp_path, "--", "bash", "-c", f"ulimit -f 100; {program}; echo $?")
    assert done.stdout.startswith("ok\n0\n")
    assert "Traceback" not in done.stderr
    assert "nothing has been written" in done.stderr.splitlines()[-1]


def test_a_cleared_environment_leaves_nothing_beside_the_program(tmp_path):
    text = f"#include <stdlib.h>\nint main(void) {{ clearenv(); {MANY_TASKS} return 0; }}"
    found, _, _ = traced(tmp_path, text)
    assert found.tasks == 60000
    done = heddle("profile", "--", "./program", cwd=tmp_path, env=without_openmp_settings(), timeout_s=600)
    assert done.returncode == 0 and " 60000 tasks" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "program", "program.c"]


def test_a_file_that_was_not_begun_is_left_out_and_said(tmp_path):
    _, _, _ = traced(tmp_path, 'int main(void) {\n#pragma omp parallel\n__asm__ volatile("");\nreturn 0; }')
    for number, text in ((1, b""), (2, bytes(70000))):
        (tmp_path / "here" / "events" / f"process-{number}.events").write_bytes(text)
    done = trace(tmp_path, "--from", "here")
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[1].split()[0] for line in done.stderr.splitlines()] == [
        "process-1.events",
        "process-2.events",
    ]


def test_names_of_any_bytes_come_out_in_every_format(tmp_path):
    name = b"odd\xff<!--<script>&'\".name"
    text = (
        '#include <heddle.h>\nint main(void) { heddle_range_push("<!--<script>\\xff"); heddle_range_pop(); return 0; }'
    )
    program = compiled(tmp_path, text)
    program.rename(tmp_path / name.decode(errors="surrogateescape"))
    formats = [word for name in ("perfetto", "paraver", "otf2", "page") for word in ("--format", name)]
    done = trace(tmp_path, "--out", "here", *formats, "--", os.fsdecode(b"./" + name))
    assert done.returncode == 0, done.stderr
    page = next((tmp_path / "here").glob("*.html")).read_text(encoding="utf-8")
    assert "\\u003c!--\\u003cscript>" in page
    assert "<!--<script" not in page.lower()


@pytest.mark.parametrize("words", [(), ("--page",)])
def test_standard_output_may_be_closed(tmp_path, words):
    program = compiled(tmp_path, 'int main(void) {\n#pragma omp parallel\n__asm__ volatile("");\nreturn 0; }')
    line = f'"{paths.ROOT}/heddle" trace {" ".join(words)} --out here -- {program} >&-'
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=tmp_path,
        env=without_openmp_settings(),
        capture_output=True,
        text=True,
        timeout=scaled(120),
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_processes_one_after_the_other_do_not_add_up_in_a_profile(tmp_path):
    program = compiled(
        tmp_path, f"{SPIN}\nint main(void) {{\n#pragma omp parallel num_threads(1)\nwork(100); return 0; }}"
    )
    done = heddle(
        "profile", "--", "sh", "-c", f"{program}; {program}; {program}", env=without_openmp_settings(), timeout_s=600
    )
    assert done.returncode == 0, done.stderr
    first = done.stderr.splitlines()[-8:]
    whole = next(line for line in done.stderr.splitlines() if "threads computing" in line)
    assert "3 processes" in whole, first
    assert float(whole.split(";")[1].split()[0]) <= 1.0
    assert float(whole.split()[0]) >= 300


def test_a_range_that_crosses_a_construct_keeps_its_name():
    timeline = build.build(
        [
            process(
                thread(
                    1,
                    (0, "implicit_begin", {"a": 1}),
                    (10, "work_begin", {"a": 1, "detail": 3}),
                    (20, "range_push", {"a": 1}),
                    (30, "work_end", {"a": 1, "detail": 3}),
                    (50, "range_pop"),
                    (60, "implicit_end", {"a": 1}),
                ),
                names={1: "sweep"},
            )
        ]
    )
    rows = [[timeline.state_names[timeline.state_what[s]] for s in row if s >= 0] for row in timeline.segment_states]
    assert rows == [[], ["single"], ["single", "sweep"], ["sweep"], []]
    assert {row.name: row.ns for row in numbers.overlap(timeline, 9)} == {"sweep": 30, "parallel region": 30}


def test_a_receive_that_was_freed_has_taken_a_message_of_its_own():
    sends = [(10, 4), (20, 400), (30, 8)]  # the first went to a receive that was freed
    processes = [
        process(
            thread(1, *((ns, "message_sent", {"detail": 0, "extra": 1, "a": size, "b": 5}) for ns, size in sends)),
            rank=0,
            ranks=2,
        ),
        process(
            thread(
                1,
                (1, "receive_posted", {"a": 1, "b": 5}),
                (2, "receive_posted", {"a": 2, "b": 5}),
                (3, "receive_posted", {"a": 3, "b": 5}),
                (40, "message_received", {"a": 2, "b": 5}),
                (40, "received_bytes", {"a": 2, "b": 400}),
                (50, "message_received", {"a": 3, "b": 5}),
                (50, "received_bytes", {"a": 3, "b": 8}),
            ),
            rank=1,
            ranks=2,
        ),
    ]
    messages = build.build(processes).messages
    found = np.stack([messages[name] for name in ("sent", "posted", "received", "bytes")], 1).tolist()
    assert found == [[20 - 1, 2 - 1, 40 - 1, 400], [30 - 1, 3 - 1, 50 - 1, 8]]
