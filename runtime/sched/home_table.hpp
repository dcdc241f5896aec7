// Which worker's cache probably holds what a task works on.
//
// Words: a task's *slot* stands for an address: what its affinity clause names, or else the first thing that
// it writes by its depend clauses, or else the first that it reads. A slot's *home* is the worker that last
// ran a task of that slot. All of this is a hint: addresses may share a slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/address_hash.hpp"
#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "deps/access.hpp"

namespace heddle {

class HomeTable {
 public:
  static constexpr std::uint16_t kNoSlot = 0;
  static constexpr int kNowhere = -1;

  static std::uint16_t slot_of(const void* address) {
    const auto slot = static_cast<std::uint16_t>(hash_of(address) >> 48);
    return slot != kNoSlot ? slot : 1;
  }

  /// The slot of a task with these dependences; kNoSlot where they name no address.
  static std::uint16_t slot_of(std::span<const Dependence> dependences) {
    const void* read = nullptr;
    for (const Dependence& dependence : dependences) {
      if (dependence.address == nullptr) continue;
      if (dependence.kind != AccessKind::kIn) return slot_of(dependence.address);
      if (read == nullptr) read = dependence.address;
    }
    return read != nullptr ? slot_of(read) : kNoSlot;
  }

  /// `worker` runs a task of that slot.
  /// Cost: writes only where it was another, so that homes that stay cost no traffic between caches.
  void record(std::uint16_t slot, int worker) {
    const auto value = static_cast<std::uint16_t>(worker + 1);
    RelaxedAtomic<std::uint16_t>& home = homes_[slot];
    if (home.load() != value) home.store(value);
  }

  /// A worker's number, or kNowhere.
  int home_of(std::uint16_t slot) const { return homes_[slot].load() - 1; }

 private:
  RelaxedAtomic<std::uint16_t> homes_[std::size_t{1} << 16] = {};  // a worker's number + 1
};

/// A team's table, which exists once there was a use for it.
class Homes {
 public:
  Homes() = default;
  ~Homes() { delete table_; }
  Homes(const Homes&) = delete;
  Homes& operator=(const Homes&) = delete;

  /// The table, or nullptr while tasks are too short for it to matter where they run.
  HomeTable* active() const { return active_.seen(); }

  /// Threads: any. What the table knew it still knows when it becomes active again.
  void set_active(bool is_active) {
    if (is_active && table_.seen() == nullptr) {
      auto fresh = std::make_unique<HomeTable>();
      if (table_.replace(nullptr, fresh.get())) fresh.release();
    }
    active_ = is_active ? table_.seen() : nullptr;
  }

 private:
  Published<HomeTable*> table_;
  Published<HomeTable*> active_;
};

}  // namespace heddle
