// When a thief takes a single task from another worker's queue: not at once where that was hardly worth it
// lately.
//
// A stolen task's data crosses from cache to cache, and so does what its creator touches next. Where tasks
// are shorter than that, taking each as soon as it is there makes both sides slow; a moment later there are
// many, or one with successors, and one theft feeds the thief for long. Tasks that last are taken at once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

class StealPatience {
 public:
  /// Whether to steal now. Units: now in ns, of a clock that does not stand still.
  bool allows(std::int64_t now) {
    if (is_busy_) {  // the first look after the last theft's work is done
      is_busy_ = false;
      idle_since_ = now;
      wait_ = now - stolen_at_ < kWorthwhileNs ? std::min(std::max(2 * wait_, kLeastNs), kMostNs) : 0;
    }
    return now - idle_since_ >= wait_;
  }
  void stole(std::int64_t now) {
    is_busy_ = true;
    stolen_at_ = now;
  }

 private:
  // About ten cache misses: what a theft costs both sides; and what it may cost a program whose tasks begin
  // to last. Measured: bench/tasks, listing1 and chain.
  static constexpr std::int64_t kWorthwhileNs = 1000, kLeastNs = 500, kMostNs = 4000;

  bool is_busy_ = false;
  std::int64_t stolen_at_ = 0;
  std::int64_t idle_since_ = 0;
  std::int64_t wait_ = 0;
};

}  // namespace heddle
