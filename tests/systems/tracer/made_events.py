"""Events of processes that never ran, written line by line, for tests of what is made of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from heddle.trace.events import RECORD, ProcessEvents, ThreadEvents
from heddle.trace.layout import KINDS


def thread(number: int, *rows: tuple) -> ThreadEvents:
    """rows: (ns, kind) and any of detail, extra, a, b as a dictionary."""
    records = np.zeros(len(rows), RECORD)
    for record, (ns, kind, *fields) in zip(records, rows):
        record["ticks"], record["kind"] = ns, KINDS[kind]
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
        kinds=KINDS,
        names=names or {},
        threads=list(threads),
    )
