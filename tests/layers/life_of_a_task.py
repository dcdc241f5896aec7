"""The way of a task through the runtime, drawn from the sources: which functions it passes, and what each calls.

Source: docs/runtime/how-it-works.md holds the drawing; `python tests/layers/life_of_a_task.py` writes it anew.
"""

import re
from pathlib import Path

from tree import ROOT

PAGE = "docs/runtime/how-it-works.md"
ROOM = "runtime/tasking"
BESIDE = "runtime/suspend"  # whose functions count as calls, too
# The functions that a task passes, in the order in which it does, and where each stands.
STATIONS = (
    ("create", "create.hpp"),
    ("create_deferrable", "create.hpp"),
    ("submit", "create.cpp"),
    ("make_ready", "complete.cpp"),
    ("find_task", "execute.cpp"),
    ("execute_claimed", "execute.cpp"),
    ("end_body", "execute.cpp"),
    ("complete", "complete.cpp"),
)
BEGIN, END = "```text\n", "```\n"

# A definition at the left margin: its name before the parameters, and its body from a brace to the next at the margin.
DEFINITION = re.compile(
    r"^(?:template <[^\n]*>\n)?(?:\[\[[^\n]*?\]\] )?"  # before the type
    r"[A-Za-z_][\w:<>*& ]*?[ *&](\w+)\([^;{}]*?\) ?(?:const )?\{\n(.*?)^\}",
    re.MULTILINE | re.DOTALL,
)
CALL = re.compile(r"(?<![\w:])((?:construct\.|ready\.|parking\.|order->)?)([a-z]\w*)\(")
# Questions change nothing: they are left out.
QUESTION = re.compile(r"(is|has|may|can|are|takes|was|were)_")


def without_comments(text: str) -> str:
    """C++ without comments and strings."""
    return re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\])*\"", "", text)


def definitions(root: Path, room: str) -> dict[tuple[str, str], str]:
    """Bodies of the functions of a room, by name and file."""
    found = {}
    for path in sorted((root / room).glob("*.[ch]pp")):
        for match in DEFINITION.finditer(without_comments(path.read_text())):
            found.setdefault((match[1], path.name), match[2])
    return found


def draw(root: Path) -> str:
    """The drawing: a line for each function that a task passes, below it what that calls."""
    bodies = definitions(root, ROOM)
    names = {name for name, _ in bodies | definitions(root, BESIDE)}
    lines = []
    for station in STATIONS:
        if station not in bodies:
            raise ValueError(f"{ROOM}/{station[1]} defines no {station[0]}()")
        lines.append(f"{station[0]}()  {ROOM}/{station[1]}")
        for receiver, name in CALL.findall(bodies[station]):
            if not (receiver or name in names) or QUESTION.match(name) or name == station[0]:
                continue
            line = f"    {receiver}{name}()"
            if lines[-1] != line:
                lines.append(line)
    return "".join(line + "\n" for line in lines)


def in_page(root: Path) -> str:
    """The drawing as the page has it."""
    text = (root / PAGE).read_text()
    begin = text.index(BEGIN) + len(BEGIN)
    return text[begin : text.index(END, begin)]


if __name__ == "__main__":
    page = ROOT / PAGE
    before, _, rest = page.read_text().partition(BEGIN)
    page.write_text(before + BEGIN + draw(ROOT) + END + rest.partition(END)[2])
