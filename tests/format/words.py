"""Private words in the runtime: where a reader from the OpenMP community stops, and how often each still stands.

Identifiers are taken apart at underscores and capitals, comments at spaces. `python tests/format/words.py` writes the
counts anew: they only ever fall.
"""

import json
import re
from collections import Counter
from pathlib import Path

from tree import ROOT

COUNTS = Path(__file__).with_name("private_words.json")
TREE = "runtime"
# A private word, and what the field says for it.
INSTEAD = {
    "alone": "serialized creator",
    "apart": "on its own stack",
    "arrived": "woken by a message",
    "attend": "poll",
    "choosy": "constrained",
    "crowd": "oversubscribed",
    "crowded": "oversubscribed",
    "errand": "first action after a switch",
    "flight": "replay pipeline",
    "kept": "retained",
    "lag": "iteration distance",
    "mail": "affinity inbox",
    "moment": "snapshot",
    "named": "referenced",
    "note": "entry, record",
    "noted": "recorded",
    "notes": "log",
    "recall": "promote",
    "respect": "back-off",
    "strays": "overflowed tasks",
    "tell": "notify",
    "told": "observed",
    "uncounted": "a child that its parent does not count yet",
    "whoever": "the thread that",
}
WORD = re.compile(r"[A-Z]?[a-z]+")


def count(root: Path) -> Counter[str]:
    """How often each private word stands in the C++ sources of the runtime."""
    found: Counter[str] = Counter()
    for path in sorted((root / TREE).rglob("*.[ch]pp")):
        found.update(word for word in map(str.lower, WORD.findall(path.read_text())) if word in INSTEAD)
    return found


def too_many(found: Counter[str], allowed: dict[str, int]) -> list[str]:
    """A line for each word that stands more often than it did."""
    return [
        f"{word}: {found[word]} in {TREE}/, {allowed.get(word, 0)} before; say '{INSTEAD[word]}'"
        for word in INSTEAD
        if found[word] > allowed.get(word, 0)
    ]


if __name__ == "__main__":
    COUNTS.write_text(json.dumps({word: n for word, n in sorted(count(ROOT).items())}, indent=2) + "\n")
