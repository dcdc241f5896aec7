"""docs/runtime/how-it-works.md draws the way of a task as the sources have it."""

import pytest
from life_of_a_task import PAGE, STATIONS, draw, in_page
from tree import ROOT


def test_the_page_draws_what_the_sources_do():
    assert in_page(ROOT) == draw(ROOT), f"run 'python tests/layers/life_of_a_task.py', and read {PAGE} again"


@pytest.fixture
def planted(tmp_path):
    """A runtime in which every function that a task passes calls the next; plant(name, file, text) changes one."""
    room = tmp_path / "runtime/tasking"
    room.mkdir(parents=True)
    (tmp_path / "runtime/suspend").mkdir()
    bodies: dict[str, dict[str, str]] = {}
    for (name, file), (after, _) in zip(STATIONS, (*STATIONS[1:], ("end", ""))):
        bodies.setdefault(file, {})[name] = f"  {after}(task);\n"

    def plant(name: str = "", file: str = "", body: str = ""):
        if name:
            bodies[file][name] = body
        for path, functions in bodies.items():
            text = "".join(f"void {name}(Task& task) {{\n{body}}}\n" for name, body in functions.items())
            (room / path).write_text(text)
        return tmp_path

    return plant


def test_each_function_has_the_calls_that_it_makes(planted):
    drawing = draw(planted())
    assert drawing.startswith("create()  runtime/tasking/create.hpp\n    create_deferrable()\n")
    assert drawing.endswith(
        "end_body()  runtime/tasking/execute.cpp\n    complete()\ncomplete()  runtime/tasking/complete.cpp\n"
    )


def test_another_call_is_another_drawing(planted):
    before = draw(planted())
    assert draw(planted("submit", "create.cpp", "  complete(task);\n  make_ready(task);\n")) != before


def test_questions_and_comments_are_no_calls(planted):
    before = draw(planted())
    text = "  // complete(task)\n  if (is_empty(task)) make_ready(task);\n"
    assert draw(planted("submit", "create.cpp", text)) == before


def test_a_function_that_is_gone_is_missed(planted):
    root = planted()
    (root / "runtime/tasking/complete.cpp").write_text("")
    with pytest.raises(ValueError, match="complete.cpp defines no make_ready"):
        draw(root)
