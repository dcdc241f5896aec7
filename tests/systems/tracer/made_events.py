"""Events of processes that never ran, written line by line, for tests of what is made of them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from heddle import paths
from heddle.trace.events import RECORD, ProcessEvents, ThreadEvents

_KIND = re.compile(r"X\((\d+), (\w+)\)")


def kinds() -> dict[str, int]:
    """As tracer/format.hpp numbers them."""
    text = (paths.ROOT / "tracer" / "format.hpp").read_text(encoding="utf-8")
    return {name: int(number) for number, name in _KIND.findall(text)}


def thread(number: int, *rows: tuple) -> ThreadEvents:
    """rows: (ns, kind) and any of detail, extra, a, b as a dictionary."""
    known = kinds()
    records = np.zeros(len(rows), RECORD)
    for record, (ns, kind, *fields) in zip(records, rows):
        record["ticks"], record["kind"] = ns, known[kind]
        for name, value in (fields[0] if fields else {}).items():
            record[name] = value
    return ThreadEvents(number, records, records["ticks"].astype("i8"))


def process(
    *threads: ThreadEvents, rank: int = 0, ranks: int = 1, names: dict[int, str] | None = None
) -> ProcessEvents:
    return ProcessEvents(
        path=Path(f"/nowhere/process-{100 + rank}.events"),
        process=100 + rank,
        rank=rank,
        ranks=ranks,
        host="here",
        runtime="libheddle",
        program=Path("/nowhere/program"),
        processors=2,
        dropped=0,
        has_ended=True,
        started_unix_ns=0,
        start_ns=0,
        kinds=kinds(),
        names=names or {},
        threads=list(threads),
    )
