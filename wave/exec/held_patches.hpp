// The application's own queue of patches that nobody computes yet: one for all threads, as in the paper, so
// that its congestion can be seen, or one a thread.
//
// Invariant: a patch that was put is taken once. Threads: any.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace heddle::wave {

enum class QueueKind { central, local };

class HeldPatches {
 public:
  /// threads: the largest team.
  HeldPatches(QueueKind kind, int threads) : kind_(kind) {
    for (int t = 0; t < (kind == QueueKind::central ? 1 : threads); ++t)
      queues_.push_back(std::make_unique<Queue>());
  }

  /// Returns whether it was put: not where `limit` are held already.
  bool put(int patch, int thread, int limit) {
    Queue& queue = of(thread);
    const std::scoped_lock lock(queue.mutex);
    if (static_cast<std::size_t>(limit) / queues_.size() <= queue.patches.size()) return false;
    queue.patches.push_back(patch);
    return true;
  }
  /// One patch, the newest of the caller's queue, since the secondary traversals go backwards; or of
  /// another's the oldest. -1 where there is none.
  int take(int thread) {
    std::vector<int> one;
    take(thread, 1, 1, one, true);
    return one.empty() ? -1 : one.front();
  }
  /// The oldest ones of a queue, `least` to `most` of them; none where no queue has so many.
  void take_batch(int thread, int least, int most, std::vector<int>& into) {
    take(thread, least, most, into, false);
  }

 private:
  struct alignas(64) Queue {
    std::mutex mutex;
    std::deque<int> patches;
  };

  [[nodiscard]] Queue& of(int thread) {
    return *queues_[kind_ == QueueKind::central ? 0 : static_cast<std::size_t>(thread)];
  }

  void take(int thread, int least, int most, std::vector<int>& into, bool newest_of_own) {
    into.clear();
    const std::size_t own = kind_ == QueueKind::central ? 0 : static_cast<std::size_t>(thread);
    for (std::size_t n = 0; n < queues_.size() && into.empty(); ++n) {
      Queue& queue = *queues_[(own + n) % queues_.size()];
      const std::scoped_lock lock(queue.mutex);
      if (queue.patches.size() < static_cast<std::size_t>(least)) continue;
      while (!queue.patches.empty() && static_cast<int>(into.size()) < most) {
        const bool is_newest = newest_of_own && n == 0;
        into.push_back(is_newest ? queue.patches.back() : queue.patches.front());
        is_newest ? queue.patches.pop_back() : queue.patches.pop_front();
      }
    }
  }

  QueueKind kind_;
  std::vector<std::unique_ptr<Queue>> queues_;
};

}  // namespace heddle::wave
