"""Files of events as the tracer writes them (tracer/format.hpp): records of each thread, as arrays.

A file is read as far as it goes: of a process that was killed there is what it had written. Chunks that are not what
was written are left out, and the process says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from heddle import regular_file
from heddle.errors import UserError
from heddle.trace.layout import CONSTANTS, dtype
from heddle.trace.sums import sums

_MAGIC = CONSTANTS["kMagic"].encode()
_VERSION = CONSTANTS["kVersion"]
_HEADER_BYTES, _CHUNK_BYTES = CONSTANTS["kHeaderBytes"], CONSTANTS["kChunkBytes"]
_HEADER, _CHUNK, RECORD = dtype("FileHeader"), dtype("ChunkHeader"), dtype("Record")
_MOST_TICKS = 1 << 55  # months


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
    damage: list[str] = field(default_factory=list)  # in words: what is not as it was written, and is left out
    maps: bytes = b""  # which file's code lay where, as the system said it
    threads: list[ThreadEvents] = field(default_factory=list)
    memory_ns: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))  # when memory_bytes were resident
    memory_bytes: np.ndarray = field(default_factory=lambda: np.empty(0, "i8"))


@dataclass
class Trace:
    """What a folder of events holds. unreadable: of files that are left out, why."""

    processes: list[ProcessEvents]
    unreadable: list[str]

    def damage(self) -> list[str]:
        """A line for each file in which something is not what was written."""
        found = [f"{process.path.name}: {', '.join(process.damage)}" for process in self.processes if process.damage]
        return self.unreadable + found


def read_folder(folder: Path) -> list[ProcessEvents]:
    """All processes of a trace, by rank. Errors: UserError where a file of it cannot be read, or is damaged."""
    found = read_whole(folder)
    if damage := found.damage():
        more = f" (and {len(damage) - 1} more files)" if len(damage) > 1 else ""
        raise UserError(f"{folder} is damaged: {damage[0]}{more}; 'heddle trace --from' shows what is whole")
    return found.processes


def read_whole(folder: Path) -> Trace:
    """What is whole of a trace, by rank. Errors: UserError where nothing is."""
    paths = sorted(folder.glob("process-*.events"))
    if not paths:
        raise UserError(f"{folder}: there are no events; a trace is a folder that 'heddle trace' has written")
    empty = set(without_begin(folder))
    processes, unreadable = [], []
    for path in paths:
        if path in empty and len(empty) < len(paths):
            continue
        try:
            processes.append(read(path))
        except UserError as error:
            unreadable.append(str(error))
    if not processes:
        raise UserError(unreadable[0])
    return Trace(sorted(processes, key=lambda process: (process.rank, process.process)), unreadable)


def without_begin(folder: Path) -> list[Path]:
    """Files without what each begins with: their processes were killed as they began, or there was no room."""
    return [path for path in sorted(folder.glob("process-*.events")) if not any(_head(path)[: len(_MAGIC)])]


def _head(path: Path) -> bytes:
    with regular_file.opened(path) as file:
        return file.read(_HEADER.itemsize)


def read(path: Path) -> ProcessEvents:
    """One process. Errors: UserError where the file is none of the tracer's, or of another version."""
    head = _head(path)
    header = _checked_header(path, head)
    whole = np.memmap(path, dtype="u1", mode="r")
    kinds = {name: int(number) for number, name in map(str.split, header["kinds"].decode().splitlines())}
    chunks, noted, damage = _chunks(whole, header, kinds)
    clock = _Clock(header, noted)
    maps, damage_of_maps = _maps(path.with_suffix(".maps"), header)
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
        damage=damage + damage_of_maps,
        maps=maps,
        threads=threads,
        memory_ns=clock.ns(noted["clock"]["ticks"]),
        memory_bytes=noted["resident_bytes"].astype("i8"),
    )


def _checked_header(path: Path, head: bytes) -> np.void:
    if len(head) < _HEADER.itemsize or head[: len(_MAGIC)] != _MAGIC:
        raise UserError(f"{path} is no file of events; 'heddle trace' writes those")
    header = np.frombuffer(head, _HEADER)[0]
    if header["version"] != _VERSION:
        raise UserError(
            f"{path} was written by another version of Heddle ({header['version']}, not {_VERSION}); "
            "trace the program again"
        )
    covered = np.frombuffer(head[: _HEADER.fields["sums"][1]], "u1")
    if sums(covered) != tuple(header["sums"].tolist()):
        raise UserError(f"{path} is damaged where it begins: nothing of it can be understood; trace the program again")
    return header


def _maps(path: Path, header: np.void) -> tuple[bytes, list[str]]:
    """The copy of the memory map, and what is wrong with it, in words."""
    if not header["maps_bytes"]:
        return b"", []
    try:
        with regular_file.opened(path) as file:
            text = file.read(int(header["maps_bytes"]))
    except UserError:
        return b"", [f"{path.name} is missing, which says whose code lay where, so lines are not known"]
    if sums(np.frombuffer(text, "u1")) != tuple(header["maps"].tolist()):
        return b"", [f"{path.name} is damaged, which says whose code lay where, so lines are not known"]
    return text, []


class _Clock:
    """Ticks of one process to nanoseconds on the clock of rank 0, straight between the moments that were noted."""

    def __init__(self, header: np.void, noted: np.ndarray) -> None:
        known = [header[name] for name in ("start", "after_start", "end") if header[name]["ticks"]]
        ticks = np.array([pair["ticks"] for pair in known], "u8")
        ns = np.array([pair["monotonic_ns"] for pair in known], "u8")
        ticks = np.concatenate([ticks, noted["clock"]["ticks"]])
        ns = np.concatenate([ns, noted["clock"]["monotonic_ns"]])
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


def _chunks(
    whole: np.ndarray, header: np.void, kinds: dict[str, int]
) -> tuple[dict[int, list[_Chunk]], np.ndarray, list[str]]:
    """Those of each thread, in order, what the chunks' headers noted, by time, and what is missing, in words."""
    found: dict[int, dict[int, tuple[_Chunk, np.void]]] = {}
    sealed: set[tuple[int, int]] = set()
    damaged: list[tuple[int, int]] = []
    for at in range(_HEADER_BYTES, len(whole), _CHUNK_BYTES):
        chunk = whole[at : at + _CHUNK_BYTES]
        if len(chunk) < _CHUNK.itemsize:
            continue
        begins = chunk[: _CHUNK.itemsize].view(_CHUNK)[0]
        if not begins["resident_bytes"]:
            continue
        body = chunk[_CHUNK.itemsize : len(chunk) // RECORD.itemsize * RECORD.itemsize].view(RECORD)
        is_sealed = bool(begins["sums"]["weighted"])
        name = int(begins["thread"]), int(begins["number"])
        if not (_is_as_sealed(begins, body) if is_sealed else _may_begin_one(begins, header)):
            damaged.append(name)
            continue
        first = int(begins["sealed"]) if is_sealed else 0
        rest = body[first:]
        # Behind what is sealed there may be records that came later; nothing but what they say is known of them.
        doubtful = np.flatnonzero(~_may_be_one(rest, header, kinds))
        written = body[: first + doubtful[0]] if len(doubtful) else body
        # Of a process that was killed as it copied a chunk there are two: the one that is whole counts.
        if is_sealed:
            sealed.add(name)
        mine = found.setdefault(name[0], {})
        if name[1] not in mine or len(written) >= len(mine[name[1]][0][0]):
            mine[name[1]] = (written, int(begins["clock"]["ticks"])), begins
    in_order = {thread: [mine[number][0] for number in sorted(mine)] for thread, mine in found.items()}
    noted = np.array([begins for mine in found.values() for _, begins in mine.values()], _CHUNK)
    # More are damaged than were copied as the process was killed.
    lost = sum(number not in found.get(thread, {}) for thread, number in damaged)
    missing = _missing(found, max(int(header["chunks"]) - len(sealed), lost), lost)
    return in_order, noted[np.argsort(noted["clock"]["ticks"], kind="stable")], missing


def _may_begin_one(begins: np.void, header: np.void) -> bool:
    """Whether a chunk without a checksum may begin so."""
    moments = zip(begins["clock"].tolist(), header["start"].tolist())
    return bool(begins["thread"]) and all((now - start) % 2**64 < _MOST_TICKS for now, start in moments)


def _may_be_one(records: np.ndarray, header: np.void, kinds: dict[str, int]) -> np.ndarray:
    """Of each: whether its kind is known, and its time one of this process."""
    is_text = records["kind"] == kinds["text"]  # whose ticks are a number
    is_in_time = records["ticks"] - header["start"]["ticks"] < _MOST_TICKS  # less than the start's wraps around
    return np.isin(records["kind"], list(kinds.values())) & (is_text | is_in_time)


def _is_as_sealed(begins: np.void, body: np.ndarray) -> bool:
    count = int(begins["sealed"])
    if count > len(body):
        return False
    head = np.frombuffer(begins.tobytes()[: _CHUNK.fields["sums"][1]], "u1")
    return sums(head, body[:count]) == tuple(begins["sums"].tolist())


def _missing(found: dict[int, dict], fewer: int, damaged: int) -> list[str]:
    """fewer: chunks than the file had, as far as that is known. A number that is left out says so of a thread."""
    gaps = sum(max(mine) + 1 - len(mine) for mine in found.values())
    count = max(fewer, gaps)
    if count <= 0:
        return []
    what = "are damaged" if damaged >= count else "are damaged or missing"
    whole = sum(len(mine) for mine in found.values())
    return [f"{count} of {whole + count} parts of it {what}, and are left out"]


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
