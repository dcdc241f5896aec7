// A task of a recorded region, as it is executed again and again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/address_hash.hpp"
#include "base/cache_line.hpp"
#include "base/copy_few.hpp"
#include "deps/access.hpp"
#include "graph/graph_event.hpp"
#include "task/task.hpp"

namespace heddle {

// Recorded data whose body gets a copy of them, on its stack.

inline constexpr std::size_t kFewBytes = 32, kMostOnStack = 256;

/// Whether a copy can be had. bytes: in whole words.
inline bool fits_stack(std::size_t bytes, std::size_t alignment) {
  return bytes <= kMostOnStack && alignment <= (bytes <= kFewBytes ? alignof(std::max_align_t) : kCacheLine);
}

[[gnu::noinline]] inline void run_with_large_copy(void (*run)(void*, void*), void* code, const void* data,
                                                  std::size_t bytes) {
  alignas(kCacheLine) char copy[kMostOnStack];
  std::memcpy(copy, data, bytes);
  run(code, copy);
}

/// run(code, a copy of the data). Requires: fits_stack(); kFewBytes of the data may be read.
inline void run_with_copy(void (*run)(void*, void*), void* code, const char* data, std::size_t bytes) {
  if (bytes > kFewBytes) return run_with_large_copy(run, code, data, bytes);
  alignas(std::max_align_t) char copy[kFewBytes];
  std::memcpy(copy, data, kFewBytes);  // whatever they are: to ask how many would take longer
  run(code, copy);
}

// A node.

/// How a node is executed: code and data are a TaskBody's.
using RunNode = void (*)(void* code, void* data);

/// What a node has in common with others of its construct.
struct NodeKind {
  RunNode run = nullptr;  // null: a join
  void* code = nullptr;
  std::uint32_t bytes = 0;  // of the image or the copy, in whole words
  std::int32_t priority = 0;
  std::uint16_t flags = 0;             // of Task: those that its body can query
  bool waits_for_descendants = false;  // it is not complete before they are
  std::uint16_t header_bytes = 0;      // of the data: the runtime's own, in front of the compiler's
  bool moves = false;                  // the body gets a copy of its data, on its stack

  bool operator==(const NodeKind&) const = default;
};

inline constexpr NodeKind kJoin;

struct GraphNode {
  const NodeKind* kind = &kJoin;
  char* data = nullptr;  // what the body gets, with the image behind it; or what it gets a copy of

  bool is_join() const { return kind->run == nullptr; }
  const void* image() const { return data + kind->bytes; }
  /// Executes it. Requires: it is no join; nobody else does, unless the data move; everything before it is
  /// complete.
  void execute() const {
    const NodeKind& of = *kind;
    if (of.moves) return run_with_copy(of.run, of.code, data, of.bytes);
    if (of.bytes != 0) std::memcpy(data, image(), of.bytes);
    of.run(of.code, data);
  }
};

// What the body of a taskgraph region did while it was executed for the first time, in its order: the tasks
// it created, with their data and what they depend on, and what it waited for.
//
// An entry is made while its task may be executed for a few nanoseconds, so it is short: what the tasks of
// one construct have in common stands once, and nothing is looked up. Which task waits for which is found
// when a team executes the record for the first time (graph/recording.hpp); one member that executes it
// alone, one task after the other, reads the log.
//
// Words
//   kind   what an entry has in common with others: a construct's function, the shape of its data, ...
//   run    entries of one kind that follow one another, in a row
//   image  a copy of a task's data, taken before its body could change it. Data that *move* need none: the
//          body gets a copy on its stack

/// A task that is being created, without what it depends on.
struct TaskBody {
  RunNode run = nullptr;
  void* code = nullptr;
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 1;                     // a power of two
  void (*copy)(void* to, void* data) = nullptr;  // where copying bytes is not enough
  void (*destroy)(void* data) = nullptr;         // what was copied, when it is not needed any more
  std::size_t header_bytes = 0;                  // of the data: the runtime's own, in front of the compiler's
  bool keeps_data = false;                       // leaves its data as they are: there is no image
  // Copies of the bytes mean the same at any address, and nobody uses them when run() has returned. copy(),
  // if there is one, does not throw.
  bool data_may_move = false;
  std::int32_t priority = 0;
  unsigned flags = 0;                  // of Task: those that its body can query
  GraphEvent* event = nullptr;         // of a detachable one
  bool waits_for_descendants = false;  // it is not complete before they are
  bool is_of_group = false;  // it sets up or ends the taskgroup around it, and is in none of its own
};

enum class Gate : bool { kNo, kYes };

/// Threads: one at a time; any number read.
class TaskLog {
 public:
  using Word = std::uint64_t;
  /// No other run begins then.
  static constexpr std::size_t kMost = std::size_t{1} << 24;
  /// A task that has more is never like another one (add_task_like()).
  static constexpr std::uint32_t kFewDependences = sizeof(std::uint64_t);

  enum class What : std::uint8_t { kTask, kWait, kWaitFor, kGroupBegin, kGroupEnd };

  TaskLog() = default;
  ~TaskLog();
  TaskLog(const TaskLog&) = delete;
  TaskLog& operator=(const TaskLog&) = delete;

  /// A task. A gate where the region's code goes on only when it is complete.
  void add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate);
  /// The event of the task that is being created, for which `task` stands until add_task().
  GraphEvent& event_of(const void* task);
  /// The same where somebody has asked for it already; null where not.
  GraphEvent* awaited_event_of(const void* task) const;
  /// taskwait; with dependences: for those tasks only.
  void add_wait() { add_other(What::kWait, {}); }
  void add_wait(std::span<const Dependence> dependences) { add_other(What::kWaitFor, dependences); }
  void begin_group();
  void end_group();
  /// Forgets everything, and keeps the log's own memory for those that come next.
  void clear();

  std::size_t size() const { return size_; }
  /// What they take, bytes.
  std::size_t bytes() const { return sizeof *this + block_bytes_ + out_of_line_bytes_; }
  std::size_t tasks() const { return size_ - others_; }
  bool has_priorities() const { return has_priorities_; }
  bool has_events() const { return has_events_; }

 private:
  enum class Data : std::uint8_t { kNone, kHere, kOutOfLine };  // kOutOfLine: a pointer

  struct Kind {
    NodeKind node = {};
    std::uint64_t accesses = 0;     // of the dependences, a byte each, the last one lowest
    std::uint32_t words = 0;        // of the entry: one at least
    std::uint32_t dependences = 0;  // kMany: their number stands there, then each as it is
    What what = What::kTask;
    Data data = Data::kNone;
    Gate gate = Gate::kNo;
    bool has_event = false;
    bool is_simple = false;  // it has few dependences, its data here, if any, and nothing else

    bool operator==(const Kind&) const = default;
  };
  static_assert(kFewDependences == sizeof(Kind::accesses));
  static constexpr std::uint32_t kMany = kFewDependences + 1;
  struct HashOfKind {
    std::size_t operator()(const Kind& kind) const;
  };
  struct Block {
    Block* next;
    std::size_t words;  // behind this
    Word* begin() { return reinterpret_cast<Word*>(this + 1); }
    std::size_t bytes() const { return sizeof(Block) + words * sizeof(Word); }
  };

 public:
  /// One of a run: the dependences' addresses, behind them data, behind these the event. Good as long as the
  /// task_log.
  class Entry {
   public:
    GraphNode node() const {
      GraphNode node{&kind_.node};
      Word* const data = words_ + (kind_.dependences == kMany ? words_for(*words_) : kind_.dependences);
      if (kind_.data == Data::kHere) node.data = reinterpret_cast<char*>(data);
      if (kind_.data == Data::kOutOfLine) node.data = reinterpret_cast<char*>(*data);
      return node;
    }
    /// Null where it has none.
    GraphEvent* event() const {
      return kind_.has_event ? reinterpret_cast<GraphEvent*>(words_[kind_.words - 1]) : nullptr;
    }
    /// Into `room`, whose contents go.
    std::span<const Dependence> dependences(std::vector<Dependence>& room) const;
    /// Executes its body; see GraphNode. Requires: it is of a simple run.
    void execute() const {
      run_with_copy(kind_.node.run, kind_.node.code,
                    reinterpret_cast<const char*>(words_ + kind_.dependences), kind_.node.bytes);
    }

   private:
    friend TaskLog;
    Entry(const Kind& kind, Word* words) : kind_(kind), words_(words) {}

    const Kind& kind_;
    Word* const words_;
  };
  /// TaskLog of one kind that follow one another.
  class Run {
   public:
    What what() const { return kind_.what; }
    bool is_task() const { return kind_.what == What::kTask; }
    std::uint16_t flags() const { return kind_.node.flags; }
    Gate gate() const { return kind_.gate; }
    /// Of tasks for which nothing has to be done but to call their bodies, as for most.
    bool is_simple() const { return kind_.is_simple; }
    /// visit(entry) for each, in their order.
    template <class Visit>
    void for_each(Visit&& visit) const {
      const std::size_t words = kind_.words;
      for (Word* at = words_; at != end_; at += words) visit(Entry(kind_, at));
    }

   private:
    friend TaskLog;
    Run(Word* header, Word* end)
        : kind_(*reinterpret_cast<const Kind*>(header[0])), words_(header + kHeader), end_(end) {}

    const Kind& kind_;
    Word *const words_, *const end_;
  };

  /// visit(run) for each, in their order.
  template <class Visit>
  void for_each_run(Visit&& visit) const {
    if (run_ == nullptr) return;
    Block* block = first_;
    Word* header = block->begin();
    for (;;) {
      if (*header == kEndOfBlock) {
        block = block->next;
        header = block->begin();
      }
      Word* const end = header == run_ ? at_ : reinterpret_cast<Word*>(header[1]);
      visit(Run(header, end));
      if (header == run_) return;
      header = end;
    }
  }

  // -- tasks of a construct that has created others like them

  /// What a compiler passes for a task, but for addresses and data: equal for two tasks only if everything
  /// else is. `code` is that of the body, never null.
  struct Signature {
    const void* code = nullptr;
    Word sizes = 0, flags = 0, dependences = 0;

    /// For two numbers in one word.
    static constexpr Word both(Word low, Word high) { return (low & UINT32_MAX) | high << 32; }
    bool operator==(const Signature&) const = default;
  };
  /// Another task like the last one, which was remembered for this signature. write_addresses(to): those of
  /// its dependences, in their order, to an array of them. Its data are copied as bytes. Returns where they
  /// lie now; null where it is not like it, or in a row too long: nothing is recorded.
  template <class WriteAddresses>
  void* add_task_like_last(const Signature& signature, const void* data, std::size_t bytes,
                           WriteAddresses&& write_addresses) {
    if (run_signature_ != signature) [[unlikely]]
      return nullptr;
    Word* const to = at_;
    Word* const next = to + run_kind_->words;
    if (next > end_) [[unlikely]]
      return nullptr;
    at_ = next;
    ++size_;
    write_addresses(to);
    Word* const copy = to + run_kind_->dependences;
    copy_few(copy, data, bytes);
    return copy;
  }
  /// The same for a task like one of many that were remembered.
  template <class WriteAddresses>
  void* add_task_like(const Signature& signature, const void* data, std::size_t bytes,
                      WriteAddresses&& write_addresses) {
    for (;;) {
      if (void* const copy = add_task_like_last(signature, data, bytes, write_addresses)) [[likely]]
        return copy;
      if (!begin_run_like(signature)) return nullptr;
    }
  }
  /// Others of this signature are like the task that was recorded last, which has as many bytes of data.
  void remember(const Signature& signature);

 private:
  struct Remembered {
    Signature signature;
    const Kind* kind = nullptr;
  };
  static constexpr std::size_t kHeader = 2;  // words of a run: its kind, and where it ends if it has
  static constexpr Word kEndOfBlock = 0;     // in place of a kind
  // Words at the end of a block: one for kEndOfBlock, or what run_with_copy() reads behind data.
  static constexpr std::size_t kSlack = kFewBytes / sizeof(Word);
  static constexpr std::size_t kFirstBlock = 4096, kLargestBlock = std::size_t{1} << 18;  // bytes

  static constexpr std::size_t words_for(std::size_t dependences) {
    return dependences > kFewDependences ? 1 + dependences * (sizeof(Dependence) / sizeof(Word))
                                         : dependences;
  }
  static std::size_t place_of(const Signature& signature) { return hash_of(signature.code) >> 60; }
  /// Has a task of this signature be like the last one. Returns false where none is remembered for it, or
  /// there are as many entries as may be.
  [[gnu::noinline]] bool begin_run_like(const Signature& signature);

  /// Ensures: the last run is of that kind, and has room for another entry.
  void begin_run(const Kind& kind);
  void add_block(std::size_t words);
  /// Begins an entry with its dependences. Returns the place of what comes behind them.
  Word* add(Kind kind, std::span<const Dependence> dependences);
  void add_other(What what, std::span<const Dependence> dependences);
  char* copy_out_of_line(const TaskBody& body, std::size_t bytes);

  Block *first_ = nullptr, *last_ = nullptr;
  Word *at_ = nullptr, *end_ = nullptr;  // of the last block in use, but for kSlack
  Word* run_ = nullptr;                  // the last one
  const Kind* run_kind_ = nullptr;
  Signature run_signature_;  // for which an entry like those of the run is remembered; empty: for none
  std::size_t next_bytes_ = kFirstBlock;
  std::size_t block_bytes_ = 0, out_of_line_bytes_ = 0;
  std::size_t size_ = 0, others_ = 0;  // others: than tasks
  int open_groups_ = 0;
  bool has_priorities_ = false;
  std::array<Remembered, 16> remembered_;
  std::unordered_set<Kind, HashOfKind> kinds_;
  std::pmr::monotonic_buffer_resource out_of_line_;              // data and events
  std::vector<std::pair<void (*)(void*), void*>> objects_;       // in it, to be destroyed
  std::unordered_map<const void*, GraphEvent*> awaited_events_;  // of tasks that are not added yet
  bool has_events_ = false;
};

}  // namespace heddle
