"""The reader knows a file of events as tracer/format.hpp has it."""

import json
import shutil

import numpy as np
import pytest
from heddle import paths
from heddle.errors import CheckFailed
from heddle.trace import layout, make_layout


def test_the_layout_is_that_of_the_header():
    """Mend: .venv/bin/python -m heddle.trace.make_layout, and a new kVersion where a field moved."""
    text = make_layout.FILE.read_text(encoding="utf-8")
    assert text == make_layout.made(), "run .venv/bin/python -m heddle.trace.make_layout"


def test_structures_have_no_holes():
    """Padding would take to the file whatever was in memory."""
    for name, struct in json.loads(make_layout.FILE.read_text(encoding="utf-8"))["structs"].items():
        kind = layout.dtype(name)
        sizes = [kind.fields[field["name"]][0].itemsize for field in struct["fields"]]
        assert [field["offset"] for field in struct["fields"]] == np.cumsum([0, *sizes[:-1]]).tolist(), name
        assert kind.itemsize == sum(sizes), name


def test_the_numbers_of_a_record_are_those_of_a_process():
    record = np.zeros(1, layout.dtype("Record"))
    record["kind"], record["b"] = layout.KINDS["suspends"], 7
    assert record.tobytes() == bytes(8) + bytes([29, 0]) + bytes(14) + bytes([7]) + bytes(7)


@pytest.fixture
def changed(tmp_path):
    """changed(BEFORE, AFTER): the layout of a header with another text in it."""
    shutil.copytree(paths.ROOT / "runtime" / "include", tmp_path / "runtime" / "include")
    (tmp_path / "tracer").mkdir()
    header = (paths.ROOT / "tracer" / "format.hpp").read_text(encoding="utf-8")
    shutil.copy(paths.ROOT / "tracer" / "sums.hpp", tmp_path / "tracer")

    def of(before: str, after: str) -> dict:
        assert header.count(before) == 1
        (tmp_path / "tracer" / "format.hpp").write_text(header.replace(before, after), encoding="utf-8")
        return json.loads(make_layout.made(tmp_path))

    return of


def test_a_change_of_the_header_is_one_of_the_layout(changed):
    made = changed("char runtime[64];", "std::int16_t runtime[3][2];")
    fields = {field.pop("name"): field for field in made["structs"]["FileHeader"]["fields"]}
    assert fields["runtime"] == {"offset": 216, "type": "i2", "count": 6}
    assert fields["program"] == {"offset": 216 + 12, "type": "S1024"}
    assert changed("kVersion = 3", "kVersion = 70000")["constants"]["kVersion"] == 70000
    assert changed("X(29, suspends)", "X(30, suspends)")["kinds"]["suspends"] == 30
    assert changed("kMagic[9]", "kMagic[12]")["constants"]["kMagic"] == "HEDDLEtr"


def test_a_field_that_no_reader_knows_is_named(changed):
    with pytest.raises(CheckFailed, match="a field of type double: make_layout.py knows integers alone"):
        changed("std::uint64_t dropped;", "double dropped;")
    with pytest.raises(CheckFailed, match="does not compile"):
        changed("std::uint64_t dropped;", "Dropped dropped;")
