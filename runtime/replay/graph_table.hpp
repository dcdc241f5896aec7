// The slots of a taskgraph construct, found by what they belong to; and how much memory the records of the
// process may take together.
//
// Words: a slot is *pinned* while an encounter uses it, or an execution of its record is in pipeline. One
// that is not may be *evicted*: removed with its record, which is made anew should the region come again.
// Those go first that were met longest ago. Invariant: a slot stays where it is while it is pinned.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/address_hash.hpp"
#include "base/cache_line.hpp"
#include "replay/graph_slot.hpp"
#include "sync/process_lock.hpp"

namespace heddle {

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
  std::atomic<GraphTable*> table{nullptr};
};

/// The construct's slot for that key, pinned. Where the records of the process take more memory than they may
/// (HEDDLE_GRAPH_MEMORY) others are evicted first.
GraphSlot& pin_slot(GraphConstruct& construct, const GraphKey& key);
void reset_slots(GraphConstruct& construct, std::uint64_t id);

/// What all records take, bytes; and what they ever took, which serves as a clock.
std::size_t bytes_of_graphs();
std::uint64_t bytes_ever_of_graphs();

}  // namespace heddle
