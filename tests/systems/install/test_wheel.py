"""The wheel, installed with pip into an empty virtual environment, away from the checkout."""

import functools
import os
import shutil
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from command import run as run_command
from command import without_openmp_settings
from heddle import clang, paths
from heddle.package import packages, tools_package

TASKS = Path(__file__).parent / "data" / "package_user" / "tasks.c"
USER = Path(__file__).parent / "data" / "wheel_user"
GRAPH = Path(__file__).parents[1] / "tools" / "data" / "taskgraph" / "graph.c"


run = functools.partial(run_command, timeout_s=300)  # pip fetches packages with --full


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return packages.wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory, pytestconfig):
    """The wheel in a virtual environment. With --full pip brings what it needs; else links to the launcher's do."""
    folder = tmp_path_factory.mktemp("a place") / "venv"
    run(sys.executable, "-m", "venv", folder)
    pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    before = {path for path in folder.rglob("*") if path.is_file()}
    full = pytestconfig.getoption("--full")
    run(*pip, "install", *([] if full else ["--no-deps"]), wheel)
    site = next((folder / "lib").glob("python3*")) / "site-packages"
    if not full:
        ours = Path(sysconfig.get_path("purelib"))
        names = {file.parts[0] for each in tools_package.needed() for file in each.files if ".." not in file.parts}
        links = [site / name for name in names if not (site / name).exists()]
        for link in links:
            link.symlink_to(ours / link.name)
    yield folder
    if not full:
        for link in links:
            link.unlink()
        run(*pip, "uninstall", "--yes", "heddle")
        left = {path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts} - before
        assert left == set()


@pytest.fixture
def heddle(environment, tmp_path):
    """heddle(WORD…, status=0): the command as pip has installed it, in an empty folder, with a cache of its own."""
    clean = {**without_openmp_settings(), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def start(*words, status=0, **variables):
        return run(environment / "bin" / "heddle", *words, status=status, cwd=tmp_path, env={**clean, **variables})

    return start


def compiled(source, folder, *words):
    program = folder / "program"
    # Where the C library is old dlsym() has a library of its own, and RTLD_DEFAULT is GNU's.
    options = ("-g", "-fopenmp", "-DWITHOUT_HEDDLE", "-D_GNU_SOURCE")
    run(*(words or ("gcc",)), *options, source, "-o", program, "-ldl")
    return program


def test_what_it_holds(wheel):
    assert wheel.name.startswith("heddle-0.1.0-py3-none-manylinux_2_"), wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("lib/libgomp-heddle.so.0", "lib/libheddle-trace.so", "lib/libheddle-profile.so", "include/heddle.h"):
        assert f"heddle/files/{name}" in names
    assert any("heddle.libs/libhwloc" in name for name in names)
    assert not any(name.startswith("heddle/files/bin") for name in names)


# Systems with an old C library have no Clang that we take.
@pytest.mark.parametrize("compiler", ["gcc", clang.c()] if clang.release() else ["gcc"])
def test_run(heddle, compiler, tmp_path):
    program = compiled(TASKS, tmp_path, compiler)
    assert heddle("run", "--", program).stdout == "libheddle: 1000\n"
    stock = "gnu" if compiler == "gcc" else "llvm"
    assert heddle("run", "--runtime", stock, "--", program).stdout == "another: 1000\n"


def test_by_hand_in_the_library_path(heddle, environment, tmp_path):
    program = compiled(TASKS, tmp_path)
    shims = heddle("path", "shims").stdout.strip()
    assert run(program, env={**os.environ, "LD_LIBRARY_PATH": shims}).stdout == "libheddle: 1000\n"
    include = Path(heddle("path", "include").stdout.strip())
    assert (include / "heddle.h").is_file() and include.is_relative_to(environment)


def test_its_library_is_the_packages_own(heddle, environment, tmp_path):
    library = Path(heddle("path", "runtime").stdout.strip())
    assert library.is_relative_to(environment) and not library.is_relative_to(paths.ROOT)
    shims = heddle("path", "shims").stdout.strip()
    loaded = run("ldd", compiled(TASKS, tmp_path), env={**os.environ, "LD_LIBRARY_PATH": shims}).stdout
    assert "libhwloc-" in loaded and "not found" not in loaded


def test_fuzz_cc_check_and_graph(heddle, tmp_path):
    compile_it = ("cc", "--", "gcc", "-g", "-fopenmp", GRAPH, "-o", tmp_path / "program")
    heddle(*compile_it)
    assert heddle("run", "--", "./program").stdout == "40 82\n"
    assert "the output is always that of the serial order" in heddle("fuzz", "--seeds", "5", "--", "./program").stdout
    assert "2" in heddle("graph", "--plot", "g.png", "--", "./program").stdout
    assert (tmp_path / "g.png").stat().st_size > 1000
    heddle("check", "--", "./program")
    heddle(*compile_it, "-DFORGOTTEN")
    assert "graph.c" in heddle("fuzz", "--", "./program", status=1).stdout


def test_trace_and_profile(heddle, tmp_path):
    program = compiled(TASKS, tmp_path)
    assert "tasks.c:13" in heddle("trace", "--out", "trace", "--", program).stdout
    assert (tmp_path / "trace").is_dir()
    assert "tasks.c:13" in heddle("profile", "--", program).stderr


def test_judge(heddle, tmp_path):
    (tmp_path / "programs").mkdir()
    shutil.copy(GRAPH, tmp_path / "programs")
    assert "libheddle" in heddle("judge", "programs").stdout


def test_doctor_env_and_version(heddle, environment):
    assert str(environment) in heddle("doctor").stdout.replace("\n", "")
    assert "throughput or latency" in heddle("env", "HEDDLE_WAIT").stdout
    assert heddle("--version").stdout == "heddle 0.1.0\n"


@pytest.mark.parametrize(
    "name", ["demo", "test", "build", "package", "docs", "simulate", "papers", "calibrate", "bench", "amr", "wave"]
)
def test_commands_on_sources_say_so(heddle, name):
    mistake = heddle(name, "--whatever", status=2)
    assert mistake.stdout == "" and mistake.stderr.splitlines() == [
        f"heddle: '{name}' needs Heddle's sources: clone Heddle, and start ./heddle {name} there"
    ]


def test_a_cache_that_cannot_be_written(heddle, tmp_path):
    (tmp_path / "file").touch()
    mistake = heddle("run", "--", "true", status=2, XDG_CACHE_HOME=str(tmp_path / "file"))
    assert len(mistake.stderr.splitlines()) == 1 and "set XDG_CACHE_HOME to a folder that can be" in mistake.stderr


def test_training_with_packages_that_bring_libgomp(heddle, environment, pytestconfig):
    if not pytestconfig.getoption("--full"):
        pytest.skip("--full fetches scikit-learn and XGBoost")
    python = environment / "bin" / "python"
    run(python, "-m", "pip", "install", "scikit-learn", "xgboost-cpu")
    (stock,) = run(python, USER / "train.py").stdout.splitlines()
    (ours,) = heddle("run", "--", python, USER / "train.py").stdout.splitlines()
    assert (stock.split()[0], ours.split()[0]) == ("False", "True")
    assert stock.split()[1:] == ours.split()[1:]
