"""Files of events as the tracer writes them (tracer/format.hpp): records of each thread, as arrays.

A file is read as far as it goes: of a process that was killed there is what it had written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from heddle.errors import UserError

_MAGIC = b"HEDDLEtr"
_VERSION = 2

RECORD = np.dtype([("ticks", "u8"), ("kind", "u2"), ("detail", "u2"), ("extra", "u4"), ("a", "u8"), ("b", "u8")])
_CHUNK = np.dtype([("ticks", "u8"), ("ns", "u8"), ("thread", "u4"), ("number", "u4"), ("resident", "u8")])
_CLOCK = [("ticks", "u8"), ("ns", "u8")]
_OFFSET = [("at_ns", "u8"), ("add_ns", "i8")]
_HEADER = np.dtype(
    [
        ("magic", "S8"),
        ("version", "u4"),
        ("record_bytes", "u4"),
        ("header_bytes", "u8"),
        ("chunk_bytes", "u8"),
        ("process", "u8"),
        ("started_unix_ns", "u8"),
        ("start", _CLOCK),
        ("after_start", _CLOCK),
        ("end", _CLOCK),
        ("dropped", "u8"),
        ("is_mpi", "u4"),
        ("rank", "u4"),
        ("ranks", "u4"),
        ("processors", "u4"),
        ("offsets", _OFFSET, (2,)),
        ("host", "S64"),
        ("runtime", "S64"),
        ("program", "S1024"),
        ("kinds", "S2048"),
    ]
)


_Chunk = tuple[np.ndarray, int]  # its records, and when it had been begun, ticks


@dataclass
class ThreadEvents:
    """Of one thread, in the order in which they happened. records: RECORD; ns: their times, on the clock of rank 0.

    pauses: for how long the thread wrote to the file behind a record, ns, by the record's place; where it did.
    """

    thread: int
    records: np.ndarray
    ns: np.ndarray
    pauses: dict[int, int] = field(default_factory=dict)


@dataclass
class ProcessEvents:
    """Of one process. kinds: number by name; names: of ranges and functions, by their number."""

    path: Path
    process: int
    rank: int
    ranks: int
    host: str
    runtime: str
    program: Path
    processors: int
    dropped: int
    has_ended: bool
    started_unix_ns: int
    start_ns: int
    kinds: dict[str, int]
    names: dict[int, str]
    threads: list[ThreadEvents] = field(default_factory=list)
    memory_ns: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))  # when memory_bytes were resident
    memory_bytes: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))


def read_folder(folder: Path) -> list[ProcessEvents]:
    """All processes of a trace, by rank. Errors: UserError where there is none, or a file is none of the tracer's."""
    paths = sorted(folder.glob("process-*.events"))
    if not paths:
        raise UserError(f"{folder}: there are no events; a trace is a folder that 'heddle trace' has written")
    empty = set(without_begin(folder))
    processes = [read(path) for path in paths if path not in empty or len(empty) == len(paths)]
    return sorted(processes, key=lambda process: (process.rank, process.process))


def without_begin(folder: Path) -> list[Path]:
    """Files without what each begins with: their processes were killed as they began, or there was no room."""
    return [path for path in sorted(folder.glob("process-*.events")) if not _has_begin(path)]


def _has_begin(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(_HEADER.itemsize)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    return len(head) == _HEADER.itemsize and head[:8] != bytes(8)


def read(path: Path) -> ProcessEvents:
    """One process. Errors: UserError where the file is none of the tracer's, or of another version."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEADER.itemsize)
        whole = np.memmap(path, dtype="u1", mode="r") if head else np.empty(0, "u1")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
    if len(head) < _HEADER.itemsize or head[:8] != _MAGIC:
        raise UserError(f"{path} is no file of events; 'heddle trace' writes those")
    header = np.frombuffer(head, _HEADER)[0]
    if header["version"] != _VERSION or header["record_bytes"] != RECORD.itemsize:
        raise UserError(
            f"{path} was written by another version of Heddle ({header['version']}, not {_VERSION}); "
            "trace the program again"
        )
    chunks, noted = _chunks(whole, header)
    clock = _Clock(header, noted)
    kinds = {name: int(number) for number, name in map(str.split, header["kinds"].decode().splitlines())}
    names: dict[int, str] = {}
    threads = []
    for thread, parts in sorted(chunks.items()):
        records = np.concatenate([part for part, _ in parts]) if len(parts) > 1 else np.array(parts[0][0])
        went_on = _went_on(parts)
        is_text = records["kind"] == kinds["text"]
        if is_text.any():
            names |= _texts(records[is_text])
            records, went_on = records[~is_text], went_on[~is_text]
        # A call that may come to nothing is written at its end, with the time of its begin.
        if np.any(np.diff(records["ticks"].astype("i8")) < 0):
            order = np.argsort(records["ticks"], kind="stable")
            records, went_on = records[order], went_on[order]
        ns = clock.ns(records["ticks"])
        paused = np.flatnonzero(went_on)
        pauses = dict(zip(paused.tolist(), (clock.ns(went_on[paused]) - ns[paused]).tolist()))
        threads.append(ThreadEvents(thread, records, ns, pauses))
    return ProcessEvents(
        path=path,
        process=int(header["process"]),
        rank=int(header["rank"]),
        ranks=int(header["ranks"]) if header["is_mpi"] else 1,
        host=header["host"].decode(errors="replace"),
        runtime=header["runtime"].decode(errors="replace"),
        program=Path(header["program"].decode(errors="replace")),
        processors=int(header["processors"]),
        dropped=int(header["dropped"]),
        has_ended=bool(header["end"]["ticks"]),
        started_unix_ns=int(header["started_unix_ns"]),
        start_ns=int(clock.ns(header["start"]["ticks"].reshape(1))[0]),
        kinds=kinds,
        names=names,
        threads=threads,
        memory_ns=clock.ns(noted["ticks"]),
        memory_bytes=noted["resident"].astype("i8"),
    )


class _Clock:
    """Ticks of one process to nanoseconds on the clock of rank 0, straight between the moments that were noted."""

    def __init__(self, header: np.void, noted: np.ndarray) -> None:
        known = [header[name] for name in ("start", "after_start", "end") if header[name]["ticks"]]
        ticks = np.array([pair["ticks"] for pair in known], "u8")
        ns = np.array([pair["ns"] for pair in known], "u8")
        ticks, ns = np.concatenate([ticks, noted["ticks"]]), np.concatenate([ns, noted["ns"]])
        order = np.argsort(ticks, kind="stable")
        self._base_ticks, self._base_ns = ticks[order[0]], ns[order[0]]
        self._ticks = (ticks[order] - self._base_ticks).astype("f8")
        self._ns = np.maximum.accumulate((ns[order] - self._base_ns).astype("i8")).astype("f8")
        self._slope = self._ns[-1] / self._ticks[-1] if self._ticks[-1] > 0 else 1.0
        offsets = header["offsets"]
        self._offsets = offsets[offsets["at_ns"] != 0]

    def ns(self, ticks: np.ndarray) -> np.ndarray:
        since = (ticks.astype("u8") - self._base_ticks).astype("i8").astype("f8")
        ns = np.interp(since, self._ticks, self._ns)
        beyond = since > self._ticks[-1]
        ns[beyond] = self._ns[-1] + (since[beyond] - self._ticks[-1]) * self._slope
        before = since < 0
        ns[before] = since[before] * self._slope
        local = np.rint(ns).astype("i8") + np.int64(self._base_ns)
        if len(self._offsets) == 0:
            return local
        add = np.interp(local, self._offsets["at_ns"].astype("f8"), self._offsets["add_ns"].astype("f8"))
        return local + np.rint(add).astype("i8")


def _went_on(chunks: list[_Chunk]) -> np.ndarray:
    """By record: when its thread went on, ticks, where a chunk was begun for it; else 0."""
    result = np.zeros(sum(len(records) for records, _ in chunks), "u8")
    at = 0
    for records, begun in chunks:
        if len(records):
            result[at] = begun
        at += len(records)
    return result


def _chunks(whole: np.ndarray, header: np.void) -> tuple[dict[int, list[_Chunk]], np.ndarray]:
    """Those of each thread, in order, and what the chunks' headers noted, by time."""
    size, first = int(header["chunk_bytes"]), int(header["header_bytes"])
    found: dict[int, dict[int, _Chunk]] = {}
    noted = []
    for at in range(first, len(whole) - RECORD.itemsize + 1, size):
        chunk = whole[at : at + size]
        begins = chunk[: RECORD.itemsize].view(_CHUNK)[0]
        if not begins["resident"]:
            continue
        noted.append(begins)
        body = chunk[RECORD.itemsize : len(chunk) // RECORD.itemsize * RECORD.itemsize].view(RECORD)
        unwritten = np.flatnonzero(body["kind"] == 0)
        written = body[: unwritten[0]] if len(unwritten) else body
        # Of a process that was killed as it copied a chunk there are two: the one that is whole counts.
        mine = found.setdefault(int(begins["thread"]), {})
        number = int(begins["number"])
        if number not in mine or len(written) >= len(mine[number][0]):
            mine[number] = (written, int(begins["ticks"]))
    in_order = {thread: [mine[number] for number in sorted(mine)] for thread, mine in found.items()}
    return in_order, np.sort(np.array(noted, _CHUNK), order="ticks")


def _texts(records: np.ndarray) -> dict[int, str]:
    """Names by number; each is in pieces, its number in the place of the ticks."""
    pieces: dict[int, dict[int, bytes]] = {}
    for record in records:
        raw = record["a"].tobytes() + record["b"].tobytes()
        pieces.setdefault(int(record["ticks"]), {})[int(record["extra"])] = raw[: record["detail"]]
    return {
        number: b"".join(part for _, part in sorted(parts.items())).decode(errors="replace")
        for number, parts in pieces.items()
    }
