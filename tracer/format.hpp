// What a file of events looks like: written by the process that is traced, read by
// tools/heddle/trace/events.py. The reader takes the layout from tools/heddle/trace/layout.json: write it
// anew after a change here (`.venv/bin/python -m heddle.trace.make_layout`).
//
// Words: a *record* says that one thing has happened on one thread; a *chunk* holds records of one thread, in
// the order in which they happened. A process writes one file: a header, then chunks of equal size. Each
// thread has one chunk that it writes to, always the same part of the file in memory; when it is full a copy
// goes to the end of the file.
//
// A *sealed* chunk has a checksum of the records that it then held. A chunk is sealed when it is full, when
// its thread ends, and when the program ends; records that follow are not covered.
//
// Invariant: a record is whole once its kind is not kNothing, so that a process may be killed at any time:
// what has happened before is in the file. Of two chunks with the same thread and number the longer one
// counts, if it is what was sealed. All numbers are in the machine's byte order; no field is moved or given
// another meaning without a new kVersion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tracer/sums.hpp"

namespace heddle::tracer {

inline constexpr char kMagic[9] = "HEDDLEtr";
inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::size_t kHeaderBytes = 64 << 10;  // a multiple of all page sizes
inline constexpr std::size_t kChunkBytes = 256 << 10;

/// Kinds of records: number, name, and what its fields hold. Tasks, regions and threads are numbered from 1.
/// `here` below: concerns the task that the thread executes.
#define HEDDLE_TRACE_KINDS(X)                                                                                \
  X(1, text)         /* 16 bytes of a name; ticks: its number, detail: bytes used, extra: which 16 */        \
  X(2, thread_begin) /* detail: ompt_thread_t; a: the system's thread number */                              \
  X(3, thread_end)                                                                                           \
  X(4, parallel_begin)    /* here; a: region, b: address of the construct, extra: threads asked for */       \
  X(5, parallel_end)      /* a: region, b: the task that has met it */                                       \
  X(6, implicit_begin)    /* a: task, b: region, extra: number in the team, detail: 1 for an initial task */ \
  X(7, implicit_end)      /* a: task */                                                                      \
  X(8, task_create)       /* here; a: task, detail: what b is the address of, extra: ompt_task_flag_t */     \
  X(9, dependence)        /* a: task, b: address of the variable, detail: ompt_dependence_type_t */          \
  X(10, task_dependence)  /* a: task that b waits for */                                                     \
  X(11, task_schedule)    /* a: left with status detail (ompt_task_status_t), b: gone on with, or 0 */       \
  X(12, wait_begin)       /* a: task; detail: ompt_sync_region_t, b: address of the construct */             \
  X(13, wait_end)         /* a: task; as its begin */                                                        \
  X(14, lock_wait)        /* here; detail: ompt_mutex_t, a: lock, b: address of the construct */             \
  X(15, lock_taken)       /* here; as above */                                                               \
  X(16, lock_released)    /* here; as above */                                                               \
  X(17, work_begin)       /* a: task; detail: ompt_work_t or kMaskedWork, b: address, extra: iterations */   \
  X(18, work_end)         /* a: task; as its begin */                                                        \
  X(19, cancel)           /* a: task; extra: ompt_cancel_flag_t, b: address */                               \
  X(20, range_push)       /* here; a: number of the name */                                                  \
  X(21, range_pop)        /* here */                                                                         \
  X(22, mpi_begin)        /* here; a: number of the function's name */                                       \
  X(23, mpi_end)          /* here; a: as its begin */                                                        \
  X(24, message_sent)     /* detail: communicator, extra: rank in MPI_COMM_WORLD, a: bytes, b: tag */        \
  X(25, receive_posted)   /* a: number of the receive; detail, extra (any: ~0) as above, b: tag or ~0 */     \
  X(26, message_received) /* a: number of the receive; detail, extra as of message_sent, b: tag */           \
  X(27, received_bytes)   /* a: number of the receive, b: bytes; follows message_received */                 \
  X(29, suspends)         /* a: task; detail: heddle_suspend_t */                                            \
  X(30, runs_on)          /* a: processor, b: node of memory; where it is another than before */

enum class Kind : std::uint16_t {
  kNothing = 0,
#define HEDDLE_TRACE_KIND(number, name) name = number,
  HEDDLE_TRACE_KINDS(HEDDLE_TRACE_KIND)
#undef HEDDLE_TRACE_KIND
};

/// What the address in task_create is that of.
inline constexpr std::uint16_t kOfCall = 0;  // what the call that has made it returns to
inline constexpr std::uint16_t kOfBody = 1;  // the function that the compiler has made of its body

/// Beside the values of ompt_work_t: a masked region.
inline constexpr std::uint16_t kMaskedWork = 100;

struct Record {
  std::uint64_t ticks;
  std::uint16_t kind;  // Kind; written last
  std::uint16_t detail;
  std::uint32_t extra;
  std::uint64_t a;
  std::uint64_t b;
};
static_assert(sizeof(Record) == 32);

/// The same moment on the clock of the records and on CLOCK_MONOTONIC.
struct ClockPair {
  std::uint64_t ticks;
  std::uint64_t monotonic_ns;
};

/// In the place of a chunk's first records.
struct ChunkHeader {
  ClockPair clock;               // when the chunk had been begun: its first record is of some time before
  std::uint32_t thread;          // from 1, in the order in which threads have come
  std::uint32_t number;          // of the thread's chunks, from 0
  std::uint64_t resident_bytes;  // that the process had in memory then, never 0; written last
  std::uint64_t sealed;          // records that sums covers, behind the fields above and this one
  Sums sums;                     // weighted is written last; zero: not sealed
  std::uint64_t unused;
};
inline constexpr std::size_t kRecordsOfHeader = sizeof(ChunkHeader) / sizeof(Record);
static_assert(sizeof(ChunkHeader) == kRecordsOfHeader * sizeof(Record));

/// How far this process' CLOCK_MONOTONIC is behind that of rank 0: what to add.
struct ClockOffset {
  std::uint64_t at_ns;
  std::int64_t add_ns;
};

struct FileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t record_bytes;
  std::uint64_t header_bytes;
  std::uint64_t chunk_bytes;
  std::uint64_t process;          // the system's number
  std::uint64_t started_unix_ns;  // the time of start
  ClockPair start;                // when the library was loaded
  ClockPair after_start;          // 0.1 ms later or more: how fast the ticks go
  ClockPair end;                  // of the program's end; zero where it did not come to it
  std::uint64_t dropped;          // records for which there was no room in the file system
  std::uint32_t is_mpi;           // rank and ranks are known
  std::uint32_t rank;
  std::uint32_t ranks;
  std::uint32_t processors;  // that the process may run on
  ClockOffset offsets[2];    // at MPI_Init and MPI_Finalize; not measured: zero
  char host[64];
  char runtime[64];          // what the OpenMP runtime says of itself
  char program[1024];        // its path
  char kinds[2048];          // of records: "number name\n" each
  std::uint64_t chunks;      // in the file when the program ended, all of them sealed
  std::uint64_t maps_bytes;  // of the copy of the memory map that lies beside this file
  Sums maps;
  Sums sums;  // of all fields above
};
static_assert(sizeof(FileHeader) < kHeaderBytes);
static_assert(std::is_trivially_copyable_v<FileHeader>);

}  // namespace heddle::tracer
