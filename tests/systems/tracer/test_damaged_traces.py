"""Traces that are not what was written: damage is named in one line, and only what is whole is shown."""

import os
import random
import re
import shutil
import subprocess

import numpy as np
import pytest
from command import assert_one_line, heddle, without_openmp_settings
from heddle import paths
from heddle.errors import UserError
from heddle.patience import scaled
from heddle.trace import build, events, summary
from heddle.trace.layout import CONSTANTS, dtype
from heddle.trace.sums import sums
from traced import TASKS, built, trace

HEADER, CHUNK = CONSTANTS["kHeaderBytes"], CONSTANTS["kChunkBytes"]
CHUNK_HEADER, RECORD = dtype("ChunkHeader"), dtype("Record")
# Of the header's fields and of a chunk's, the bytes that the checksum covers.
SUMMED, SUMMED_OF_CHUNK = dtype("FileHeader").itemsize, CHUNK_HEADER.fields["unused"][1]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A trace of a program that ended, of one chunk a thread."""
    folder = tmp_path_factory.mktemp("whole")
    done = trace(folder, "--threads", "2", "--out", "trace", "--", built(folder))
    assert done.returncode == 0, done.stderr
    return folder / "trace"


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """One of a program that was killed: what it wrote last has no checksum."""
    folder = tmp_path_factory.mktemp("killed")
    done = trace(folder, "--threads", "2", "--out", "trace", "--", built(folder), "abort")
    assert done.returncode == 1, done.stderr
    return folder / "trace"


def copy_of(whole, folder):
    """The trace's copy in that folder, its file of events and the file's bytes."""
    shutil.rmtree(folder / "trace", ignore_errors=True)
    shutil.copytree(whole / "events", folder / "trace" / "events")
    (file,) = (folder / "trace" / "events").glob("*.events")
    return folder / "trace", file, bytearray(file.read_bytes())


def sealed_at(data, at):
    """How many records the chunk that begins there has sealed."""
    return int(np.frombuffer(data, CHUNK_HEADER, 1, at)["sealed"][0])


def covered(data):
    """Ranges of bytes that say something: the header's fields, and of each chunk its header and what is sealed."""
    yield 0, SUMMED
    for at in range(HEADER, len(data), CHUNK):
        sealed = sealed_at(data, at)
        assert sealed > 0
        yield at, at + SUMMED_OF_CHUNK
        begin = at + CHUNK_HEADER.itemsize  # what lies between is not used
        yield begin, begin + sealed * RECORD.itemsize


def test_a_trace_is_sealed_to_its_end(whole):
    (process,) = events.read_folder(whole / "events")
    assert not process.damage
    (file,) = (whole / "events").glob("*.events")
    data = file.read_bytes()
    for at in range(HEADER, len(data), CHUNK):
        end = at + CHUNK_HEADER.itemsize + sealed_at(data, at) * RECORD.itemsize
        behind = np.frombuffer(data[end : at + CHUNK], RECORD)
        assert not behind["kind"].any()


def test_sums_are_fletchers():
    words = np.arange(1, 1001, dtype="u8") * np.uint64(0x9E3779B97F4A7C15)
    plain = weighted = 0
    for word in words.tolist():
        plain = (plain + word) % 2**64
        weighted = (weighted + plain) % 2**64
    assert sums(words) == sums(words[:10], words[10:]) == (plain, weighted)
    assert sums(np.frombuffer(b"abc", "u1")) == sums(np.frombuffer(b"abc\0\0\0\0\0", "u1"))
    assert sums() == (0, 0)


def test_every_change_of_what_is_covered_is_noticed(whole, tmp_path):
    chance = random.Random(16)
    _, file, data = copy_of(whole, tmp_path)
    ranges = list(covered(data))
    assert len(ranges) == 5
    for _ in range(150):
        begin, end = chance.choice(ranges)
        at, size = chance.randrange(begin, end), chance.choice([1, 1, 16, 4096])
        part = bytes(data[at : min(at + size, end)])
        swapped = chance.choice([bytes(len(part)), b"\xff" * len(part), bytes([part[0] ^ 1 << chance.randrange(8)])])
        if swapped == part:
            continue
        changed = data[:at] + swapped + data[at + len(swapped) :]
        file.write_bytes(changed)
        with pytest.raises(UserError, match="damaged|no file of events|another version"):
            events.read_folder(file.parent)


def test_a_trace_that_is_cut_short_is_noticed(whole, tmp_path):
    _, file, data = copy_of(whole, tmp_path)
    for begin, end in covered(data):
        for size in {begin, begin + 1, begin + 31, begin + 40, (begin + end) // 2, end - 1}:
            file.write_bytes(data[:size])
            with pytest.raises(UserError, match="damaged|no file of events"):
                events.read_folder(file.parent)


def test_what_is_whole_is_shown_after_a_line_that_says_so(whole, tmp_path):
    folder, file, data = copy_of(whole, tmp_path)
    *_, (begin, end) = covered(data)
    data[(begin + end) // 2] ^= 1
    file.write_bytes(data)
    done = trace(tmp_path, "--from", folder)
    assert done.returncode == 1
    assert re.fullmatch(
        r"heddle: damaged: process-\d+\.events: 1 of 2 parts of it are damaged, and are left out\n"
        r"heddle: the trace is damaged: what is shown lacks what was left out; trace the program again\n",
        done.stderr,
    )
    assert "tasks" in done.stdout and "perfetto: " in done.stdout


def test_a_simulation_of_a_damaged_trace_is_refused(whole, tmp_path):
    folder, file, data = copy_of(whole, tmp_path)
    file.write_bytes(data[:-CHUNK])
    assert_one_line(heddle("simulate", "--cores", "2", folder), "1 of 2 parts of it are damaged or missing")


def test_the_map_of_the_memory_is_covered_as_well(whole, tmp_path):
    folder, file, _ = copy_of(whole, tmp_path)
    maps = file.with_suffix(".maps")
    text = maps.read_bytes()
    for changed in (text[:-10], text.replace(b"/program", b"/progra\0", 1), text[:100] + b"\xff" + text[101:]):
        assert changed != text
        maps.write_bytes(changed)
        assert "so lines are not known" in events.read_whole(file.parent).damage()[0]
    maps.unlink()
    done = trace(tmp_path, "--from", folder)
    assert done.returncode == 1
    assert ".maps is missing, which says whose code lay where, so lines are not known" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_process_whose_file_is_damaged_where_it_begins_is_left_out(whole, tmp_path):
    folder, file, data = copy_of(whole, tmp_path)
    data[100] ^= 1
    file.with_name("process-1.events").write_bytes(data)
    done = trace(tmp_path, "--from", folder)
    assert done.returncode == 1
    assert "process-1.events is damaged where it begins: nothing of it can be understood" in done.stderr
    assert f" {TASKS} tasks" in done.stdout
    file.unlink()
    assert_one_line(trace(tmp_path, "--from", folder), "is damaged where it begins")


def test_traces_of_earlier_versions_are_named_as_such(whole, tmp_path):
    folder, file, data = copy_of(whole, tmp_path)
    data[8] = 2
    file.write_bytes(data)
    assert_one_line(trace(tmp_path, "--from", folder), "another version of Heddle (2, not 3); trace the program again")


def test_records_without_a_checksum_may_be_anything(killed, tmp_path):
    """Of a process that was killed: nothing ends in a traceback, whatever its last records have become."""
    chance = random.Random(48)
    _, file, data = copy_of(killed, tmp_path)
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(chance.choice([1, 3, 30])):
            at = chance.randrange(HEADER, len(data), CHUNK) + chance.randrange(chance.choice([2000, 30000]))
            changed[at] = chance.choice([changed[at] ^ 1 << chance.randrange(8), chance.randrange(256)])
        file.write_bytes(changed)
        try:
            summary.of_timeline(build.build(events.read_whole(file.parent).processes))
        except UserError as mistake:
            assert "\n" not in str(mistake)


def test_a_program_whose_place_has_become_a_fifo_holds_nothing_up(tmp_path):
    program = built(tmp_path)
    assert trace(tmp_path, "--threads", "2", "--", program).returncode == 0
    for path in (program, tmp_path / "program.c"):
        path.unlink()
        os.mkfifo(path)
    done = trace(tmp_path, "--from", "program.trace")
    assert (done.returncode, done.stderr) == (0, "")
    assert "program+0x" in done.stdout


def test_a_file_of_events_that_is_none_is_one_line(tmp_path):
    folder = tmp_path / "trace" / "events"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "process-1.events")
    assert_one_line(trace(tmp_path, "--from", "trace"), "process-1.events is a FIFO; give a regular file")
    (folder / "process-1.events").unlink()
    (folder / "process-1.events").mkdir()
    assert_one_line(trace(tmp_path, "--from", "trace"), "is a folder; give a regular file")


def test_many_threads_that_begin_and_end_are_all_sealed(tmp_path):
    """Chunks are sealed when they are full, when their threads end, and when the program does."""
    (tmp_path / "many.cpp").write_text(
        """
        #include <heddle.h>
        #include <thread>
        #include <vector>
        int main() {
          for (int round = 0; round < 4; round++) {
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; t++)
              threads.emplace_back([] {
                for (int i = 0; i < 9000; i++) { heddle_range_push("r"); heddle_range_pop(); }
              });
            for (auto& thread : threads) thread.join();
          }
        }
        """
    )
    include = paths.ROOT / "runtime" / "include"
    command = ["g++", "-fopenmp", f"-I{include}", "many.cpp", "-o", "many"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=scaled(60))
    done = heddle("trace", "--", "./many", cwd=tmp_path, env=without_openmp_settings(), timeout_s=600)
    assert done.returncode == 0, done.stderr
    (process,) = events.read_folder(tmp_path / "many.trace" / "events")
    pushes = sum(int((thread.records["kind"] == process.kinds["range_push"]).sum()) for thread in process.threads)
    assert pushes == 4 * 4 * 9000
    (file,) = (tmp_path / "many.trace" / "events").glob("*.events")
    data = bytearray(file.read_bytes())
    assert len(list(covered(data))) == 1 + 2 * 16 * 3
    for at in range(HEADER, len(data), CHUNK):
        changed = data.copy()
        changed[at + 200] ^= 4
        file.write_bytes(changed)
        (process,) = events.read_whole(file.parent).processes
        assert process.damage == ["1 of 48 parts of it are damaged, and are left out"]
