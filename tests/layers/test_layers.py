"""Nobody includes what is above; and the check notices when somebody does."""

import pytest
from checker import Layers
from tree import ROOT


def test_every_include_goes_down():
    found = Layers(ROOT).violations()
    assert not found, "\n" + "\n".join(map(str, found))


@pytest.fixture
def planted(tmp_path):
    """A small tree with the real rules; plant(name, text) adds a file."""
    (tmp_path / "layers.toml").write_text((ROOT / "layers.toml").read_text())

    def plant(name: str, text: str = ""):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return tmp_path

    plant("runtime/include/heddle.h")
    plant("runtime/base/ring.hpp")
    plant("runtime/sync/deque.hpp", '#pragma once\n#include "base/ring.hpp"\n')
    plant("runtime/task/task.hpp", '#include "sync/deque.hpp"\n#include "heddle.h"\n')
    plant("runtime/team/team.hpp", '#include "task/task.hpp"\n')
    plant("mesh/tree.hpp")
    plant("amr/field/octree.hpp", '#include "mesh/tree.hpp"\n')
    plant("amr/exec/serial.cpp", '#include "amr/field/octree.hpp"\n#include "heddle.h"\n')
    return plant


def said(root) -> list[str]:
    return [str(violation) for violation in Layers(root).violations()]


def test_a_sound_tree_passes(planted):
    assert said(planted("runtime/sched/ready_set.hpp", '#include "task/task.hpp"\n')) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "runtime/task/wait.cpp",
            '#include <atomic>\n#include "team/team.hpp"\n',
            "runtime/task/wait.cpp:2: runtime/task may not know runtime/team, which is above it",
        ),
        (
            "runtime/base/list.hpp",
            '#include "../sync/deque.hpp"\n',
            "runtime/base/list.hpp:1: runtime/base may not know runtime/sync, which is above it",
        ),
        (
            "runtime/include/more.h",
            '#include "task/task.hpp"\n',
            "runtime/include/more.h:1: runtime/include may know no room of runtime",
        ),
        (
            "amr/field/balance.cpp",
            '#include "exec/serial.cpp"\n',
            "amr/field/balance.cpp:1: amr/field may not know amr/exec, which is above it",
        ),
        (
            "mesh/balance.cpp",
            '#include "amr/field/octree.hpp"\n',
            "mesh/balance.cpp:1: mesh may not know amr/field",
        ),
        (
            "amr/exec/task.cpp",
            '#include "runtime/task/task.hpp"\n',
            "amr/exec/task.cpp:1: amr may not know runtime/task",
        ),
        ("mpi/waits.cpp", '\n#include "runtime/sync/deque.hpp"\n', "mpi/waits.cpp:2: mpi may not know runtime/sync"),
        (
            "runtime/region/start.cpp",
            "// what GOMP_parallel does\n",
            "runtime/region/start.cpp:1: the name GOMP_ belongs in runtime/abi: the core never knows which compiler called it",
        ),
        (
            "runtime/sched/park.cpp",
            "#include <thread>\n",
            "runtime/sched/park.cpp:1: <thread> belongs in runtime/abi, runtime/sys, runtime/sync: "
            "tasks, dependences and queues know no thread: they run in unit tests without one",
        ),
        (
            "runtime/mem/pages.cpp",
            "#  include <sys/mman.h>\n",
            "runtime/mem/pages.cpp:1: <sys/mman.h> belongs in runtime/sys: runtime/sys is the only code that talks to Linux",
        ),
        (
            "runtime/attic/old.cpp",
            "",
            "runtime/attic:0: this room is in no layer of layers.toml",
        ),
        (
            "runtime/team/word.hpp",
            "word.load(std::memory_order_acquire);\n",
            "runtime/team/word.hpp:1: the name memory_order_a belongs in the files that layers.toml lists: "
            "what orders something is a class that tests of executions run; what does not is RelaxedAtomic",
        ),
        (
            "runtime/task/typo.cpp",
            '#include "sink/deque.hpp"\n',
            'runtime/task/typo.cpp:1: "sink/deque.hpp" is no file of runtime/, of the checkout or beside this one',
        ),
    ],
)
def test_a_planted_violation_is_named_with_file_line_and_rule(planted, name, text, expected):
    assert said(planted(name, text)) == [expected]


def test_a_name_may_stand_in_a_file_that_is_listed(planted):
    assert not said(planted("runtime/sync/deque.hpp", "word.load(std::memory_order_acquire);\n"))


def test_a_cycle_of_includes_is_named(planted):
    planted("mesh/leaf.hpp", '#include "mesh/curve.hpp"\n')
    planted("mesh/curve.hpp")
    root = planted("mesh/curve.cpp", '#include "mesh/curve.hpp"\n#include "mesh/leaf.hpp"\n')
    assert said(root) == ["mesh/curve:0: includes lead back to it: mesh/curve -> mesh/leaf -> mesh/curve"]


def test_a_room_with_a_limit_knows_nothing_else_of_those_below(planted):
    root = planted("runtime/abi/entry.cpp", '#include "team/team.hpp"\n#include "sync/deque.hpp"\n')
    first, *others = said(root)
    assert first == "runtime/abi:0: its limit names base/cache_line.hpp, which none of its files includes"
    assert others[-1] == (
        "runtime/abi/entry.cpp:2: runtime/abi may know the headers alone that layers.toml lists as its limit"
    )
    assert not any("team/team.hpp" in line for line in others)
