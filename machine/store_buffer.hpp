// What a processor has stored and its cache has not got yet: x86-64's order, in which stores leave one after
// the other. Their lines are on the way meanwhile, several at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "description.hpp"

namespace heddle::machine {

class StoreBuffer {
 public:
  /// When the buffer has room for another store.
  Time has_room(Time now) const { return std::max(now, left_[next_]); }
  /// When all stores so far have left it.
  Time is_empty(Time now) const { return std::max(now, last_); }
  /// When the transfer for another store can begin: so many are under way at most.
  Time can_fetch(Time now) const { return std::max(now, fetched_[next_fetch_]); }
  /// The line of the store that enters next is there at `until`.
  void fetch(Time until) {
    fetched_[next_fetch_] = until;
    next_fetch_ = (next_fetch_ + 1) % fetched_.size();
  }
  /// A store enters that leaves at `until`; no earlier than those before it.
  void enter(Time until) {
    last_ = std::max(last_, until);
    left_[next_] = last_;
    next_ = (next_ + 1) % left_.size();
  }

 private:
  static constexpr std::size_t kStores = 64;   // between Skylake's 56 and Golden Cove's 112
  static constexpr std::size_t kFetches = 10;  // the fill buffers of a core; Golden Cove has 16
  std::array<Time, kStores> left_{};           // when each of the last ones leaves
  std::array<Time, kFetches> fetched_{};       // when each of the last transfers ends
  std::size_t next_ = 0, next_fetch_ = 0;
  Time last_ = 0;
};

}  // namespace heddle::machine
