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
    // Rounded up: a queue of its own holds at least one.
    const std::size_t most = (static_cast<std::size_t>(limit) + queues_.size() - 1) / queues_.size();
    if (most <= queue.patches.size()) return false;
    queue.patches.push_back(patch);
    return true;
  }
  /// One patch, the newest of the caller's queue, since the secondary traversals go backwards; or of
  /// another's the oldest. -1 where there is none.
  int take(int thread) {
    const std::size_t own = first_queue(thread);
    for (std::size_t n = 0; n < queues_.size(); ++n) {
      Queue& queue = *queues_[(own + n) % queues_.size()];
      const std::scoped_lock lock(queue.mutex);
      if (queue.patches.empty()) continue;
      const int patch = n == 0 ? queue.patches.back() : queue.patches.front();
      n == 0 ? queue.patches.pop_back() : queue.patches.pop_front();
      return patch;
    }
    return -1;
  }
  /// The oldest ones of a queue, `least` to `most` of them; none where no queue has so many.
  void take_batch(int thread, int least, int most, std::vector<int>& into) {
    into.clear();
    const std::size_t own = first_queue(thread);
    for (std::size_t n = 0; n < queues_.size() && into.empty(); ++n) {
      Queue& queue = *queues_[(own + n) % queues_.size()];
      const std::scoped_lock lock(queue.mutex);
      if (queue.patches.size() < static_cast<std::size_t>(least)) continue;
      while (!queue.patches.empty() && static_cast<int>(into.size()) < most) {
        into.push_back(queue.patches.front());
        queue.patches.pop_front();
      }
    }
  }
  /// Forgets what is held.
  void clear() {
    for (const auto& queue : queues_) {
      const std::scoped_lock lock(queue->mutex);
      queue->patches.clear();
    }
  }

 private:
  struct alignas(64) Queue {
    std::mutex mutex;
    std::deque<int> patches;
  };

  [[nodiscard]] std::size_t first_queue(int thread) const {
    return kind_ == QueueKind::central ? 0 : static_cast<std::size_t>(thread);
  }
  [[nodiscard]] Queue& of(int thread) { return *queues_[first_queue(thread)]; }

  QueueKind kind_;
  std::vector<std::unique_ptr<Queue>> queues_;
};

}  // namespace heddle::wave
