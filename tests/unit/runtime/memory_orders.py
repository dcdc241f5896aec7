"""The table of all memory orders of runtime/ and mpi/: docs/runtime/memory-orders.md.

    .venv/bin/python tests/unit/runtime/memory_orders.py    writes it anew, after a change to an order

Words: an *order* is one that an operation on an atomic names in the source. The tests of executions
(runtime_executions, from *_executions_test.cpp here) write what they have found of each into build/release/orders, a
file a suite: where it stands, its partners, and which scenario goes wrong when it is one step weaker.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOUND = ROOT / "build" / "release" / "orders"
BINARY = ROOT / "build" / "release" / "bin" / "runtime_executions"
TESTS = ROOT / "tests" / "unit"
PAGE = ROOT / "docs" / "runtime" / "memory-orders.md"

_ORDER = re.compile(r"memory_order_(relaxed|consume|acquire|release|acq_rel|seq_cst)\b")
_FENCE = re.compile(r"Fences<Atomic>::(full|light|heavy)\(")
_COMMENT = re.compile(r"//.*")
# Scenarios have fences of their own in place of these, and nothing is ordered by those.
_WITHOUT_TABLE = ("runtime/sys/fence.hpp", "runtime/base/relaxed_atomic.hpp")


@dataclass(frozen=True, order=True)
class Finding:
    """One order, one step weaker; a relaxed one has no weaker one."""

    file: str
    line: int
    where: str  # function, operation and order
    partners: str
    weaker: str  # empty: it is relaxed
    # That goes wrong; where none does, why the order stands all the same. Of a relaxed one: whether no scenario has
    # another thread there.
    scenario: str

    @property
    def order(self) -> str:
        return self.where.rsplit(" ", 1)[1]

    @property
    def is_fence(self) -> bool:
        return "fence" in self.where


def suites() -> set[str]:
    """The suites that judge orders."""
    found = set()
    for source in sorted(TESTS.rglob("*_executions_test.cpp")):
        text = source.read_text(encoding="utf-8")
        for match in re.finditer(r"^TEST\((\w+), (\w+)\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
            if "expect_each_order_is_needed(" in match[3]:
                found.add(match[1])
    return found


def findings(folder: Path = FOUND) -> list[Finding]:
    """All of them, as the tests have written them. Errors: OSError where a suite has not run."""
    rows = []
    for suite in sorted(suites()):
        for line in (folder / f"{suite}.tsv").read_text(encoding="utf-8").splitlines():
            file, number, where, partners, weaker, scenario = line.split("\t")
            rows.append(Finding(file, int(number), where, partners, weaker, scenario))
    return sorted(rows)


def named_in_source(file: Path) -> Counter[str]:
    """The orders that a source names, comments left out, and its fences as `fence`: how often each."""
    text = _COMMENT.sub("", file.read_text(encoding="utf-8"))
    named = Counter(_ORDER.findall(text))
    if fences := len(_FENCE.findall(text)):
        named["fence"] = fences
    return named


def explored(file: str, rows: list[Finding]) -> Counter[str]:
    """The same, as far as scenarios execute them."""
    sites = {(row.line, row.where): "fence" if row.is_fence else row.order for row in rows if row.file == file}
    return Counter(sites.values())


def sources() -> list[str]:
    """The sources that name orders, but for those without a table: those that layers.toml lets do so."""
    with open(ROOT / "layers.toml", "rb") as file:
        rules = tomllib.load(file)["names"]
    allowed = [rule["only"] for rule in rules if re.search(rule["pattern"], "std::memory_order_relaxed")]
    return [name for name in itertools.chain(*allowed) if name not in _WITHOUT_TABLE and named_in_source(ROOT / name)]


def page(rows: list[Finding]) -> str:
    """The page in Markdown."""
    strong = {(row.file, row.line, row.where) for row in rows if row.weaker}
    relaxed = {(row.file, row.line, row.where) for row in rows if not row.weaker}
    lines = [
        "# Memory orders",
        "",
        "Each memory order that the runtime and `mpi/` name, as the [tests of executions](memory-model.md) find it.",
        "Its partners are the operations of other threads with which it orders something in at least one execution.",
        "The last column names the scenario that goes wrong when the order is one step weaker. What is not here orders",
        "nothing (`RelaxedAtomic`). `tests/unit/runtime/memory_orders.py` writes this page; `./heddle test units`",
        "compares it.",
        "",
        f"{len(strong)} orders of {len({row.file for row in rows})} files, and {len(relaxed)} relaxed ones.",
    ]
    for file in sorted({row.file for row in rows}):
        here = [row for row in rows if row.file == file]
        lines += ["", f"## {file.removeprefix('runtime/')}", ""]
        table = dict.fromkeys((row.where, row.partners, row.weaker, row.scenario) for row in here if row.weaker)
        if table:
            lines += ["| order | partners | weaker | goes wrong |", "|---|---|---|---|"]
            lines += [
                f"| {where} | {partners} | {weaker} | {scenario} |" for where, partners, weaker, scenario in table
            ]
        alone = [row for row in here if not row.weaker and row.scenario]
        beside = [row for row in here if not row.weaker and not row.scenario]
        for title, found in (("Relaxed", beside), ("Relaxed, where no other thread is", alone)):
            if names := dict.fromkeys(row.where.removesuffix(" relaxed") for row in found):
                lines += ["", f"{title}: {', '.join(names)}."] if lines[-1] else [f"{title}: {', '.join(names)}."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(findings()), encoding="utf-8")
