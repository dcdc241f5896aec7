// One value a thread, each on cache lines of its own.
#pragma once

#include <omp.h>

#include <cstddef>
#include <vector>

namespace heddle::wave {

template <class Value>
class PerThread {
 public:
  explicit PerThread(int threads) : values_(static_cast<std::size_t>(threads)) {}

  /// The calling thread's. Not to be kept across a point where its task may leave the thread.
  [[nodiscard]] Value& mine() { return values_[static_cast<std::size_t>(omp_get_thread_num())].value; }
  /// Calls visit(value) for each. Requires: of what it looks at no thread changes its own meanwhile, or as
  /// atomics.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (Padded& padded : values_) visit(padded.value);
  }

 private:
  struct alignas(128) Padded {
    Value value{};
  };
  std::vector<Padded> values_;
};

}  // namespace heddle::wave
