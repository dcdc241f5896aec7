"""The environment variables: the table, what is made of it, and that the runtime obeys it."""

import os
import re
import subprocess
import sys

import pytest
from command import ROOT, heddle

sys.path.insert(0, str(ROOT / "tools"))
from heddle.env import table as environment
from heddle.patience import scaled

VARIABLES = environment.load()

# OpenMP 5.2, chapter 21
STANDARD = """OMP_DYNAMIC OMP_NUM_THREADS OMP_THREAD_LIMIT OMP_MAX_ACTIVE_LEVELS OMP_NESTED OMP_PLACES OMP_PROC_BIND
OMP_SCHEDULE OMP_STACKSIZE OMP_WAIT_POLICY OMP_DISPLAY_AFFINITY OMP_AFFINITY_FORMAT OMP_CANCELLATION OMP_DEFAULT_DEVICE
OMP_TARGET_OFFLOAD OMP_MAX_TASK_PRIORITY OMP_TOOL OMP_TOOL_LIBRARIES OMP_TOOL_VERBOSE_INIT OMP_DEBUG OMP_ALLOCATOR
OMP_NUM_TEAMS OMP_TEAMS_THREAD_LIMIT OMP_DISPLAY_ENV""".split()


def test_every_variable_of_the_standard_is_there_once():
    names = [variable.name for variable in VARIABLES]
    assert sorted(name for name in names if name.startswith("OMP_")) == sorted(STANDARD)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda variable: variable.name)
def test_a_row_is_complete(variable):
    assert variable.form
    assert variable.default
    assert variable.does.endswith(".")
    assert variable.change.endswith(".")
    assert variable.shown in {"always", "verbose", "never"}
    assert variable.read_by in {"runtime", "launcher", "tracer", "machine"}
    assert bool(variable.section) == variable.name.startswith("OMP_")
    for field in (variable.form, variable.default, variable.effect):
        assert not field.endswith(".")
        assert '"' not in field and "\\" not in field


@pytest.mark.parametrize("path", environment.made(), ids=lambda path: path.name)
def test_what_is_kept_is_what_the_table_gives(path):
    """Mend: ./heddle env --write."""
    assert path.read_text(encoding="utf-8") == environment.made()[path]


def test_every_heddle_variable_in_the_sources_is_in_the_table():
    names = {variable.name for variable in VARIABLES}
    for path in [ROOT / "heddle", *(ROOT / "runtime").rglob("*.cpp")]:
        for name in re.findall(r"(?:\$\{|environment\(\")(HEDDLE_[A-Z_]+)", path.read_text(encoding="utf-8")):
            assert name in names, f"{path} reads {name}"


def test_env_shows_what_is_set(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "17")
    text = heddle("env", "omp_num_threads").stdout
    assert text.startswith("OMP_NUM_THREADS=17\n")
    assert "OMP_SCHEDULE" not in text
    assert heddle("env").stdout.count("\n\n") == len(VARIABLES) - 1


def test_help_points_at_env():
    assert "heddle env" in heddle("--help").stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("env")
    (folder / "p.c").write_text("int main(void) {\n#pragma omp parallel\n  {\n  }\n  return 0;\n}\n")
    subprocess.run(["gcc", "-fopenmp", folder / "p.c", "-o", folder / "p"], check=True)
    shims = heddle("path", "shims", timeout_s=900).stdout.strip()

    def run(**variables):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "HEDDLE_"))}
        result = subprocess.run(
            [folder / "p"],
            env=clean | {"LD_LIBRARY_PATH": shims} | variables,
            capture_output=True,
            text=True,
            timeout=scaled(60),
        )
        assert result.returncode == 0
        assert not result.stdout
        return result.stderr

    return run


def test_the_runtime_displays_exactly_the_variables_of_the_table(program):
    for value, kinds in (("true", {"always"}), ("verbose", {"always", "verbose"})):
        shown = re.findall(r"^  \[host\] (\w+) = '.*'$", program(OMP_DISPLAY_ENV=value), re.MULTILINE)
        assert shown == [variable.name for variable in VARIABLES if variable.shown in kinds]


def nonsense(variable):
    """A value that cannot be right, or None where every text is."""
    any_text = {"OMP_AFFINITY_FORMAT", "OMP_TOOL_LIBRARIES", "OMP_TOOL_VERBOSE_INIT"}
    is_file = variable.name in {"HEDDLE_ORDER_LOG", "HEDDLE_GRAPH_LOG", "HEDDLE_CHECK_LOG"}
    return None if is_file or variable.name in any_text else "?!"


@pytest.mark.parametrize(
    "variable", [v for v in VARIABLES if v.read_by == "runtime" and nonsense(v)], ids=lambda variable: variable.name
)
def test_a_bad_value_gives_one_line_that_says_what_is_used(program, variable):
    expected = f"heddle: {variable.name}='?!' is not {variable.form}; using {variable.default}\n"
    assert program(**{variable.name: "?!"}) == expected


@pytest.mark.parametrize("variable", [v for v in VARIABLES if v.effect], ids=lambda variable: variable.name)
def test_a_variable_without_effect_says_so(program, variable):
    values = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores", "OMP_DISPLAY_AFFINITY": "true"}
    value = values.get(variable.name, "enabled")
    assert (
        program(**{variable.name: value}) == f"heddle: {variable.name}='{value}' has no effect yet: {variable.effect}\n"
    )


def test_a_misspelt_variable_of_ours_is_named(program):
    assert "HEDDLE_SPINN" in program(HEDDLE_SPINN="1")
    assert program(HEDDLE_SPIN_US="10", HEDDLE_NO_INSTALL="1") == ""
