// The file of this process' events, and where each thread writes its next record.
//
// Words: as in format.hpp. The file is made with the first record, so that a process that has nothing to tell
// leaves none. The chunk that a thread writes to is a part of the file in memory: what is written is the
// system's to keep, also when the process is killed.
//
// Invariant: a chunk has one writer, its thread. Where the file cannot grow records go nowhere, and are
// counted.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracer/clock.hpp"
#include "tracer/format.hpp"

namespace heddle::tracer {

/// Of one thread.
struct Writer {
  Record* next = nullptr;
  Record* end = nullptr;
  Record* begin = nullptr;   // of the chunk
  std::uint32_t thread = 0;  // from 1; 0: it has not written yet
  std::uint32_t chunks = 0;
  std::uint64_t last_number = 0;  // of the tasks and regions that it has numbered
  bool writes_to_file = false;
};
extern constinit thread_local Writer t_writer __attribute__((tls_model("initial-exec")));

/// Where the writer of the calling thread has no room left.
void begin_chunk(Writer& writer);
/// The calling thread is about to end: its chunk need not stay in memory.
void leave_chunk();

/// Cost: a look at the clock, 32 bytes; some system calls every 8,191 records.
inline void record(Kind kind, std::uint16_t detail, std::uint32_t extra, std::uint64_t a, std::uint64_t b,
                   std::uint64_t at) {
  Writer& writer = t_writer;
  if (writer.next == writer.end) [[unlikely]]
    begin_chunk(writer);
  Record& next = *writer.next++;
  next.ticks = at;
  next.detail = detail;
  next.extra = extra;
  next.a = a;
  next.b = b;
  // release: whoever reads the file after a crash sees what the kind stands for. The compiler keeps the
  // order, the memory is the same for all processes of the machine.
  std::atomic_ref(next.kind).store(static_cast<std::uint16_t>(kind), std::memory_order_release);
}
inline void record(Kind kind, std::uint16_t detail, std::uint32_t extra, std::uint64_t a, std::uint64_t b) {
  record(kind, detail, extra, a, b, ticks());
}

/// A number for a task or region that no other one of this process has; never 0. Counted by thread, so that
/// no two threads share a cache line.
inline std::uint64_t next_number() {
  constexpr unsigned kThreadShift = 40;
  Writer& writer = t_writer;
  if (writer.thread == 0) [[unlikely]]
    begin_chunk(writer);
  return (static_cast<std::uint64_t>(writer.thread) << kThreadShift) | ++writer.last_number;
}

/// The number of a name, which is written to the file once. Threads: any. Cost: a lock, a look at a table.
std::uint64_t number_of_name(const char* name);

/// What is known of the process, at any time. Threads: any.
void note_runtime(const char* version);
void note_rank(int rank, int ranks);
void note_clock_offset(int which, ClockOffset offset);
/// The program ends: when, and where its code was loaded. Records may still follow.
void note_end();

}  // namespace heddle::tracer
