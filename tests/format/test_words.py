"""The runtime speaks the field's words: private ones become fewer, and no new ones come."""

import json

from tree import ROOT
from words import COUNTS, count, too_many


def test_no_private_word_comes_back():
    """Mend: say what the line says instead; where there are fewer now, run python tests/format/words.py."""
    found = too_many(count(ROOT), json.loads(COUNTS.read_text()))
    assert not found, "\n" + "\n".join(found)


def test_words_are_found_in_names_and_in_comments(tmp_path):
    room = tmp_path / "runtime/task"
    room.mkdir(parents=True)
    (room / "task.hpp").write_text("// a note of it\nvoid note_task(FlightOfNotes& mail_);\nint footnote, notebook;\n")
    found = count(tmp_path)
    assert found == {"note": 2, "flight": 1, "notes": 1, "mail": 1}
    assert too_many(found, {"note": 2, "flight": 1, "notes": 0, "mail": 1}) == [
        "notes: 1 in runtime/, 0 before; say 'log'"
    ]
