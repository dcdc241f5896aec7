// How often something is left out that was in vain lately: each time twice as often, until it is of use.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

class GrowingPause {
 public:
  /// Units: what is left out, counted by is_over(). starts_over: it may be tried at once.
  constexpr GrowingPause(std::uint32_t shortest, std::uint32_t longest, bool starts_over = true)
      : shortest_(shortest), longest_(longest), left_(starts_over ? 0 : shortest), length_(shortest) {}

  /// Whether to try now. What is left out otherwise counts towards the end of the pause.
  bool is_over() {
    if (left_ == 0) return true;
    --left_;
    return false;
  }
  void was_in_vain() {
    left_ = length_;
    length_ = std::min(2 * length_, longest_);
  }
  /// It was worse than that: so many are left out at least.
  void was_in_vain(std::uint64_t at_least) {
    if (at_least > length_) length_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(at_least, longest_));
    was_in_vain();
  }
  void was_of_use() { length_ = shortest_; }
  /// Before the next trial: the shortest pause, one as long as the last, or none.
  void begin_again() { left_ = shortest_; }
  void hold() { left_ = length_; }
  void end() { left_ = 0; }

 private:
  std::uint32_t shortest_, longest_;
  std::uint32_t left_;
  std::uint32_t length_;
};

}  // namespace heddle
