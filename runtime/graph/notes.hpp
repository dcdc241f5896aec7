// What the body of a taskgraph region did while it was executed for the first time, in its order: the tasks
// it created, with their data and what they depend on, and what it waited for.
//
// A note is made while its task may be executed for a few nanoseconds, so it is short: what the tasks of one
// construct have in common stands once, and nothing is looked up. Who waits for whom is found when a team
// executes the record for the first time (graph/recording.hpp); one member that executes it alone, one task
// after the other, reads the notes.
//
// Words
//   kind   what a note has in common with others: a construct's function, the shape of its data, ...
//   image  a copy of a task's data, taken before its body could change it. Data that *move* need none: the
//          body gets a copy on its stack
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
#include "deps/access.hpp"
#include "graph/graph_event.hpp"
#include "graph/graph_node.hpp"

namespace heddle {

/// A task that is being created, without what it depends on.
struct TaskBody {
  RunNode run = nullptr;
  void* code = nullptr;
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 1;                     // a power of two
  void (*copy)(void* to, void* data) = nullptr;  // where copying bytes is not enough
  void (*destroy)(void* data) = nullptr;         // what was copied, when it is not needed any more
  bool keeps_data = false;                       // leaves its data as they are: there is no image
  // They mean the same at any address, and nobody uses them when run() has returned.
  bool data_may_move = false;
  std::int32_t priority = 0;
  unsigned flags = 0;                  // of Task: those that its body can tell
  GraphEvent* event = nullptr;         // of a detachable one
  bool waits_for_descendants = false;  // it is not complete before they are
  bool is_of_group = false;  // it sets up or ends the taskgroup around it, and is in none of its own
};

enum class Gate : bool { kNo, kYes };

/// Threads: one at a time; any number read.
class Notes {
  using Word = std::uint64_t;

 public:
  static constexpr std::size_t kMost = std::size_t{1} << 24;

  enum class What : std::uint8_t { kTask, kWait, kWaitFor, kGroupBegin, kGroupEnd };

  Notes() = default;
  ~Notes();
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;

  /// A task. A gate where the region's code goes on only when it is complete.
  void add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate);
  /// The event of the task that is being created, for which `task` stands until add_task().
  GraphEvent& event_of(const void* task);
  /// taskwait; with dependences: for those tasks only.
  void add_wait() { add({.what = What::kWait}, {}); }
  void add_wait(std::span<const Dependence> dependences) { add({.what = What::kWaitFor}, dependences); }
  void begin_group();
  void end_group();
  /// No event has a task any more.
  void end_events();

  std::size_t size() const { return size_; }
  std::size_t tasks() const { return tasks_; }
  bool has_priorities() const { return has_priorities_; }
  bool has_events() const { return !events_.empty(); }

 private:
  enum class Data : std::uint8_t { kNone, kHere, kApart };  // kApart: a pointer

  struct Kind {
    GraphNode node = {};      // but for its data
    std::uint32_t words = 0;  // of the note
    std::int32_t priority = 0;
    std::uint64_t accesses = 0;  // of the dependences, a byte each, the last one lowest
    std::uint32_t dependences =
        0;  // kMany: their number stands before them, and they stand there as they are
    std::uint16_t flags = 0;
    What what = What::kTask;
    Data data = Data::kNone;
    Gate gate = Gate::kNo;
    bool has_event = false;

    bool operator==(const Kind&) const = default;
  };
  static constexpr std::uint32_t kFewDependences = sizeof(Kind::accesses), kMany = kFewDependences + 1;
  struct HashOfKind {
    std::size_t operator()(const Kind& kind) const;
  };
  struct Block {
    Block* next;
    Word* begin() { return reinterpret_cast<Word*>(this + 1); }
  };

 public:
  /// As it was noted: behind the kind's address stand those of the dependences, then data, then the event.
  /// Good as long as the notes.
  class Note {
   public:
    What what() const { return kind_.what; }
    bool is_task() const { return kind_.what == What::kTask; }
    std::uint16_t flags() const { return kind_.flags; }
    std::int32_t priority() const { return kind_.priority; }
    Gate gate() const { return kind_.gate; }
    GraphNode node() const {
      GraphNode node = kind_.node;
      Word* const data = words_ + (kind_.dependences == kMany ? words_for(*words_) : kind_.dependences);
      if (kind_.data == Data::kHere) node.data = reinterpret_cast<char*>(data);
      if (kind_.data == Data::kApart) node.data = reinterpret_cast<char*>(*data);
      return node;
    }
    /// Null where it has none.
    GraphEvent* event() const {
      return kind_.has_event ? reinterpret_cast<GraphEvent*>(words_[kind_.words - 2]) : nullptr;
    }
    /// Into `room`, whose contents go.
    std::span<const Dependence> dependences(std::vector<Dependence>& room) const;

   private:
    friend Notes;
    Note(const Kind& kind, Word* words) : kind_(kind), words_(words) {}

    const Kind& kind_;
    Word* const words_;  // behind the kind's address
  };

  /// visit(note) for each, in their order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    Block* block = first_;
    Word* at = block != nullptr ? block->begin() : nullptr;
    for (std::size_t left = size_; left > 0; --left) {
      if (*at == kEndOfBlock) [[unlikely]] {
        block = block->next;
        at = block->begin();
      }
      const Kind& kind = *reinterpret_cast<const Kind*>(*at);
      visit(Note(kind, at + 1));
      at += kind.words;
    }
  }

  // -- tasks of a construct that has created others like them

  /// What a compiler passes for a task, but for addresses and data: equal for two tasks only if everything
  /// else is. `code` is that of the body.
  struct Signature {
    const void* code = nullptr;
    Word sizes = 0, flags = 0, dependences = 0;

    bool operator==(const Signature&) const = default;
  };
  /// Another task like the one that was remembered for this signature; address(i): of dependence i.
  /// Returns false, and notes nothing, where there is none.
  template <class Address>
  bool add_task_like(const Signature& signature, const void* data, std::size_t bytes, Address&& address) {
    const Remembered& like = remembered_[place_of(signature)];
    if (like.kind == nullptr || like.signature != signature || size_ >= kMost) return false;
    const Kind& kind = *like.kind;
    if (static_cast<std::size_t>(end_ - at_) < kind.words) return false;
    Word* to = std::exchange(at_, at_ + kind.words);
    *to++ = reinterpret_cast<Word>(&kind);
    for (std::uint32_t i = 0; i < kind.dependences; ++i) *to++ = reinterpret_cast<Word>(address(i));
    copy_few(to, data, bytes);
    ++size_;
    ++tasks_;
    return true;
  }
  /// Others of this signature are like the task that was noted last, which has as many bytes of data.
  void remember(const Signature& signature);

 private:
  struct Remembered {
    Signature signature;
    const Kind* kind = nullptr;
  };
  static constexpr Word kEndOfBlock = 0;
  static constexpr std::size_t kFirstBlock = 4096, kLargestBlock = std::size_t{1} << 18;  // bytes

  static constexpr std::size_t words_for(std::size_t dependences) {
    return dependences > kFewDependences ? 1 + dependences * (sizeof(Dependence) / sizeof(Word))
                                         : dependences;
  }
  static std::size_t place_of(const Signature& signature) { return hash_of(signature.code) >> 60; }
  // A call for a word or two would take longer.
  static void copy_few(Word* to, const void* from, std::size_t bytes) {
    switch (bytes) {
      case 0:
        break;
      case 4:
        std::memcpy(to, from, 4);
        break;
      case 8:
        std::memcpy(to, from, 8);
        break;
      case 16:
        std::memcpy(to, from, 16);
        break;
      case 24:
        std::memcpy(to, from, 24);
        break;
      default:
        std::memcpy(to, from, bytes);
    }
  }

  /// Begins a note with its dependences. Returns the place of what comes behind them.
  Word* add(Kind kind, std::span<const Dependence> dependences);
  void add_block(std::size_t words);
  char* copy_apart(const TaskBody& body, std::size_t bytes);

  Block *first_ = nullptr, *last_ = nullptr;
  Word *at_ = nullptr, *end_ = nullptr;  // of the last block; one more word is there for kEndOfBlock
  std::size_t next_bytes_ = kFirstBlock;
  std::size_t size_ = 0, tasks_ = 0;
  int open_groups_ = 0;
  bool has_priorities_ = false;
  std::array<Remembered, 16> remembered_;
  std::unordered_set<Kind, HashOfKind> kinds_;
  const Kind* last_kind_ = nullptr;
  std::pmr::monotonic_buffer_resource apart_;                    // data and events
  std::vector<std::pair<void (*)(void*), void*>> objects_;       // in it, to be destroyed
  std::unordered_map<const void*, GraphEvent*> awaited_events_;  // of tasks that are not added yet
  std::vector<GraphEvent*> events_;
};

}  // namespace heddle
