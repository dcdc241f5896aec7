"""docs/architecture.md names every room that exists and no other; long files say why they are long."""

import re
from pathlib import Path

import pytest
from tree import ROOT, files

MAP = ROOT / "docs" / "architecture.md"

# Folders whose sub-folders are rooms, each with a line on the map.
HOUSES = ("runtime", "amr", "wave", "simulate", "tools", "tests", "docs", "mpi", "bench")

LONGEST_LINES = 600
EXCUSE = "Longer than 600 lines because"
CODE = {".c", ".cpp", ".h", ".hpp", ".py", ".sh", ".cmake", ".toml"}


def rooms_that_exist(paths: list[Path]) -> set[str]:
    """Top-level folders, and the folders right inside a house."""
    found = set()
    for path in paths:
        if len(path.parts) > 1:
            found.add(path.parts[0])
        if len(path.parts) > 2 and path.parts[0] in HOUSES:
            found.add("/".join(path.parts[:2]))
    return found


def rooms_on_the_map(text: str) -> set[str]:
    """Rooms as the map's tables name them: `runtime/team/` in the first column."""
    return set(re.findall(r"^\| `([^`]+)/` \|", text, re.MULTILINE))


def test_the_map_names_every_room_and_no_other():
    exist, named = rooms_that_exist(files()), rooms_on_the_map(MAP.read_text(encoding="utf-8"))
    assert not exist - named, f"docs/architecture.md does not name {', '.join(sorted(exist - named))}"
    assert not named - exist, f"docs/architecture.md names {', '.join(sorted(named - exist))}, which is not there"


def test_a_room_is_found_by_its_files():
    paths = [Path("heddle"), Path("runtime/team/team.hpp"), Path("runtime/abi/omp/locks.cpp"), Path("cmake/x.cmake")]
    assert rooms_that_exist(paths) == {"runtime", "runtime/team", "runtime/abi", "cmake"}


def test_a_room_is_read_from_a_row_and_not_from_prose():
    assert rooms_on_the_map("see `docs/` \n| `runtime/team/` | threads |\n") == {"runtime/team"}


def lacks_excuse(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) > LONGEST_LINES and not any(EXCUSE in line for line in lines[:20])


def test_a_file_past_600_lines_says_why_at_its_top():
    too_long = [
        str(path)
        for path in files()
        if (path.suffix in CODE or path.name == "CMakeLists.txt")
        and lacks_excuse((ROOT / path).read_text(encoding="utf-8"))
    ]
    assert not too_long, f"split, or say '{EXCUSE} …' in the first 20 lines: {', '.join(too_long)}"


@pytest.mark.parametrize(
    ("first", "lines", "lacks"), [("", 600, False), ("", 601, True), (f"// {EXCUSE} it is a table.", 900, False)]
)
def test_the_excuse_counts_only_where_it_is_needed(first, lines, lacks):
    assert lacks_excuse("\n".join([first] + ["x"] * (lines - 1))) is lacks


def test_documents_link_to_files_that_exist():
    broken = []
    for path in files():
        if path.suffix != ".md":
            continue
        # Not in code: a lambda of C++ looks like a link.
        text = re.sub(r"^```.*?^```", "", (ROOT / path).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" not in target and not (ROOT / path.parent / target).exists():
                broken.append(f"{path} → {target}")
    assert not broken, "\n" + "\n".join(broken)
