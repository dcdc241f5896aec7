// What was sent to one worker: tasks whose data it probably has in its cache.
//
// Invariant: a node is on at most one inbox, and all leave it at a stroke: so there is no ABA. One word holds
// the newest and how many there are; all others write and read nothing else of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cache_line.hpp"

namespace heddle {

template <class Node, template <class> class Atomic = std::atomic>
class alignas(kCacheLine) Inbox {
 public:
  /// Posts a node, or a chain first -> … -> last of `count` linked by `next`. Returns false, and the
  /// chain is as it was, where `most` or more are there. Threads: any.
  /// Ordering: what happened before is visible to the thread that takes the node.
  /// Requires: most + count < 65536; the caller looks afterwards whether somebody sleeps.
  bool post(Node& node, std::uint32_t most) { return post(node, node, 1, most); }
  bool post(Node& first, Node& last, std::uint32_t count, std::uint32_t most) {
    std::uint64_t word = 0;  // mostly; to look first would have the cache line come twice
    do {
      if (count_of(word) >= most) {
        last.next = nullptr;
        return false;
      }
      last.next = first_of(word);
      // release: pairs with the acquire in take_all()
    } while (!word_.compare_exchange_weak(word, word_for(first, count_of(word) + count),
                                          std::memory_order_release, std::memory_order_relaxed));
    return true;
  }

  /// Misses none where the thread has announced its sleep, or has ended its search.
  bool looks_empty() const {
    return word_.load(std::memory_order_seq_cst) == 0;  // seq_cst: as Parking::look_for_more() requires
  }

  /// All of them, linked by `next`, the newest first; or nullptr. Threads: any.
  Node* take_all() {
    if (looks_empty()) return nullptr;
    // acquire: pairs with the release in post()
    return first_of(word_.exchange(0, std::memory_order_acquire));
  }

 private:
  static constexpr int kCountShift = 48;

  static Node* first_of(std::uint64_t word) {
    return reinterpret_cast<Node*>(word & ((std::uint64_t{1} << kCountShift) - 1));
  }
  static std::uint32_t count_of(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> kCountShift);
  }
  static std::uint64_t word_for(Node& first, std::uint32_t count) {
    return reinterpret_cast<std::uint64_t>(&first) | std::uint64_t{count} << kCountShift;
  }

  Atomic<std::uint64_t> word_{0};
};

}  // namespace heddle
