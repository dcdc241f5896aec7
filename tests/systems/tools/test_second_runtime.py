"""What libheddle lacks is never served by another OpenMP runtime in the process, silently and wrongly."""

from __future__ import annotations

import subprocess

import pytest
from command import ROOT, without_openmp_settings
from heddle.patience import scaled
from programs import build

OTHER = "int {function}(void) {{ return 7; }}"
MODULE = "int {function}(void); int ask(void) {{ return {function}(); }}"
PROGRAM = """
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
int main(int argc, char** argv) {
  if (argc > 1 && dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) == NULL) return puts(dlerror());
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  ++threads;
  printf("%d\\n", threads);
  return 0;
}
"""


@pytest.mark.parametrize(
    ("function", "is_refused"),
    [
        ("GOMP_of_the_future", True),
        ("__kmpc_of_the_future", True),
        ("omp_of_another_kind", False),
        ("GOMP_PLUGIN_of_its_own", False),
    ],
)
def test_a_function_that_only_another_runtime_has_ends_the_program(tmp_path, function, is_refused):
    other = build(
        tmp_path, OTHER.format(function=function), "gcc", "-shared", "-fPIC", name="libother.so", openmp=False
    )
    needed = [str(other), f"-Wl,-rpath,{tmp_path}"]
    module = build(
        tmp_path, MODULE.format(function=function), "gcc", "-shared", "-fPIC", *needed, name="module.so", openmp=False
    )
    program = build(tmp_path, PROGRAM)
    environ = without_openmp_settings() | {
        "LD_LIBRARY_PATH": str(ROOT / "build" / "release" / "shims"),
        "OMP_NUM_THREADS": "2",
    }
    run = {"env": environ, "capture_output": True, "text": True, "timeout": scaled(60)}
    alone = subprocess.run([program], **run)
    assert (alone.returncode, alone.stdout, alone.stderr) == (0, "2\n", "")
    done = subprocess.run([program, module], **run)
    if is_refused:
        assert (done.returncode, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert f"{module} calls {function}, which Heddle does not have" in line
    else:
        assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")
