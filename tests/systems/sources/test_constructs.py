"""The table of OpenMP 6.0 by compiler says what the compilers of this machine do."""

import json

import constructs
import pytest
from command import heddle
from heddle import clang
from heddle.patience import scaled

LINES = {
    "gcc": "gcc -fopenmp -Wall -Werror -Wno-unused",
    "clang": f"{clang.c()} -fopenmp -fopenmp-version=60 -Werror -Wno-unused",
}


def test_the_page_is_what_the_record_gives():
    assert constructs.PAGE.read_text(encoding="utf-8") == constructs.page(constructs.load())


def test_every_compiler_has_tried_every_program():
    programs = sorted(program.name for program in constructs.PROGRAMS.glob("*.c"))
    for name, seen in constructs.load().items():
        assert sorted(seen["programs"]) == programs, name


@pytest.mark.parametrize("compiler", LINES)
def test_this_machines_compilers_still_do_so(tmp_path, compiler):
    seen = tmp_path / "seen.json"
    # Clang 22 never ends with some of them; the others take less than a second.
    limit = str(scaled(6))
    words = ["--runtimes", "heddle", "--compile-timeout", limit, "--json", seen, "--cc", LINES[compiler]]
    heddle("judge", *words, constructs.PROGRAMS, timeout_s=240)
    name, found = constructs.outcomes(json.loads(seen.read_text()))
    assert found == constructs.load().get(name, {"programs": found})["programs"]
    assert "fails" not in found.values()  # where the compiler is none of those in the table, too
    assert "works" in found.values()
