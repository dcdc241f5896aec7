"""threadpoolctl, by which Python packages limit the threads of libraries, finds libheddle and has its way."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import heddle, run, without_openmp_settings
from heddle import paths, toolchain

SCRIPT = """
import ctypes, json
from threadpoolctl import threadpool_info, threadpool_limits
program = ctypes.CDLL(None)
before = program.omp_get_max_threads()
with threadpool_limits(limits=2, user_api="openmp"):
    limited = program.omp_get_max_threads()
(found,) = [one for one in threadpool_info() if one["user_api"] == "openmp"]
maps = {line.split(maxsplit=5)[-1].rstrip() for line in open("/proc/self/maps") if "heddle.so" in line}
print(json.dumps([before, limited, program.omp_get_max_threads(), found, sorted(maps)]))
"""


@pytest.fixture(scope="module", autouse=True)
def built():
    toolchain.build_runtime()


def asked(output: str) -> tuple[int, int, int, dict, list[str]]:
    return tuple(json.loads(output))


def check(answer, real_file: Path) -> None:
    before, limited, after, found, files = answer
    assert (before, limited, after) == (5, 2, 5)
    assert found["num_threads"] == 5
    assert found["prefix"] == "libgomp"
    assert Path(found["filepath"]) == real_file
    assert files == [str(real_file)]  # one runtime, whatever its names


def test_limits_hold_under_the_launcher():
    done = heddle("run", "--threads", "5", "--", sys.executable, "-c", SCRIPT, env=without_openmp_settings())
    assert done.returncode == 0, done.stderr
    check(asked(done.stdout), paths.runtime_library().resolve())


def test_limits_hold_with_the_installed_folder_and_after_a_copy(tmp_path):
    """All names but one are links, which a copy keeps or follows: there is no second runtime in a process."""
    prefix = tmp_path / "prefix"
    release = paths.build_dir("release")
    run("cmake", "--install", release, "--component", "runtime", "--prefix", prefix)
    run("cmake", "--install", release, "--component", "development", "--prefix", prefix)
    shutil.copytree(prefix, tmp_path / "copy", symlinks=True)
    for folder in (prefix, tmp_path / "copy"):
        (drop_in,) = folder.rglob("drop-in")
        environ = without_openmp_settings() | {
            "OMP_NUM_THREADS": "5",
            "LD_LIBRARY_PATH": f"{drop_in}:{drop_in.parents[1]}",
            "LD_PRELOAD": "libgomp.so.1:libomp.so.5:libheddle.so.0:libheddle.so",
        }
        done = subprocess.run([sys.executable, "-c", SCRIPT], env=environ, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        check(asked(done.stdout), (drop_in / "libgomp.so.1").resolve())


def test_every_name_in_the_build_is_a_link_to_one_file():
    library = paths.runtime_library()
    real = library.resolve()
    assert real.name.startswith("libgomp-heddle.so")
    names = [library, *library.parent.glob("libheddle.so.*"), *paths.shim_dir().iterdir()]
    assert {os.path.realpath(name) for name in names} == {str(real)}
    assert all(name.is_symlink() for name in names)
