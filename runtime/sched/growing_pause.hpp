// How often something is left out that was in vain lately: each time twice as often, until it is of use.
#pragma once

#include <algorithm>

namespace heddle {

template <int kShortest, int kLongest>
class GrowingPause {
 public:
  /// Whether to try now. What is left out otherwise counts towards the end of the pause.
  bool is_over() {
    if (left_ == 0) return true;
    --left_;
    return false;
  }
  void was_in_vain() {
    left_ = length_;
    length_ = std::min(2 * length_, kLongest);
  }
  void was_of_use() { length_ = kShortest; }

 private:
  int left_ = 0;
  int length_ = kShortest;
};

}  // namespace heddle
