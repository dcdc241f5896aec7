// The places of records: one for each construct, graph id, and frame of the encountering function with the
// regions around it (graph_table.hpp).
//
// What encounters do with a slot; all it holds belongs to the one that has claimed it:
//
//   kEmpty ────┐                     ┌─> kRecorded   recorded, replayed, or executed plainly though there is
//   a record kRecorded ─┼─ claim() ─> kBusy ──┼─> kPipelined ──> kRecorded   replayed with nogroup, until it
//   is awaited kRefused ──┘                     ├─> kRefused    what its body did cannot be recorded (if
//   reset)                       └─> kEmpty      executed plainly, since records did not pay
//
// An encounter that finds it busy or refused is executed plainly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/address_hash.hpp"
#include "base/cache_line.hpp"
#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "graph/record.hpp"
#include "replay/graph_claim.hpp"
#include "replay/replay.hpp"
#include "sched/limits.hpp"
#include "sync/process_lock.hpp"

namespace heddle {

/// What a slot of a construct belongs to.
struct GraphKey {
  std::uint64_t id = 0;
  const void* frame = nullptr;  // null: of no construct, but of a ready-made graph
  std::uint64_t regions = 0;
  bool operator==(const GraphKey&) const = default;
};

struct GraphSlot {
  using State = GraphClaim<>::State;
  explicit GraphSlot(const GraphKey& its_key) : key(its_key) { count_bytes(); }
  ~GraphSlot();
  GraphSlot(const GraphSlot&) = delete;
  GraphSlot& operator=(const GraphSlot&) = delete;

  const GraphKey key;
  GraphClaim<> access;
  RelaxedAtomic<std::uint64_t> met_at{0};  // bytes_ever_of_graphs()
  const void* where = nullptr;             // the code that met it last
  // Of the encounter that has claimed it.
  std::unique_ptr<Record> record;  // where it was kRecorded
  std::optional<ReplayPipeline> pipeline;
  std::unique_ptr<TaskLog> spare_log;  // of the record before, cleared
  bool has_logged_graph = false;
  int early_resets = 0;      // of the records before, one after the other
  int unused_records = 0;    // in a row, this one included: made, and not replayed
  void* captures = nullptr;  // of the execution that goes on, where its tasks find what they share by that
  // kPipelined: whose children are executing it. Written by the encounter that has claimed it.
  RelaxedAtomic<const Task*> pipelined_by{nullptr};
  RelaxedAtomic<std::uint64_t> executions{0};  // since the last reset

  GraphOrigin origin() const { return {where, key.id}; }

  /// Drops the record, for the sake of others: all may take `most` bytes. It is in no table any more.
  void evict(std::size_t most);

  /// HEDDLE_GRAPH_LOG has its graphs from now on, until it is removed.
  void add_to_log();
  void remove_from_log();
  /// Keeps what was recorded, which was executed so many times by that. plain_ns: see SerialReplayChoice.
  void keep(std::unique_ptr<Record> recorded, Bundles bundles, std::uint64_t times, std::int64_t plain_ns);
  /// An empty log.
  std::unique_ptr<TaskLog> new_log();
  /// Begins an encounter. Returns why there is none: the region is to be executed plainly; nullptr where the
  /// slot is the caller's until it gives it back.
  const char* claim();
  /// What the encounter that has claimed the slot is to do. Forgets a record that was reset.
  struct Choice {
    enum class What : std::uint8_t { kReplay, kRecord, kCheck, kPlain } what;
    const char* why = nullptr;  // of kPlain
  };
  Choice choose(const Member& me);
  /// Begins anew. Drops the record, if there is one.
  void forget();
  /// The slot is without it from here on.
  std::unique_ptr<Record> take_record();
  /// Ends the encounter, and unpins the slot.
  void give_back(State now);
  /// The same where the record's tasks, children of `by`, go on: it stays pinned.
  void leave_pipelined(const Task& by);

  /// Counts what the graph takes, when it has been made, and says what it is like.
  void log_graph();
  /// A line for HEDDLE_LOG=graph.
  [[gnu::format(printf, 2, 3)]] void log(const char* format, ...) const;

 private:
  /// Tells the process what it takes now.
  void count_bytes();
  std::unique_ptr<Record> drop_record();
  /// Whether the record may become as old as makes a graph worth its price: those before were not reset
  /// early, or it is.
  bool is_worth_a_graph() const { return early_resets < limits::kManyEarlyResets || is_old(); }
  /// Whether the next execution is to be recorded: those before were not recorded in vain, or it is the first
  /// of those that make a graph worth its price.
  bool is_worth_a_record() const { return unused_records < limits::kManyEarlyResets || is_old(); }
  bool is_old() const { return executions.load() >= limits::kFewExecutions; }

  std::size_t counted_bytes_ = 0;
};

// The slots of a taskgraph construct, found by what they belong to; and how much memory the records of the
// process may take together.
//
// Words: a slot is *pinned* while an encounter uses it, or an execution of its record is in pipeline. One
// that is not may be *evicted*: removed with its record, which is made anew should the region come again.
// Those go first that were met longest ago. Invariant: a slot stays where it is while it is pinned.

class GraphTable {
 public:
  GraphTable() = default;
  GraphTable(const GraphTable&) = delete;
  GraphTable& operator=(const GraphTable&) = delete;

  /// Pinned; made on first use. Threads: any. Cost: a lock that threads which meet the construct in frames of
  /// their own seldom share, and a look in a hash table.
  GraphSlot& pin(const GraphKey& key);

  /// Has every record for that graph id be forgotten at its next encounter. Threads: any.
  void reset(std::uint64_t id);

  // -- for the process's memory

  /// visit(slot) for each that is not pinned.
  template <class Visit>
  void for_each_unpinned(Visit&& visit);
  /// Null where it is pinned, or gone.
  std::unique_ptr<GraphSlot> take_unpinned(const GraphKey& key);

 private:
  struct Hash {
    std::size_t operator()(const GraphKey& key) const {
      return hash_of(hash_of(hash_of(key.id) ^ key.regions) ^ reinterpret_cast<std::uintptr_t>(key.frame));
    }
  };
  struct alignas(kCacheLine) Stripe {
    ProcessLock lock;
    std::unordered_map<GraphKey, std::unique_ptr<GraphSlot>, Hash> slots;
  };
  static constexpr int kStripesLog = 4;

  Stripe& stripe_of(const GraphKey& key) { return stripes_[Hash()(key) >> (64 - kStripesLog)]; }

  std::array<Stripe, std::size_t{1} << kStripesLog> stripes_;
};

/// All bits zero: no region of it has been met.
struct GraphConstruct {
  Published<GraphTable*> table{nullptr};
};

/// The construct's slot for that key, pinned. Where the records of the process take more memory than they may
/// (HEDDLE_GRAPH_MEMORY) others are evicted first.
GraphSlot& pin_slot(GraphConstruct& construct, const GraphKey& key);
void reset_slots(GraphConstruct& construct, std::uint64_t id);

/// What all records take, bytes; and what they ever took, which serves as a clock.
std::size_t bytes_of_graphs();
std::uint64_t bytes_ever_of_graphs();

}  // namespace heddle
