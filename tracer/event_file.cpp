#include "tracer/event_file.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "tracer/process_files.hpp"

namespace heddle::tracer {

constinit thread_local Writer t_writer __attribute__((tls_model("initial-exec")));

namespace {

constexpr std::size_t kRecordsAChunk = kChunkBytes / sizeof(Record);

template <std::size_t N>
void put(char (&field)[N], const std::string& text) {
  const std::size_t bytes = std::min(text.size(), N - 1);
  std::memcpy(field, text.data(), bytes);
  field[bytes] = '\0';
}

void complain(const char* what, const char* consequence) {
  std::fprintf(stderr, "heddle trace: %s: %s; %s\n", what, std::strerror(errno), consequence);
}

std::string kind_names() {
  std::string names;
#define HEDDLE_TRACE_NAME(number, name) names += #number " " #name "\n";
  HEDDLE_TRACE_KINDS(HEDDLE_TRACE_NAME)
#undef HEDDLE_TRACE_NAME
  return names;
}

ChunkHeader& header_of(Record* chunk) {
  return *reinterpret_cast<ChunkHeader*>(chunk);
}

// Requires: its thread does not begin another chunk there meanwhile; it may go on to write records.
void seal(Record* chunk) {
  ChunkHeader& header = header_of(chunk);
  Record* const first = chunk + kRecordsOfHeader;
  const Record* end = first;
  // acquire: pairs with record()
  while (end != chunk + kRecordsAChunk &&
         std::atomic_ref(const_cast<std::uint16_t&>(end->kind)).load(std::memory_order_acquire) != 0)
    ++end;
  // A process that is killed here leaves a chunk that is not sealed.
  const std::atomic_ref mark(header.sums.weighted);
  mark.store(0, std::memory_order_release);
  header.sealed = static_cast<std::uint64_t>(end - first);
  Sums sums;
  sums.add(&header, offsetof(ChunkHeader, sums));
  sums.add(first, static_cast<std::size_t>(end - first) * sizeof(Record));
  header.sums.plain = sums.plain;
  mark.store(sums.weighted, std::memory_order_release);
}

std::atomic<bool> g_is_made{false};  // the file of this process

class EventFile {
 public:
  /// The only one; made with the first call.
  static EventFile& of_process() {
    static EventFile* const file = new EventFile;  // never destroyed: threads outlive main()
    return *file;
  }

  FileHeader* header() { return header_; }
  std::uint32_t new_thread() { return threads_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// A chunk of the file in memory, or null where the file cannot grow.
  Record* new_slot() {
    if (header_ == nullptr) return nullptr;
    const FileSizeSignalBlock no_signal;
    const off_t offset = next_chunk();
    const int file = descriptor();
    // Blocks are had now: where a page had none the process would be killed as it writes.
    const int error = posix_fallocate(file, offset, kChunkBytes);
    if (error != 0) {
      errno = error;
      give_up();
      return nullptr;
    }
    void* const slot =
        mmap(nullptr, kChunkBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, offset);
    if (slot != MAP_FAILED) return static_cast<Record*>(slot);
    give_up();
    return nullptr;
  }

  /// A chunk has been begun in this slot, which the end of the program is to seal.
  void add_open(Record* slot) {
    const std::lock_guard lock(open_mutex_);
    open_.push_back(slot);
    ++chunks_begun_;
  }
  /// The slot's thread is about to end.
  void seal_and_unmap(Record* slot) {
    const std::lock_guard lock(open_mutex_);
    if (header_ != nullptr) seal(slot);
    std::erase(open_, slot);
    munmap(slot, kChunkBytes);
  }
  /// While it lives the chunks in memory stay those that they are.
  [[nodiscard]] std::shared_lock<std::shared_mutex> stay_open() { return std::shared_lock(open_mutex_); }

  /// A copy of it to the end of the file. Returns false where there is no room.
  /// Measured (ext4): 6 ns a record; new parts of the file in memory for each chunk took 20 to 100.
  /// Requires: stay_open().
  bool append(Record* slot) {
    if (header_ == nullptr || is_full_.load(std::memory_order_relaxed)) return false;
    const FileSizeSignalBlock no_signal;
    const int file = descriptor();
    const off_t begin = next_chunk();
    seal(slot);
    for (std::size_t done = 0; done < kChunkBytes;) {
      const ssize_t written = pwrite(file, reinterpret_cast<const char*>(slot) + done, kChunkBytes - done,
                                     begin + static_cast<off_t>(done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        give_up();
        // What is there of it is no chunk.
        const ChunkHeader none{};
        if (done >= sizeof none && pwrite(file, &none, sizeof none, begin) < 0) give_up();
        return false;
      }
      done += static_cast<std::size_t>(written);
    }
    ++chunks_begun_;
    return true;
  }

  void add_dropped(std::uint64_t records) {
    note([&](FileHeader& header) { header.dropped += records; });
  }

  /// Changes what is known of the process. Threads: any.
  template <typename Change>
  void note(Change change) {
    if (header_ == nullptr) return;  // in the child of a fork() the lock may be nobody's
    const std::lock_guard lock(header_mutex_);
    change(*header_);
    seal_header();
  }

  /// Nothing that was recorded until now can be lost without notice.
  void seal_all() {
    if (header_ == nullptr) return;
    const std::lock_guard lock(open_mutex_);
    for (Record* const slot : open_) seal(slot);
    note([&](FileHeader& header) { header.chunks = chunks_begun_.load(std::memory_order_relaxed); });
  }

  /// The child of a fork() writes nothing: the file is its parent's.
  void leave_to_parent() { header_ = nullptr; }

  void copy_memory_map() {
    if (header_ == nullptr) return;
    if (const auto copied = tracer::copy_memory_map(path_)) {
      note([&](FileHeader& header) {
        header.maps_bytes = copied->bytes;
        header.maps = copied->sums;
      });
    }
  }
  /// The calling thread's chunk is left when it ends, whoever has made the thread.
  void await_end_of_thread() const { pthread_setspecific(end_of_thread_, this); }

 private:
  EventFile() {
    pthread_atfork(nullptr, nullptr, [] {
      of_process().leave_to_parent();
      if (t_writer.writes_to_file) t_writer = Writer{.thread = t_writer.thread};
    });
    pthread_key_create(&end_of_thread_, [](void*) { leave_chunk(); });
    const FileSizeSignalBlock no_signal;
    const char* const kNoTrace = "there is no trace of this process";
    path_ = make_file(".events");
    if (path_.empty()) {
      complain("no file of events can be made", kNoTrace);
      return;
    }
    const int file = descriptor();
    const int error = posix_fallocate(file, 0, kHeaderBytes);
    void* const header =
        error == 0 ? mmap(nullptr, kHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (header == MAP_FAILED) {
      if (error != 0) errno = error;
      complain(path_.c_str(), kNoTrace);
      unlink(path_.c_str());
      return;
    }
    header_ = new (header) FileHeader{};
    describe(*header_);
    seal_header();
    copy_memory_map();
    g_is_made.store(true, std::memory_order_relaxed);
  }

  // Of the file; -1 where it cannot be opened. The program may have closed ours, as daemons close all, and
  // its number may be that of a file of its own.
  int descriptor() {
    const std::lock_guard lock(descriptor_mutex_);
    if (descriptor_ >= 0 && is_ours(descriptor_)) return descriptor_;
    const int low = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    // Far away from the numbers that the program expects to be given next.
    constexpr int kLeastNumber = 500;
    const int high = fcntl(low, F_DUPFD_CLOEXEC, kLeastNumber);
    if (high >= 0) close(low);
    descriptor_ = high >= 0 ? high : low;
    struct stat found{};
    if (descriptor_ >= 0 && identity_.st_ino == 0 && fstat(descriptor_, &found) == 0) identity_ = found;
    if (descriptor_ >= 0 && !is_ours(descriptor_)) {  // another file has the path now
      close(descriptor_);
      descriptor_ = -1;
    }
    return descriptor_;
  }
  [[nodiscard]] bool is_ours(int file) const {
    struct stat found{};
    return fstat(file, &found) == 0 && found.st_dev == identity_.st_dev && found.st_ino == identity_.st_ino;
  }

  static void describe(FileHeader& header) {
    header.version = kVersion;
    header.record_bytes = sizeof(Record);
    header.header_bytes = kHeaderBytes;
    header.chunk_bytes = kChunkBytes;
    header.process = static_cast<std::uint64_t>(getpid());
    // How fast the ticks go must be known even if nothing else is noted: both clocks are right within 50 ns.
    constexpr std::uint64_t kLeastNs = 100'000;
    header.start = g_loaded;
    while (monotonic_ns() - header.start.monotonic_ns < kLeastNs) continue;
    header.after_start = read_both_clocks();
    header.started_unix_ns = unix_ns() - (header.after_start.monotonic_ns - header.start.monotonic_ns);
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) == 0)
      header.processors = static_cast<std::uint32_t>(CPU_COUNT(&processors));
    gethostname(header.host, sizeof header.host - 1);
    char program[sizeof header.program]{};
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0) put(header.program, program);
    put(header.kinds, kind_names());
    std::memcpy(header.magic, kMagic, sizeof header.magic);
  }

  void seal_header() {
    Sums sums;
    sums.add(header_, offsetof(FileHeader, sums));
    header_->sums = sums;
  }

  off_t next_chunk() {
    return static_cast<off_t>(kHeaderBytes + chunks_.fetch_add(1, std::memory_order_relaxed) * kChunkBytes);
  }
  void give_up() {
    if (!is_full_.exchange(true))
      complain("the file of events cannot grow", "what happens from now on is counted, not kept");
  }

  std::string path_;
  pthread_key_t end_of_thread_{};
  std::mutex descriptor_mutex_;
  int descriptor_ = -1;     // guarded by descriptor_mutex_
  struct stat identity_{};  // of the file; guarded as well
  FileHeader* header_ = nullptr;
  std::mutex header_mutex_;  // of what is written to it once it is made
  std::shared_mutex open_mutex_;
  std::vector<Record*> open_;                   // chunks in memory; guarded by open_mutex_
  std::atomic<std::uint64_t> chunks_begun_{0};  // and are whole, in memory or in the file
  std::atomic<std::uint32_t> threads_{0};
  std::atomic<std::uint64_t> chunks_{0};
  std::atomic<bool> is_full_{false};
};

// Where records go that there is no room for.
thread_local Record* t_nowhere __attribute__((tls_model("initial-exec"))) = nullptr;

FileHeader* header() {
  return EventFile::of_process().header();
}

// Of the process. Never 0.
std::uint64_t resident_bytes() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 1;
  char text[128]{};
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  std::uint64_t pages = 0;
  if (bytes <= 0 || std::sscanf(text, "%*u %" SCNu64, &pages) != 1 || pages == 0) return 1;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// The chunk in memory is empty, and its thread's next one.
void begin_in(Writer& writer, Record* slot) {
  // release: whoever reads the file after a crash finds the old chunk, none or the new one.
  std::atomic_ref(header_of(slot).resident_bytes).store(0, std::memory_order_release);
  std::memset(static_cast<void*>(slot), 0, kChunkBytes);
  const std::uint64_t resident = resident_bytes();
  auto* const begins =
      new (slot) ChunkHeader{read_both_clocks(), writer.thread, writer.chunks++, 0, 0, {}, 0};
  std::atomic_ref(begins->resident_bytes).store(resident, std::memory_order_release);
  writer.begin = slot;
  writer.next = slot + kRecordsOfHeader;
  writer.end = slot + kRecordsAChunk;
}

void write_nowhere(Writer& writer) {
  if (t_nowhere == nullptr) t_nowhere = new Record[kRecordsAChunk];
  writer.begin = writer.next = t_nowhere;
  writer.end = t_nowhere + kRecordsAChunk;
}

}  // namespace

void begin_chunk(Writer& writer) {
  const int error_before = errno;  // the program's
  EventFile& file = EventFile::of_process();
  if (writer.thread == 0) writer.thread = file.new_thread();
  if (writer.begin == nullptr) {
    file.await_end_of_thread();
    Record* const slot = file.new_slot();
    writer.writes_to_file = slot != nullptr;
    if (slot != nullptr) {
      begin_in(writer, slot);
      file.add_open(slot);
    } else {
      write_nowhere(writer);
    }
  } else if (!writer.writes_to_file) {
    file.add_dropped(kRecordsAChunk);
    write_nowhere(writer);
  } else {
    const auto nobody_seals = file.stay_open();
    // Where there is no room for a copy the newest records are kept.
    if (!file.append(writer.begin)) file.add_dropped(kRecordsAChunk - kRecordsOfHeader);
    begin_in(writer, writer.begin);
  }
  errno = error_before;
}

void leave_chunk() {
  Writer& writer = t_writer;
  if (writer.begin == nullptr || !writer.writes_to_file) return;
  EventFile::of_process().seal_and_unmap(writer.begin);
  writer.begin = writer.next = writer.end = nullptr;
  writer.writes_to_file = false;
}

std::uint64_t number_of_name(const char* name) {
  static std::mutex mutex;
  static auto* const numbers = new std::unordered_map<std::string, std::uint64_t>;
  const std::lock_guard lock(mutex);
  const auto [found, is_new] = numbers->try_emplace(name != nullptr ? name : "", numbers->size() + 1);
  if (!is_new) return found->second;
  const std::string& text = found->first;
  constexpr std::size_t kPiece = 16;
  for (std::size_t at = 0; at < text.size() || at == 0; at += kPiece) {
    const std::size_t bytes = std::min(kPiece, text.size() - at);
    std::uint64_t words[2]{};
    std::memcpy(words, text.data() + at, bytes);
    record(Kind::text, static_cast<std::uint16_t>(bytes), static_cast<std::uint32_t>(at / kPiece), words[0],
           words[1], found->second);
  }
  return found->second;
}

void note_runtime(const char* version) {
  EventFile::of_process().note([&](FileHeader& known) { put(known.runtime, version); });
}

void note_rank(int rank, int ranks) {
  EventFile::of_process().note([&](FileHeader& known) {
    known.rank = static_cast<std::uint32_t>(rank);
    known.ranks = static_cast<std::uint32_t>(ranks);
    known.is_mpi = 1;
  });
}

void note_clock_offset(int which, ClockOffset offset) {
  EventFile::of_process().note([&](FileHeader& known) { known.offsets[which] = offset; });
}

namespace {

// Of programs without OpenMP and MPI nobody else would tell of the end; of others the file is sealed once
// more, with what has followed.
struct EndOfProgram {
  ~EndOfProgram() {
    if (!g_is_made.load(std::memory_order_relaxed) || header() == nullptr) return;
    if (header()->end.ticks == 0)
      note_end();
    else
      EventFile::of_process().seal_all();
  }
} g_end_of_program;

}  // namespace

void note_end() {
  EventFile& file = EventFile::of_process();
  file.note([](FileHeader& known) { known.end = read_both_clocks(); });
  file.copy_memory_map();
  file.seal_all();
}

}  // namespace heddle::tracer
