"""Debian packages install into an empty root, programs outside the repository build against them, and they go again."""

import os
from pathlib import Path

import pytest
from command import run
from heddle import clang, paths, toolchain
from heddle.package import packages

NAMES = {"libheddle0", "libheddle-dev", "libheddle-mpi0", "libheddle-mpi-dev", "heddle-programs", "heddle-tools"}
USER = Path(__file__).parent / "data" / "package_user"


def said_by(*command, **how) -> str:
    return run(*command, **how).stdout


@pytest.fixture(scope="module")
def debs(tmp_path_factory) -> list[Path]:
    """Of the release build: its files lie as those of `heddle package` do."""
    toolchain.build("release")
    return packages.debian("release", tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="module")
def dpkg(tmp_path_factory) -> list[str]:
    """A command that installs into a root of its own; what the packages depend on is the machine's."""
    root = tmp_path_factory.mktemp("root")
    for folder in ("updates", "info"):
        (root / "admin" / folder).mkdir(parents=True)
    for file in ("status", "available"):
        (root / "admin" / file).touch()
    return ["dpkg", f"--instdir={root}", f"--admindir={root / 'admin'}", "--force-depends", "--force-script-chrootless"]


@pytest.fixture(scope="module")
def root(debs, dpkg):
    run(*dpkg, "--install", *debs)
    root = Path(dpkg[1].partition("=")[2])
    yield root
    run(*dpkg, "--purge", *NAMES)
    assert [path for path in root.rglob("*") if "admin" not in path.parts and not path.is_dir()] == []


def environ(root: Path) -> dict[str, str]:
    return {**os.environ, "LD_LIBRARY_PATH": str(next(root.rglob("libheddle.so.0")).parent)}


def test_their_names_and_what_they_need(debs):
    fields = {file: said_by("dpkg-deb", "-f", file) for file in debs}
    assert {text.partition("Package: ")[2].split()[0] for text in fields.values()} == NAMES
    for text in fields.values():
        assert "Version: 0.1.0" in text and "Description: " in text
    needs = {text.partition("Package: ")[2].split()[0]: text for text in fields.values()}
    assert "libhwloc15" in needs["libheddle0"] and "libmpich12" not in needs["libheddle0"]
    assert "libheddle0 (= 0.1.0)" in needs["libheddle-dev"] and "libhdf5" in needs["heddle-programs"]


@pytest.mark.parametrize("name", ["heddle-amr", "heddle-wave"])
def test_programs_run_on_the_libheddle_beside_them(root, name, tmp_path):
    program = root / "usr" / "bin" / name
    found = said_by("ldd", program)
    line = next(line for line in found.splitlines() if "libgomp.so.1" in line)
    assert str(root) in line, line
    words = ["--num_tsteps", "1"] if name == "heddle-amr" else ["--max_steps", "1"]
    assert said_by(program, *words, cwd=tmp_path)


@pytest.mark.parametrize("compiler", ["gcc", clang.c()])
def test_a_program_outside_builds_with_cmake(root, compiler, tmp_path):
    settings = [f"-DCMAKE_PREFIX_PATH={root / 'usr'}", f"-DCMAKE_C_COMPILER={compiler}", "-DMPI_C_COMPILER=mpicc.mpich"]
    run("cmake", "-S", USER, "-B", tmp_path, "-G", "Ninja", *settings)
    run("cmake", "--build", tmp_path)
    for name in ("tasks", "messages"):
        assert said_by(tmp_path / name) == "libheddle: 1000\n"


def test_a_program_outside_builds_with_pkg_config(root, tmp_path):
    folder = next(root.rglob("heddle.pc")).parent
    asked = {**os.environ, "PKG_CONFIG_PATH": str(folder), "PKG_CONFIG_SYSROOT_DIR": str(root)}

    def flags(package: str) -> list[str]:
        return said_by("pkg-config", "--cflags", "--libs", package, env=asked).replace('"', "").split()

    for name, package, compiler in (("tasks", "heddle", "gcc"), ("messages", "heddle-mpi", "mpicc.mpich")):
        run(compiler, USER / f"{name}.c", "-o", tmp_path / name, "-Wl,--no-as-needed", *flags(package))
        assert said_by(tmp_path / name, env=environ(root)) == "libheddle: 1000\n"


def test_the_drop_in_folder_serves_programs_of_the_compilers(root, tmp_path):
    for compiler in ("gcc", clang.c()):
        program = tmp_path / compiler
        run(compiler, "-fopenmp", "-DWITHOUT_HEDDLE", USER / "tasks.c", "-o", program)
        drop_in = next(root.rglob("drop-in"))
        assert said_by(program, env={**os.environ, "LD_LIBRARY_PATH": f"{drop_in}"}) == "libheddle: 1000\n"


def test_the_launcher_runs_programs_on_the_library_of_its_package(root, tmp_path):
    program = tmp_path / "tasks"
    run("gcc", "-g", "-fopenmp", "-DWITHOUT_HEDDLE", USER / "tasks.c", "-o", program)
    heddle = root / "usr" / "bin" / "heddle"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    how = {"cwd": tmp_path, "env": {**clean, "XDG_CACHE_HOME": str(tmp_path / "cache")}}
    assert said_by(heddle, "--version", **how) == "heddle 0.1.0\n"
    assert said_by(heddle, "run", "--", program, **how) == "libheddle: 1000\n"
    library = Path(said_by(heddle, "path", "runtime", **how).strip())
    assert library.resolve() == next(root.rglob("libgomp-heddle.so.0")).resolve()
    assert "tasks.c:13" in said_by(heddle, "trace", "--page", "--", program, **how)
    found = said_by(heddle, "fuzz", "--seeds", "3", "--", program, **how)
    assert "the output is always that of the serial order" in found


def test_the_module_file_names_folders_that_are_there(root):
    text = next((root / "usr/share/modulefiles/heddle").iterdir()).read_text()
    assert text.startswith("#%Module1.0")
    prefix = text.partition('set root "')[2].partition('"')[0]
    for line in text.splitlines():
        if line.startswith("prepend-path"):
            folder = line.split()[2].strip('"').replace("$root", prefix)
            assert (root / folder.lstrip("/")).is_dir(), line


def test_out_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Exception, match="cannot be written; give another --out|cannot be written"):
        packages.debian("release", tmp_path / "file" / "below")
    assert paths.build_dir("release").exists()
